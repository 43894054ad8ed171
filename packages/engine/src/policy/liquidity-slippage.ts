import { liquidityForAmounts } from '../amm/v3/liquidity-amounts.ts'
import {
  amount0RoundingDown,
  amount0RoundingUp,
  amount1RoundingDown,
  amount1RoundingUp,
} from '../amm/v3/sqrt-price-math.ts'
import {
  MAX_SQRT_RATIO,
  MIN_SQRT_RATIO,
  sqrtRatioAtTick,
  tickAtSqrtRatio,
} from '../amm/v3/tick-math.ts'
import { integerSquareRoot, Q96 } from '../arithmetic/integer.ts'

/** Atoms of both tokens of a position, in the order of their addresses. */
export interface TokenPair {
  readonly amount0: bigint
  readonly amount1: bigint
}

/** Mid price of a pair, and the range of a position; null for a v2 pair, which has no range. */
export interface PositionAtMid {
  /** Quote atoms for a base atom, times 10^36, above zero. */
  readonly midPriceX36: bigint
  readonly isBaseToken0: boolean
  readonly range: { readonly lower: number; readonly upper: number } | null
}

const x36 = 10n ** 36n

/** Token1 atoms per token0 atom at the mid price, as a fraction. */
const priceOf = ({ midPriceX36, isBaseToken0 }: PositionAtMid) =>
  isBaseToken0 ? { num: midPriceX36, den: x36 } : { num: x36, den: midPriceX36 }

function sqrtPriceOf(at: PositionAtMid): bigint {
  const { num, den } = priceOf(at)
  const root = integerSquareRoot((num * Q96 * Q96) / den)
  if (root < MIN_SQRT_RATIO) return MIN_SQRT_RATIO
  return root >= MAX_SQRT_RATIO ? MAX_SQRT_RATIO - 1n : root
}

const atMost = (amount: bigint, limit: bigint) => (amount < limit ? amount : limit)

/**
 * The part of the desired amounts that a mint takes if the pool is at the mid price. Rounded up,
 * because the pool receives it.
 *
 * @see Uniswap v3 whitepaper, §6.2; Uniswap v2 `UniswapV2Router02._addLiquidity`
 */
export function takenAtMid(at: PositionAtMid, desired: TokenPair): TokenPair {
  const { num, den } = priceOf(at)
  if (at.range === null) {
    const needed1 = (desired.amount0 * num + den - 1n) / den
    if (needed1 <= desired.amount1) return { amount0: desired.amount0, amount1: needed1 }
    const needed0 = (desired.amount1 * den + num - 1n) / num
    return { amount0: atMost(needed0, desired.amount0), amount1: desired.amount1 }
  }
  const { lower, upper } = at.range
  const sqrtPriceX96 = sqrtPriceOf(at)
  const tick = tickAtSqrtRatio(sqrtPriceX96)
  const { amount0, amount1 } = desired
  const liquidity = liquidityForAmounts({ sqrtPriceX96, tick }, lower, upper, amount0, amount1)
  const taken = amountsBetween(sqrtPriceX96, at.range, liquidity, 'UP')
  return { amount0: atMost(taken.amount0, amount0), amount1: atMost(taken.amount1, amount1) }
}

/** Amounts of a liquidity in a v3 range at the mid price, rounded down: the pool pays them. */
export function withdrawnAtMid(
  at: PositionAtMid & { readonly range: NonNullable<PositionAtMid['range']> },
  liquidity: bigint,
): TokenPair {
  return amountsBetween(sqrtPriceOf(at), at.range, liquidity, 'DOWN')
}

function amountsBetween(
  sqrtPriceX96: bigint,
  range: { readonly lower: number; readonly upper: number },
  liquidity: bigint,
  rounding: 'UP' | 'DOWN',
): TokenPair {
  const [lower, upper] = [sqrtRatioAtTick(range.lower), sqrtRatioAtTick(range.upper)]
  const inside = sqrtPriceX96 < lower ? lower : sqrtPriceX96 > upper ? upper : sqrtPriceX96
  return rounding === 'UP'
    ? {
        amount0: amount0RoundingUp(inside, upper, liquidity),
        amount1: amount1RoundingUp(lower, inside, liquidity),
      }
    : {
        amount0: amount0RoundingDown(inside, upper, liquidity),
        amount1: amount1RoundingDown(lower, inside, liquidity),
      }
}

/** A share of a v2 pair and its reserves. */
export interface PairShare {
  readonly reserve0: bigint
  readonly reserve1: bigint
  readonly shares: bigint
  readonly totalShares: bigint
}

/**
 * Amounts that a share of a v2 pair is worth after arbitrage to the mid price p, with k = reserve0 ·
 * reserve1.
 *
 *     (√(k/p), √(k·p)) · shares / totalShares, rounded down
 */
export function redeemedAtMid(at: PositionAtMid, share: PairShare): TokenPair {
  const { num, den } = priceOf(at)
  const k = share.reserve0 * share.reserve1
  const part = (reserve: bigint) => (reserve * share.shares) / share.totalShares
  return {
    amount0: part(integerSquareRoot((k * den) / num)),
    amount1: part(integerSquareRoot((k * num) / den)),
  }
}

/**
 * Loss of the minimums against the exact amounts, both valued at the mid price.
 *
 *     ⌈10^6 · (1 − value(minimums) / value(exact))⌉ pips, at least 0
 *
 * @returns null if the exact amounts have no value
 */
export function liquiditySlippagePips(
  at: PositionAtMid,
  minimum: TokenPair,
  exact: TokenPair,
): bigint | null {
  const quoteOf = ({ amount0, amount1 }: TokenPair) => {
    const [base, quote] = at.isBaseToken0 ? [amount0, amount1] : [amount1, amount0]
    return base * at.midPriceX36 + quote * x36
  }
  const [least, full] = [quoteOf(minimum), quoteOf(exact)]
  if (full === 0n) return null
  const lost = full - least
  return lost <= 0n ? 0n : (lost * 1_000_000n + full - 1n) / full
}

/**
 * Slippage of an addition: the larger of two losses at the mid price.
 *
 *     1 − value(min(minimums, taken)) / value(taken)     a mint that takes less than expected
 *     1 − value(taken) / value(desired)                  a mint that takes more than expected
 *
 * The cap per token keeps a high minimum of one token from hiding a missing one of the other. The
 * second loss bounds a mint in a pool whose price was moved: it takes the surplus of one token, and
 * arbitrage takes the difference.
 *
 * @returns null if a mint takes no tokens
 */
export function additionSlippagePips(
  at: PositionAtMid,
  desired: TokenPair,
  minimum: TokenPair,
): bigint | null {
  const taken = takenAtMid(at, desired)
  const least = {
    amount0: atMost(minimum.amount0, taken.amount0),
    amount1: atMost(minimum.amount1, taken.amount1),
  }
  const missing = liquiditySlippagePips(at, least, taken)
  const surplus = liquiditySlippagePips(at, taken, desired)
  if (missing === null || surplus === null) return null
  return missing > surplus ? missing : surplus
}
