//! Patterns in which `*` stands for any text and `?` for one character.

/// Whether a name matches a pattern.
pub(super) fn glob(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // The last `*`, and what it stands for so far: one place to go back to is enough.
    let (mut at, mut in_name, mut star) = (0, 0, None);
    while in_name < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, in_name));
                at += 1;
            }
            Some(c) if *c == '?' || *c == name[in_name] => {
                at += 1;
                in_name += 1;
            }
            _ => match star {
                Some((star_at, taken)) => {
                    star = Some((star_at, taken + 1));
                    at = star_at + 1;
                    in_name = taken + 1;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::glob;

    #[test]
    fn globs() {
        for (pattern, name, matches) in [
            ("*", "a/b", true),
            ("world/*", "world/spawn", true),
            ("world/*", "unit/move", false),
            ("*/s*n", "world/spawn", true),
            ("w?rld/spawn", "world/spawn", true),
            ("", "a", false),
            ("a*b*c", "aXbYbZc", true),
        ] {
            assert_eq!(glob(pattern, name), matches, "{pattern} {name}");
        }
    }
}
