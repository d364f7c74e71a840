//! How the source of a fetched page is named: by its address, and by the user for whom it was read.

use griot::model::Source;

/// The origin of a page. One user's reading never replaces another's.
pub(crate) fn origin(user: Option<&str>, url: &str) -> String {
    match user {
        Some(user) => format!("{url}{}{user}", Source::OF_USER),
        None => url.to_string(),
    }
}

/// The address and the user in the origin of a page.
pub(crate) fn address(origin: &str) -> (&str, Option<&str>) {
    origin.split_once(Source::OF_USER).map_or((origin, None), |(url, user)| (url, Some(user)))
}
