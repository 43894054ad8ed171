import { quoteValue } from '../depth/value.ts'
import type { MarketSession, PlannedSwap, PriceView } from '../montecarlo/market-session.ts'
import type { Holdings } from '../study/arm.ts'
import { totalOf, type WeighedRange, wantsOf } from './share-out.ts'

/** A swap that brings holdings into the proportion that ranges want. */
export interface BalanceSwap {
  readonly buysBase: boolean
  readonly amountIn: bigint
}

const ROUNDS = 64

/**
 * The largest input that, swapped in this market, does not bring holdings past the proportion of the ranges
 * at the price that the swap leaves, so that both sides are used. Bisection over the exact swap: the more is
 * swapped, the more of the other token is held and the less of it the ranges want.
 *
 * @returns null where nothing needs to be swapped
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

/** Above zero where there is too much base for the proportion of the ranges, below it too much quote. */
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
