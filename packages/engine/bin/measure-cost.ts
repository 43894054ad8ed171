import type { Market } from '../src/amm/market.ts'
import { depthLadder } from '../src/depth/depth-ladder.ts'
import { FREE_GAS } from '../src/montecarlo/gas.ts'
import { type MonteCarloData, monteCarloSpec } from '../src/montecarlo/monte-carlo-data.ts'
import { runPaths } from '../src/montecarlo/monte-carlo-study.ts'
import type { StudyArm } from '../src/study/arm.ts'
import { estimateCost, monteCarloSize } from '../src/study/estimate-cost.ts'
import { runReplayStudy } from '../src/study/replay-study.ts'
import { newPair, newPool, newStablePool } from '../test/monte-carlo-market.ts'
import { initialState, recordedClmmEvents } from '../test/recordings.ts'
import { rule, strategy } from '../test/strategies.ts'

/**
 * Measures the constants of `COST_MICROSECONDS` on one core. Replays use the WETH/OP recording.
 * Monte Carlo uses the most expensive arm, a strategy that observes and recenters.
 *
 *     node packages/engine/bin/measure-cost.ts
 */
const orientation = { base: 0, quote: 1 }
const capital = { base: 10n ** 21n, quote: 10n ** 21n, normalization: 'EQUAL_VALUE' as const }

/** Fastest of three runs, in microseconds. The minimum excludes other load on the machine. */
function time(work: () => void): number {
  let fastest = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round++) {
    const start = performance.now()
    work()
    fastest = Math.min(fastest, (performance.now() - start) * 1000)
  }
  return fastest
}

function dataOf(s0: Market, change: Partial<MonteCarloData>): MonteCarloData {
  const definition = strategy({
    rules: [rule({ kind: 'EVERY', seconds: 86_400 }, { kind: 'RECENTER', swap: true })],
    ...(s0.kind === 'UNISWAP_V3'
      ? {}
      : {
          positions: [
            { positionId: 'all', weightPips: 1_000_000, template: { kind: 'FULL_RANGE' } },
          ],
        }),
  })
  return {
    s0,
    price: { kind: 'GBM', annualDrift: 0, annualVolatility: 0 },
    flow: null,
    others: { kind: 'STATIC' },
    steps: 720,
    paths: 8,
    arms: [{ armId: 'strategy', kind: 'STRATEGY', definition }],
    cfg: {
      seed: new Uint8Array(32).fill(7),
      orientation,
      stepSeconds: 300,
      sampleEverySteps: 12,
      capital,
      bandsPips: [20_000],
      failure: [],
      gas: FREE_GAS,
      minProfitQuote: 0n,
    },
    ...change,
  }
}

function monteCarlo(s0: Market) {
  const paths = s0.kind === 'STABLESWAP' ? 2 : 8
  const quiet = dataOf(s0, {
    paths,
    cfg: { ...dataOf(s0, {}).cfg, bandsPips: [], sampleEverySteps: 720 },
  })
  const flow = { tradesPerDay: 1440, logMeanQuote: 45, logDeviation: 1, buyShare: 0.5 }
  const busy = {
    ...quiet,
    flow,
    price: { kind: 'GBM', annualDrift: 0, annualVolatility: 0.8 } as const,
  }
  const run = (data: MonteCarloData) => runPaths(monteCarloSpec(data), 0, data.paths)
  const size = monteCarloSize(busy) as Extract<ReturnType<typeof monteCarloSize>, { arms: number }>
  const armSteps = quiet.paths * quiet.steps * size.arms
  const step = time(() => run(quiet)) / armSteps
  const swaps = run(busy).flatMap((arms) => arms.map(({ flow: f }) => f.arbitrages + f.noiseTrades))
  const carriedOut = swaps.reduce((sum, count) => sum + count, 0)
  const whole = time(() => run(busy))
  const estimate = estimateCost(size)
  const bands = [10_000, 20_000, 50_000]
  const rounds = s0.kind === 'STABLESWAP' ? 5 : 200
  const ladders = time(() => {
    for (let round = 0; round < rounds; round++) depthLadder(s0, orientation, bands)
  })
  return {
    step,
    depth: ladders / (rounds * 2 * bands.length),
    swap: (whole - armSteps * step) / carriedOut,
    carriedOut,
    expectedSwaps: `${estimate.swaps}`,
    milliseconds: whole / 1000,
    estimatedMilliseconds: estimate.milliseconds,
  }
}

function replay() {
  const folder = 'cl-weth-op-2024'
  const start = initialState(folder)
  const events = recordedClmmEvents(`${folder}/events.csv.gz`, folder).slice(0, 20_000)
  const arm = (armId: string): StudyArm => ({
    armId,
    kind: 'V3_RANGE',
    tickLower: 66_000,
    tickUpper: 75_000,
  })
  const study = {
    start,
    events,
    orientation,
    capital,
    bandsPips: [],
    sampleSeconds: 10 ** 9,
  }
  const arms = [arm('a'), arm('b'), arm('c'), arm('d')]
  const alone = time(() => void runReplayStudy({ ...study, arms: [{ armId: 'a', kind: 'HOLD' }] }))
  const four = time(() => void runReplayStudy({ ...study, arms }))
  const often = { ...study, bandsPips: [20_000, 50_000], sampleSeconds: 900 }
  const sampled = time(() => void runReplayStudy({ ...often, arms }))
  const first = events.find(({ timestamp }) => timestamp !== null)?.timestamp ?? 0
  const samples = ((events.at(-1)?.timestamp ?? first) - first) / 900
  return {
    event: alone / events.length,
    run: (four - alone) / (events.length * 8),
    quote: (sampled - four) / (samples * 8 * 4),
  }
}

const figures = {
  replay: replay(),
  UNISWAP_V3: monteCarlo(newPool({ feePips: 3000, ranges: true })),
  UNISWAP_V2: monteCarlo(newPair()),
  STABLESWAP: monteCarlo(newStablePool()),
}
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`)
