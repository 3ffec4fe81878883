//! Markdown of comments and READMEs as HTML.
//!
//! HTML is shown as text, since `<name>` in comments is mostly a placeholder; only comments, breaks and anchors are
//! interpreted.
#![allow(clippy::wildcard_enum_match_arm, reason = "most events are passed on")]

use std::collections::{HashMap, HashSet};

use maud::{Markup, PreEscaped, Render, html};
use pulldown_cmark::html::push_html;
use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, TextMergeStream,
};

use super::code::{self, CodeLanguage};
use super::names::{NameUse, PageLinks, qualified};

/// The prefix of a README's anchors, so that they differ from the page's own.
const ANCHOR: &str = "readme-";

/// Returns the text of a comment as HTML.
pub(crate) fn comment(text: &str, links: &PageLinks<'_>) -> Markup {
    MarkdownRenderer::new(links, MarkdownSource::Comment, HashSet::new()).render(text)
}

/// Returns a comment of one paragraph without the paragraph.
pub(crate) fn inline(text: &str, links: &PageLinks<'_>) -> Markup {
    let shown = comment(text, links).into_string();
    let inner = shown.trim_end().strip_prefix("<p>").and_then(|rest| rest.strip_suffix("</p>"));
    PreEscaped(inner.filter(|inner| !inner.contains("<p>")).unwrap_or(&shown).to_owned())
}

/// Returns the text of Markdown without markup.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = text_until(&mut events(text), |_| false);
    plain.truncate(plain.trim_end().len());
    plain
}

/// Returns a README as HTML. Links to its own headings work, and links to files lead below `base`, if there is one.
pub(crate) fn readme(text: &str, base: Option<&str>, links: &PageLinks<'_>) -> Markup {
    MarkdownRenderer::new(links, MarkdownSource::Readme { base }, anchors(text)).render(text)
}

#[derive(Clone, Copy)]
enum MarkdownSource<'a> {
    Comment,
    Readme { base: Option<&'a str> },
}

struct MarkdownRenderer<'a> {
    links: &'a PageLinks<'a>,
    source: MarkdownSource<'a>,
    /// The anchors of the document, as links name them.
    anchors: HashSet<String>,
    /// The number of headings with each anchor so far.
    taken: HashMap<String, u32>,
    /// The anchors that were already output: each appears once.
    placed: HashSet<String>,
}

fn events(text: &str) -> impl Iterator<Item = Event<'_>> {
    TextMergeStream::new(Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH))
}

/// Returns the anchors of a text: of headings, as GitHub names them, and in HTML.
fn anchors(text: &str) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut taken = HashMap::new();
    let mut heading: Option<String> = None;
    for event in events(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let title = heading.take().unwrap_or_default();
                found.insert(anchor(&title, &mut taken));
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::Html(text) | Event::InlineHtml(text) => {
                found.extend(HtmlPart::parts(&text).into_iter().filter_map(|part| match part {
                    HtmlPart::Anchor(name) => Some(name),
                    HtmlPart::Break | HtmlPart::Text(_) => None,
                }));
            }
            _ => {}
        }
    }
    found
}

/// Returns the anchor of a heading, as GitHub names it.
fn anchor(title: &str, taken: &mut HashMap<String, u32>) -> String {
    let mut name = String::new();
    for c in title.trim().chars() {
        match c {
            ' ' => name.push('-'),
            '-' | '_' => name.push(c),
            c if c.is_alphanumeric() => name.extend(c.to_lowercase()),
            _ => {}
        }
    }
    let same = taken.entry(name.clone()).or_insert(0);
    let unique = if *same > 0 { format!("{name}-{same}") } else { name };
    *same = same.saturating_add(1);
    unique
}

impl<'a> MarkdownRenderer<'a> {
    fn new(links: &'a PageLinks<'a>, source: MarkdownSource<'a>, anchors: HashSet<String>) -> Self {
        Self { links, source, anchors, taken: HashMap::new(), placed: HashSet::new() }
    }

