//! Chooses the workspace of a repository.
//!
//! The choice depends only on the address of its git remote and the settings `routing.*`. The caller reads
//! the remote of a folder and makes sure that the workspace exists.

use griot::engine::{RoutingMode, RoutingSettings};

/// A repository as its remote names it: `github.com`, `acme/tools`, `shop`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repository {
    /// Without user and port, in lower case.
    pub host: String,
    /// Owner, with the groups between it and the repository where a host has those; as written.
    pub owner: String,
    pub name: String,
}

impl Repository {
    /// Reads `git@host:owner/name.git`, `ssh://git@host:22/owner/name`, `https://user@host/owner/name.git`,
    /// `git+ssh://…` and `git://…`. `None` for a path, and for what names no owner.
    pub fn parse(remote: &str) -> Option<Self> {
        let remote = remote.trim();
        let (authority, path) = match remote.split_once("://") {
            Some((scheme, rest)) => {
                let scheme = scheme.to_ascii_lowercase();
                let is_network =
                    ["ssh", "https", "http", "git", "git+ssh", "ssh+git", "git+https", "git+http"];
                if !is_network.contains(&scheme.as_str()) {
                    return None;
                }
                rest.split_once('/')?
            }
            None => scp(remote)?,
        };
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        // A port is digits after the last colon; an IPv6 address is in brackets.
        let host = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
            _ => host,
        };
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let path = path.trim_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path).trim_end_matches('/');
        let (owner, name) = path.rsplit_once('/')?;
        let owner = owner.trim_matches('/');
        let sound = |part: &str| {
            !part.is_empty()
                && !part.chars().any(|c| c.is_control() || c.is_whitespace())
                && part != ".."
                && part != "."
        };
        let is_sound = sound(host) && sound(name) && owner.split('/').all(sound);
        is_sound.then(|| Self { host: host.to_lowercase(), owner: owner.to_string(), name: name.to_string() })
    }

    /// `github.com/acme/tools`, in lower case: hosts ignore the case of owners.
    fn address(&self) -> String {
        format!("{}/{}", self.host, self.owner.to_lowercase())
    }
}

/// `user@host:path`, the form of scp. A single character before the colon is a Windows drive, and a slash
/// before it makes the whole a path.
fn scp(remote: &str) -> Option<(&str, &str)> {
    let (authority, path) = match remote.find(']') {
        // `git@[::1]:owner/name`
        Some(end) if remote[..end].contains('[') => (&remote[..=end], remote[end + 1..].strip_prefix(':')?),
        _ => remote.split_once(':')?,
    };
    let is_host = authority.len() > 1 && !authority.contains(['/', '\\']) && !path.starts_with("//");
    is_host.then_some((authority, path))
}

