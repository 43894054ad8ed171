import type { TokenAmounts } from '../amm/v3/liquidity.ts'
import type { Pool } from '../amm/v3/pool.ts'
import { amount0RoundingDown, amount1RoundingDown } from '../amm/v3/sqrt-price-math.ts'

/**
 * The principal of a v3 pool whose price changes more often than its ticks. A segment between two
 * initialized ticks contains a single token unless it contains the price. So both tokens are summed
 * from the ends once per tick state. For each price, only the current segment is computed.
 */
export class TickPrincipals {
  readonly #pool: Pick<Pool, 'sqrtPriceX96' | 'cursor' | 'ticks'>
  #sums: TickSums | null = null

  constructor(pool: Pick<Pool, 'sqrtPriceX96' | 'cursor' | 'ticks'>) {
    this.#pool = pool
  }

  /** Clears the cached sums. Call it after every change of liquidity. */
  forget(): void {
    this.#sums = null
  }

  /** Token amounts of the liquidity at the current price, rounded down per segment. */
  held(): TokenAmounts {
    const { ticks, cursor, sqrtPriceX96 } = this.#pool
    this.#sums ??= addUp(ticks)
    const { above0, below1, liquidities } = this.#sums
    const own = cursor - 1
    const amount0 = above0[cursor] ?? 0n
    const amount1 = below1[Math.max(own, 0)] ?? 0n
    const [lower, upper] = [ticks[own], ticks[cursor]]
    if (lower === undefined || upper === undefined) return { amount0, amount1 }
    // Every stretch has its liquidity.
    const liquidity = liquidities[own]!
    return {
      amount0: amount0 + amount0RoundingDown(sqrtPriceX96, upper.sqrtPriceX96, liquidity),
      amount1: amount1 + amount1RoundingDown(lower.sqrtPriceX96, sqrtPriceX96, liquidity),
    }
  }
}

interface TickSums {
  /** Liquidity of the segment that starts at each tick. */
  readonly liquidities: readonly bigint[]
  /** token0 of the stretches from each tick on, were the price below them. */
  readonly above0: readonly bigint[]
  /** token1 of the stretches up to each tick, were the price above them. */
  readonly below1: readonly bigint[]
}

function addUp(ticks: Pool['ticks']): TickSums {
  const liquidities: bigint[] = []
  const below1: bigint[] = []
  let [liquidity, sum1] = [0n, 0n]
  for (const [place, { liquidityNet, sqrtPriceX96 }] of ticks.entries()) {
    below1.push(sum1)
    liquidity += liquidityNet
    liquidities.push(liquidity)
    const next = ticks[place + 1]
    if (next !== undefined) sum1 += amount1RoundingDown(sqrtPriceX96, next.sqrtPriceX96, liquidity)
  }
  const above0: bigint[] = ticks.map(() => 0n)
  for (let place = ticks.length - 2; place >= 0; place -= 1) {
    // Both ticks and the stretch between them are there.
    const [lower, upper] = [ticks[place]!.sqrtPriceX96, ticks[place + 1]!.sqrtPriceX96]
    above0[place] = above0[place + 1]! + amount0RoundingDown(lower, upper, liquidities[place]!)
  }
  return { liquidities, above0, below1 }
}