    fn render(mut self, text: &str) -> Markup {
        let mut out: Vec<Event<'_>> = Vec::new();
        let mut events = events(text);
        let mut link_depth = 0u32;
        while let Some(event) = events.next() {
            match event {
                Event::Start(Tag::CodeBlock(kind)) => {
                    let code =
                        text_until(&mut events, |event| matches!(event, Event::End(TagEnd::CodeBlock)));
                    out.push(self.code_block(&kind, &code));
                }
                Event::Start(Tag::HtmlBlock) => {
                    let text =
                        text_until(&mut events, |event| matches!(event, Event::End(TagEnd::HtmlBlock)));
                    self.html(&text, &mut out);
                }
                Event::Html(text) | Event::InlineHtml(text) => self.html(&text, &mut out),
                Event::Start(Tag::Heading { level, .. }) => {
                    let inner: Vec<Event<'_>> = events
                        .by_ref()
                        .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))))
                        .collect();
                    self.heading(level, inner, &mut out);
                }
                Event::Start(Tag::Link { dest_url, title, .. }) => {
                    link_depth = link_depth.saturating_add(1);
                    out.push(self.link(&dest_url, &title));
                }
                Event::End(TagEnd::Link) => {
                    link_depth = link_depth.saturating_sub(1);
                    out.push(trusted(html_end()));
                }
                Event::Start(Tag::Image { dest_url, title, .. }) => {
                    let alt = text_until(&mut events, |event| matches!(event, Event::End(TagEnd::Image)));
                    out.push(image(&dest_url, &title, &alt));
                }
                Event::Text(text) if link_depth == 0 => out.push(trusted(self.prose(&text))),
                Event::Code(text) if link_depth == 0 => out.push(trusted(self.code_span(&text))),
                event => out.push(event),
            }
        }
        let mut shown = String::with_capacity(text.len().saturating_mul(2));
        push_html(&mut shown, out.into_iter());
        PreEscaped(shown)
    }

    fn code_block(&self, kind: &CodeBlockKind<'_>, code: &str) -> Event<'static> {
        let language = match kind {
            CodeBlockKind::Fenced(info) => match info.split([' ', ',']).next().unwrap_or_default() {
                "puppet" | "pp" => CodeLanguage::Puppet,
                "ruby" | "rb" => CodeLanguage::Ruby,
                _ => CodeLanguage::Other,
            },
            CodeBlockKind::Indented => CodeLanguage::guess(code),
        };
        trusted(code::block(&language.mark(code.trim_end_matches('\n'), self.links)))
    }

    /// Adds a heading, below the headings of the page.
    fn heading<'e>(&mut self, level: HeadingLevel, inner: Vec<Event<'e>>, out: &mut Vec<Event<'e>>) {
        let lower = match self.source {
            MarkdownSource::Comment => 2,
            MarkdownSource::Readme { .. } => 1,
        };
        let level = (level as usize).saturating_add(lower).min(6);
        let title: String = inner
            .iter()
            .filter_map(|event| match event {
                Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
                _ => None,
            })
            .collect();
        let name = anchor(&title, &mut self.taken);
        let id = self.place(name).map(|name| format!(" id=\"{}\"", html! { (ANCHOR)(name) }.into_string()));
        out.push(trusted(PreEscaped(format!("<h{level}{}>", id.unwrap_or_default()))));
        for event in inner {
            match event {
                Event::Start(Tag::Link { dest_url, title, .. }) => out.push(self.link(&dest_url, &title)),
                Event::End(TagEnd::Link) => out.push(trusted(html_end())),
                // Images in headings are mostly badges: only their alternative text stays.
                Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => {}
                Event::InlineHtml(text) => self.html(&text, out),
                event => out.push(event),
            }
        }
        out.push(trusted(PreEscaped(format!("</h{level}>\n"))));
    }

    /// Returns the name of an anchor that is to be output, unless it already was.
    fn place(&mut self, name: String) -> Option<String> {
        let is_wanted =
            matches!(self.source, MarkdownSource::Readme { .. }) && self.placed.insert(name.clone());
        is_wanted.then_some(name)
    }

    fn html<'e>(&mut self, text: &str, out: &mut Vec<Event<'e>>) {
        for part in HtmlPart::parts(text) {
            match part {
                HtmlPart::Text(text) => out.push(Event::Text(CowStr::from(text))),
                HtmlPart::Break => out.push(Event::HardBreak),
                HtmlPart::Anchor(name) => {
                    let placed = self.place(name);
                    out.extend(placed.map(|name| trusted(html! { span id={ (ANCHOR)(name) } {} })));
                }
            }
        }
    }

    /// Returns the start tag of a link, without an address if its target does not exist.
    fn link(&self, to: &str, title: &str) -> Event<'static> {
        let title = Some(title).filter(|title| !title.is_empty());
        let start = match self.target(to) {
            Some(href) => html! { a href=(href) title=[title] {} }.into_string(),
            None => "<a></a>".to_owned(),
        };
        trusted(PreEscaped(start.trim_end_matches("</a>").to_owned()))
    }

    /// Returns the target of a link: an address of the web, a page, or an anchor in the README.
    fn target(&self, to: &str) -> Option<String> {
        let to = to.trim();
        if is_web(to) || starts_with(to, "mailto:") {
            return Some(to.to_owned());
        }
        if let Some(page) = self.links.to(to, NameUse::Any) {
            return Some(page);
        }
        let MarkdownSource::Readme { base } = self.source else { return None };
        if let Some(anchor) = to.strip_prefix('#') {
            return self.anchors.contains(anchor).then(|| format!("#{ANCHOR}{anchor}"));
        }
        let file = to.trim_start_matches("./");
        if file.split('#').next().is_some_and(|file| file.eq_ignore_ascii_case("REFERENCE.md")) {
            return Some("#reference".to_owned());
        }
        let is_file = !file.contains(':') && !file.starts_with(['/', '.']);
        base.filter(|_| is_file).map(|base| format!("{base}{file}"))
    }

    /// Returns a text in which addresses and qualified names are links.
    fn prose(&self, text: &str) -> Markup {
        let mut found: Vec<(usize, &str, Option<String>)> = qualified(text)
            .into_iter()
            .map(|(at, name)| (at, name, self.links.to(name, NameUse::Any)))
            .chain(addresses(text).into_iter().map(|(at, address)| (at, address, Some(address.to_owned()))))
            .collect();
        found.sort_by_key(|(at, ..)| *at);
        let mut end = 0;
        let mut pieces = Vec::new();
        for (at, word, href) in found {
            if at >= end && href.is_some() {
                pieces.push((text.get(end..at).unwrap_or_default(), None));
                pieces.push((word, href));
                end = at.saturating_add(word.len());
            }
        }
        pieces.push((text.get(end..).unwrap_or_default(), None));
        html! {
            @for (text, href) in pieces {
                @if let Some(href) = href { a href=(href) { (text) } } @else { (text) }
            }
        }
    }

    /// Returns a code span, as a link if it is a name.
    fn code_span(&self, text: &str) -> Markup {
        let name = text.split_once('(').filter(|_| text.ends_with(')')).map(|(name, _)| name);
        let used = if name.is_some() { NameUse::Call } else { NameUse::Any };
        let whole = name.unwrap_or(text).trim_start_matches('$');
        match self.links.to(whole, used).filter(|_| !self.links.own.contains(&whole)) {
            Some(href) => html! { a href=(href) { code { (text) } } },
            None => html! { code { (self.prose(text)) } },
        }
    }
}

