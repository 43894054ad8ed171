import type { contract } from '@liquidity-os/contract'
import { type SeriesStyle, styleOf } from '@liquidity-os/drawing'
import type { Static } from 'typebox'

export type DrawnMarket = Static<typeof contract.PairMap>
export type DrawnVenue = DrawnMarket['venues'][number]

/** Quote atoms in whole tokens, for places on paper only. */
export const inTokens = (atoms: string, { pair }: DrawnMarket): number =>
  Number(atoms) / 10 ** pair.quoteDecimals

/** Quote tokens of one base token. */
export const priceOf = (priceX18: string, { pair }: DrawnMarket): number =>
  (Number(priceX18) / 1e18) * 10 ** (pair.baseDecimals - pair.quoteDecimals)

/** Whether a venue is part of the composite; one that was read too long ago is drawn grey. */
export const isFresh = ({ flags, midX18 }: DrawnVenue) =>
  !flags.includes('STALE') && midX18 !== null

const kinds: Readonly<Record<string, string>> = {
  UNISWAP_V2: 'v2',
  UNISWAP_V3: 'v3',
  STABLESWAP: 'stable',
  CLOB_SNAPSHOT: 'book',
}

/** A venue in a few letters: ids of one day begin alike, so their end is shown. */
export const venueWords = ({ venueId, kind, feePips }: DrawnVenue) =>
  `${kinds[kind] ?? kind} ${feePips / 10_000} % …${venueId.slice(-6)}`

/** Style of a venue by its place in the map, the same in every picture of it. */
export const styleOfVenue = (market: DrawnMarket, venueId: string): SeriesStyle =>
  styleOf(market.venues.findIndex((one) => one.venueId === venueId))
