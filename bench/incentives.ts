import { performance } from 'node:perf_hooks'
import { power } from '@liquidity-os/engine/numerics'
import { pathStream } from '@liquidity-os/engine/random'
import { planFull } from '../apps/server/src/families/operate/incentive-programs/plan-full.ts'
import type {
  BaselineVenue,
  ProgramBaseline,
  ProgramTask,
} from '../apps/server/src/families/operate/incentive-programs/program-problem.ts'
import { solve } from '../apps/server/src/market/optimization/highs.ts'
import type { Benchmark } from './benchmark.ts'

const venueCount = 16
const dayCount = 35

/**
 * A FULL program over 16 venues and 400 draws: draws, benefits on 25 points each, the split with its cuts, the
 * frontier and the alternatives. Limit: the solver alone on a program of the same size.
 */
export const incentives: Benchmark = {
  name: 'incentives',
  title: `a program over ${venueCount} venues and 400 draws`,
  units: { program: 's', solver: 's', cuts: '' },
  comparisons: [
    { name: 'program, s', of: 'program', mark: { atMost: 3 } },
    { name: 'program / solver on its last program', of: 'program', to: 'solver', mark: null },
  ],
  open: async () => ({
    round: async (index) => {
      const { task, baseline } = problem(index)
      const start = performance.now()
      const planned = await planFull(task, baseline)
      const program = (performance.now() - start) / 1000
      const { model } = planned.split
      const again = performance.now()
      await solve(model)
      return { program, solver: (performance.now() - again) / 1000, cuts: planned.split.cuts }
    },
    close: async () => {},
  }),
}

/** Venues with daily changes in depth and volume, and one earlier program. */
function problem(index: number): { task: ProgramTask; baseline: ProgramBaseline } {
  const seed = new Uint8Array(32).fill(index + 1)
  const stream = pathStream(seed, 0, 'flow', false)
  const venues = Array.from({ length: venueCount }, (_, index): BaselineVenue => {
    const size = 1e21 * (index + 1)
    const days = Array.from({ length: dayCount }, (_, day) => {
      const depth = size * (1 + 0.1 * stream.normal() ** 2)
      const volume = 0.5 * size * power(depth / size, 0.4) * (1 + 0.05 * stream.normal() ** 2)
      return { day, depth, volume, volatility: 0.03, isWeekend: day % 7 > 4 }
    })
    return {
      panel: {
        venueId: `venue_${index}`,
        days,
        coverage: 1,
        coveredDays: dayCount,
        sizes: [],
        last: null,
      },
      depth: size,
      volumePerDay: 0.5 * size,
      feeShare: 0.003,
      ownShare: 0.05,
      tvlQuote: 10 * size,
      maxQuote: 1e22,
    }
  })
  const task: ProgramTask = {
    mode: 'FULL',
    objective: 'DEPTH_DAYS',
    venues: [],
    controls: [],
    window: { from: 0, to: dayCount * 86_400 },
    days: 60,
    budget: `${10n ** 22n}`,
    rewardPriceX18: null,
    quoteDecimals: 18,
    confidence: 0.9,
    minimumLift: 0.01,
    requireNetPositive: false,
    seed,
    priors: [{ response: 0.5, responseError: 0.08, speedPerDay: 0.4, retention: 0.3 }],
  }
  const rest = { price: 1, budgetQuote: 1e22, pseudoLifts: [0, 0, 0, 0, 0], meanBlock: 3 }
  return { task, baseline: { venues, ...rest, coverage: 1, days: dayCount } }
}
