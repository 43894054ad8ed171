import type { contract } from '@liquidity-os/contract'
import {
  compareTrials,
  type PairedTrial,
  type SampleSummary,
  summarizeTrial,
} from '@liquidity-os/engine/research'
import { assetKeyOf } from '../../../market/prices/prices-of-pair.ts'
import { currentEdition, type Edition, reportTexts } from './edition.ts'
import { type Receipt, unitOf } from './receipt.ts'
import type { Protocol, Run, Trial } from './records.ts'

type Report = contract.ResearchReport
type Alternative = Report['alternatives'][number]
/** The report without its sentences. */
export type Analysis = Omit<Report, 'narrative'>

/** All inputs of an analysis. */
export interface Material {
  readonly protocol: Protocol
  readonly protocolHash: string
  readonly captureHash: string
  readonly capture: Pick<NonNullable<Run['capture']>, 'coveragePips' | 'gaps'>
  readonly trials: readonly Pick<Trial, 'trialKey' | 'label' | 'state' | 'reason' | 'receiptHash'>[]
  readonly receipts: Readonly<Partial<Record<contract.TrialKey, Receipt>>>
}

const whole = 1_000_000
/** Secondary metrics, each evaluated separately. */
const usualConfidencePips = 950_000

/**
 * Builds the analysis from trial results. Pure: equal protocol, capture and receipts give an equal
 * analysis. Metric, direction, effect, guardrails and confidence come only from the sealed
 * protocol, so results cannot influence them.
 */
export function buildAnalysis(material: Material, edition: Edition = currentEdition): Analysis {
  const { protocol, capture, receipts } = material
  const compared = comparable(material)
  const reasons = abstentions(material, compared)
  const isCompared = reasons.length === 0
  const { metric, direction, minimumEffect, confidencePips } = protocol.primary
  const terms = { direction, minimumEffect: BigInt(minimumEffect), confidencePips }
  const pairedTrials = isCompared
    ? compareTrials(
        valuesOf(receipts.baseline, metric) ?? [],
        compared.map(({ receipt }) => valuesOf(receipt, metric)),
        terms,
      )
    : compared.map(() => null)
  const partial = isCompared ? shortcomings(material, compared) : []
  const { baseline } = receipts
  return {
    reportVersion: 'research-report-v1',
    state: isCompared ? (partial.length > 0 ? 'PARTIAL' : 'COMPLETED') : 'ABSTAINED',
    reasons: [...reasons, ...partial],
    question: protocol.question,
    hypothesis: protocol.hypothesis,
    protocolHash: material.protocolHash as Report['protocolHash'],
    captureHash: material.captureHash as Report['captureHash'],
    coveragePips: capture.coveragePips,
    gaps: gapsOf(material),
    quoteAsset: assetKeyOf(protocol.baseline.pair, protocol.baseline.pair.quote),
    primary: { metric, unit: unitOf(metric), direction, minimumEffect, confidencePips },
    baseline: {
      trialKey: 'baseline',
      ...pickState(trialOf(material, 'baseline')),
      primary: isCompared ? summaryOf(baseline, metric) : null,
    },
    alternatives: compared.map((one, index) =>
      alternativeOf(material, one, pairedTrials[index] ?? null, isCompared),
    ),
    engine: engineOf(receipts),
    limitations: limitationsOf(protocol, edition),
  }
}

interface Compared {
  readonly trial: Material['trials'][number]
  /** Null if the trial has no comparable receipt. */
  readonly receipt: Receipt | null
  readonly reason: string | null
}

/**
 * Alternatives in protocol order. Receipts of another engine build than the baseline's are not
 * compared.
 */
function comparable({ trials, receipts }: Material): Compared[] {
  return trials
    .filter(({ trialKey }) => trialKey !== 'baseline')
    .map((trial) => {
      const receipt = receipts[trial.trialKey] ?? null
      const { baseline } = receipts
      const isOther = receipt && baseline && receipt.engineBuildHash !== baseline.engineBuildHash
      return isOther
        ? { trial: { ...trial, state: 'INCOMPATIBLE' }, receipt: null, reason: 'ENGINE_DIFFERS' }
        : { trial, receipt, reason: trial.reason }
    })
}

function abstentions({ protocol, capture, receipts }: Material, compared: readonly Compared[]) {
  return [
    ...(capture.coveragePips < protocol.capture.minimumCoveragePips
      ? ['COVERAGE_BELOW_MINIMUM']
      : []),
    ...(receipts.baseline ? [] : ['NO_BASELINE']),
    ...(compared.some(({ receipt }) => receipt) ? [] : ['NO_ALTERNATIVE']),
  ]
}

function shortcomings({ capture, receipts }: Material, compared: readonly Compared[]): string[] {
  const states = compared.map(({ trial }) => trial.state)
  const isGapped = [receipts.baseline, ...compared.map(({ receipt }) => receipt)].some(
    (receipt) => receipt && receipt.gaps.length > 0,
  )
  return [
    ...(states.includes('FAILED') ? ['ALTERNATIVE_FAILED'] : []),
    ...(states.includes('INCOMPATIBLE') ? ['ALTERNATIVE_INCOMPATIBLE'] : []),
    ...(capture.coveragePips < whole ? ['COVERAGE_INCOMPLETE'] : []),
    ...(capture.gaps.length > 0 || isGapped ? ['CAPTURE_GAPS'] : []),
  ]
}

