//! Whether two JSON values say the same.

use serde_json::{Number, Value};

/// How `written`, which a type wrote, differs from `read`, which it had read: numbers may have
/// another form, and a member that has its default may be absent. `None` when it does not.
pub fn difference(read: &Value, written: &Value, defaults: &[(String, Value)]) -> Option<String> {
    differs_at("", read, written, defaults)
}

/// Whether two values are the same JSON; 1 and 1.0 are.
pub fn same(a: &Value, b: &Value) -> bool {
    difference(a, b, &[]).is_none()
}

fn differs_at(at: &str, read: &Value, written: &Value, defaults: &[(String, Value)]) -> Option<String> {
    match (read, written) {
        (Value::Number(a), Value::Number(b)) if same_number(a, b) => None,
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => a
            .iter()
            .zip(b)
            .enumerate()
            .find_map(|(index, (a, b))| differs_at(&format!("{at}/{index}"), a, b, defaults)),
        (Value::Object(a), Value::Object(b)) => {
            let lost = a.iter().find_map(|(name, value)| match b.get(name) {
                Some(other) => differs_at(&format!("{at}/{name}"), value, other, defaults),
                None => {
                    let is_default =
                        |(member, default): &(String, Value)| member == name && same(value, default);
                    (!defaults.iter().any(is_default)).then(|| format!("{at}/{name} is gone"))
                }
            });
            let added = || b.keys().find(|name| !a.contains_key(*name));
            lost.or_else(|| added().map(|name| format!("{at}/{name} was not there")))
        }
        _ if read == written => None,
        _ => Some(format!("{at}: {read} became {written}")),
    }
}

fn same_number(a: &Number, b: &Number) -> bool {
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => a == b,
        (None, None) => a.as_f64() == b.as_f64(),
        _ => false,
    }
}

/// The integer that a number is, exactly.
fn integer(number: &Number) -> Option<i128> {
    if let Some(value) = number.as_u64() {
        return Some(value.into());
    }
    if let Some(value) = number.as_i64() {
        return Some(value.into());
    }
    // Every double that is below 2^127 and whole is an i128.
    number.as_f64().filter(|value| value.fract() == 0.0 && value.abs() < 1e38).map(|value| value as i128)
}

#[cfg(test)]
mod tests {
    use super::{difference, same};
    use serde_json::json;

    #[test]
    fn numbers_are_compared_by_value() {
        assert!(same(&json!([1, -0.0, 1e19]), &json!([1.0, 0, 10_000_000_000_000_000_000_u64])));
        assert!(!same(&json!(9_007_199_254_740_993_i64), &json!(9_007_199_254_740_992.0)));
        assert!(!same(&json!(1), &json!(1.5)));
        assert!(!same(&json!(1), &json!(true)));
    }

    #[test]
    fn only_a_member_that_has_its_default_may_go() {
        let defaults = [("a".to_owned(), json!({}))];
        assert_eq!(difference(&json!({ "a": {}, "b": 1 }), &json!({ "b": 1 }), &defaults), None);
        let lost = difference(&json!({ "b": { "a": 1 } }), &json!({ "b": {} }), &defaults);
        assert_eq!(lost.as_deref(), Some("/b/a is gone"));
        let added = difference(&json!([{}]), &json!([{ "a": {} }]), &defaults);
        assert_eq!(added.as_deref(), Some("/0/a was not there"));
    }
}
