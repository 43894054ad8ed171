import type { contract, FieldErrors } from '@liquidity-os/contract'
import type { Static } from 'typebox'

export type VenueProfile = Static<typeof contract.VenueProfile>

/** One venue a market: the name under which that is kept. */
export function venueName(venue: { pair: { chainId: number }; address: string }) {
  return { kind: 'venue', name: `${venue.pair.chainId}|${venue.address}` }
}

/** What a profile says against itself, beyond its schema. */
export function profileFaults(
  venue: Pick<VenueProfile, 'kind' | 'pair' | 'feePips' | 'tickSpacing' | 'ownedPositions'>,
): FieldErrors {
  const faults: FieldErrors = {}
  if (venue.pair.base === venue.pair.quote) {
    faults['payload.pair.quote'] = ['must differ from the base']
  }
  if (venue.kind === 'UNISWAP_V3') {
    if (venue.feePips === undefined) faults['payload.feePips'] = ['is required for UNISWAP_V3']
    if (venue.tickSpacing === undefined)
      faults['payload.tickSpacing'] = ['is required for UNISWAP_V3']
  }
  if (venue.kind === 'STABLESWAP' || venue.kind === 'CLOB_SNAPSHOT') {
    faults['payload.kind'] = [`must be UNISWAP_V2 or UNISWAP_V3 in this release, got ${venue.kind}`]
  }
  for (const [index, position] of (venue.ownedPositions ?? []).entries()) {
    if (position.tickLower >= position.tickUpper) {
      faults[`payload.ownedPositions.${index}.tickUpper`] = [
        `must be above tickLower ${position.tickLower}, got ${position.tickUpper}`,
      ]
    }
  }
  return faults
}

/** States a venue may move to; a move to itself changes metadata only. */
const moves: Readonly<Record<string, readonly string[]>> = {
  DRAFT: ['DRAFT', 'VALIDATED', 'REVOKED'],
  VALIDATED: ['VALIDATED', 'PAUSED', 'REVOKED'],
  PAUSED: ['PAUSED', 'VALIDATED', 'REVOKED'],
  REVOKED: [],
}

export function mayMove(from: string, to: string): boolean {
  return moves[from]?.includes(to) ?? false
}

/** Whether the quote is the pool's first token: tokens are ordered by address. */
export function isQuoteToken0({ base, quote }: { base: string; quote: string }): boolean {
  return quote.toLowerCase() < base.toLowerCase()
}
