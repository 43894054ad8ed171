import type { Market, Orientation } from '../amm/market.ts'
import { slippageTable } from '../depth/slippage-table.ts'
import type { CostCurve } from './reward-benefit.ts'

/** Multiples of the liquidity used for quotes, millionths. */
const SCALES = [1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 6, 10].map((scale) => scale * 1_000_000)

/**
 * Trading cost beyond the fee on a market with scaled liquidity. Computed from exact quotes of the
 * sizes on both sides, weighted by volume. A pool is homogeneous: a size on s times the liquidity
 * has the impact of a size s times smaller on current liquidity. The function quotes that smaller
 * size.
 *
 * @param sizes representative trades of the baseline, with the volume that each represents
 */
export function costCurve(
  market: Market,
  orientation: Orientation,
  sizes: readonly { readonly quote: bigint; readonly volume: number }[],
): CostCurve {
  const total = sizes.reduce((sum, { volume }) => sum + volume, 0)
  const impact = SCALES.map((scale) => {
    if (total === 0) return 0
    const smaller = sizes.map(({ quote }) => larger((quote * 1_000_000n) / BigInt(scale), 1n))
    const table = slippageTable(market, orientation, smaller)
    // Both sides of every size, in order.
    const paid = sizes.reduce((sum, { volume }, place) => {
      const [buy, sell] = [table[2 * place]!, table[2 * place + 1]!]
      return sum + (volume * (buy.impactPips + sell.impactPips)) / 2
    }, 0)
    return paid / total / 1_000_000
  })
  return { scales: SCALES.map((scale) => scale / 1_000_000), impact }
}

const larger = (a: bigint, b: bigint) => (a > b ? a : b)
