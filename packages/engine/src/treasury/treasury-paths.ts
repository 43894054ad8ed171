import { exp } from '../numerics/exp.ts'
import { roundHalfEven, toPips } from '../numerics/half-even.ts'
import { indexBelow } from '../random/draws.ts'
import { type DrawStream, pathStream } from '../random/streams.ts'
import { ascending, quantileOfSorted } from '../statistics/quantile.ts'
import type { Matrix } from '../stress/covariance.ts'
import { studentMoves } from '../stress/student-moves.ts'
import { LEAST_BOOTSTRAP_ROWS } from '../stress/treasury-paths.ts'
import { type CourseMonth, type DueItem, type MonthlyFlows, treasuryCourse } from './course.ts'
import { flowAmounts } from './flow-amounts.ts'
import { monthlyFlows, policyLevel, scenarioPrices } from './projection.ts'
import { runwayOf } from './runway.ts'
import type { ProjectedScenario, TreasuryTerms } from './terms.ts'

/** Days of observed returns that stay together in one month. */
export const BLOCK_DAYS = 30
/** Minimum rows of returns for a model. With fewer, prices are constant. */
export const LEAST_RETURN_ROWS = 30

/** How prices were drawn. */
export type ReturnModel = 'BLOCKS' | 'STUDENT_T4' | 'HOLD'

export interface PathTerms {
  /** 32 bytes. */
  readonly seed: Uint8Array
  /** Daily log returns of the same days, one row per day and one column for each place of `moving`. */
  readonly returns: Matrix
  /** Indexes of the assets with random prices; all other prices are not simulated. */
  readonly moving: readonly number[]
  /** 500..20,000 */
  readonly paths: number
}

/** Quantiles of something over the paths. */
export interface Fan<T> {
  readonly p05: T
  readonly p25: T
  readonly p50: T
  readonly p75: T
  readonly p95: T
}

/**
 * Results over all paths. Money and thousandths of a month are rounded down; probabilities half to
 * even.
 */
export interface TreasuryPaths {
  readonly model: ReturnModel
  readonly paths: number
  /** Share of paths with an unmet COMMITTED obligation by the end of every month. */
  readonly unmetByMonthPips: readonly number[]
  /** Thousandths of a month; the horizon where it lasts longer. */
  readonly runwayMonthsX3: Fan<number>
  readonly beyondHorizonPips: number
  readonly cashQuote: readonly Fan<bigint>[]
  /** The 5 % quantile of inflow minus due amounts, per quarter of the horizon. */
  readonly cashFlowAtRiskQuote: readonly bigint[]
}

/** @throws RangeError for a count of paths out of range */
export function treasuryPaths(
  terms: TreasuryTerms,
  scenario: ProjectedScenario,
  asked: PathTerms,
): TreasuryPaths {
  const { paths } = asked
  if (!Number.isInteger(paths) || paths < 1 || paths > 20_000) {
    throw new RangeError(`${paths} paths; expected 1..20000`)
  }
  const model = modelOf(asked)
  const draw = model === 'HOLD' ? null : model === 'BLOCKS' ? blocks(asked) : student(asked)
  const steady = scenarioPrices(terms, scenario)
  const flows = drawnFlows(terms, scenario)
  const outcomes = Array.from({ length: paths }, (_, path) => {
    const prices = draw === null ? steady : movedPrices(terms, asked, steady, draw(path))
    const lines = pathStream(asked.seed, path, 'treasury-line', false)
    return outcomeOf(
      treasuryCourse(terms, flows(lines), prices, policyLevel(terms)),
      terms.firstMonthX3,
    )
  })
  return summed(model, outcomes)
}

const modelOf = ({ returns, moving }: PathTerms): ReturnModel => {
  if (moving.length === 0 || returns.length < LEAST_RETURN_ROWS) return 'HOLD'
  return returns.length >= LEAST_BOOTSTRAP_ROWS ? 'BLOCKS' : 'STUDENT_T4'
}

/** Log moves of one month for each moving asset. */
type DrawMonth = () => Float64Array

/** Whole blocks of thirty days in a row, so that assets stay together and so does what follows a bad day. */
function blocks({ seed, returns, moving }: PathTerms): (path: number) => DrawMonth {
  return (path) => {
    const stream = pathStream(seed, path, 'treasury-price', false)
    return () => {
      const totals = new Float64Array(moving.length)
      const start = indexBelow(stream, returns.length - BLOCK_DAYS + 1)
      for (let day = start; day < start + BLOCK_DAYS; day++) {
        for (let k = 0; k < totals.length; k++) totals[k]! += returns[day]![k]!
      }
      return totals
    }
  }
}

/** One mixing variable a day for all assets, so that they fall together. */
function student({ seed, returns, moving }: PathTerms): (path: number) => DrawMonth {
  const addDays = studentMoves(returns)
  return (path) => {
    const stream = pathStream(seed, path, 'treasury-price', false)
    return () => {
      const totals = new Float64Array(moving.length)
      addDays(stream, BLOCK_DAYS, totals)
      return totals
    }
  }
}

const FACTOR = 1_000_000_000

