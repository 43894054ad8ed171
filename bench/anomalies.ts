import { performance } from 'node:perf_hooks'
import { canonicalize } from '@liquidity-os/evidence'
import detect from '../apps/server/src/families/intelligence/anomalies/detect-task.ts'
import type { Question } from '../apps/server/src/families/intelligence/anomalies/feature.ts'
import {
  momentsOf,
  type VenueHistory,
  walkHistory,
} from '../apps/server/src/market/venue-history.ts'
import { toJsonSafe } from '../packages/engine/exports/amm.ts'
import { initializePool } from '../packages/engine/src/amm/v3/administration.ts'
import { mintLiquidity } from '../packages/engine/src/amm/v3/liquidity.ts'
import { loadPool, snapshotPool } from '../packages/engine/src/amm/v3/pool.ts'
import { createClmmPool } from '../packages/engine/src/amm/v3/state.ts'
import { commitSwap, openLimit, walkSwap } from '../packages/engine/src/amm/v3/swap.ts'
import { sqrtRatioAtTick } from '../packages/engine/src/amm/v3/tick-math.ts'
import { randomStream } from '../packages/engine/src/random/xoshiro128.ts'
import type { Benchmark } from './benchmark.ts'

const venues = 200
const trades = 2000
const cadenceSeconds = 300
const baselineSeconds = 604_800
const at = 1_767_225_600
const from = at - baselineSeconds - 86_400
const kinds = [
  'LIQUIDITY_DISAPPEARANCE',
  'ONE_SIDED_FLOW',
  'EXCESSIVE_TURNOVER',
  'MANIPULATION_INDICATOR',
  'ORACLE_DISAGREEMENT',
] as const

/**
 * Eight days of a pool with 50 positions and trades by 40 traders, in the form of a sealed
 * observation.
 */
function newHistory(seed: number): VenueHistory {
  const random = randomStream(seed)
  const pool = loadPool(createClmmPool({ feePips: 3000, tickSpacing: 60 }))
  initializePool(pool, sqrtRatioAtTick(0))
  mintLiquidity(pool, { owner: 'wide', tickLower: -887_220, tickUpper: 887_220 }, 10n ** 21n)
  for (let index = 0; index < 50; index += 1) {
    const centre = (random.below(60) - 30) * 60
    const half = (1 + random.below(20)) * 60
    const key = { owner: `${index}`, tickLower: centre - half, tickUpper: centre + half }
    mintLiquidity(pool, key, 10n ** 18n * BigInt(1 + random.below(1000)))
  }
  const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(toJsonSafe(value)))
  const start = encode(snapshotPool(pool))
  const lines = Array.from({ length: trades }, (_, index) => {
    const zeroForOne = random.below(2) === 0
    const amountSpecified = 10n ** 15n * BigInt(500 + random.below(9500))
    const walk = walkSwap(pool, {
      zeroForOne,
      amountSpecified,
      sqrtPriceLimitX96: openLimit(zeroForOne),
    })
    commitSwap(pool, walk)
    const timestamp = from + Math.floor(((at - from) * (index + 1)) / (trades + 1))
    const [amount0, amount1] = zeroForOne
      ? [walk.amountIn, -walk.amountOut]
      : [-walk.amountOut, walk.amountIn]
    const trader = `0x${random.below(40).toString(16).padStart(40, '0')}`
    return canonicalize(
      toJsonSafe({
        type: 'Swap',
        block: 1000 + index,
        timestamp,
        logIndex: 1,
        amount0,
        amount1,
        sqrtPriceX96: pool.sqrtPriceX96,
        liquidity: pool.liquidity,
        tick: pool.tick,
        origin: trader,
        sender: trader,
        recipient: trader,
        transactionHash: `0x${index}`,
        blockHash: `0x${index}`,
      }),
    )
  })
  const events = [new TextEncoder().encode(lines.join('\n'))]
  const blocks = { fromBlock: 1, toBlock: 1000 + trades }
  return {
    venueId: `venue_${seed}`,
    kind: 'UNISWAP_V3',
    feePips: 3000,
    orientation: { base: 0, quote: 1 },
    stretches: [{ from, to: at, ...blocks, start, events }],
  }
}

function questionsOf({ venueId }: VenueHistory): Question[] {
  const terms = { positions: [], asset: 'BASE', pegX18: null, criticalAt: [] } as const
  return kinds.map((kind) => ({ kind, venueId, ...terms }))
}

/**
 * A sweep of 1,000 subjects: five kinds on 200 venues, each with eight days of 2,000 trades at 2,305 moments, on one
 * thread. Limit: the walk over the same histories that quotes the 2 % depth at every moment and judges nothing.
 */
export const anomalies: Benchmark = {
  name: 'anomalies',
  title: `a sweep of 1,000 subjects: ${kinds.length} kinds on ${venues} venues of ${trades} trades, one thread`,
  units: { sweep: 's', walk: 's', subject: 'ms' },
  comparisons: [
    { name: 'sweep over walk', of: 'sweep', to: 'walk', mark: { atMost: 6 } },
    { name: 'sweep of 1,000, s', of: 'sweep', mark: { atMost: 60 } },
  ],
  open: async () => {
    const histories = Array.from({ length: venues }, (_, index) => newHistory(index + 1))
    const count = Math.floor((at - from) / cadenceSeconds)
    const moments = momentsOf({ from: at - count * cadenceSeconds, to: at }, cadenceSeconds)
    return {
      round: async () => {
        const begin = performance.now()
        for (const history of histories) {
          const questions = questionsOf(history)
          const terms = { at, cadenceSeconds, baselineSeconds, owned: new Map(), feeds: [] }
          const judged = detect({ histories: [history], questions, ...terms })
          if (judged.some(({ outcome }) => outcome?.state !== 'COMPLETED')) {
            throw new Error('A subject was not judged.')
          }
        }
        const sweep = (performance.now() - begin) / 1000
        const walkBegin = performance.now()
        let depth = 0n
        for (const history of histories) {
          for (const step of walkHistory(history, moments)) {
            if (step.kind !== 'SAMPLE') continue
            depth += step.market.depth(history.orientation, [20_000])[0]?.quote ?? 0n
          }
        }
        if (depth === 0n) throw new Error('The walk saw nothing.')
        const walk = (performance.now() - walkBegin) / 1000
        return { sweep, walk, subject: (1000 * sweep) / (venues * kinds.length) }
      },
      close: async () => {},
    }
  },
}
