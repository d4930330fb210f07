//! From tokens to the text of a Rust file, with its header.

use crate::REGENERATE;
use crate::diagnostics::{Diagnostics, Place, Result};
use proc_macro2::{Delimiter, TokenStream};
use quote::{ToTokens, quote};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use syn::parse::{ParseStream, Parser};
use syn::visit_mut::VisitMut;
use syn::{Attribute, Expr, Item, ItemMod, braced};

/// How much of a sha256 the headers show.
pub const SHORT_DIGEST: usize = 12;

/// How much of unreadable code an error shows, in characters.
const SHOWN: usize = 400;

/// What the first line of a file says.
#[derive(Clone, Debug)]
pub struct Header {
    /// What it was made from: path and sha256 of each file.
    pub sources: Vec<(String, String)>,
    /// The command that makes it anew.
    pub command: String,
}

impl Default for Header {
    fn default() -> Self {
        Self { sources: Vec::new(), command: REGENERATE.to_owned() }
    }
}

/// A Rust file in the making, a blank line between any two items. Each is printed as it comes: thousands
/// of them would fill the memory.
pub struct RustFile {
    text: String,
    after_import: bool,
}

impl RustFile {
    /// One that has its header.
    pub fn new(header: &Header) -> Self {
        Self { text: head(header), after_import: false }
    }

    /// Adds items, after inner attributes if there are any.
    ///
    /// # Errors
    ///
    /// The tokens are no Rust: a fault of the emitter. The error shows the item that cannot be read.
    pub fn add(&mut self, tokens: impl ToTokens) -> Result<()> {
        let mut region = String::new();
        let parse = |input: ParseStream| self.read(input, &mut region);
        parse.parse2(tokens.into_token_stream()).map_err(|error| unreadable(&error, &region))
    }

    /// Adds a module: what stands before its brace, and what `inside` adds; gives what that gives.
    ///
    /// # Errors
    ///
    /// As those of [`add`](Self::add).
    pub fn module<T>(&mut self, head: TokenStream, inside: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let module: ItemMod =
            syn::parse2(quote! { #head {} }).map_err(|error| unreadable(&error, &head.to_string()))?;
        let mut inner = Self { text: String::new(), after_import: false };
        let made = inside(&mut inner)?;
        self.print_module(module, &inner.text);
        Ok(made)
    }

    /// Its text.
    pub fn into_text(self) -> String {
        self.text
    }

    /// Tokens from `quote!` have no position, so where reading fails, `region` gets the text from the item
    /// that is wrong.
    fn read(&mut self, input: ParseStream, region: &mut String) -> syn::Result<()> {
        let start = input.fork();
        let attrs = input.call(Attribute::parse_inner).inspect_err(|_| *region = start.to_string())?;
        if !attrs.is_empty() {
            self.text.push('\n');
            self.text.push_str(unparse(attrs, Vec::new()).trim_end());
            self.text.push('\n');
        }
        self.items(input, region)
    }

    fn items(&mut self, input: ParseStream, region: &mut String) -> syn::Result<()> {
        while !input.is_empty() {
            if is_module(input) {
                let content;
                let module = ItemMod {
                    attrs: input.call(Attribute::parse_outer)?,
                    vis: input.parse()?,
                    unsafety: None,
                    mod_token: input.parse()?,
                    ident: input.parse()?,
                    content: Some((braced!(content in input), Vec::new())),
                    semi: None,
                };
                let mut inner = Self { text: String::new(), after_import: false };
                inner.items(&content, region)?;
                self.print_module(module, &inner.text);
                continue;
            }
            let start = input.fork();
            let mut item: Item = input.parse().inspect_err(|_| *region = start.to_string())?;
            Unparenthesized.visit_item_mut(&mut item);
            let import = matches!(item, Item::Use(_));
            self.print(item, import);
        }
        Ok(())
    }

    /// Imports follow one another without a blank line.
    fn print(&mut self, item: Item, import: bool) {
        if !(import && self.after_import) {
            self.text.push('\n');
        }
        self.after_import = import;
        self.text.push_str(&unparse(Vec::new(), vec![item]));
    }

    /// An empty module, with the text of what is in it.
    fn print_module(&mut self, module: ItemMod, inside: &str) {
        self.print(Item::Mod(module), false);
        let Some(head) = self.text.trim_end().strip_suffix('}') else { return };
        self.text.truncate(head.trim_end().len());
        self.text.push('\n');
        // No token goes over a line end: the emitters make literals of one line only.
        for line in inside.trim_start_matches('\n').lines() {
            if !line.is_empty() {
                self.text.push_str("    ");
            }
            self.text.push_str(line);
            self.text.push('\n');
        }
        self.text.push_str("}\n");
    }
}

/// The text of a Rust file: the header, then the items of `tokens`.
///
/// # Errors
///
/// As those of [`RustFile::add`].
pub fn rust(header: &Header, tokens: TokenStream) -> Result<String> {
    let mut file = RustFile::new(header);
    file.add(tokens)?;
    Ok(file.into_text())
}

/// The text of a Rust file that somebody has written: the header, then the text as it is.
pub fn as_written(header: &Header, text: &str) -> String {
    format!("{}\n{text}", head(header))
}

fn head(header: &Header) -> String {
    let from =
        if header.sources.is_empty() { String::new() } else { format!(" from {}", origin(&header.sources)) };
    let (version, command) = (env!("CARGO_PKG_VERSION"), one_line(&header.command));
    format!("// @generated by ludwire {version}{from}. Do not edit; run `{command}`.\n")
}

/// Whether `mod name { … }` comes next.
fn is_module(input: ParseStream) -> bool {
    let mut at = input.cursor();
    while let Some((_, next)) = at.punct().filter(|(punct, _)| punct.as_char() == '#') {
        let Some((_, _, after)) = next.group(Delimiter::Bracket) else { return false };
        at = after;
    }
    if let Some((_, next)) = at.ident().filter(|(ident, _)| ident == "pub") {
        at = next.group(Delimiter::Parenthesis).map_or(next, |(_, _, after)| after);
    }
    let name = at.ident().filter(|(ident, _)| ident == "mod").and_then(|(_, at)| at.ident());
    name.is_some_and(|(_, at)| at.group(Delimiter::Brace).is_some())
}

/// Drops every parenthesis around an expression; the printer sets those that precedence needs.
struct Unparenthesized;

impl VisitMut for Unparenthesized {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        while let Expr::Paren(inner) = expr {
            *expr = std::mem::replace(&mut *inner.expr, Expr::PLACEHOLDER);
        }
        syn::visit_mut::visit_expr_mut(self, expr);
    }
}

/// The files that something was made from.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Origin {
    /// The file, or the folder that holds all of them; empty where there are none.
    pub path: String,
    /// How many files there are.
    pub files: usize,
    /// The start of a digest over all of them.
    pub digest: String,
}

