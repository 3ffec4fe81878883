//! XML: elements as a tree, read and written.

use quick_xml::XmlVersion;
use quick_xml::events::{BytesRef, BytesStart, BytesText, Event};
use quick_xml::name::{Namespace, PrefixDeclaration, QName, ResolveResult};
use quick_xml::reader::NsReader;
use quick_xml::writer::Writer;

use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_base::limits::{Depth, Limits};

/// The namespace of XMI's own elements and attributes.
pub(super) const XMI: &str = "http://www.omg.org/XMI";
/// The namespace of the attributes that XML Schema defines for documents.
pub(super) const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// A name and the namespace that it is of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Name {
    pub namespace: Option<String>,
    pub local: String,
}

/// An element that was read.
#[derive(Debug, Default)]
pub(super) struct XmlElement {
    pub name: Name,
    pub attributes: Vec<(Name, String)>,
    /// The type that the attribute `xsi:type` names.
    pub type_name: Option<Name>,
    pub children: Vec<XmlElement>,
    pub text: String,
    /// The offset of its beginning.
    pub at: u32,
}

impl XmlElement {
    /// Reads a document.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] with the place when it is not XML, and [`ErrorKind::Limit`] when there is too much
    /// in it.
    pub fn parse(text: &str, limits: &Limits) -> Result<Self, Error> {
        limits.check_text(text.len())?;
        XmlReader { text, reader: NsReader::from_str(text), open: Vec::new(), count: 0, limits }.document()
    }

    /// Returns the value of an attribute that is of no namespace.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let is_it = |(key, _): &&(Name, String)| key.namespace.is_none() && key.local == name;
        self.attributes.iter().find(is_it).map(|(_, value)| value.as_str())
    }

    /// Returns the value of an attribute of a namespace.
    pub fn qualified(&self, namespace: &str, name: &str) -> Option<&str> {
        let is_it =
            |(key, _): &&(Name, String)| key.namespace.as_deref() == Some(namespace) && key.local == name;
        self.attributes.iter().find(is_it).map(|(_, value)| value.as_str())
    }

    /// Returns the elements of a name that are directly in it.
    pub fn children<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Self> {
        self.children.iter().filter(move |child| child.name.local == name)
    }
}

/// Reads a document by its events. A library that makes a tree of it, as roxmltree does, has made it before anyone can
/// say how deep it may nest.
struct XmlReader<'t> {
    text: &'t str,
    reader: NsReader<&'t [u8]>,
    /// The elements that have not ended, the innermost last.
    open: Vec<XmlElement>,
    count: usize,
    limits: &'t Limits,
}

impl XmlReader<'_> {
    fn document(mut self) -> Result<XmlElement, Error> {
        loop {
            let at = self.reader.buffer_position();
            let event = match self.reader.read_event() {
                Ok(event) => event,
                Err(error) => return Err(self.wrong(&error, self.reader.error_position())),
            };
            let ended = match event {
                Event::Start(start) => {
                    self.begin(&start, at)?;
                    None
                }
                Event::Empty(start) => {
                    self.begin(&start, at)?;
                    self.end()
                }
                Event::End(_) => self.end(),
                Event::Text(text) => {
                    self.add(&text.xml10_content());
                    None
                }
                Event::CData(text) => {
                    self.add(&text.xml10_content());
                    None
                }
                Event::GeneralRef(reference) => {
                    let text = resolved(&reference)
                        .ok_or_else(|| self.wrong(&format!("the entity '{}' is unknown", &*reference), at))?;
                    self.add(&text);
                    None
                }
                // These carry no data. Entities that a document defines are unknown.
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => None,
                Event::Eof => return Err(self.wrong(&"the document has no end, or nothing in it", at)),
            };
            if let Some(root) = ended {
                return Ok(root);
            }
        }
    }

    fn begin(&mut self, start: &BytesStart<'_>, at: u64) -> Result<(), Error> {
        if self.open.len() >= self.limits.nesting as usize {
            return Err(Depth::nesting_exceeded(self.limits).at(self.place(at)));
        }
        self.count = self.count.saturating_add(1);
        self.limits.check_elements(self.count)?;
        let mut element = XmlElement {
            name: self.name(start.name(), true),
            at: u32::try_from(at).unwrap_or(u32::MAX),
            ..XmlElement::default()
        };
        for attribute in start.attributes() {
            let attribute = attribute.map_err(|error| self.wrong(&error, at))?;
            let is_binding = matches!(
                attribute.key.as_namespace_binding(),
                Some(PrefixDeclaration::Default | PrefixDeclaration::Named(_))
            );
            if is_binding {
                continue;
            }
            let name = self.name(attribute.key, false);
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value.map_err(|error| self.wrong(&error, at))?.into_owned();
            if name.namespace.as_deref() == Some(XSI) && name.local == "type" {
                element.type_name = Some(self.name(QName(&value), true));
            } else {
                element.attributes.push((name, value));
            }
        }
        self.open.push(element);
        Ok(())
    }

    /// Ends the innermost element, and returns it if it is the outermost, too.
    fn end(&mut self) -> Option<XmlElement> {
        let ended = self.open.pop()?;
        match self.open.last_mut() {
            Some(outer) => {
                outer.children.push(ended);
                None
            }
            None => Some(ended),
        }
    }

    fn add(&mut self, text: &str) {
        if let Some(element) = self.open.last_mut() {
            element.text.push_str(text);
        }
    }

    fn name(&self, name: QName<'_>, takes_default: bool) -> Name {
        let resolved = self.reader.resolver().resolve(name, takes_default);
        let (namespace, local) = resolved;
        let namespace = match namespace {
            ResolveResult::Bound(Namespace(uri)) => Some(uri.to_owned()),
            ResolveResult::Unbound => None,
            ResolveResult::Unknown(prefix) => Some(prefix),
        };
        Name { namespace, local: local.as_ref().to_owned() }
    }

    fn place(&self, at: u64) -> SourceLocation {
        SourceLocation::of(self.text, u32::try_from(at).unwrap_or(u32::MAX))
    }

    #[cold]
    fn wrong(&self, problem: &dyn std::fmt::Display, at: u64) -> Error {
        Error::new(ErrorKind::Syntax, format!("The text is not XML: {problem}")).at(self.place(at))
    }
}

