//! The methods, functions and classes that templates can name.

macro_rules! methods {
    ($($method:ident: $($name:literal)|+;)*) => {
        /// A method that templates can call.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Method { $($method),* }

        impl Method {
            /// Returns the method of a name; `None` if templates that call it are left to Ruby.
            pub fn named(name: &[u8]) -> Option<Self> {
                Some(match name {
                    $($($name)|+ => Self::$method,)*
                    _ => return None,
                })
            }
        }
    };
}

methods! {
    Equal: b"==";
    NotEqual: b"!=";
    Less: b"<";
    LessOrEqual: b"<=";
    Greater: b">";
    GreaterOrEqual: b">=";
    Plus: b"+";
    Minus: b"-";
    Compare: b"<=>";
    Times: b"*";
    Divide: b"/";
    Modulo: b"%";
    Union: b"|";
    Intersection: b"&";
    Match: b"=~";
    NotMatch: b"!~";
    IsMatch: b"match?";
    Index: b"[]";
    IsNil: b"nil?";
    IsEmpty: b"empty?";
    ToS: b"to_s";
    ToSym: b"to_sym";
    ToI: b"to_i";
    ToF: b"to_f";
    ToA: b"to_a";
    ToH: b"to_h" | b"to_hash";
    Inspect: b"inspect";
    Freeze: b"freeze" | b"dup" | b"itself";
    Length: b"length" | b"size";
    Count: b"count";
    Each: b"each";
    EachPair: b"each_pair";
    EachWithIndex: b"each_with_index";
    EachSlice: b"each_slice";
    EachKey: b"each_key";
    EachValue: b"each_value";
    Map: b"map" | b"collect";
    FlatMap: b"flat_map";
    Select: b"select" | b"filter";
    Reject: b"reject";
    Find: b"find" | b"detect";
    IsAny: b"any?";
    IsAll: b"all?";
    IsNone: b"none?";
    Sort: b"sort";
    SortBy: b"sort_by";
    Join: b"join";
    Zip: b"zip";
    Includes: b"include?" | b"member?";
    HasKey: b"key?" | b"has_key?";
    Keys: b"keys";
    Values: b"values";
    Fetch: b"fetch";
    Merge: b"merge";
    Flatten: b"flatten";
    Compact: b"compact";
    Unique: b"uniq";
    Reverse: b"reverse";
    First: b"first";
    Last: b"last";
    Take: b"take";
    Drop: b"drop";
    Max: b"max";
    Min: b"min";
    Sum: b"sum";
    Upcase: b"upcase";
    Downcase: b"downcase";
    Capitalize: b"capitalize";
    Strip: b"strip";
    StripLeft: b"lstrip";
    StripRight: b"rstrip";
    Chomp: b"chomp";
    StartsWith: b"start_with?";
    EndsWith: b"end_with?";
    Split: b"split";
    ReplaceAll: b"gsub";
    Replace: b"sub";
    PadRight: b"ljust";
    PadLeft: b"rjust";
    Lines: b"lines";
    Round: b"round";
    Floor: b"floor";
    Ceil: b"ceil";
    Abs: b"abs";
    IsEven: b"even?";
    IsOdd: b"odd?";
    IsZero: b"zero?";
    Repeat: b"times";
}

/// A function of Puppet that templates can call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TemplateFunction {
    CompareVersions,
    Template,
}

impl TemplateFunction {
    /// Returns the function of a name; `None` if templates that call it are left to Ruby.
    pub fn named(name: &[u8]) -> Option<Self> {
        match name {
            b"versioncmp" => Some(Self::CompareVersions),
            b"template" => Some(Self::Template),
            _ => None,
        }
    }
}

/// The classes of Ruby whose objects templates tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TemplateClass {
    String,
    Symbol,
    Integer,
    Float,
    Numeric,
    Array,
    Hash,
    True,
    False,
    Nil,
}

impl TemplateClass {
    pub fn named(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"String" => Self::String,
            b"Symbol" => Self::Symbol,
            b"Integer" => Self::Integer,
            b"Float" => Self::Float,
            b"Numeric" => Self::Numeric,
            b"Array" => Self::Array,
            b"Hash" => Self::Hash,
            b"TrueClass" => Self::True,
            b"FalseClass" => Self::False,
            b"NilClass" => Self::Nil,
            _ => return None,
        })
    }
}
