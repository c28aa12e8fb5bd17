//! Which addresses of the network are never asked, and which are near.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Fixed addresses of metadata services that are not link-local: Amazon's over IPv6, Alibaba's,
/// Azure's, Oracle's.
const METADATA: [IpAddr; 4] = [
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)),
    IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)),
    IpAddr::V4(Ipv4Addr::new(168, 63, 129, 16)),
    IpAddr::V4(Ipv4Addr::new(192, 0, 0, 192)),
];

/// Why an address is never asked, as in "is …".
pub(super) fn refused(address: IpAddr) -> Option<&'static str> {
    let address = bare(address);
    if METADATA.contains(&address) {
        return Some("is the metadata service of a cloud");
    }
    let is_link_local = match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => address.is_unicast_link_local(),
    };
    if is_link_local {
        return Some("is a link-local address, where clouds hand out keys");
    }
    if address.is_multicast() {
        return Some("stands for many hosts");
    }
    let is_nobody = match address {
        IpAddr::V4(address) => address.octets()[0] == 0 || address.is_broadcast(),
        IpAddr::V6(address) => address.is_unspecified(),
    };
    is_nobody.then_some("stands for no host")
}

/// Whether an address is this machine's or of a private network.
pub(super) fn is_near(address: IpAddr) -> bool {
    match bare(address) {
        IpAddr::V4(address) => address.is_loopback() || address.is_private(),
        IpAddr::V6(address) => address.is_loopback() || address.is_unique_local(),
    }
}

/// The IPv4 address that an IPv6 one carries in one of the known forms, else the address itself.
fn bare(address: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = address else { return address };
    let pair = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        IpAddr::V4(Ipv4Addr::new(a, b, c, d))
    };
    match v6.segments() {
        // Mapped, and translated by NAT64.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            pair(high, low)
        }
        // "Compatible", but for `::` and `::1`.
        [0, 0, 0, 0, 0, 0, high, low] if high != 0 || low > 1 => pair(high, low),
        // 6to4.
        [0x2002, high, low, ..] => pair(high, low),
        _ => address,
    }
}