/// Returns the text that a reference stands for.
fn resolved(reference: &BytesRef<'_>) -> Option<String> {
    if let Ok(Some(c)) = reference.resolve_char_ref() {
        return Some(c.to_string());
    }
    quick_xml::escape::resolve_predefined_entity(reference).map(str::to_owned)
}

/// An element that is to be written.
#[derive(Debug, Default)]
pub(super) struct XmlNode {
    name: String,
    attributes: Vec<(String, String)>,
    pub children: Vec<XmlNode>,
    text: Option<String>,
}

impl XmlNode {
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Creates an element with nothing but text.
    pub fn of_text(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::new(name) }
    }

    /// Returns true if its attribute `name` has this value.
    pub fn is_named(&self, name: &str) -> bool {
        self.attributes.iter().any(|(key, value)| key == "name" && value == name)
    }

    pub fn attribute(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.attributes.push((name.into(), value.into()));
    }

    /// Adds an attribute before the others.
    pub fn prepend(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.attributes.insert(0, (name.into(), value.into()));
    }

    /// Returns the same with an attribute.
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.attribute(name, value);
        self
    }

    /// Returns the document with this as its outermost element.
    ///
    /// # Errors
    /// Fails if there is a character in it that XML cannot have.
    pub fn document(&self) -> Result<String, Error> {
        let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
        self.write(&mut writer)?;
        let text = String::from_utf8(writer.into_inner())
            .map_err(|error| Error::new(ErrorKind::Internal, error.to_string()))?;
        Ok(format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{text}\n"))
    }

    fn write(&self, writer: &mut Writer<Vec<u8>>) -> Result<(), Error> {
        let mut start = BytesStart::new(&*self.name);
        for (name, value) in &self.attributes {
            check_characters(value)?;
            start.push_attribute((&**name, &**value));
        }
        let written = |result: std::io::Result<()>| {
            result.map_err(|error| Error::new(ErrorKind::Internal, error.to_string()))
        };
        if self.children.is_empty() && self.text.is_none() {
            return written(writer.write_event(Event::Empty(start)));
        }
        let end = start.to_end().into_owned();
        written(writer.write_event(Event::Start(start)))?;
        if let Some(text) = &self.text {
            check_characters(text)?;
            written(writer.write_event(Event::Text(BytesText::new(text))))?;
        }
        self.children.iter().try_for_each(|child| child.write(writer))?;
        written(writer.write_event(Event::End(end)))
    }
}

fn check_characters(text: &str) -> Result<(), Error> {
    let is_allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    match text.chars().find(|c| !is_allowed(*c)) {
        None => Ok(()),
        Some(c) => {
            let message = format!("XML cannot have the character U+{:04X}", u32::from(c));
            Err(Error::new(ErrorKind::Unrepresentable, message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> XmlElement {
        XmlElement::parse(text, &Limits::DEFAULT).unwrap()
    }

    #[test]
    fn names_have_namespaces() {
        let root = parse(
            "<?xml version='1.0'?><!-- c --><a:x xmlns:a='u' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' \
             k='1 &amp;&#10;2' a:k='3'><y xsi:type='a:z'>t&lt;<![CDATA[<u>]]></y></a:x>",
        );
        assert_eq!(root.name, Name { namespace: Some("u".into()), local: "x".into() });
        assert_eq!((root.attribute("k"), root.qualified("u", "k")), (Some("1 &\n2"), Some("3")));
        let y = root.children("y").next().unwrap();
        assert_eq!(y.type_name, Some(Name { namespace: Some("u".into()), local: "z".into() }));
        assert_eq!(y.text, "t<<u>");
    }

    #[test]
    fn what_is_written_reads_the_same() {
        let text = "a\tb\nc\rd <e> & \"f\" 'g' \u{1f600}";
        let mut node = XmlNode::new("x").with("k", text);
        node.children.push(XmlNode::of_text("y", text));
        let read = parse(&node.document().unwrap());
        assert_eq!((read.attribute("k"), read.children[0].text.as_str()), (Some(text), text));
        let error = XmlNode::of_text("x", "\u{1}").document().unwrap_err();
        assert_eq!(error.message(), "XML cannot have the character U+0001");
    }

    #[test]
    fn what_is_no_xml_is_an_error_with_its_place() {
        for text in
            ["", "x", "<a>", "<a></b>", "<a b=1/>", "<a>&nope;</a>", "<a b='&x;'/>", "<a k='1' k='2'/>"]
        {
            let error = XmlElement::parse(text, &Limits::DEFAULT).unwrap_err();
            assert!(error.to_string().starts_with("The text is not XML: "), "{error}");
            assert!(error.place().is_some(), "{text}");
        }
        let deep = "<a>".repeat(if cfg!(miri) { 500 } else { 100_000 });
        assert_eq!(XmlElement::parse(&deep, &Limits::DEFAULT).unwrap_err().kind(), &ErrorKind::Limit);
    }
}
