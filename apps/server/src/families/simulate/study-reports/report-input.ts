import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { LiquidityHistory } from './liquidity-history.ts'

/** The complete input of a report: equal inputs give equal reports. */
export interface ReportInput {
  /** The study version of the report; it has a result. */
  readonly study: VersionedRecord<contract.SimulationStudy>
  readonly venue: contract.StudyReport['venue']
  /** Stored series of the study by name. */
  readonly series: ReadonlyMap<string, readonly unknown[]>
  /** Observed liquidity of the market; null without observations. */
  readonly liquidity: LiquidityHistory | null
}

/** The input with its result. */
export interface Findings extends ReportInput {
  readonly result: contract.StudyResult
  readonly replayed: readonly contract.ArmResult[]
  readonly simulated: readonly contract.SimulatedArmResult[]
  /** All candidates in the order of the results, benchmarks last. */
  readonly arms: readonly { readonly armId: string; readonly label: string }[]
}

const benchmarkLabels: Readonly<Record<string, string>> = {
  'benchmark-hold': 'HODL benchmark',
  'benchmark-full-range': 'Full-range benchmark',
  'benchmark-rebalancing': 'Rebalancing portfolio',
}

/** @throws Error for a study without a result */
export function findingsOf(input: ReportInput): Findings {
  const { spec, result } = input.study.payload
  if (!result) throw new Error(`The study ${input.study.id} has no result to report.`)
  const ids = [...new Set([...spec.arms, ...result.arms].map(({ armId }) => armId))]
  return {
    ...input,
    result,
    replayed: result.arms.flatMap((arm) => ('flowModel' in arm ? [withAll(arm)] : [])),
    simulated: result.arms.flatMap((arm) => ('fan' in arm ? [arm] : [])),
    arms: ids.map((armId) => ({ armId, label: labelOf(armId, spec.arms) })),
  }
}

/** Studies of earlier releases have fewer measures; missing ones are empty. */
function withAll(arm: contract.ArmResult): contract.ArmResult {
  return { ...arm, slippage: arm.slippage ?? [], failure: arm.failure ?? [] }
}

/** Label of an arm: the requested one, or the benchmark name. */
export function labelOf(
  armId: string,
  arms: readonly { readonly armId: string; readonly label: string }[],
): string {
  return arms.find((arm) => arm.armId === armId)?.label ?? benchmarkLabels[armId] ?? armId
}

/** One sample of an arm in a replay. Studies of earlier releases have no depth. */
export interface SeriesSample {
  readonly timestamp: number
  readonly priceX18: string
  readonly netVsHold: string
  readonly tick: number
  readonly buyQuote?: readonly string[]
  readonly sellQuote?: readonly string[]
}

/** The samples of an arm under a flow model; empty if not stored. */
export function samplesOf({ series }: ReportInput, armId: string, flowModel: string) {
  // The study wrote this; it was verified against the hash in the result.
  return (series.get(`${armId}.${flowModel}`) ?? []) as readonly SeriesSample[]
}

export interface SeriesAction {
  readonly timestamp: number | null
  readonly action: string | null
  readonly refusedBy: string | null
}

export interface SeriesLayout {
  readonly timestamp: number | null
  readonly positions: readonly { readonly tickLower: number; readonly tickUpper: number }[]
}

export const actionsOf = ({ series }: ReportInput, armId: string, flowModel: string) =>
  (series.get(`${armId}.${flowModel}.actions`) ?? []) as readonly SeriesAction[]

export const layoutsOf = ({ series }: ReportInput, armId: string, flowModel: string) =>
  (series.get(`${armId}.${flowModel}.layouts`) ?? []) as readonly SeriesLayout[]
