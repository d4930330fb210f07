//! What the compiler says about mistakes, each in a file of its name, and what must compile.

#[test]
fn mistakes_are_told_in_good_words() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*.rs");
    cases.pass("ui/pass/*.rs");
}
