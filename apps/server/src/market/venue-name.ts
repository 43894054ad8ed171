/** Kind of the name that reserves the address of a venue until it is revoked. */
export const venueKind = 'venue'

/** The chain and the market address of a venue. */
export interface VenueIdentity {
  pair: { chainId: number }
  address: string
}

/** Name that enforces one venue per market. */
export function venueName({ pair, address }: VenueIdentity) {
  return { kind: venueKind, name: `${pair.chainId}|${address}` }
}
