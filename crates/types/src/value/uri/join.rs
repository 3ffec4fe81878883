//! References that are relative to a URI: RFC 2396, as Ruby understands it.

use super::scheme::Scheme;
use super::{Uri, ftp_written, invalid};
use puppetfn_base::error::Error;

impl Uri {
    /// Resolves a reference with this URI as the base: `http://a/b/c` and `../d` become `http://a/d`.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Conversion`] if both are relative, or the base is opaque.
    pub fn join(&self, reference: &Self) -> Result<Self, Error> {
        if reference.scheme.is_some() {
            return Ok(reference.clone());
        }
        if self.scheme.is_none() {
            return Err(invalid("both URI are relative"));
        }
        let mut joined = self.clone();
        let reference_path = reference.path.as_deref().unwrap_or_default();
        let has_authority =
            reference.userinfo.is_some() || reference.host.is_some() || reference.port.is_some();
        if reference_path.is_empty() && !has_authority && reference.query.is_none() {
            joined.fragment = reference.fragment.clone().or(joined.fragment);
            return Ok(joined);
        }
        let path = if has_authority {
            Some(reference_path.to_owned())
        } else {
            self.path().map(|base| join_paths(&base, reference_path))
        };
        if let Some(path) = path {
            joined.set_path(&path);
        }
        if joined.opaque.is_some() && reference.query.is_some() {
            return Err(invalid("query conflicts with opaque"));
        }
        joined.query = reference.query.clone();
        joined.fragment = reference.fragment.clone();
        if self.rules != Scheme::File {
            joined.userinfo = reference.userinfo.clone().or(joined.userinfo);
            joined.port = reference.port.or(joined.port);
        }
        joined.host = reference.host.clone().or(joined.host);
        Ok(joined)
    }

    fn set_path(&mut self, path: &str) {
        self.path = Some(if self.rules == Scheme::Ftp { ftp_written(path) } else { path.to_owned() });
    }
}

fn join_paths(base: &str, reference: &str) -> String {
    let is_absolute = reference.starts_with('/');
    let mut path = if is_absolute { Vec::new() } else { without_dots(base) };
    let ends_in_directory = matches!(reference.rsplit('/').next(), Some("." | ".."));
    let relative = segments(reference).skip(usize::from(is_absolute));
    let mut steps: Vec<&str> = Vec::new();
    for segment in relative.chain(ends_in_directory.then_some("")) {
        match segment {
            "." => {}
            ".." if steps.last().is_some_and(|last| *last != "..") => _ = steps.pop(),
            segment => steps.push(segment),
        }
    }
    if path.is_empty() {
        path.push("");
    } else if !steps.is_empty() {
        // The text after the last slash names a file in the directory.
        path.pop();
    }
    let up = steps.iter().take_while(|step| **step == "..").count();
    path.truncate(path.len().saturating_sub(up).max(1));
    path.extend(steps.iter().skip(up));
    if up > 0 && up == steps.len() {
        path.push("");
    }
    path.join("/")
}

/// Returns the segments of a path, each `..` carried out.
fn without_dots(path: &str) -> Vec<&str> {
    let ends_in_directory = path.ends_with("..");
    let mut kept = Vec::new();
    for segment in segments(path).chain(ends_in_directory.then_some("")) {
        if segment == ".." {
            kept.pop();
        } else {
            kept.push(segment);
        }
    }
    kept
}

/// Returns the segments; none of an empty path.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    (!path.is_empty()).then(|| path.split('/')).into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_joined_to_its_base() {
        for (base, reference, joined) in [
            ("http://a/b/c?q#f", "../d", "http://a/d"),
            ("http://a/b/c", "d/./e/../f", "http://a/b/d/f"),
            ("http://a/b/c", ".", "http://a/b/"),
            ("http://a/b/c", "../../..", "http://a/"),
            ("http://a/b/../c", "d", "http://a/d"),
            ("http://a", "b", "http://a/b"),
            ("http://a/b?q#f", "", "http://a/b?q#f"),
            ("http://a/b?q", "#f", "http://a/b?q#f"),
            ("http://a/b#f", "?q", "http://a/b?q"),
            ("http://a/b", "/", "http://a/"),
            ("http://u@a:81/b", "//c:82/d", "http://u@c:82/d"),
            ("http://a/b", "x:y", "x:y"),
            ("ftp://a/b;type=i", "/c", "ftp://a/%2Fc;type=i"),
            ("file:///a/b", "c", "file:///a/c"),
            ("mailto:a@b", "c#f", "mailto:a@b#f"),
            ("urn:a:b", "?q", "query conflicts with opaque"),
            ("/a", "b", "both URI are relative"),
        ] {
            let [base, reference] = [base, reference].map(|text| Uri::parse(text).unwrap());
            let shown = match base.join(&reference) {
                Ok(uri) => uri.to_string(),
                Err(error) => error.to_string(),
            };
            assert_eq!(shown, joined, "{base} {reference}");
        }
    }
}
