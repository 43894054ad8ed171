import type { Orientation } from '../amm/market.ts'
import type { Pool } from '../amm/v3/pool.ts'
import { commitSwap, openLimit, type SwapWalk } from '../amm/v3/swap.ts'
import { MAX_SQRT_RATIO, MIN_SQRT_RATIO } from '../amm/v3/tick-math.ts'
import { integerSquareRoot, type Rat } from '../arithmetic/integer.ts'
import { quoteValue } from '../depth/value.ts'
import type { SwapEvent } from '../replay/events.ts'
import { directionOf, tryWalk } from '../replay/recover-swap.ts'

/**
 * Trader behavior in a pool with other liquidity. INELASTIC_INPUT (fixed flow): each trader sends
 * the historical input, then arbitrage closes any gap to the reference beyond the fee.
 * PRICE_SETTING (price-matching flow): each trades until the pool shows the historical price, so
 * volume grows with liquidity.
 */
export type FlowModel = 'INELASTIC_INPUT' | 'PRICE_SETTING'

/** Swaps of a counterfactual run. */
export interface FlowCounts {
  swaps: number
  /** Value of the input at the reference price, quote atoms. */
  volumeQuote: bigint
  arbitrages: number
  arbitrageVolumeQuote: bigint
}

/** Sees every trade of a run right before and after it, both sides above zero. */
export interface TradeObserver {
  before(baseIn: boolean, base: bigint, quote: bigint): void
  after(): void
}

/** Parameters of a run's counterfactual trades. */
export interface FlowTerms {
  readonly model: FlowModel
  readonly orientation: Orientation
  /** An arbitrage happens if its profit at the reference exceeds this, quote atoms. */
  readonly arbitrageCostQuote: bigint
}

const UNLIMITED_INPUT = (1n << 255n) - 1n
const MILLION = 1_000_000n

/**
 * Carries out the counterfactual of one historical swap.
 *
 * @param reference     root price of the reference after the historical event
 * @param referencePrice the same as quote per base
 */
export function applyFlow(
  pool: Pool,
  event: SwapEvent,
  terms: FlowTerms,
  reference: bigint,
  referencePrice: Rat,
  counts: FlowCounts,
  observer: TradeObserver | null = null,
): void {
  const commit = (walk: SwapWalk) => carryOut(pool, walk, terms.orientation, observer)
  // Without historical liquidity the price is meaningless, so only the input can be used.
  const priced = event.liquidity > 0n
  if (terms.model === 'PRICE_SETTING' && priced) {
    const walk = walkTo(pool, event.sqrtPriceX96)
    if (walk !== null) book(commit, walk, terms, referencePrice, counts)
    return
  }
  const zeroForOne = directionOf(pool, event)
  const walk = tryWalk(pool, {
    zeroForOne,
    amountSpecified: zeroForOne ? event.amount0 : event.amount1,
    sqrtPriceLimitX96: openLimit(zeroForOne),
  })
  if (walk !== null) book(commit, walk, terms, referencePrice, counts)
  if (priced && terms.model === 'INELASTIC_INPUT')
    arbitrage(pool, commit, terms, reference, referencePrice, counts)
}

/** Moves the pool to the edge of the no-arbitrage band for its fee, if that is profitable. */
function arbitrage(
  pool: Pool,
  commit: (walk: SwapWalk) => void,
  terms: FlowTerms,
  reference: bigint,
  referencePrice: Rat,
  counts: FlowCounts,
): void {
  const square = reference * reference
  const low = integerSquareRoot((square * pool.feeComplement) / MILLION)
  const high = integerSquareRoot((square * MILLION) / pool.feeComplement)
  const { sqrtPriceX96 } = pool
  const edge = sqrtPriceX96 < low ? low : sqrtPriceX96 > high ? high : null
  if (edge === null) return
  const walk = walkTo(pool, edge)
  if (walk === null) return
  const [spent, gained] = valueSides(walk, terms.orientation, referencePrice)
  if (gained - spent <= terms.arbitrageCostQuote) return
  commit(walk)
  counts.arbitrages += 1
  counts.arbitrageVolumeQuote += spent
}

function walkTo(pool: Pool, target: bigint): SwapWalk | null {
  const limit = target <= MIN_SQRT_RATIO ? MIN_SQRT_RATIO + 1n : target
  return tryWalk(pool, {
    zeroForOne: limit < pool.sqrtPriceX96,
    amountSpecified: UNLIMITED_INPUT,
    sqrtPriceLimitX96: limit >= MAX_SQRT_RATIO ? MAX_SQRT_RATIO - 1n : limit,
  })
}

function carryOut(
  pool: Pool,
  walk: SwapWalk,
  o: Orientation,
  observer: TradeObserver | null,
): void {
  const baseIn = walk.zeroForOne === (o.base === 0)
  const [base, quote] = baseIn ? [walk.amountIn, walk.amountOut] : [walk.amountOut, walk.amountIn]
  observer?.before(baseIn, base, quote)
  commitSwap(pool, walk)
  observer?.after()
}

function book(
  commit: (walk: SwapWalk) => void,
  walk: SwapWalk,
  terms: FlowTerms,
  price: Rat,
  counts: FlowCounts,
): void {
  commit(walk)
  counts.swaps += 1
  counts.volumeQuote += valueSides(walk, terms.orientation, price)[0]
}

/** Input and output of a walk in quote at a price. */
function valueSides(walk: SwapWalk, o: Orientation, price: Rat): [bigint, bigint] {
  const baseIn = walk.zeroForOne === (o.base === 0)
  return baseIn
    ? [quoteValue(walk.amountIn, price), walk.amountOut]
    : [walk.amountIn, quoteValue(walk.amountOut, price)]
}
