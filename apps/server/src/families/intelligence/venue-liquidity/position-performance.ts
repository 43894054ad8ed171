import { type ClmmState, midPrice, type Orientation } from '@liquidity-os/engine/amm'

/** Amounts per token of a pool, in atomic units. */
export interface TokenPair {
  readonly amount0: bigint
  readonly amount1: bigint
}

/** All deposits, withdrawals of principal and collections since a position was empty. */
export interface PositionFlows {
  readonly deposited: TokenPair
  readonly withdrawn: TokenPair
  /** Collections pay fees and withdrawn principal together. */
  readonly collected: TokenPair
  /** Unix seconds of the first deposit. */
  readonly since: number
}

export interface Performance {
  readonly feesQuote: string
  readonly ilQuote: string
  readonly netVsHodlQuote: string
  readonly netVsHodlPips: number | null
  readonly since: string
}

const MILLION = 1_000_000n

/**
 * Result of a position against holding its deposits, with V as the value at the current price:
 *
 *     F = collected + owed − withdrawn        IL = V(now) + V(withdrawn) − V(deposited)
 *     net vs HODL = IL + V(F)
 *
 * Each V is rounded down. The percentage is of V(deposited) and truncated.
 *
 * @param now principal that a withdrawal of all liquidity pays
 * @param owed what a collection pays besides: fees, and withdrawn principal not collected yet
 * @returns null if the flows contradict the amounts owed
 */
export function positionPerformance(
  pool: ClmmState,
  orientation: Orientation,
  { deposited, withdrawn, collected, since }: PositionFlows,
  { now, owed }: { readonly now: TokenPair; readonly owed: TokenPair },
): Performance | null {
  const fees = {
    amount0: collected.amount0 + owed.amount0 - withdrawn.amount0,
    amount1: collected.amount1 + owed.amount1 - withdrawn.amount1,
  }
  if (fees.amount0 < 0n || fees.amount1 < 0n) return null
  const { num, den } = midPrice(pool, orientation)
  const valueQuote = ({ amount0, amount1 }: TokenPair) =>
    orientation.base === 0 ? amount1 + (amount0 * num) / den : amount0 + (amount1 * num) / den
  const hodl = valueQuote(deposited)
  const il = valueQuote(now) + valueQuote(withdrawn) - hodl
  const net = il + valueQuote(fees)
  return {
    feesQuote: `${valueQuote(fees)}`,
    ilQuote: `${il}`,
    netVsHodlQuote: `${net}`,
    netVsHodlPips: hodl === 0n ? null : Number((net * MILLION) / hodl),
    since: new Date(since * 1000).toISOString(),
  }
}
