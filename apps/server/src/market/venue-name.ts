/** Kind of the name that a venue holds until it is revoked. */
export const venueKind = 'venue'

/** The chain and the market of a venue. */
export interface VenueIdentity {
  pair: { chainId: number }
  address: string
}

/** One venue a market: the name under which that is kept. */
export function venueName({ pair, address }: VenueIdentity) {
  return { kind: venueKind, name: `${pair.chainId}|${address}` }
}
