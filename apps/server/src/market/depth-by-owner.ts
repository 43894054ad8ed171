import { type ClmmState, type Orientation, sqrtRatioAtTick } from '@liquidity-os/engine/amm'
import { integerSquareRoot } from '@liquidity-os/engine/arithmetic'

/** An owner of liquidity and its part of the depth around the price. */
export interface OwnerShare {
  readonly address: string
  readonly depthSharePips: number
}

const MILLION = 1_000_000n

/**
 * Owners of the depth within a band on both sides of the price, largest first.
 *
 * Between two root prices each position trades quote in proportion to its liquidity, without fee:
 *
 *     token1: L·(b − a)      token0: L·(b − a) / (a·b)
 *
 * Each owner's share of the sum is exact except for divisions, which round down.
 *
 * @param bandPips of the price, in 1..999,999
 * @returns null if the positions do not add up to the pool's liquidity at some tick. Empty
 *          if no liquidity lies within the band
 * @see Uniswap v3 whitepaper, §6.2
 */
export function depthByOwner(
  pool: ClmmState,
  { base }: Orientation,
  bandPips: number,
): OwnerShare[] | null {
  if (!areAllPositions(pool)) return null
  const [low, high] = bandOf(pool.sqrtPriceX96, base, BigInt(bandPips))
  const amounts = new Map<string, bigint>()
  for (const { owner, tickLower, tickUpper, liquidity } of pool.positions) {
    const from = larger(low, sqrtRatioAtTick(tickLower))
    const to = smaller(high, sqrtRatioAtTick(tickUpper))
    if (from >= to || liquidity === 0n) continue
    const amount = tradedQuote(liquidity, [from, to], base)
    amounts.set(owner, (amounts.get(owner) ?? 0n) + amount)
  }
  const total = [...amounts.values()].reduce((sum, amount) => sum + amount, 0n)
  if (total === 0n) return []
  return [...amounts]
    .sort(([a, first], [b, second]) =>
      first === second ? (a < b ? -1 : 1) : first < second ? 1 : -1,
    )
    .map(([address, amount]) => ({ address, depthSharePips: Number((amount * MILLION) / total) }))
}

/**
 * Quote that liquidity trades between two root prices, without fee; comparable only with other
 * results of this function for the same base. The quote is the other token. token0 is scaled to
 * preserve the digits of its quotient.
 */
export const tradedQuote = (
  liquidity: bigint,
  [from, to]: readonly [bigint, bigint],
  base: number,
): bigint =>
  base === 0 ? liquidity * (to - from) : ((liquidity * (to - from)) << 192n) / (from * to)

/**
 * True if no position of a pool is missing. A missing position is missing at both of its ticks. The
 * liquidity of a tick is the sum over all positions.
 */
export function areAllPositions({ ticks, positions }: ClmmState): boolean {
  const gross = new Map<number, bigint>()
  for (const { tickLower, tickUpper, liquidity } of positions) {
    for (const tick of [tickLower, tickUpper]) {
      gross.set(tick, (gross.get(tick) ?? 0n) + liquidity)
    }
  }
  return ticks.every(({ index, liquidityGross }) => gross.get(index) === liquidityGross)
}

/** Root prices of the limits of a band in pips of the price; inverted if the base is token1. */
export function bandOf(sqrtPriceX96: bigint, base: number, bandPips: bigint): [bigint, bigint] {
  const square = sqrtPriceX96 * sqrtPriceX96
  const [less, more] = [MILLION - bandPips, MILLION + bandPips]
  return base === 0
    ? [integerSquareRoot((square * less) / MILLION), integerSquareRoot((square * more) / MILLION)]
    : [integerSquareRoot((square * MILLION) / more), integerSquareRoot((square * MILLION) / less)]
}

const larger = (a: bigint, b: bigint) => (a > b ? a : b)
const smaller = (a: bigint, b: bigint) => (a < b ? a : b)
