import { quoteValue } from '../depth/value.ts'
import type { MarketSession, PlannedSwap, PriceView } from '../montecarlo/market-session.ts'
import type { Holdings } from '../study/arm.ts'
import { totalOf, type WeighedRange, wantsOf } from './share-out.ts'

/** A swap that brings an inventory to the token ratio of ranges. */
export interface BalanceSwap {
  readonly buysBase: boolean
  readonly amountIn: bigint
}

const ROUNDS = 64

/**
 * The largest input that does not move the inventory past the token ratio of the ranges, at the
 * price after the swap. So the ranges use both tokens. Bisects over the exact swap: a larger swap
 * yields more of the other token, and the ranges then need less.
 *
 * @returns null if no swap is needed
 */
export function balanceSwap(
  session: MarketSession,
  ranges: readonly WeighedRange[],
  held: Holdings,
): BalanceSwap | null {
  const now = excessOf(session, ranges, held)
  if (now === 0n) return null
  const buysBase = now < 0n
  const isPast = (plan: PlannedSwap | null) => {
    if (plan === null) return true
    const excess = excessOf(session.after(plan), ranges, afterwards(held, plan))
    return buysBase ? excess > 0n : excess < 0n
  }
  let low = 0n
  let high = buysBase ? held.quote : held.base
  for (let round = 0; round < ROUNDS && low < high; round++) {
    const amountIn = (low + high + 1n) / 2n
    if (isPast(session.planInput(buysBase, amountIn))) high = amountIn - 1n
    else low = amountIn
  }
  return low === 0n ? null : { buysBase, amountIn: low }
}

/** Positive with excess base for the ratio of the ranges, negative with excess quote. */
function excessOf(market: PriceView, ranges: readonly WeighedRange[], held: Holdings): bigint {
  const price = market.mid()
  const worth = quoteValue(held.base, price) + held.quote
  const needs = totalOf(wantsOf(market, ranges, worth, price))
  return held.base * needs.quote - held.quote * needs.base
}

function afterwards(held: Holdings, { buysBase, amountIn, amountOut }: PlannedSwap): Holdings {
  return buysBase
    ? { base: held.base + amountOut, quote: held.quote - amountIn }
    : { base: held.base - amountIn, quote: held.quote + amountOut }
}
