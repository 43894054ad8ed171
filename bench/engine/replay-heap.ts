import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type ClmmSession, openClmmSession } from '../../packages/engine/src/amm/v3/fast/session.ts'
import { openLimit } from '../../packages/engine/src/amm/v3/swap.ts'
import { type RandomStream, randomStream } from '../../packages/engine/src/random/xoshiro128.ts'
import { startReplay } from '../../packages/engine/src/replay/baseline.ts'
import type { ClmmEvent } from '../../packages/engine/src/replay/events.ts'
import type { Benchmark } from '../benchmark.ts'
import { newState } from './workload.ts'

const MILLION = 1_000_000
const WARM_UP = 2

/** The next event of an endless pool: nine swaps, then a mint or a burn. */
export function nextEvent(session: ClmmSession, random: RandomStream, index: number): ClmmEvent {
  const place = { block: index, timestamp: 1 + index, logIndex: null, line: null }
  session.blockTimestamp = place.timestamp
  if (index % 10 === 9) {
    const tickLower = (((index / 10) % 50) | 0) * 60 - 1500
    const key = { owner: 'passing', tickLower, tickUpper: tickLower + 120 }
    const liquidity = 10n ** 19n
    // Fifty mints, then the fifty burns that undo them.
    const type = Math.floor(index / 500) % 2 === 0 ? 'Mint' : 'Burn'
    const change = type === 'Mint' ? session.mint(key, liquidity) : session.burn(key, liquidity)
    return { type, ...place, ...key, liquidity, ...change }
  }
  const zeroForOne = session.tick > 0
  const amountSpecified = 10n ** 16n * BigInt(1000 + random.below(4000))
  const swap = session.swap({
    zeroForOne,
    amountSpecified,
    sqrtPriceLimitX96: openLimit(zeroForOne),
  })
  const { amountIn, amountOut, sqrtPriceX96, liquidity, tick } = swap
  const [amount0, amount1] = zeroForOne ? [amountIn, -amountOut] : [-amountOut, amountIn]
  return { type: 'Swap', ...place, amount0, amount1, sqrtPriceX96, liquidity, tick }
}

/** Bytes in use after a collection: heap, and array buffers, which hold the module's memory. */
export function bytesInUse(collect: () => void): number {
  collect()
  const { heapUsed, arrayBuffers, external } = process.memoryUsage()
  return heapUsed + arrayBuffers + external
}

/** Lets the collector be called. */
export function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}

/**
 * One replay over all rounds. The figure is the mean memory growth per million events since the
 * start.
 */
export const replayHeap: Benchmark = {
  name: 'replay-heap',
  title: 'memory that a million replayed events leave behind, one replay over all rounds',
  units: { perMillion: 'kB', inUse: 'MB' },
  comparisons: [{ name: 'kB per million events', of: 'perMillion', mark: { atMost: 64 } }],
  open: async () => {
    const collect = exposeCollector()
    const random = randomStream(17)
    const state = newState()
    const session = openClmmSession(state)
    const replay = startReplay(state)
    let millions = 0
    let settled = 0
    const round = async () => {
      for (let index = millions * MILLION; index < (millions + 1) * MILLION; index++) {
        replay.apply(nextEvent(session, random, index))
      }
      millions += 1
      const { eventsReplayed, eventsExact } = replay.fidelity()
      if (eventsExact !== eventsReplayed) throw new Error('the replay did not reproduce its events')
      const inUse = bytesInUse(collect)
      // The first millions of events fill caches and trigger compilation. Growth counts from here.
      if (millions === WARM_UP) settled = inUse
      return { perMillion: (inUse - settled) / 1000 / (millions - WARM_UP), inUse: inUse / 1e6 }
    }
    for (let count = 0; count < WARM_UP; count++) await round()
    return { round, close: async () => {} }
  },
}
