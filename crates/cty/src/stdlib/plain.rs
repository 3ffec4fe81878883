//! The library as plain functions.

use super::call;
use crate::value::CtyValue;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

macro_rules! plain {
    ($($(#[$doc:meta])+ $function:ident($($argument:ident),* $(; $rest:ident)?) is $name:literal;)+) => {$(
        $(#[$doc])+
        ///
        /// # Errors
        /// The same errors as [`crate::CtyFunction::call`], and the errors of the function.
        pub fn $function($($argument: &CtyValue,)* $($rest: &[CtyValue],)? limits: &Limits) -> Result<CtyValue, Error> {
            #[allow(unused_mut, reason = "not all have more arguments")]
            let mut arguments: Vec<CtyValue> = vec![$($argument.clone()),*];
            $(arguments.extend_from_slice($rest);)?
            call($name, &arguments, limits)
        }
    )+};
}

plain! {
    /// The opposite truth value.
    not(val) is "not";
    /// True where both are.
    and(a, b) is "and";
    /// True where one is at least.
    or(a, b) is "or";
    /// Returns true if the values are equal.
    equal(a, b) is "equal";
    /// Returns true if the values are not equal.
    not_equal(a, b) is "notequal";
    /// The first value that is not null, as one of the type that all can be converted to.
    coalesce(; vals) is "coalesce";

    /// The number without its sign.
    absolute(num) is "absolute";
    /// The sum.
    add(a, b) is "add";
    /// The difference.
    subtract(a, b) is "subtract";
    /// The product.
    multiply(a, b) is "multiply";
    /// The quotient.
    divide(a, b) is "divide";
    /// The remainder of a division.
    modulo(a, b) is "modulo";
    /// The negated number.
    negate(num) is "negate";
    /// Returns true if the first number is greater.
    greater_than(a, b) is "greaterthan";
    /// Returns true if the first number is greater, or both are equal.
    greater_than_or_equal_to(a, b) is "greaterthanorequalto";
    /// Returns true if the first number is less.
    less_than(a, b) is "lessthan";
    /// Returns true if the first number is less, or both are equal.
    less_than_or_equal_to(a, b) is "lessthanorequalto";
    /// The least number.
    min(; numbers) is "min";
    /// The greatest number.
    max(; numbers) is "max";
    /// The number without its fraction.
    int(num) is "int";
    /// The least integer that is not less.
    ceil(num) is "ceil";
    /// The greatest integer that is not greater.
    floor(num) is "floor";
    /// The logarithm to a base.
    log(num, base) is "log";
    /// The number to a power.
    pow(num, power) is "pow";
    /// -1, 0 or 1: the sign of an integer.
    signum(num) is "signum";
    /// The integer that is written in a base from 2 to 62.
    parse_int(number, base) is "parseint";

    /// The string in upper case.
    upper(str) is "upper";
    /// The string in lower case.
    lower(str) is "lower";
    /// The characters of the string the other way round.
    reverse(str) is "reverse";
    /// The length of the string, in characters as people count them.
    strlen(str) is "strlen";
    /// A part of the string, in characters.
    substr(str, offset, length) is "substr";
    /// The elements of all lists, with a text between them.
    join(separator; lists) is "join";
    /// The strings of the list in the order of their code points.
    sort(list) is "sort";
    /// The parts of the string between separators.
    split(separator, str) is "split";
    /// The string without line breaks at its end.
    chomp(str) is "chomp";
    /// The string with spaces after each line break.
    indent(spaces, str) is "indent";
    /// The string with the first letter of each word in title case.
    title(str) is "title";
    /// The string without space at its ends.
    trim_space(str) is "trimspace";
    /// The string without these characters at its ends.
    trim(str, cutset) is "trim";
    /// The string without a text at its start.
    trim_prefix(str, prefix) is "trimprefix";
    /// The string without a text at its end.
    trim_suffix(str, suffix) is "trimsuffix";
    /// The string with all places of a text replaced by another.
    replace(str, substr, replacement) is "replace";
    /// The string with all matches of a regular expression replaced by a template.
    regex_replace(str, pattern, replacement) is "regexreplace";
    /// The captures of the first match of a regular expression.
    regex(pattern, string) is "regex";
    /// The captures of each match of a regular expression.
    regex_all(pattern, string) is "regexall";

    /// The format with its verbs replaced by the arguments.
    format(format; args) is "format";
    /// The format, filled in for each element of the arguments that are sequences.
    format_list(format; args) is "formatlist";
    /// The timestamp in another form.
    format_date(format, time) is "formatdate";
    /// The timestamp after a duration.
    time_add(timestamp, duration) is "timeadd";

    /// Returns true if the collection has an element with this key.
    has_index(collection, key) is "hasindex";
    /// The element with this key.
    index(collection, key) is "index";
    /// The number of elements.
    length(collection) is "length";
    /// The element with this index, counted round and round.
    element(list, index) is "element";
    /// The first sequence that has elements.
    coalesce_list(; vals) is "coalescelist";
    /// The list without null and empty strings.
    compact(list) is "compact";
    /// Returns true if the sequence or set has this value.
    contains(list, value) is "contains";
    /// The list without elements that are equal to one before.
    distinct(list) is "distinct";
    /// The list in lists of at most this size.
    chunklist(list, size) is "chunklist";
    /// The sequence with the elements of nested sequences in their place.
    flatten(list) is "flatten";
    /// The keys of the map, sorted.
    keys(map) is "keys";
    /// The element of the map with this key, or else a default.
    lookup(map, key, default) is "lookup";
    /// All entries of the maps or objects; the last one of a key wins.
    merge(; maps) is "merge";
    /// The sequence the other way round.
    reverse_list(list) is "reverselist";
    /// All combinations of one element of each sequence or set.
    set_product(; sets) is "setproduct";
    /// The elements from one index up to another.
    slice(list, start_index, end_index) is "slice";
    /// The values of the map or object, by the order of the keys.
    values(mapping) is "values";
    /// The map of these keys and values.
    zipmap(keys, values) is "zipmap";
    /// The elements of all sequences.
    concat(; seqs) is "concat";
    /// Numbers from one to another, in steps.
    range(; params) is "range";

    /// Returns true if the set has this element.
    set_has_element(set, elem) is "sethaselement";
    /// The elements of any of the sets.
    set_union(first_set; other_sets) is "setunion";
    /// The elements of all of the sets.
    set_intersection(first_set; other_sets) is "setintersection";
    /// The elements of the first set that are not in the second.
    set_subtract(a, b) is "setsubtract";
    /// The elements of an odd number of the sets.
    set_symmetric_difference(first_set; other_sets) is "setsymmetricdifference";

    /// The number of bytes.
    bytes_len(buf) is "byteslen";
    /// A part of the bytes.
    bytes_slice(buf, offset, length) is "bytesslice";
    /// The rows of comma-separated values as objects, with attributes from the first row.
    csv_decode(str) is "csvdecode";
    /// The value as JSON.
    json_encode(val) is "jsonencode";
    /// The value that a text of JSON describes.
    json_decode(str) is "jsondecode";
}
