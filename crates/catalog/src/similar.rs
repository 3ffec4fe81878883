//! Suggestions for references to missing resources.

use puppetfn_types::types::ops::describe::most_similar;

/// Maximum number of resources suggested for a missing one.
const SUGGESTED: usize = 3;

/// Returns `; did you mean File[/a]?` for a missing resource, or an empty text if no resource has a similar type and a similar title.
/// Whole references are no measure: `Package[nginx]` and `Package[vim]` share most of their letters.
pub(crate) fn suggestion<'c>(reference: &str, known: impl IntoIterator<Item = &'c str>) -> String {
    let similar = most_similar(reference, known).into_iter().filter(|other| is_near(reference, other));
    let similar: Vec<&str> = similar.take(SUGGESTED).collect();
    if similar.is_empty() { String::new() } else { format!("; did you mean {}?", similar.join(" or ")) }
}

fn is_near(reference: &str, other: &str) -> bool {
    let (Some((t, title)), Some((other_type, other_title))) =
        (reference.split_once('['), other.split_once('['))
    else {
        return false;
    };
    let is_similar = |one: &str, other: &str| one == other || !most_similar(one, [other]).is_empty();
    is_similar(t, other_type) && is_similar(title.trim_end_matches(']'), other_title.trim_end_matches(']'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_titles_are_similar() {
        let known = ["Package[vim]", "Package[nginx-full]", "File[/etc/motd]", "Service[nginx]"];
        for (reference, suggested) in [
            ("Package[nginx]", ""),
            ("Package[vmi]", "; did you mean Package[vim]?"),
            ("File[/etc/mtod]", "; did you mean File[/etc/motd]?"),
            ("Files[/etc/motd]", "; did you mean File[/etc/motd]?"),
            ("Servcie[nginx]", "; did you mean Service[nginx]?"),
        ] {
            assert_eq!(suggestion(reference, known), suggested, "{reference}");
        }
    }
}
