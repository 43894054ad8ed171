import {
  type ExecutionPlan,
  executionPlan,
  type Leg,
  type LegObservations,
  reverseStress,
  riskAversionFor,
  runScenario,
  type ScenarioOutcome,
  type StressBooks,
  type StressSale,
  scaleLegs,
  type TreasuryLosses,
  type TreasuryPathTerms,
  treasuryLosses,
} from '@liquidity-os/engine/stress'

export type Metric = 'RUNWAY_MONTHS_X3' | 'COVERAGE_PIPS' | 'REALISABLE_QUOTE'

/** A sale that is planned for comparison. */
export interface PlannedSale {
  readonly assetKey: string
  readonly quantity: bigint
  readonly price: number
  readonly dailyVolume: number
  readonly dailyVolatility: number
}

export interface StressTask {
  readonly books: StressBooks
  /** The same with controlled holdings only. */
  readonly controlled: StressBooks
  readonly sale: StressSale
  readonly observed: LegObservations
  readonly scenarios: readonly { readonly scenarioId: string; readonly legs: readonly Leg[] }[]
  readonly reverse: readonly {
    readonly scenarioId: string
    readonly metric: Metric
    readonly threshold: bigint
  }[]
  readonly paths: TreasuryPathTerms | null
  /** The same paths with the exposures of controlled holdings. */
  readonly controlledPaths: TreasuryPathTerms | null
  readonly confidence: number
  readonly sales: readonly PlannedSale[]
}

export interface BreakingPoint {
  readonly severityX6: number
  readonly reached: boolean
  readonly value: bigint | null
  readonly legs: readonly Leg[]
}

export interface StressResult {
  readonly before: ScenarioOutcome
  readonly scenarios: readonly ScenarioOutcome[]
  /** Controlled holdings only, before shocks and in each scenario. */
  readonly controlled: Pick<StressResult, 'before' | 'scenarios'>
  readonly reverse: readonly (BreakingPoint & { readonly controlled: BreakingPoint })[]
  readonly losses: TreasuryLosses | null
  readonly controlledLosses: TreasuryLosses | null
  readonly executions: readonly (ExecutionPlan & { readonly assetKey: string })[]
}

/** Time constant 1/κ of the Almgren–Chriss trajectory, in days. */
const timescaleDays = 5

/** Runs stress scenarios on a treasury. The results do not depend on the thread. */
export default ({ books, sale, observed, ...task }: StressTask): StressResult => {
  const run = (legs: readonly Leg[]) => runScenario(books, legs, sale, observed)
  const runControlled = (legs: readonly Leg[]) => runScenario(task.controlled, legs, sale, observed)
  const isWhole = task.controlled.holdings.length === books.holdings.length
  const losses = task.paths && treasuryLosses(task.paths, task.confidence)
  return {
    before: run([]),
    scenarios: task.scenarios.map(({ legs }) => run(legs)),
    controlled: {
      before: runControlled([]),
      scenarios: task.scenarios.map(({ legs }) => runControlled(legs)),
    },
    reverse: task.reverse.map(({ scenarioId, metric, threshold }) => {
      const legs = task.scenarios.find((one) => one.scenarioId === scenarioId)?.legs ?? []
      const breaking = (outcomeOf: typeof run): BreakingPoint => {
        const valueAt = (severity: number) => metricOf(outcomeOf(scaleLegs(legs, severity)), metric)
        const { severityX6, reached } = reverseStress((severity) => {
          const value = valueAt(severity)
          return value !== null && value < threshold
        })
        const severity = severityX6 / 1e6
        return { severityX6, reached, value: valueAt(severity), legs: scaleLegs(legs, severity) }
      }
      const whole = breaking(run)
      return { ...whole, controlled: isWhole ? whole : breaking(runControlled) }
    }),
    losses,
    controlledLosses: isWhole
      ? losses
      : task.controlledPaths && treasuryLosses(task.controlledPaths, task.confidence),
    executions: task.sales.flatMap((planned) => planOf(planned, sale)),
  }
}

/** Value of a limit's metric; null without a net outflow. */
export function metricOf(outcome: ScenarioOutcome, metric: Metric): bigint | null {
  switch (metric) {
    case 'RUNWAY_MONTHS_X3':
      return outcome.runwayMonthsX3
    case 'COVERAGE_PIPS':
      return outcome.coverage.coveragePips
    case 'REALISABLE_QUOTE':
      return outcome.counted.realisableQuote
  }
}

function planOf({ assetKey, quantity, ...market }: PlannedSale, { days, ...sale }: StressSale) {
  const terms = {
    ...market,
    quantity: Number(quantity),
    days,
    y: sale.y,
    participation: sale.participationPips / 1e6,
  }
  const isTraded = market.dailyVolatility > 0 && sale.y > 0
  try {
    if (!isTraded) return []
    const riskAversion = riskAversionFor(terms, timescaleDays)
    return [{ assetKey, ...executionPlan({ ...terms, riskAversion }) }]
  } catch (error) {
    // At high participation and low Y the permanent impact is all there is, and the model has no trajectory.
    if (error instanceof RangeError) return []
    throw error
  }
}
