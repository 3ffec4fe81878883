//! Settings of the layout.

/// Settings of the layout, which a project may change.
///
/// ```
/// use puppetfn::fmt::FormatOptions;
/// use puppetfn::limits::Limits;
///
/// let options = FormatOptions { indent: 4, ..FormatOptions::default() };
/// assert_eq!(options.format("if $a {\n$b = 1\n}\n", &Limits::DEFAULT)?, "if $a {\n    $b = 1\n}\n");
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FormatOptions {
    /// The spaces of a level of indentation.
    pub indent: u32,
    /// The width above which lists are broken into lines; `None` leaves them as they are.
    pub line_width: Option<u32>,
    /// The alignment of `=>`.
    pub arrow_alignment: ArrowAlignment,
}

/// The lines whose `=>` are aligned with each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ArrowAlignment {
    /// All attributes of a resource; in hashes outside of resources, the entries between empty lines.
    #[default]
    Block,
    /// The lines between empty lines.
    Paragraph,
    /// None: a space stands before each.
    Off,
}

impl Default for FormatOptions {
    fn default() -> Self {
        Self { indent: 2, line_width: None, arrow_alignment: ArrowAlignment::default() }
    }
}
