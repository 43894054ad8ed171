import { performance } from 'node:perf_hooks'
import { buildAllocationModel } from '@liquidity-os/engine/allocation'
import type { LinearProgram } from '@liquidity-os/engine/optimization'
import type { AllocationRisk } from '../apps/server/src/families/plan/allocation-plans/allocation-input.ts'
import { computePlan } from '../apps/server/src/families/plan/allocation-plans/compute-plan.ts'
import { frontierOf } from '../apps/server/src/families/plan/allocation-plans/frontier.ts'
import {
  amountsOf,
  askWithin,
} from '../apps/server/src/families/plan/allocation-plans/solve-plan.ts'
import {
  around,
  e18,
  input,
  option,
  pair,
  pool,
  type RequestedAllocation,
  venue,
} from '../apps/server/src/families/plan/allocation-plans/testing/inputs.ts'
import { solve } from '../apps/server/src/market/optimization/highs.ts'
import type { Benchmark } from './benchmark.ts'

const options = 64
const scenarios = 10_000
/** The program with one row per scenario is solved at a size at which it terminates. */
const small = { options: 64, scenarios: 2000 }
const confidencePips = 950_000

/**
 * A plan over 64 options with a limit on the tail of 10,000 paths: opening the pools, drawing the paths,
 * solving in turn, certifying and quoting exactly. Limit: the solver alone on the last program of the plan.
 * Peer: the same question as one program with a row for every path, at a size at which that ends.
 */
export const allocation: Benchmark = {
  name: 'allocation',
  title: `allocation of ${options} options against ${scenarios} paths; one program with a row a path: ${small.options} x ${small.scenarios}`,
  units: {
    plan: 's',
    frontier: 's',
    solver: 's',
    cuts: '',
    smallCuts: 's',
    smallBlock: 's',
  },
  comparisons: [
    { name: `plan, s`, of: 'plan', mark: { atMost: 2 } },
    { name: 'frontier of 21 points, s', of: 'frontier', mark: { atMost: 5 } },
    {
      name: 'one program / cutting planes',
      of: 'smallBlock',
      to: 'smallCuts',
      mark: { atLeast: 5 },
    },
    { name: 'plan / solver on its last program', of: 'plan', to: 'solver', mark: null },
  ],
  open: async () => ({
    round: async (index) => {
      const request = await tightened(options, scenarios, index)
      const whole = await timed(() => computePlan(request))
      const { terms, risk, solution } = whole.result
      if (solution.status !== 'OPTIMAL') throw new Error('The plan has no optimum.')
      const frontier = await timed(() => frontierOf(terms, risk))
      const last = solution.stages.at(-1)?.stage
      if (last !== 'CAPITAL') throw new Error(`The plan ended with ${last}.`)
      const stage = { kind: 'CAPITAL', attainment: solution.attainment } as const
      const final = buildAllocationModel({ ...terms, cuts: risk?.cuts ?? [] }, stage)
      const alone = await timed(() => solve(final))
      const { cutting, block } = await smallRace(index)
      return {
        plan: whole.seconds - frontier.seconds,
        frontier: frontier.seconds,
        solver: alone.seconds,
        cuts: risk?.cuts.length ?? 0,
        smallCuts: cutting,
        smallBlock: block,
      }
    },
    close: async () => {},
  }),
}

async function timed<Result>(work: () => Promise<Result>) {
  const start = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - start) / 1000 }
}

/** A request with a binding tail limit: nine tenths of the unlimited value. */
async function tightened(count: number, paths: number, seed: number): Promise<RequestedAllocation> {
  const free = await computePlan(request(count, paths, seed, e18(1_000_000)))
  const cvar = (free.cvar ?? 0) * free.problem.unit * 0.96
  return request(count, paths, seed, `${BigInt(Math.round(cvar))}`)
}

