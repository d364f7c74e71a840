//! How the source of a fetched page is named: by its address, and by the user for whom it was read.

use griot::model::Source;

/// The origin under which a page is stored: its address, and the user it was read for, so that one user's
/// copy never replaces another's.
pub(crate) fn origin(user: Option<&str>, url: &str) -> String {
    match user {
        Some(user) => format!("{url}{}{user}", Source::OF_USER),
        None => url.to_string(),
    }
}

/// Splits the origin of a page into address and user.
pub(crate) fn address(origin: &str) -> (&str, Option<&str>) {
    origin.split_once(Source::OF_USER).map_or((origin, None), |(url, user)| (url, Some(user)))
}
