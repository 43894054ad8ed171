import { initializePool } from '../packages/engine/src/amm/v3/administration.ts'
import { mintLiquidity } from '../packages/engine/src/amm/v3/liquidity.ts'
import { loadPool, type Pool, snapshotPool } from '../packages/engine/src/amm/v3/pool.ts'
import { type ClmmState, createClmmPool } from '../packages/engine/src/amm/v3/state.ts'
import { commitSwap, openLimit, walkSwap } from '../packages/engine/src/amm/v3/swap.ts'
import { sqrtRatioAtTick } from '../packages/engine/src/amm/v3/tick-math.ts'
import { randomStream } from '../packages/engine/src/random/xoshiro128.ts'
import type { Benchmark } from './benchmark.ts'
import { installPeer } from './peers.ts'
import { openSdkPool, type SdkPool } from './v3-sdk-pool.ts'

interface Swap {
  zeroForOne: boolean
  amountIn: bigint
}

const spacing = 60
const positions = 201

/** A pool with 201 positions of random width around tick 0, fee 3000, as the design measured it. */
function newState(): ClmmState {
  const pool = loadPool(createClmmPool({ feePips: 3000, tickSpacing: spacing }))
  initializePool(pool, sqrtRatioAtTick(0))
  const random = randomStream(7)
  const liquidity = (spread: number) => 10n ** 18n * BigInt(1 + random.below(spread))
  mintLiquidity(pool, { owner: 'wide', tickLower: -887_220, tickUpper: 887_220 }, 10n ** 21n)
  for (let index = 1; index < positions; index += 1) {
    const centre = (random.below(240) - 120) * spacing
    const half = (1 + random.below(40)) * spacing
    const key = { owner: `${index}`, tickLower: centre - half, tickUpper: centre + half }
    mintLiquidity(pool, key, liquidity(1000))
  }
  return snapshotPool(pool)
}

/** Exact inputs to and fro, so that the price stays among the ticks; the size decides how many are crossed. */
function newSwaps(count: number, scale: bigint): Swap[] {
  const random = randomStream(11)
  return Array.from({ length: count }, (_, index) => ({
    zeroForOne: index % 2 === 0,
    amountIn: (scale * BigInt(500 + random.below(1000))) / 1000n,
  }))
}

const swapOwn = (pool: Pool, { zeroForOne, amountIn }: Swap): bigint => {
  const walk = walkSwap(pool, {
    zeroForOne,
    amountSpecified: amountIn,
    sqrtPriceLimitX96: openLimit(zeroForOne),
  })
  commitSwap(pool, walk)
  return walk.amountOut
}

/** Every swap on both, with amount, price, tick and liquidity held against each other to the bit. */
async function assertEqual(
  state: ClmmState,
  sdk: SdkPool,
  swaps: readonly Swap[],
): Promise<number> {
  const pool = loadPool(state)
  let crossed = 0
  let peer = sdk
  for (const [index, swap] of swaps.entries()) {
    const before = pool.tick
    const amountOut = swapOwn(pool, swap)
    peer = await peer.swap(swap.zeroForOne, swap.amountIn)
    const own = [amountOut, pool.sqrtPriceX96, pool.tick, pool.liquidity].join(' ')
    if (own !== peer.observed()) {
      throw new Error(`Swap ${index} differs: ours ${own}, theirs ${peer.observed()}`)
    }
    crossed += state.ticks.filter(
      (tick) =>
        tick.index > Math.min(before, pool.tick) && tick.index <= Math.max(before, pool.tick),
    ).length
  }
  return crossed / swaps.length
}

/**
 * Exact stateful swaps. Peer: `Pool.getOutputAmount` of @uniswap/v3-sdk, which keeps no fee growth; ours does.
 * `few` crosses about one tick in two swaps, `many` about twenty in each.
 */
export const v3Swaps: Benchmark = {
  name: 'v3-swaps',
  title: 'exact Uniswap v3 swaps on 201 positions, equal to the bit',
  units: {
    few: 'swaps/s',
    sdkFew: 'swaps/s',
    many: 'swaps/s',
    sdkMany: 'swaps/s',
    crossedFew: 'ticks',
    crossedMany: 'ticks',
  },
  comparisons: [
    { name: 'few crossings / v3-sdk', of: 'few', to: 'sdkFew', mark: { atLeast: 15 } },
    { name: 'many crossings / v3-sdk', of: 'many', to: 'sdkMany', mark: null },
  ],
  open: async () => {
    const load = await installPeer('@uniswap/v3-sdk', '3.31.5')
    const state = newState()
    const sdk = openSdkPool(load, state)
    const few = newSwaps(3000, 33n * 10n ** 18n)
    const many = newSwaps(600, 103n * 10n ** 19n)
    const crossedFew = await assertEqual(state, sdk, few.slice(0, 600))
    const crossedMany = await assertEqual(state, sdk, many.slice(0, 120))
    const own = (swaps: readonly Swap[]) => {
      const pool = loadPool(state)
      return rate(swaps.length, () => {
        for (const swap of swaps) swapOwn(pool, swap)
      })
    }
    const theirs = (swaps: readonly Swap[]) =>
      rate(swaps.length, async () => {
        let peer = sdk
        for (const swap of swaps) peer = await peer.swap(swap.zeroForOne, swap.amountIn)
      })
    const round = async () => ({
      sdkFew: await theirs(few.slice(0, 600)),
      few: await own(few),
      sdkMany: await theirs(many.slice(0, 120)),
      many: await own(many),
      crossedFew,
      crossedMany,
    })
    await round()
    return { round, close: async () => {} }
  },
}

async function rate(count: number, work: () => void | Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (count * 1000) / (performance.now() - start)
}
