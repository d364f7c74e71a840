//! HTTP for crawls: single requests, permission checks, and the files in which sites list their pages.
//!
//! - `address`: which addresses may be connected to
//! - `fetch`: one request and its response
//! - `robots`: robots.txt
//! - `listing`: sitemaps, feeds, `llms.txt`
//! - `pace`: rate limit per site
//! - `scope`: which addresses belong to a crawl, and their normal form
//! - `page`: the content of a fetched page; `reading`: where it is read, its origin, and its drafts
//! - `workers`: fetching threads

pub(crate) mod address;
pub(crate) mod fetch;
pub(crate) mod listing;
pub(crate) mod pace;
pub(crate) mod page;
pub(crate) mod reading;
pub(crate) mod robots;
pub(crate) mod scope;
pub(crate) mod workers;
