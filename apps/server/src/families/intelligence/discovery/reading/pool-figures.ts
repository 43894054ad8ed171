/** Exact integer math for pool prices and reserves. */

const q96 = 2n ** 96n
const x36 = 10n ** 36n

export interface PairState {
  readonly kind: 'UNISWAP_V2'
  readonly reserve0: bigint
  readonly reserve1: bigint
}

export interface RangeState {
  readonly kind: 'UNISWAP_V3'
  /** √(token1/token0) as Q64.96; 0 for an uninitialized pool. */
  readonly sqrtPriceX96: bigint
  /** L of the active range. */
  readonly liquidity: bigint
}

/**
 * Quote atoms per base atom at the margin, times 10^36, rounded down. For a pair, the ratio of
 * reserves; for a range, the square of √P.
 *
 * @returns null without a price: a pair without base, a pool that was never initialized
 */
export function midX36(state: PairState | RangeState, baseIsToken0: boolean): bigint | null {
  if (state.kind === 'UNISWAP_V2') {
    const [base, quote] = baseIsToken0
      ? [state.reserve0, state.reserve1]
      : [state.reserve1, state.reserve0]
    return base === 0n ? null : (quote * x36) / base
  }
  const square = state.sqrtPriceX96 * state.sqrtPriceX96
  if (square === 0n) return null
  const unit = q96 * q96
  return baseIsToken0 ? (square * x36) / unit : (unit * x36) / square
}

/**
 * Atoms that a pool can pay out near its price. For a pair: its reserves. For a range: the smaller
 * of its balance and
 *
 *     token0: L / √P,   token1: L · √P
 *
 * each rounded down. This excludes liquidity out of range and fees that belong to others.
 *
 * @param held0 atoms of token0 that the pool holds; likewise `held1`
 * @see Uniswap v3 whitepaper, §6.2.1: virtual reserves
 */
export function reservesOf(
  state: PairState | RangeState,
  { held0, held1 }: { held0: bigint; held1: bigint },
): { reserve0: bigint; reserve1: bigint } {
  if (state.kind === 'UNISWAP_V2') return { reserve0: state.reserve0, reserve1: state.reserve1 }
  const { sqrtPriceX96, liquidity } = state
  if (sqrtPriceX96 === 0n) return { reserve0: 0n, reserve1: 0n }
  return {
    reserve0: smaller(held0, (liquidity * q96) / sqrtPriceX96),
    reserve1: smaller(held1, (liquidity * sqrtPriceX96) / q96),
  }
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

/** A size as millionths of a reserve, rounded up: ⌈size · 10^6 / reserve⌉. The reserve is above zero. */
export const sharePips = (size: bigint, reserve: bigint): bigint =>
  (size * 1_000_000n + reserve - 1n) / reserve