impl Origin {
    /// Of files by path and sha256.
    pub fn of(sources: &[(String, String)]) -> Self {
        let (path, digest) = match sources {
            [] => (String::new(), String::new()),
            [(path, sha256)] => (path.clone(), sha256.clone()),
            [(first, _), rest @ ..] => {
                let folder =
                    rest.iter().fold(parent(first), |folder, (path, _)| common(folder, parent(path)));
                let folder = if folder.is_empty() { "." } else { folder };
                let mut digest = Sha256::new();
                for (path, sha256) in sources {
                    digest.update(format!("{path}\0{sha256}\n"));
                }
                let digest = digest.finalize().iter().fold(String::new(), |mut text, byte| {
                    // Writing to a String does not fail.
                    let _ = write!(text, "{byte:02x}");
                    text
                });
                (folder.to_owned(), digest)
            }
        };
        Self { path, files: sources.len(), digest: short(&digest).to_owned() }
    }
}

/// The files that something was made from, in one phrase: `path (sha256 0123456789ab)`, or
/// `folder (3 files, sha256 0123456789ab)` with a digest over all of them.
pub fn origin(sources: &[(String, String)]) -> String {
    let Origin { path, files, digest } = Origin::of(sources);
    let path = one_line(&path);
    match files {
        0 => "no files".to_owned(),
        1 => format!("{path} (sha256 {digest})"),
        _ => format!("{path} ({files} files, sha256 {digest})"),
    }
}

/// The start of a digest, as headers and pages show it.
pub fn short(sha256: &str) -> &str {
    sha256.get(..SHORT_DIGEST).unwrap_or(sha256)
}

fn unparse(attrs: Vec<Attribute>, items: Vec<Item>) -> String {
    prettyplease::unparse(&syn::File { shebang: None, frontmatter: None, attrs, items })
}

