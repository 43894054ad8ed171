import { pathStudyOf } from '../../apps/server/src/families/simulate/studies/paths/path-study.ts'
import { monteCarloSpec } from '../../packages/engine/src/montecarlo/monte-carlo-data.ts'
import { runPaths } from '../../packages/engine/src/montecarlo/monte-carlo-study.ts'
import { runReplayStudyCompiled } from '../../packages/engine/src/study/replay-study.ts'
import type { Benchmark } from '../benchmark.ts'
import { pathsSpec, type StudySpec } from '../studies/specs.ts'
import { processorSeconds, recordedStudy } from './replay-study.ts'

/** Paths per point, except for the first curve. */
const PATHS = 100
const SEED = Uint8Array.from({ length: 32 }, (_, index) => index)

/** Points of each curve, by the growing quantity. */
const points = {
  paths: [50, 200, 800],
  steps: [90, 360, 1440],
  arms: [1, 4, 16],
  ranges: [2, 32, 128],
  events: [10_000, 30_000, 74_319],
} as const

const usual = pathsSpec(PATHS, 1)

function studyOf(change: Partial<StudySpec>, paths: number) {
  const { data } = pathStudyOf({ ...usual, ...change }, SEED, {}, null)
  const spec = monteCarloSpec(data)
  return () => void runPaths(spec, 0, paths)
}

/** Number of ranges of equal width at different distances. */
const armsOf = (count: number): StudySpec['arms'] =>
  Array.from({ length: count }, (_, index) => {
    const pips = 30_000 + 20_000 * index
    const position = { kind: 'RANGE' as const, lowerPips: pips, upperPips: pips }
    return { armId: `arm-${index}`, label: `Arm ${index}`, position }
  })

/** The usual market, with its liquidity around the price in this number of adjacent ranges. */
function marketOf(ranges: number): StudySpec['market'] {
  const e18 = 10n ** 18n
  const width = Math.max(60, Math.round(12_000 / ranges / 60) * 60)
  const net = new Map<number, { gross: bigint; net: bigint }>()
  const add = (lower: number, upper: number, liquidity: bigint) => {
    for (const [tick, sign] of [
      [lower, 1n],
      [upper, -1n],
    ] as const) {
      const at = net.get(tick) ?? { gross: 0n, net: 0n }
      net.set(tick, { gross: at.gross + liquidity, net: at.net + sign * liquidity })
    }
  }
  add(-887_220, 887_220, 10_000n * e18)
  const first = -Math.floor(ranges / 2) * width
  for (let place = 0; place < ranges; place += 1) {
    // No two are equal, so each edge is a tick.
    add(first + place * width, first + (place + 1) * width, (40_000n + BigInt(place % 7)) * e18)
  }
  return {
    inline: {
      kind: 'UNISWAP_V3',
      feePips: 3000,
      tickSpacing: 60,
      sqrtPriceX96: `${1n << 96n}`,
      ticks: [...net]
        .filter(([, { gross }]) => gross > 0n)
        .sort(([a], [b]) => a - b)
        .map(([index, { gross, net: change }]) => ({
          index,
          liquidityGross: `${gross}`,
          liquidityNet: `${change}`,
        })),
    },
  }
}

function* firstOf<Value>(values: Iterable<Value>, count: number): Generator<Value> {
  let left = count
  for (const value of values) {
    if (left === 0) return
    left -= 1
    yield value
  }
}

/** Cost of a study by each quantity that makes it larger, in CPU time of one thread. */
export const curves: Benchmark = {
  name: 'curves',
  title:
    'what a study costs against its paths, steps, arms, ranges of the market and events, one thread',
  units: {
    ...Object.fromEntries(points.paths.map((count) => [`paths${count}`, 'ms a path'])),
    ...Object.fromEntries(points.steps.map((count) => [`steps${count}`, 'µs a step'])),
    ...Object.fromEntries(points.arms.map((count) => [`arms${count}`, 'ms a path'])),
    ...Object.fromEntries(points.ranges.map((count) => [`ranges${count}`, 'ms a path'])),
    ...Object.fromEntries(points.events.map((count) => [`events${count}`, 'µs an event'])),
  },
  comparisons: [
    { name: 'a path, of 800 / of 50', of: 'paths800', to: 'paths50', mark: { atMost: 1.2 } },
    { name: 'a step, of 1,440 / of 90', of: 'steps1440', to: 'steps90', mark: { atMost: 1.2 } },
    { name: 'a path, 16 arms / 4', of: 'arms16', to: 'arms4', mark: { atMost: 4 } },
    { name: 'a path, 128 ranges / 2', of: 'ranges128', to: 'ranges2', mark: null },
    { name: 'an event, of 74,319 / of 10,000', of: 'events74319', to: 'events10000', mark: null },
  ],
  open: async () => {
    studyOf({}, PATHS)()
    const replay = recordedStudy()
    const events = [...replay.events]
    return {
      round: async () => {
        const found: Record<string, number> = {}
        for (const count of points.paths) {
          found[`paths${count}`] = (1e3 * processorSeconds(studyOf({}, count))) / count
        }
        for (const count of points.steps) {
          const study = studyOf({ horizonSeconds: count * 3600 }, PATHS)
          found[`steps${count}`] = (1e6 * processorSeconds(study)) / PATHS / count
        }
        for (const count of points.arms) {
          const study = studyOf({ arms: armsOf(count) }, PATHS)
          found[`arms${count}`] = (1e3 * processorSeconds(study)) / PATHS
        }
        for (const count of points.ranges) {
          const study = studyOf({ market: marketOf(count) }, PATHS)
          found[`ranges${count}`] = (1e3 * processorSeconds(study)) / PATHS
        }
        for (const count of points.events) {
          const seconds = processorSeconds(() => {
            const part = { ...replay, events: firstOf(events, count) }
            if (runReplayStudyCompiled(part) === null) throw new Error('It was left.')
          })
          found[`events${count}`] = (1e6 * seconds) / count
        }
        return found
      },
      close: async () => {},
    }
  },
}
