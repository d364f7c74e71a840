//! One body of promises for all back ends.
