import ipaddr from 'ipaddr.js'

/** The only address of a cloud's host services that looks public. */
const METADATA_ADDRESSES = new Set(['168.63.129.16'])

/** Contains all public IPv6 addresses allocated so far. @see RFC 4291, §2.4 */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

/**
 * Reason an address is forbidden, or null for a public one.
 *
 * Only plain public unicast is allowed. Private, loopback, link-local, multicast, carrier-grade
 * NAT, reserved and metadata addresses are rejected. So is every IPv6 form with an embedded IPv4
 * address. A translator on the path would unwrap it.
 *
 * @param address as written by the resolver or socket, without brackets
 */
export function refusedRange(address: string): string | null {
  if (!ipaddr.isValid(address) || address.includes('%')) return 'not an address'
  const parsed = ipaddr.parse(address)
  const range = parsed.range()
  if (range !== 'unicast') return range
  if (METADATA_ADDRESSES.has(address)) return 'metadata'
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST)) return 'not global unicast'
  return null
}