impl CodeLanguage {
    /// Returns Puppet for a text that looks like it.
    pub fn guess(text: &str) -> Self {
        if puppetfn_doc::is_puppet(text) { Self::Puppet } else { Self::Other }
    }
}

fn trusted(markup: Markup) -> Event<'static> {
    Event::InlineHtml(CowStr::from(markup.into_string()))
}

fn html_end() -> Markup {
    PreEscaped("</a>".to_owned())
}

fn text_until<'e>(
    events: &mut impl Iterator<Item = Event<'e>>,
    is_end: impl Fn(&Event<'e>) -> bool,
) -> String {
    let mut text = String::new();
    for event in events.take_while(|event| !is_end(event)) {
        match event {
            Event::Text(part) | Event::Code(part) | Event::Html(part) | Event::InlineHtml(part) => {
                text.push_str(&part);
            }
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            _ => {}
        }
    }
    text
}

fn image(address: &str, title: &str, alt: &str) -> Event<'static> {
    let title = Some(title).filter(|title| !title.is_empty());
    trusted(if is_web(address) {
        html! { img src=(address) alt=(alt) title=[title] loading="lazy" referrerpolicy="no-referrer"; }
    } else {
        alt.render()
    })
}

fn starts_with(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// Returns true for an address of the web. Other schemes may be code.
fn is_web(address: &str) -> bool {
    starts_with(address, "https://") || starts_with(address, "http://")
}

/// Returns the addresses of the web in a text, without trailing punctuation.
fn addresses(text: &str) -> Vec<(usize, &str)> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '\'' | '`' | '(' | ')');
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find("http")) {
        at = at.saturating_add(start);
        let rest = text.get(at..).unwrap_or_default();
        let length = if is_web(rest) { rest.find(is_end).unwrap_or(rest.len()) } else { "http".len() };
        let address = rest.get(..length).unwrap_or_default();
        let address = address.trim_end_matches(['.', ',', ';', ':', '!', '?', ']']);
        if address.len() > "https://".len() {
            found.push((at, address));
        }
        at = at.saturating_add(length);
    }
    found
}

