import type { contract } from '@liquidity-os/contract'
import { benchmarkArmIds } from '@liquidity-os/engine/montecarlo'
import type { VersionedRecord } from '@liquidity-os/evidence'
import {
  type Figures,
  figuresOfReplay,
  figuresOfSimulation,
  type Range,
  rangeOf,
} from './verdict-figures.ts'
import { sentenceOf } from './verdict-sentence.ts'
import { annualRatesWithheldOf, aprOf, pipsOf, runSharesOf } from './verdict-shares.ts'

type Verdict = contract.StudyVerdict
type Arm = contract.StudyVerdictArm
type Spec = contract.SimulationStudy['spec']
type Result = contract.StudyResult

export interface EvaluatedStudy
  extends Pick<
    VersionedRecord<Pick<contract.SimulationStudy, 'spec' | 'result'>>,
    'id' | 'resourceVersion' | 'status' | 'payload'
  > {}

const x18 = 10n ** 18n
const depthBandPips = 20_000

/**
 * The headline of a study, computed only from its sealed result. Each candidate is compared with
 * HODL of its starting inventory at the end price:
 *
 *     net vs HODL = net − HODL P&L of the starting inventory
 *
 * Pips refer to the capital at the start price and are cut toward zero.
 */
export function readStudyVerdict({
  id,
  resourceVersion,
  status,
  payload,
}: EvaluatedStudy): Verdict {
  const { spec, result } = payload
  const value = result && worthOf(spec, result)
  const windowSeconds = result && windowOf(spec, result)
  const known = value === null || !result ? [] : armsOf(spec, result, value, windowSeconds)
  const arms = known ?? []
  const withheld = known === null ? 'NO_START_INVENTORY' : withheldOf(status, result, value, arms)
  const positions = rankPositions(arms)
  const code = withheld === null ? codeOf(positions, result) : 'NO_VERDICT'
  const { base, quote } = spec.capital
  return {
    study: { id, resourceVersion },
    code,
    sentence: sentenceOf({ code, withheld, positions, windowSeconds, kind: spec.kind, result }),
    withheld,
    windowSeconds,
    annualRatesWithheld: annualRatesWithheldOf(windowSeconds),
    inventory: { base, quote, valueQuote: value === null ? null : `${value}` },
    hodl: hodlOf(positions, value),
    arms,
  }
}

/** HODL of the starting inventories, from the lowest to the highest P&L over the positions. */
function hodlOf(positions: readonly Arm[], value: bigint | null): Verdict['hodl'] {
  if (value === null || positions.length === 0) return null
  const { low } = rangeOf(positions.map(({ hodlPnlQuote }) => BigInt(hodlPnlQuote.low)))
  const { high } = rangeOf(positions.map(({ hodlPnlQuote }) => BigInt(hodlPnlQuote.high)))
  return { pnlQuote: textOf({ low, high }), pnlPips: pipsOf({ low, high }, value) }
}

/**
 * The capital at the start price, rounded down; null without a price or value. Results of earlier
 * releases contain only the price, whose 18 digits are imprecise for a token with a low price.
 */
function worthOf({ capital }: Spec, { startPriceX18, startValueQuote }: Result): bigint | null {
  if (startValueQuote) return BigInt(startValueQuote) || null
  if (startPriceX18 === null) return null
  const value = BigInt(capital.quote) + (BigInt(capital.base) * BigInt(startPriceX18)) / x18
  return value === 0n ? null : value
}

/** Seconds that the candidates ran; null in the result of an earlier release. */
function windowOf({ kind, horizonSeconds }: Spec, { course }: Result): number | null {
  if (kind !== 'REPLAY') return horizonSeconds ?? null
  return course ? course.toTime - course.fromTime : null
}

function withheldOf(
  status: string,
  result: Result | null,
  value: bigint | null,
  arms: readonly Arm[],
): Verdict['withheld'] {
  if (result === null) return status === 'FAILED' ? 'FAILED' : 'NOT_ENDED'
  if (result.state === 'ABSTAINED') return 'ABSTAINED'
  if (value === null) return 'NO_START_PRICE'
  return arms.some(({ isBenchmark }) => !isBenchmark) ? null : 'NO_POSITIONS'
}

const benchmarks: readonly string[] = benchmarkArmIds

/**
 * A benchmark whose starting inventory is unknown is left out.
 *
 * @returns null if the starting inventory of another candidate is unknown
 */
