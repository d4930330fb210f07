//! What a Markdown reader sees of a page.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A table: its rows with their cells, the head first.
pub(crate) type Table = Vec<Vec<Cell>>;

/// A cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cell {
    /// What is read in it; a break is a line feed.
    pub(crate) text: String,
    /// All of it is code.
    pub(crate) is_code: bool,
    /// Where its links lead.
    pub(crate) links: Vec<String>,
}

/// The tables of a page.
pub(crate) fn tables(page: &str) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    let mut cell = Cell::default();
    let mut words = 0;
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Table(_)) => tables.push(Vec::new()),
            Event::Start(Tag::TableHead | Tag::TableRow) => {
                tables.last_mut().expect("a row is in a table").push(Vec::new());
            }
            Event::Start(Tag::TableCell) => (cell, words) = (Cell::default(), 0),
            Event::End(TagEnd::TableCell) => {
                cell.is_code = words == 0 && !cell.text.is_empty();
                let row = tables.last_mut().and_then(|table| table.last_mut()).expect("a cell is in a row");
                row.push(std::mem::take(&mut cell));
            }
            Event::Start(Tag::Link { dest_url, .. }) => cell.links.push(dest_url.into_string()),
            Event::Code(text) => cell.text.push_str(&text),
            Event::Text(text) => {
                words += 1;
                cell.text.push_str(&text);
            }
            Event::InlineHtml(html) if html.as_ref() == "<br>" => cell.text.push('\n'),
            _ => {}
        }
    }
    tables
}

/// A page's words: all that is read on it but code.
pub(crate) fn words(page: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut is_code = false;
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => is_code = true,
            Event::End(TagEnd::CodeBlock) => is_code = false,
            Event::Text(text) if !is_code => {
                let found = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
                words.extend(found.map(str::to_lowercase));
            }
            _ => {}
        }
    }
    words
}

/// Every link of a page, and every place on it that links may lead to.
pub(crate) fn links(page: &str) -> (Vec<String>, Vec<String>) {
    let (mut links, mut anchors) = (Vec::new(), Vec::new());
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) => links.push(dest_url.into_string()),
            Event::InlineHtml(html) => {
                anchors.extend(
                    html.strip_prefix("<a id=\"").and_then(|id| id.strip_suffix("\">")).map(str::to_owned),
                );
            }
            _ => {}
        }
    }
    (links, anchors)
}