/// A piece of HTML in Markdown.
#[derive(PartialEq, Eq, Debug)]
enum HtmlPart {
    Anchor(String),
    Break,
    Text(String),
}

impl HtmlPart {
    /// Returns the pieces of a text. Comments and closing tags of anchors are dropped.
    fn parts(text: &str) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(start) = rest.find('<') {
            let (before, tag) = rest.split_at_checked(start).unwrap_or((rest, ""));
            if !before.is_empty() {
                parts.push(Self::Text(before.to_owned()));
            }
            if tag.starts_with("<!--") {
                rest = tag.split_once("-->").map_or("", |(_, rest)| rest);
                continue;
            }
            let length = tag.find('>').map_or(tag.len(), |end| end.saturating_add(1));
            let (tag, further) = tag.split_at_checked(length).unwrap_or((tag, ""));
            parts.extend(Self::tag(tag));
            rest = further;
        }
        if !rest.is_empty() {
            parts.push(Self::Text(rest.to_owned()));
        }
        parts
    }

    fn tag(tag: &str) -> Option<Self> {
        let inner: String = tag.trim_matches(['<', '>', '/']).trim().to_owned();
        match inner.split_once(char::is_whitespace) {
            None if inner.eq_ignore_ascii_case("br") => Some(Self::Break),
            None if tag.eq_ignore_ascii_case("</a>") => None,
            Some((name, attribute)) if name.eq_ignore_ascii_case("a") => {
                let value =
                    attribute.trim().split_once('=').filter(|(key, _)| matches!(key.trim(), "name" | "id"));
                let value = value.map(|(_, value)| value.trim().trim_matches(['"', '\'']));
                let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
                match value.filter(|value| value.chars().all(is_name) && !value.is_empty()) {
                    Some(value) => Some(Self::Anchor(value.to_owned())),
                    None => Some(Self::Text(tag.to_owned())),
                }
            }
            _ => Some(Self::Text(tag.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::names::PageNames;
    use super::*;

    fn shown(text: &str) -> String {
        comment(text, &PageLinks { names: &PageNames::of(&[]), from: "index.html", own: &[] }).into_string()
    }

    #[test]
    fn html_is_shown_as_text() {
        assert_eq!(shown("The <name> of it."), "<p>The &lt;name&gt; of it.</p>\n");
        for text in
            ["<script>alert(1)</script>", "a <img src=x onerror=alert(1)>", "<svg\nonload=x>", "`<b>`"]
        {
            let html = shown(text);
            assert!(!html.contains("<s") && !html.contains("<img") && !html.contains("<b>"), "{html}");
        }
        assert_eq!(shown("<!-- a\n\n<b> -->\nx<br/>y").trim(), "<p>x<br />\ny</p>");
    }

    #[test]
    fn links_lead_into_the_web() {
        assert_eq!(shown("[a](https://b.c)"), "<p><a href=\"https://b.c\">a</a></p>\n");
        assert_eq!(
            shown("At https://b.c/d_e, see"),
            "<p>At <a href=\"https://b.c/d_e\">https://b.c/d_e</a>, see</p>\n"
        );
        for address in [
            "javascript:alert(1)",
            "JaVaScRiPt:x",
            "java&#9;script:x",
            "&#1;javascript:x",
            "data:text/html,x",
            "//x",
        ] {
            let html = shown(&format!("[a]({address}) ![b]({address}) <{address}>"));
            assert!(!html.contains("href") && !html.contains("src"), "{html}");
        }
        assert!(shown("![a\"><script>](https://b\"c)").contains("alt=\"a&quot;&gt;&lt;script&gt;\""));
    }

    #[test]
    fn readmes_link_to_their_headings_and_files() {
        let links = PageLinks { names: &PageNames::of(&[]), from: "index.html", own: &[] };
        let text = "# A, B!\n[x](#a-b) [y](#none) [z](a/b.md) <a name='q'></a>[q](#q)\n# A B\n[w](#a-b-1)";
        let html = readme(text, Some("https://c.d/"), &links).into_string();
        for part in [
            "<h2 id=\"readme-a-b\">A, B!</h2>",
            "href=\"#readme-a-b\"",
            "<a>y</a>",
            "href=\"https://c.d/a/b.md\"",
            "<span id=\"readme-q\"></span>",
            "href=\"#readme-a-b-1\"",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
    }
}