function armsOf(
  spec: Spec,
  result: Result,
  value: bigint,
  windowSeconds: number | null,
): Arm[] | null {
  const byArm = Map.groupBy(result.arms, ({ armId }) => armId)
  const arms = [...byArm].map(([armId, results]) => {
    const declared = spec.arms.find((arm) => arm.armId === armId)
    const isHodl = declared && 'position' in declared && declared.position.kind === 'HOLD'
    const replayed = results.filter((one) => 'flowModel' in one)
    const [simulated] = results.filter((one) => 'fan' in one)
    const study = { spec, result }
    const figures = simulated
      ? figuresOfSimulation(simulated, study)
      : figuresOfReplay(replayed, study)
    const isBenchmark = isHodl || benchmarks.includes(armId)
    const name = { armId, label: declared?.label ?? armId, isBenchmark }
    return { isBenchmark, arm: figures && armOf(name, { figures, value, windowSeconds }) }
  })
  if (arms.some(({ isBenchmark, arm }) => arm === null && !isBenchmark)) return null
  return arms.flatMap(({ arm }) => arm ?? [])
}

function armOf(
  name: Pick<Arm, 'armId' | 'label'> & { isBenchmark: boolean },
  known: { figures: Figures; value: bigint; windowSeconds: number | null },
): Arm {
  const { figures, value } = known
  const { armId, label, isBenchmark } = name
  const both = (range: Range) => pipsOf(range, value)
  const apr = (range: Range) => aprOf(range, known)
  const depth2 = figures.depth.find(({ bandPips }) => bandPips === depthBandPips)
  return {
    armId,
    label,
    isBenchmark,
    netVsHodlQuote: textOf(figures.netVsHodl),
    netVsHodlPips: both(figures.netVsHodl),
    vsHodlAprPips: apr(figures.netVsHodl),
    hodlPnlQuote: textOf(figures.hodl),
    feesQuote: textOf(figures.fees),
    feesPips: both(figures.fees),
    feeAprPips: apr(figures.fees),
    ilQuote: textOf(figures.il),
    ilPips: both(figures.il),
    inventoryEffectQuote: textOf(figures.inventoryEffect),
    costsQuote: textOf(figures.costs),
    costsPips: both(figures.costs),
    inRangePips: figures.inRangePips,
    depth2MedianQuote: depth2 ? `${depth2.medianQuote}` : null,
    maxDrawdownPips: pipsOf({ low: 0n, high: figures.maxDrawdown }, value).high,
    runs: figures.runs.map((run) => ({
      ...runSharesOf(run, known),
      flowModel: run.flowModel,
      netVsHodlQuote: `${run.netVsHodl}`,
      hodlPnlQuote: `${run.hodl}`,
      feesQuote: `${run.fees}`,
      ilQuote: `${run.il}`,
      inventoryEffectQuote: `${run.inventoryEffect}`,
      inRangePips: run.inRangePips,
    })),
  }
}

const textOf = ({ low, high }: Range) => ({ low: `${low}`, high: `${high}` })

/** @param own the candidates that provide liquidity, best first */
function codeOf(own: readonly Arm[], result: Result | null): Verdict['code'] {
  const [best, ...others] = own
  if (!best || !result) return 'NO_VERDICT'
  if (own.every(({ netVsHodlQuote: { high } }) => BigInt(high) < 0n)) return 'ALL_BELOW_HODL'
  const low = BigInt(best.netVsHodlQuote.low)
  if (low <= 0n) return 'NO_CLEAR_DIFFERENCE'
  const isAhead = (other: Arm) =>
    result.paths === null
      ? low > BigInt(other.netVsHodlQuote.high)
      : isFavored(result, best.armId, other.armId)
  return others.every(isAhead) ? 'ONE_BEST' : 'BEST_TIED'
}

/** The candidates that provide liquidity, highest lower bound first, ties by id. */
function rankPositions(arms: readonly Arm[]): Arm[] {
  const own = arms.filter(({ isBenchmark }) => !isBenchmark)
  return own.toSorted((a, b) => {
    const [left, right] = [BigInt(a.netVsHodlQuote.low), BigInt(b.netVsHodlQuote.low)]
    if (left !== right) return left > right ? -1 : 1
    return a.armId < b.armId ? -1 : 1
  })
}

/** True if the paired comparison of a simulation favors one candidate over another. */
function isFavored({ comparisons }: Result, armId: string, other: string): boolean {
  return comparisons.some(
    ({ a, b, verdict }) =>
      (a === armId && b === other && verdict === 'A') ||
      (a === other && b === armId && verdict === 'B'),
  )
}