function request(
  count: number,
  paths: number,
  seed: number,
  maxCvarQuote: string,
): RequestedAllocation {
  const request = input({
    budget: { base: e18(100_000), quote: e18(100_000) },
    options: Array.from({ length: count }, (_, index) =>
      option(`option-${index}`, 'abcdefgh'[index % 8] ?? 'a', around(40_000 + 12_000 * index)),
    ),
    targets: [
      { bandPips: 20_000, side: 'BUY', minQuote: e18(9000) },
      { bandPips: 20_000, side: 'SELL', minQuote: e18(9000) },
      { bandPips: 200_000, side: 'BUY', minQuote: e18(60_000) },
      { bandPips: 200_000, side: 'SELL', minQuote: e18(60_000) },
    ],
    limits: { perOptionPips: 300_000, perVenuePips: 400_000, perChainPips: 1_000_000 },
    risk: {
      study: { id: 'study_a', resourceVersion: `0x${'2'.repeat(64)}` },
      confidencePips,
      maxCvarQuote,
    },
  })
  request.venues = [...'abcdefgh'].map((id, index) => venue(id, pool(3000 + 500 * index)))
  return { ...request, risk: { spec: studyOf(seed), calibration: null, paths } }
}

const studyOf = (seed: number) =>
  ({
    schemaVersion: 'simulation-study-v1',
    name: 'Risk of the benchmark',
    kind: 'MONTE_CARLO',
    pair,
    market: { venue: { id: 'venue_a', resourceVersion: `0x${'1'.repeat(64)}` } },
    horizonSeconds: 604_800,
    stepSeconds: 3600,
    arms: [{ armId: 'hold', label: 'Hold', position: { kind: 'HOLD' } }],
    capital: { base: '1', quote: '1', normalization: 'AS_GIVEN' },
    price: { kind: 'GBM', annualVolatilityPips: 900_000 },
    tradeSizesQuote: ['1'],
    seed: `0x${`${seed}`.padStart(64, '0')}`,
  }) satisfies AllocationRisk['spec']

/**
 * The same small question by cutting planes and as one program; both must return the same capital.
 */
async function smallRace(seed: number): Promise<{ cutting: number; block: number }> {
  const request = await tightened(small.options, small.scenarios, seed)
  const { terms, risk, solution } = await computePlan(request)
  if (!risk || solution.status !== 'OPTIMAL') throw new Error('The small plan has no optimum.')
  const stage = { kind: 'CAPITAL', attainment: solution.attainment } as const
  const fresh = { limit: risk.limit, cuts: [] }
  const cutting = await timed(() => askWithin(terms, fresh, stage, solve))
  const program = oneBlock(buildAllocationModel(terms, stage), risk.limit)
  const block = await timed(() => solve(program))
  const capital = (answer: typeof cutting.result) =>
    answer.status === 'OPTIMAL' ? amountsOf(terms, answer).reduce((sum, x) => sum + x, 0) : 0
  const [a, b] = [capital(cutting.result), capital(block.result)]
  if (Math.abs(a - b) > 1e-5 * b) throw new Error(`Cutting planes find ${a}, one program ${b}.`)
  return { cutting: cutting.seconds, block: block.seconds }
}

/** Rockafellar and Uryasev's form: one variable and one row per path. */
function oneBlock(
  program: LinearProgram,
  { losses, limit }: { losses: readonly Float64Array[]; limit: number },
): LinearProgram {
  const paths = losses[0]?.length ?? 0
  const share = 1 / ((1 - confidencePips / 1_000_000) * paths)
  const excess = Array.from({ length: paths }, (_, s) => `u${s}`)
  return {
    objective: program.objective,
    rows: [
      ...program.rows,
      ...excess.map((name, s) => ({
        name: `path_${s}`,
        terms: [
          { variable: name, coefficient: 1 },
          { variable: 'v', coefficient: 1 },
          ...losses.map((loss, v) => ({ variable: `x${v}`, coefficient: -(loss[s] ?? 0) })),
        ],
        relation: '>=' as const,
        bound: 0,
      })),
      {
        name: 'tail',
        terms: [
          { variable: 'v', coefficient: 1 },
          ...excess.map((variable) => ({ variable, coefficient: share })),
        ],
        relation: '<=',
        bound: limit,
      },
    ],
    variables: [
      ...program.variables,
      { name: 'v', lower: 0, upper: 10_000 },
      ...excess.map((name) => ({ name, lower: 0, upper: 10_000 })),
    ],
  }
}