/** Scenario prices times the random moves, rounded down. A move has nine digits. */
function movedPrices(
  { elapsed, months }: TreasuryTerms,
  { moving }: PathTerms,
  steady: readonly (readonly (bigint | null)[])[],
  drawMonth: DrawMonth,
): (bigint | null)[][] {
  const totals = new Float64Array(moving.length)
  return Array.from({ length: months }, (_, month) => {
    const prices = [...steady[month]!]
    if (month < elapsed) return prices
    const moves = drawMonth()
    for (const [k, asset] of moving.entries()) {
      totals[k]! += moves[k]!
      const price = prices[asset]
      if (price == null) continue
      // A double holds the factor up to e^16; what grows beyond that is held there.
      const factor = exp(Math.min(totals[k]!, 16))
      prices[asset] = (price * roundHalfEven(factor * FACTOR)) / BigInt(FACTOR)
    }
    return prices
  })
}

/**
 * Flows of a path: an UNCERTAIN flow happens in full or not at all. Certain flows are merged by
 * asset, because they are paid equally.
 */
function drawnFlows(
  terms: TreasuryTerms,
  scenario: ProjectedScenario,
): (stream: DrawStream) => MonthlyFlows {
  const certain = {
    ...terms,
    flows: terms.flows.filter(({ certainty }) => certainty !== 'UNCERTAIN'),
  }
  const { inflows, due } = monthlyFlows(certain, scenario, 'net')
  const fixed = due.map(byAsset)
  const uncertain = terms.flows
    .filter(({ certainty }) => certainty === 'UNCERTAIN')
    .map((flow) => ({ flow, amounts: flowAmounts(flow, scenario) }))
  return (stream) => {
    const [come, owed] = [inflows.map((row) => [...row]), fixed.map((row) => [...row])]
    for (const { flow, amounts } of uncertain) {
      const happens = stream.uniform() * 1_000_000 < (flow.probabilityPips ?? 0)
      if (!happens) continue
      const { id, asset, certainty } = flow
      for (const [month, amount] of amounts.entries()) {
        if (amount === 0n) continue
        if (flow.direction === 'INFLOW') come[month]![asset]! += amount
        else owed[month]!.push({ id, asset, certainty, amount, dueAt: flow.dueAt[month]! })
      }
    }
    return { inflows: come, due: owed }
  }
}

function byAsset(items: readonly DueItem[]): DueItem[] {
  const sums = new Map<string, DueItem>()
  for (const item of items) {
    const id = `${item.certainty} ${item.asset}`
    const before = sums.get(id)
    sums.set(id, {
      id,
      asset: item.asset,
      certainty: item.certainty,
      dueAt: Math.min(before?.dueAt ?? item.dueAt, item.dueAt),
      amount: (before?.amount ?? 0n) + item.amount,
    })
  }
  return [...sums.values()]
}

interface Outcome {
  readonly runwayX3: number
  readonly beyondHorizon: boolean
  readonly cash: readonly bigint[]
  /** By quarter. */
  readonly net: readonly bigint[]
}

function outcomeOf(course: readonly CourseMonth[], firstMonthX3: number): Outcome {
  const shares = course.map(({ committedPaid }) => committedPaid)
  const { monthsX3, beyondHorizon } = runwayOf(shares, firstMonthX3)
  const net: bigint[] = []
  for (const [index, { inflowQuote, dueQuote }] of course.entries()) {
    const quarter = Math.floor(index / 3)
    net[quarter] = (net[quarter] ?? 0n) + inflowQuote - dueQuote
  }
  return { runwayX3: monthsX3, beyondHorizon, cash: course.map((one) => one.cashQuote), net }
}

function summed(model: ReturnModel, outcomes: readonly Outcome[]): TreasuryPaths {
  const paths = outcomes.length
  const months = outcomes[0]!.cash.length
  const share = (holds: (outcome: Outcome) => boolean) =>
    toPips(outcomes.filter(holds).length / paths)
  const runways = ascending(outcomes.map(({ runwayX3 }) => runwayX3))
  return {
    model,
    paths,
    unmetByMonthPips: Array.from({ length: months }, (_, month) =>
      share(({ runwayX3, beyondHorizon }) => !beyondHorizon && runwayX3 < (month + 1) * 1000),
    ),
    runwayMonthsX3: fanOf((p) => Math.floor(quantileOfSorted(runways, p))),
    beyondHorizonPips: share(({ beyondHorizon }) => beyondHorizon),
    cashQuote: Array.from({ length: months }, (_, month) => {
      const sorted = sortedBigints(outcomes.map(({ cash }) => cash[month]!))
      return fanOf((p) => quantileOfBigints(sorted, p))
    }),
    cashFlowAtRiskQuote: outcomes[0]!.net.map((_, quarter) =>
      quantileOfBigints(sortedBigints(outcomes.map(({ net }) => net[quarter]!)), 0.05),
    ),
  }
}

const fanOf = <T>(at: (p: number) => T): Fan<T> => ({
  p05: at(0.05),
  p25: at(0.25),
  p50: at(0.5),
  p75: at(0.75),
  p95: at(0.95),
})

const sortedBigints = (values: readonly bigint[]): bigint[] =>
  values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))

/** Type 7 without leaving the integers: the part between two values in millionths, rounded down. */
function quantileOfBigints(sorted: readonly bigint[], p: number): bigint {
  const place = (sorted.length - 1) * p
  const below = Math.floor(place)
  const low = sorted[below]!
  const high = sorted[below + 1] ?? low
  return low + ((high - low) * BigInt(Math.floor((place - below) * 1_000_000))) / 1_000_000n
}