function alternativeOf(
  { protocol, receipts }: Material,
  { trial, receipt, reason }: Compared,
  pairedTrial: PairedTrial | null,
  isCompared: boolean,
): Alternative {
  const { metric } = protocol.primary
  const guardrails =
    isCompared && receipt ? protocol.guardrails.map((one) => held(one, receipt)) : []
  const isBroken = guardrails.some((one) => one.isBroken)
  return {
    trialKey: trial.trialKey,
    label: trial.label,
    ...pickState(trial),
    reason,
    verdict: verdictOf(trial.state, pairedTrial, isBroken),
    primary: isCompared ? summaryOf(receipt, metric) : null,
    difference: pairedTrial && differenceOf(pairedTrial),
    guardrails,
    secondary:
      isCompared && receipt && receipts.baseline
        ? secondaryOf(protocol, receipts.baseline, receipt)
        : [],
  }
}

/** A broken guardrail wins over all but INFERIOR, which is worse anyway. */
function verdictOf(
  state: Trial['state'],
  pairedTrial: PairedTrial | null,
  isBroken: boolean,
): Alternative['verdict'] {
  if (state === 'FAILED' || state === 'INCOMPATIBLE') return state
  if (!pairedTrial) return 'NOT_COMPARED'
  return isBroken && pairedTrial.verdict !== 'INFERIOR' ? 'GUARDRAIL_FAILED' : pairedTrial.verdict
}

function differenceOf({ verdict: _, ...figures }: PairedTrial): Alternative['difference'] {
  const { mean, low, high, standardError } = figures
  return {
    ...figures,
    mean: `${mean}`,
    low: `${low}`,
    high: `${high}`,
    standardError: `${standardError}`,
  }
}

function held(
  guardrail: Protocol['guardrails'][number],
  receipt: Receipt,
): Alternative['guardrails'][number] {
  const { metric, statistic, comparator, threshold } = guardrail
  const { mean, p05, p95 } = summarizeTrial(valuesOf(receipt, metric) ?? [])
  const value = { MEAN: mean, P05: p05, P95: p95 }[statistic]
  const isHeld = comparator === 'GTE' ? value >= BigInt(threshold) : value <= BigInt(threshold)
  return { ...guardrail, value: `${value}`, isBroken: !isHeld }
}

function secondaryOf(
  { secondary }: Protocol,
  baseline: Receipt,
  alternative: Receipt,
): Alternative['secondary'] {
  return secondary.map((metric) => {
    const [before, after] = [valuesOf(baseline, metric) ?? [], valuesOf(alternative, metric) ?? []]
    const terms = { direction: 'HIGHER', minimumEffect: 0n } as const
    const [comparison] = compareTrials(before, [after], {
      ...terms,
      confidencePips: usualConfidencePips,
    })
    if (!comparison) throw new Error(`No comparison for ${metric}.`)
    return {
      metric,
      unit: unitOf(metric),
      baseline: printed(summarizeTrial(before)),
      alternative: printed(summarizeTrial(after)),
      difference: {
        mean: `${comparison.mean}`,
        low: `${comparison.low}`,
        high: `${comparison.high}`,
      },
    }
  })
}

function trialOf({ trials }: Material, trialKey: contract.TrialKey) {
  const trial = trials.find((one) => one.trialKey === trialKey)
  if (!trial) throw new Error(`The run has no trial ${trialKey}.`)
  return trial
}

const pickState = ({ state, reason, receiptHash }: Material['trials'][number]) => ({
  state,
  reason,
  receiptHash,
})

function valuesOf(
  receipt: Receipt | null | undefined,
  metric: contract.ResearchMetric,
): bigint[] | null {
  if (!receipt) return null
  const found = receipt.metrics.find((one) => one.metric === metric)
  if (!found) throw new Error(`The receipt of ${receipt.trialKey} has no metric ${metric}.`)
  return found.values.map(BigInt)
}

function summaryOf(receipt: Receipt | null | undefined, metric: contract.ResearchMetric) {
  const values = valuesOf(receipt, metric)
  return values && printed(summarizeTrial(values))
}

const printed = ({ paths, mean, p05, p95 }: SampleSummary) => ({
  paths,
  mean: `${mean}`,
  p05: `${p05}`,
  p95: `${p95}`,
})

const maxGaps = 64

/** Gaps of the capture and of all trials, without duplicates. */
function gapsOf({ capture, receipts }: Material): Report['gaps'] {
  const all = [...capture.gaps, ...Object.values(receipts).flatMap(({ gaps }) => gaps)]
  return [...new Map(all.map((gap) => [JSON.stringify(gap), gap])).values()].slice(0, maxGaps)
}

/** Engine of the baseline, or of the first receipt if the baseline has no receipt. */
function engineOf(receipts: Material['receipts']): Analysis['engine'] {
  const receipt = receipts.baseline ?? Object.values(receipts)[0]
  if (!receipt) return null
  const { engineVersion, engineBuildHash, seed } = receipt
  return { engineVersion, engineBuildHash, seed } as Analysis['engine']
}

function limitationsOf({ exclusions, primary }: Protocol, edition: Edition): string[] {
  const { trials, anyDifference, excluded } = reportTexts[edition]
  return [
    ...trials,
    ...(primary.minimumEffect === '0' ? [anyDifference] : []),
    ...exclusions.map((exclusion) => `${excluded}: ${exclusion}`),
  ]
}
