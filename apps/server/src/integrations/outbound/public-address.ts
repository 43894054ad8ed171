import ipaddr from 'ipaddr.js'

/** The one answer of a cloud's host services that looks like any public address. */
const METADATA_ADDRESSES = new Set(['168.63.129.16'])

/** All public IPv6 addresses that anyone was given so far are here. @see RFC 4291, §2.4 */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

/**
 * Why an address must not be reached from here, or null for a public one.
 *
 * Everything that is not plain public unicast is refused: private, loopback, link-local, multicast,
 * carrier-grade NAT, reserved and metadata addresses, and every IPv6 form that carries an IPv4 address
 * inside, since a translator on the way would unwrap it.
 *
 * @param address as the resolver or the socket writes it, without brackets
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
