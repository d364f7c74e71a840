//! What a crawl needs of the web: one request, who may be asked, what sites ask for, and where they list
//! their pages.
//!
//! - `address`: which addresses may be connected to
//! - `fetch`: one request and what came of it
//! - `robots`: what a site asks of robots
//! - `listing`: sitemaps, feeds, `llms.txt`
//! - `pace`: when a site may be asked again
//! - `scope`: which addresses belong to a crawl, and which of them are one
//! - `page`: the content of a fetched page; `reading`: where it is read, and its drafts; `source`: its origin
//! - `workers`: the threads that ask and read

pub(crate) mod address;
pub(crate) mod fetch;
pub(crate) mod listing;
pub(crate) mod pace;
pub(crate) mod page;
pub(crate) mod reading;
pub(crate) mod robots;
pub(crate) mod scope;
pub(crate) mod source;
pub(crate) mod workers;