/// The workspace for a folder with this remote, or without one; `None` leaves the choice to the active
/// workspace.
///
/// An organisation of the settings also matches everything below it, and the longest match wins: of
/// `gitlab.com/acme` and `gitlab.com/acme/labs` the second has `gitlab.com/acme/labs/x`.
pub fn workspace<'a>(settings: &'a RoutingSettings, remote: Option<&str>) -> Option<&'a str> {
    if settings.mode == RoutingMode::Off {
        return None;
    }
    let Some(repository) = Repository::parse(remote?) else { return Some(&settings.personal) };
    let address = repository.address();
    let organisations = settings.organisations.iter().map(|(key, workspace)| (normal(key), workspace));
    let of_it = organisations.filter(|(key, _)| {
        address.strip_prefix(key.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    let longest = of_it.filter(|(key, _)| !key.is_empty()).max_by_key(|(key, _)| key.len());
    Some(longest.map_or(&settings.personal, |(_, workspace)| workspace))
}

/// An organisation as people may write it: with a scheme, a slash at the end, in any case.
fn normal(key: &str) -> String {
    let key = key.trim();
    let key = key.split_once("://").map_or(key, |(_, rest)| rest);
    key.trim_matches('/').to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(remote: &str) -> String {
        match Repository::parse(remote) {
            Some(Repository { host, owner, name }) => format!("{host} {owner} {name}"),
            None => "-".to_string(),
        }
    }

    #[test]
    fn remotes_are_read_in_every_form() {
        for remote in [
            "git@github.com:acme/shop.git",
            "git@github.com:acme/shop",
            "github.com:acme/shop.git",
            "git@GitHub.com:/acme/shop.git/",
            "ssh://git@github.com/acme/shop.git",
            "ssh://git@github.com:22/acme/shop.git",
            "git+ssh://git@github.com:2222/acme/shop",
            "ssh+git://github.com/acme/shop",
            "https://github.com/acme/shop",
            "https://github.com/acme/shop.git/",
            "https://ada:to:ken@github.com:443/acme/shop.git",
            "HTTPS://github.com/acme/shop?x=1#y",
            "http://github.com//acme/shop",
            "git://github.com/acme/shop.git",
            "  https://github.com/acme/shop.git\n",
        ] {
            assert_eq!(read(remote), "github.com acme shop", "{remote}");
        }
        assert_eq!(read("https://gitlab.com/acme/labs/tools/shop.git"), "gitlab.com acme/labs/tools shop");
        assert_eq!(read("git@[2001:db8::1]:acme/shop.git"), "[2001:db8::1] acme shop");
        assert_eq!(read("ssh://git@[2001:db8::1]:22/acme/shop.git"), "[2001:db8::1] acme shop");
        assert_eq!(read("org-1234@github.com:acme/shop.git"), "github.com acme shop");
        assert_eq!(
            read("git@ssh.dev.azure.com:v3/acme/project/shop"),
            "ssh.dev.azure.com v3/acme/project shop"
        );
    }

    #[test]
    fn what_names_no_owner_is_no_repository_of_anyone() {
        for remote in [
            "",
            "/srv/git/shop.git",
            "../shop",
            "./a:b/c",
            "C:/code/shop",
            "C:\\code\\shop",
            "file:///srv/acme/shop",
            "https://github.com",
            "https://github.com/shop",
            "git@github.com:shop.git",
            "https:///acme/shop",
            "https://github.com/acme/..",
            "git@host:../../etc/passwd",
            "git@host:ac me/shop",
            "ftp://host/acme/shop",
        ] {
            assert_eq!(read(remote), "-", "{remote}");
        }
    }

    #[test]
    fn organisations_have_their_workspace_and_all_else_is_personal() {
        let table = [
            ("github.com/acme", "acme"),
            ("https://GitLab.com/Acme/", "lab"),
            ("gitlab.com/acme/secret", "vault"),
            ("git.corp.example", "corp"),
        ];
        let settings = RoutingSettings {
            mode: RoutingMode::Auto,
            organisations: table.map(|(key, workspace)| (key.to_string(), workspace.to_string())).into(),
            personal: "mine".to_string(),
        };
        for (remote, expected) in [
            ("git@github.com:acme/shop.git", "acme"),
            ("git@github.com:ACME/shop.git", "acme"),
            ("https://github.com/acme-labs/shop", "mine"),
            ("https://github.com/ada/acme", "mine"),
            ("https://evil.example/github.com/acme/shop", "mine"),
            ("https://github.com.evil.example/acme/shop", "mine"),
            ("https://gitlab.com/acme/shop", "lab"),
            ("https://gitlab.com/acme/secret/shop", "vault"),
            ("https://gitlab.com/acme/secret-not/shop", "lab"),
            ("ssh://git@git.corp.example:7999/any/thing.git", "corp"),
            ("/srv/git/shop.git", "mine"),
        ] {
            assert_eq!(workspace(&settings, Some(remote)), Some(expected), "{remote}");
        }
        assert_eq!(
            workspace(&settings, None),
            None,
            "a folder without a remote leaves the choice to the active one"
        );
        let off = RoutingSettings { mode: RoutingMode::Off, ..settings };
        assert_eq!(workspace(&off, Some("git@github.com:acme/shop.git")), None);
    }
}
