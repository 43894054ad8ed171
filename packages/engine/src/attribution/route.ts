/** A swap of a transaction, by its tokens. */
export interface TokenSwap {
  /** Name of the market. */
  readonly pool: string
  readonly tokenIn: string
  readonly tokenOut: string
  readonly amountIn: bigint
  readonly amountOut: bigint
}

/**
 * Groups the swaps of one transaction, in log order, into branches from the input token to the
 * output token.
 *
 * A swap extends the branch whose end is its input. A branch with exactly this output has priority.
 * Otherwise the nearest one within a twentieth is used, which allows for transfer fees. Each swap
 * belongs to one branch, and no branch uses a market twice.
 *
 * @returns null if such branches do not cover the swaps exactly
 */
export function branchesOf<Swap extends TokenSwap>(
  swaps: readonly Swap[],
  given: string,
  taken: string,
): Swap[][] | null {
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  const branches: Swap[][] = []
  for (const swap of swaps) {
    if (same(swap.tokenIn, taken) || same(swap.tokenOut, given)) return null
    if (same(swap.tokenIn, given)) {
      branches.push([swap])
      continue
    }
    const open = branches.filter((branch) => {
      const end = branch.at(-1)!
      const isUsed = branch.some(({ pool }) => same(pool, swap.pool))
      return same(end.tokenOut, swap.tokenIn) && !isUsed && isNear(end.amountOut, swap.amountIn)
    })
    const [nearest] = open.sort((a, b) => compare(distance(a, swap), distance(b, swap)))
    if (!nearest) return null
    nearest.push(swap)
  }
  const isWhole = branches.every((branch) => same(branch.at(-1)!.tokenOut, taken))
  return branches.length > 0 && isWhole ? branches : null
}

const distance = (branch: readonly TokenSwap[], swap: TokenSwap): bigint => {
  const apart = branch.at(-1)!.amountOut - swap.amountIn
  return apart < 0n ? -apart : apart
}

const isNear = (a: bigint, b: bigint) => (a > b ? a - b : b - a) * 20n <= (a > b ? a : b)

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)
