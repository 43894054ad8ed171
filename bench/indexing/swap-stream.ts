import { initializePool } from '../../packages/engine/src/amm/v3/administration.ts'
import { mintLiquidity } from '../../packages/engine/src/amm/v3/liquidity.ts'
import { loadPool } from '../../packages/engine/src/amm/v3/pool.ts'
import { createClmmPool } from '../../packages/engine/src/amm/v3/state.ts'
import { commitSwap, openLimit, walkSwap } from '../../packages/engine/src/amm/v3/swap.ts'
import { sqrtRatioAtTick } from '../../packages/engine/src/amm/v3/tick-math.ts'
import { randomStream } from '../../packages/engine/src/random/xoshiro128.ts'

/** Terms of the market: Uniswap's 0.30 % pool, one full-range position, price one. */
export const terms = { feePips: 3000, tickSpacing: 60 }
export const range = { tickLower: -887_220, tickUpper: 887_220, liquidity: 10n ** 24n }
export const swapsPerBlock = 10
export const secondsPerBlock = 12
export const bornAt = 1_600_000_000

/** Bytes of the five words of one Swap log. */
export const swapBytes = 160

export interface SwapStream {
  /** Amounts of the first deposit. */
  readonly deposit: { readonly amount0: bigint; readonly amount1: bigint }
  readonly sqrtPriceX96: bigint
  /** The data of every Swap log, one after the other. */
  readonly data: Buffer
}

/** Alternating swaps computed by the engine, in the form of their logs. */
export function swapStream(count: number): SwapStream {
  const pool = loadPool(createClmmPool(terms))
  const sqrtPriceX96 = sqrtRatioAtTick(0)
  initializePool(pool, sqrtPriceX96)
  const { liquidity, ...key } = range
  const deposit = mintLiquidity(pool, { owner: '0x1', ...key }, liquidity)
  const random = randomStream(11)
  const data = Buffer.alloc(count * swapBytes)
  for (let index = 0; index < count; index += 1) {
    const zeroForOne = index % 2 === 0
    pool.blockTimestamp = bornAt + secondsPerBlock * blockOf(index)
    const walk = walkSwap(pool, {
      zeroForOne,
      amountSpecified: 10n ** 18n * BigInt(500 + random.below(1000)),
      sqrtPriceLimitX96: openLimit(zeroForOne),
    })
    commitSwap(pool, walk)
    const [amount0, amount1] = zeroForOne
      ? [walk.amountIn, -walk.amountOut]
      : [-walk.amountOut, walk.amountIn]
    const words = [amount0, amount1, pool.sqrtPriceX96, pool.liquidity, BigInt(pool.tick)]
    data.write(words.map(wordOf).join(''), index * swapBytes, 'hex')
  }
  return { deposit, sqrtPriceX96, data }
}

/** A value as the ABI encodes it: 32 bytes, two's complement. */
export function wordOf(value: bigint): string {
  return BigInt.asUintN(256, value).toString(16).padStart(64, '0')
}

/** Block of a swap; block 1 creates the pool. */
export const blockOf = (index: number) => 2 + Math.floor(index / swapsPerBlock)
