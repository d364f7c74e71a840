//! Decides which addresses a crawl may connect to.
//!
//! A page may name any host, and a host name may resolve to a different address each time. So names are not
//! checked: the resolver returns only public addresses, and the connection goes to exactly those. A
//! redirect opens a new connection and passes the same check.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

/// Publicly routable: excludes this machine, private networks and special-purpose ranges (RFC 6890 and its
/// registry).
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let is_special = match address.octets() {
        [0 | 224..=255, ..] => true, // this network; multicast, reserved, broadcast
        [100, 64..=127, ..] => true, // carriers' networks
        [192, 0, 0, _] | [192, 88, 99, _] | [198, 18 | 19, ..] => true,
        _ => false,
    };
    // Link-local addresses include cloud metadata services.
    let is_local = address.is_private() || address.is_loopback() || address.is_link_local();
    !is_special && !is_local && !address.is_documentation()
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    if let Some(inner) = address.to_ipv4_mapped() {
        return is_public_v4(inner);
    }
    let v4 = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match segments {
        // Addresses that embed an IPv4 address are judged by it.
        [0x64, 0xFF9B, 0, 0, 0, 0, high, low] => is_public_v4(v4(high, low)), // NAT64
        [0x2002, high, low, ..] => is_public_v4(v4(high, low)),               // 6to4
        [0x2001, 0, ..] => false,                                             // Teredo embeds two of them
        [0x2001, 0x0DB8, ..] | [0x3FFF, ..] => false,                         // documentation
        [0x2001, second, ..] if second < 0x200 => false,                      // IETF protocol assignments
        // Only 2000::/3 is public today; ::1, ::, fc00::/7, fe80::/10, fec0::/10 and ff00::/8 are outside
        // it.
        [first, ..] => first & 0xE000 == 0x2000,
    }
}

/// Resolves with the system's resolver and drops private addresses.
#[derive(Debug)]
pub(crate) struct Guard {
    pub(crate) allow_private: bool,
    pub(crate) inner: DefaultResolver,
}

/// Text of the error that the guard raises; `fetch` recognises it by this.
pub(crate) const REFUSED: &str = "its address is not public";

impl Resolver for Guard {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.inner.resolve(uri, config, timeout)?;
        if self.allow_private {
            return Ok(found);
        }
        let mut public = self.empty();
        for address in found.iter().filter(|address| is_public(address.ip())) {
            public.push(*address);
        }
        if public.is_empty() {
            return Err(ureq::Error::Other(REFUSED.into()));
        }
        Ok(public)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_connected_to() {
        let special = "127.0.0.1 127.9.9.9 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 \
                       169.254.169.254 100.64.0.1 224.0.0.1 255.255.255.255 192.0.0.1 198.18.0.1 :: \
                       ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::127.0.0.1 \
                       fe80::1 fec0::1 fc00::1 fd12::1 ff02::1 64:ff9b::7f00:1 2002:7f00:1:: \
                       2001:0:1::1 2001:db8::1 100::1 64:ff9b:1::1";
        for address in special.split(' ') {
            assert!(!is_public(address.parse().expect("an address")), "{address}");
        }
        for address in
            ["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
        {
            assert!(is_public(address.parse().expect("an address")), "{address}");
        }
    }
}