fn unreadable(error: &syn::Error, region: &str) -> Diagnostics {
    let shown: String = region.chars().take(SHOWN).collect();
    let more = if shown.len() < region.len() { " …" } else { "" };
    Diagnostics::one(
        Place::default(),
        format!(
            "internal error: the generated code is not Rust ({error}); please report it, with the \
             schema; the code is\n{shown}{more}"
        ),
    )
}

/// A path comes from the file system and may hold a line break, which would end the comment.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { '?' } else { c })
        .collect()
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The deepest folder that holds both.
fn common<'a>(a: &'a str, b: &str) -> &'a str {
    let same = a.split('/').zip(b.split('/')).take_while(|(x, y)| x == y).count();
    let mut ends = a.match_indices('/').map(|(at, _)| at).chain([a.len()]);
    same.checked_sub(1).and_then(|last| ends.nth(last)).map_or("", |end| &a[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str) -> (String, String) {
        (path.to_owned(), "0123456789abcdef".repeat(4))
    }

    fn header(path: &str) -> Header {
        Header { sources: vec![source(path)], ..Header::default() }
    }

    #[test]
    fn header_names_source_digest_version_and_command() {
        let text = rust(&header("schemas/a.json"), quote!()).expect("no tokens are a file");
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            text,
            format!(
                "// @generated by ludwire {version} from schemas/a.json (sha256 0123456789ab). \
                 Do not edit; run `cargo run -- generate`.\n"
            )
        );
    }

    #[test]
    fn the_folder_of_several_files_is_whole() {
        for (a, b, folder) in [
            ("/x/schemas/a.json", "/x/schemas/b/c.json", "/x/schemas"),
            ("/x/schemas/a.json", "/x/schemes/a.json", "/x"),
            ("schemas/a.json", "schemas/b.json", "schemas"),
            ("a.json", "b/c.json", "."),
        ] {
            let text = origin(&[source(a), source(b)]);
            assert!(text.starts_with(&format!("{folder} (2 files, ")), "{text}");
        }
    }

    #[test]
    fn what_only_rustc_refuses_is_left_to_it() {
        let text = rust(&Header::default(), quote! { fn f(); const X: u8; }).expect("it can be read");
        assert!(text.contains("\nfn f();\n\nconst X: u8;\n"), "{text}");
        assert!(!text.contains(" from "), "{text}");
    }

    #[test]
    fn items_are_set_apart_and_imports_are_not() {
        let tokens = quote! {
            #![allow(missing_docs)]
            use a::b;
            use c::d;
            /// Two
            struct A { x: u8 }
            struct B;
        };
        let text = rust(&Header::default(), tokens).expect("it is Rust");
        let (_, body) = text.split_once('\n').expect("there is a header");
        assert_eq!(
            body,
            "\n#![allow(missing_docs)]\n\nuse a::b;\nuse c::d;\n\n/// Two\nstruct A {\n    x: u8,\n}\n\nstruct B;\n"
        );
    }

    #[test]
    fn an_unreadable_item_is_shown_and_no_other() {
        let tokens = quote! { struct A; struct 5 { x: u8 } struct C; };
        let error = rust(&Header::default(), tokens).expect_err("5 is no name").to_string();
        assert!(error.contains("internal error"), "{error}");
        assert!(error.contains("the code is\nstruct 5"), "{error}");
        assert!(!error.contains("struct A"), "{error}");
    }

    #[test]
    fn unreadable_attributes_are_an_error_too() {
        let error = rust(&Header::default(), quote!(struct A; #![]))
            .expect_err("an attribute of the file after an item");
        assert!(error.to_string().contains("internal error"), "{error}");
    }

    #[test]
    fn many_sources_are_one_phrase() {
        let sources = [source("s/g/1.0/a/x.json"), source("s/g/1.0/b.json"), source("s/g/1.0/a/y.json")];
        let phrase = origin(&sources);
        assert!(phrase.starts_with("s/g/1.0 (3 files, sha256 "), "{phrase}");
        let mut changed = sources.clone();
        changed[1].1.replace_range(0..1, "f");
        assert_ne!(phrase, origin(&changed));
        assert_eq!(common("ab/c", "a/c"), "");
        assert_eq!(common("ab/c/d", "ab/c"), "ab/c");
    }

    #[test]
    fn a_line_break_in_a_path_stays_in_the_comment() {
        let text = rust(&header("a\nfn x() {}.json"), quote!()).expect("no tokens are a file");
        assert_eq!(text.lines().count(), 1);
    }
}
