//! What comes from the web, and the jobs that bring it: `crawl`, `crawl-status`, `jobs`.

use clap::{Args, Subcommand, ValueEnum};

use super::OwnerArgs;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Following {
    /// The address alone
    Single,
    /// What the site lists in sitemaps, feeds or llms.txt
    Sitemap,
    /// What its links lead to
    Recursive,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot crawl https://example.org/docs/ --tag docs
  griot crawl https://example.org --mode sitemap --allow '/blog/**' --max-pages 500
  griot crawl --resume j3

robots.txt is kept to, and a host is asked twice a second. Pages that did not change are not read again. Ctrl-C pauses; what
was fetched by then stays, and --resume goes on without asking for it again.")]
pub struct Crawl {
    /// The page to start from
    #[arg(value_name = "URL", required_unless_present = "resume", conflicts_with = "resume")]
    pub url: Option<String>,
    /// What to follow
    #[arg(long, value_enum, default_value = "recursive")]
    pub mode: Following,
    /// Follow links so many steps
    #[arg(long, default_value_t = 3)]
    pub depth: u32,
    /// At most so many pages [default: crawl.max_pages_per_crawl, which is 100]
    #[arg(long, value_name = "COUNT")]
    pub max_pages: Option<u64>,
    /// Only addresses or paths such as `/docs/**`; may be given more than once [default: the site of URL]
    #[arg(long, value_name = "GLOB")]
    pub allow: Vec<String>,
    /// Not these addresses or paths; may be given more than once
    #[arg(long, value_name = "GLOB")]
    pub block: Vec<String>,
    /// A tag for what is read; may be given more than once
    #[arg(long, visible_alias = "tags", value_name = "TAG", value_delimiter = ',')]
    pub tag: Vec<String>,
    #[command(flatten)]
    pub owner: OwnerArgs,
    /// Requests a second and host; 0 is as many as it answers [default: crawl.requests_per_second, which is
    /// 2]
    #[arg(long, value_name = "COUNT")]
    pub rate: Option<f64>,
    /// Also addresses of this machine and its networks
    #[arg(long)]
    pub allow_private: bool,
    /// Forget the memories of pages that are gone (404, 410)
    #[arg(long)]
    pub prune: bool,
    /// Let a server of this workspace crawl again so many hours after the end
    #[arg(long, value_name = "HOURS")]
    pub every: Option<f64>,
    /// Go on with a crawl, as it was asked for
    #[arg(long, value_name = "JOB")]
    pub resume: Option<String>,
}

#[derive(Args, Debug)]
pub struct CrawlStatus {
    /// Such as `j3` [default: the latest crawl]
    #[arg(value_name = "JOB")]
    pub job: Option<String>,
}

#[derive(Args, Debug)]
pub struct JobsArgs {
    #[command(subcommand)]
    pub action: Option<JobsAction>,
}

#[derive(Subcommand, Debug)]
pub enum JobsAction {
    /// List jobs (what `griot jobs` does)
    List,
    /// One job with what went wrong
    Show {
        /// Such as `j3`
        job: String,
    },
    /// Stop a job; it can go on later
    Pause {
        /// Such as `j3`
        job: String,
    },
    /// Go on with a job here
    Resume {
        /// Such as `j3`
        job: String,
    },
    /// Stop a job for good; what it stored stays
    Cancel {
        /// Such as `j3`
        job: String,
    },
    /// Go on with a job here, and try again what failed
    Retry {
        /// Such as `j3`
        job: String,
    },
}
