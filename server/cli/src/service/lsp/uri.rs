//! Files as editors name them, by URI, and as the wire does. A URI that leads out of the workspace is no path.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::str::FromStr as _;

use augment_core::file::FilePath;
use tower_lsp_server::ls_types::Uri;

/// The URI of a file in the workspace; `None` for text that is no path in it.
pub(crate) fn uri_of(root: &Path, path_text: &str) -> Option<Uri> {
    let path = FilePath::from_text(path_text).ok()?;
    let root = root.as_os_str().as_bytes();
    let root = root.strip_suffix(b"/").unwrap_or(root);
    let mut text = String::from("file://");
    for &byte in root.iter().chain(b"/").chain(path.as_bytes()) {
        // What is left as it is has no meaning of its own anywhere in a URI.
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/') {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    Uri::from_str(&text).ok()
}

/// The path of a `file:` URI inside the workspace, however it is encoded. It is taken by its names; no link is followed.
pub(crate) fn path_of(root: &Path, uri: &Uri) -> Option<FilePath> {
    let bytes = file_bytes(uri.as_str())?;
    let root = root.as_os_str().as_bytes();
    let root = root.strip_suffix(b"/").unwrap_or(root);
    FilePath::new(bytes.strip_prefix(root)?.strip_prefix(b"/")?).ok()
}

/// The path that a `file:` URI of this machine names.
fn file_bytes(uri: &str) -> Option<Vec<u8>> {
    let (scheme, rest) = uri.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    // A `?` or `#` that belongs to a name comes encoded; a bare one begins something that names no file.
    if rest.contains(['?', '#']) {
        return None;
    }
    let path = match rest.strip_prefix("//") {
        Some(rest) => {
            let at = rest.find('/')?;
            let authority = &rest[..at];
            (authority.is_empty() || authority.eq_ignore_ascii_case("localhost")).then_some(&rest[at..])?
        }
        None => rest,
    };
    decoded(path)
}

fn decoded(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        match (first, after) {
            (b'%', [high, low, left @ ..]) => {
                let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                bytes.push(digit(*high)? * 16 + digit(*low)?);
                rest = left;
            }
            (b'%', _) => return None,
            (byte, left) => {
                bytes.push(*byte);
                rest = left;
            }
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn every_path_comes_back_from_its_uri() {
        let root = Path::new("/home/ä b/w#1");
        for bytes in [
            &b"src/main.rs"[..],
            b"a b.rs",
            b"100%.txt",
            b"a#b?c",
            b"back\\slash",
            b"\xff\xfe/x",
            b"new\nline",
            "日本語.md".as_bytes(),
            b"-rf",
        ] {
            let path = FilePath::new(bytes).unwrap();
            let uri = uri_of(root, &path.to_text()).unwrap();
            assert_eq!(path_of(root, &uri), Some(path), "{}", uri.as_str());
        }
        assert_eq!(uri_of(Path::new("/w"), "a b.rs").unwrap().as_str(), "file:///w/a%20b.rs");
        let bytes = Path::new(OsStr::from_bytes(b"/w\xff"));
        assert_eq!(uri_of(bytes, "a").unwrap().as_str(), "file:///w%FF/a");
        assert_eq!(uri_of(Path::new("/"), "etc/x").unwrap().as_str(), "file:///etc/x");
        assert_eq!(uri_of(Path::new("/w"), "../x"), None);
    }

    #[test]
    fn only_files_inside_the_workspace_have_a_path() {
        let path = |uri: &str| {
            let uri = Uri::from_str(uri).ok()?;
            path_of(Path::new("/w/s"), &uri).map(|path| path.to_text())
        };
        assert_eq!(path("file:///w/s/a.rs"), Some("a.rs".into()));
        assert_eq!(path("FILE://localhost/w/s/a%2Ers"), Some("a.rs".into()));
        assert_eq!(path("file:/w/s/a.rs"), Some("a.rs".into()));
        assert_eq!(path("file:///w/s/%C3%A4%ff"), Some("ä\\xff".into()));
        for outside in [
            "file:///w/s",
            "file:///w/s/",
            "file:///w/s2/a.rs",
            "file:///w/a.rs",
            "file:///w/s/../a.rs",
            "file:///w/s/%2e%2e/a.rs",
            "file:///w/s//a.rs",
            "file:///w/s/a%00b",
            "file://host/w/s/a.rs",
            "file:///w/s/a.rs?x",
            "untitled:Untitled-1",
            "https://w/s/a.rs",
        ] {
            assert_eq!(path(outside), None, "{outside}");
        }
    }
}
