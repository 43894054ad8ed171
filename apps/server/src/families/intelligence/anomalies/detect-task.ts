import {
  type DetectorOutcome,
  detectors,
  LEAST_COVERAGE_PIPS,
  LEAST_SAMPLES,
  leastWarning,
  robustMad,
} from '@liquidity-os/engine/detection'
import type { PricesOfPair } from '../../../market/prices/prices-of-pair.ts'
import { momentsOf, type VenueHistory } from '../../../market/venue-history.ts'
import { required } from '../../../required.ts'
import { daySeconds } from '../../../units.ts'
import { depthFeature } from './depth-features.ts'
import type { Contributor, Feature, FeatureInputs, Question } from './feature.ts'
import { flowFeature, manipulationFeatures, turnoverFeature } from './flow-features.ts'
import { inactiveFeature, inventoryFeature } from './position-features.ts'
import { depegFeature, disagreementFeature } from './price-features.ts'
import { collectMaterial, type OwnedRange } from './venue-material.ts'

/** Input of an evaluation. Only bytes and plain data, because it crosses a thread boundary. */
export interface DetectTask {
  readonly histories: readonly VenueHistory[]
  /** By venue. */
  readonly owned: ReadonlyMap<string, readonly OwnedRange[]>
  /** Unix seconds. */
  readonly at: number
  readonly cadenceSeconds: number
  readonly baselineSeconds: number
  readonly questions: readonly Question[]
  /** Prices of the pair from price feeds. */
  readonly feeds: readonly PricesOfPair[]
}

/** Detector result for one question, with its explanation. */
export interface DetectorResult {
  readonly outcome: DetectorOutcome | null
  /** Reasons for a missing outcome, or for gaps in it. */
  readonly reasons: readonly string[]
  readonly unit: Feature['unit']
  readonly contributors: readonly Contributor[]
  readonly indicators: readonly string[]
  readonly gaps: readonly { code: string; detail: string }[]
  readonly isEarlyWarning: boolean
  readonly words: string
  /** Evaluated samples of the baseline period, used for the chart. */
  readonly samples: readonly { at: number; value: bigint }[]
}

/** Before the baseline, to which its first features look back. */
export const lookBackSeconds = daySeconds

/** Evaluates all requests in one pass per venue. Pure: equal tasks give equal results. */
export default function detect(task: DetectTask): DetectorResult[] {
  const { at, cadenceSeconds, baselineSeconds } = task
  const count = Math.floor((baselineSeconds + lookBackSeconds) / cadenceSeconds)
  const moments = momentsOf({ from: at - count * cadenceSeconds, to: at }, cadenceSeconds)
  const materials = task.histories.map((history) =>
    collectMaterial(history, task.owned.get(history.venueId) ?? [], moments),
  )
  const { feeds } = task
  const inputs: FeatureInputs = { materials, moments, at, baselineSeconds, cadenceSeconds, feeds }
  return task.questions.map((question) =>
    question.kind === 'MANIPULATION_INDICATOR'
      ? evaluateIndicators(inputs, question)
      : evaluateFeature(inputs, question, featureOf(inputs, question, task.owned)),
  )
}

function featureOf(
  grounds: FeatureInputs,
  question: Question,
  owned: DetectTask['owned'],
): Feature {
  const ranges = question.venueId === null ? [] : (owned.get(question.venueId) ?? [])
  switch (question.kind) {
    case 'LIQUIDITY_DISAPPEARANCE':
      return depthFeature(grounds, question)
    case 'ONE_SIDED_FLOW':
      return flowFeature(grounds, question)
    case 'EXCESSIVE_TURNOVER':
      return turnoverFeature(grounds, question)
    case 'STABLECOIN_DEPEG':
      return depegFeature(grounds, question)
    case 'ORACLE_DISAGREEMENT':
      return disagreementFeature(grounds, question)
    case 'INACTIVE_RANGE':
      return inactiveFeature(grounds, question, ranges)
    case 'INVENTORY_ACCUMULATION':
      return inventoryFeature(grounds, question, ranges)
    case 'MANIPULATION_INDICATOR':
      throw new Error('Indicators are assessed one by one.')
  }
}

function evaluateFeature(
  inputs: FeatureInputs,
  question: Question,
  feature: Feature,
): DetectorResult {
  const { at, cadenceSeconds, baselineSeconds } = inputs
  const common = {
    unit: feature.unit,
    indicators: feature.indicators ?? [],
    isEarlyWarning: feature.isEarlyWarning ?? false,
    words: feature.words,
  }
  const gaps = feature.gaps ?? []
  const newest = feature.samples.at(-1)
  if (newest?.at !== at) {
    const gap = feature.missing ?? {
      code: 'NOT_OBSERVED_AT',
      detail: 'The feature has no value at the assessed time.',
    }
    const nothing = { outcome: null, contributors: [], isEarlyWarning: false, samples: [] }
    return { ...common, ...nothing, reasons: [gap.code], gaps: [gap, ...gaps] }
  }
  const isFlagged = (time: number) =>
    question.criticalAt.some(({ from, to }) => from <= time && time <= to)
  const samples = feature.samples.map((sample) =>
    isFlagged(sample.at) ? { ...sample, isCritical: true } : sample,
  )
  const outcome = robustMad(
    { cadenceSeconds, samples },
    {
      spec: detectors[question.kind],
      at,
      baselineSeconds,
      ...(feature.isQualified === undefined ? {} : { isQualified: feature.isQualified }),
      ...(feature.absoluteBreach === undefined ? {} : { absoluteBreach: feature.absoluteBreach }),
      ...(feature.cap === undefined ? {} : { cap: feature.cap }),
    },
  )
  const before = quietBefore(feature, outcome, at)
  const isDetected = outcome.outcome === 'DETECTED'
  const isFound = isDetected || common.isEarlyWarning
  return {
    ...common,
    outcome,
    reasons: outcome.reasons,
    gaps: [...blindSpots(question.kind, outcome), ...gaps],
    contributors: isFound ? (feature.contributors?.(before) ?? []) : [],
    samples: feature.samples.filter((sample) => sample.at >= at - baselineSeconds),
  }
}

/**
 * Blind spots of the detector: no baseline yet, or a baseline so wide that it hides relevant
 * deviations.
 */
function blindSpots(kind: Question['kind'], outcome: DetectorOutcome): DetectorResult['gaps'] {
  const { baseline, feature, state } = outcome
  if (state !== 'COMPLETED') {
    const { samples, coveragePips } = baseline
    const had = `${samples} samples with ${coveragePips} pips coverage are available; ${LEAST_SAMPLES} with ${LEAST_COVERAGE_PIPS} pips are required`
    const detail = `Only rules that need no baseline apply: ${had}.`
    return [{ code: 'BASELINE_TOO_YOUNG', detail }]
  }
  const spec = detectors[kind]
  const ofKind = spec.effects[1]
  const min = feature && leastWarning(spec, feature)
  if (!min || min <= ofKind) return []
  const isNever = spec.effect === 'DROP_FROM_MEDIAN' && min > 1_000_000n
  const words = isNever
    ? 'no decline can reach WARNING, except by rules that need no baseline'
    : `a WARNING requires ${min} pips here instead of ${ofKind} pips`
  return [{ code: 'USUAL_SPREAD_WIDE', detail: `The usual range is so wide that ${words}.` }]
}

/** Newest moment with a usual feature value, or the start of the baseline. */
function quietBefore(feature: Feature, outcome: DetectorOutcome, at: number): number {
  const known = outcome.feature
  const first = feature.samples[0]?.at ?? at
  if (known === null) return first
  const distance = (value: bigint) =>
    value > known.median ? value - known.median : known.median - value
  // Within the detector's threshold, in its own scale.
  const quiet = feature.samples.findLast(
    (sample) => sample.at < at && distance(sample.value) * 10_000_000n < 3500n * known.scale4,
  )
  return quiet?.at ?? first
}

const ranks = { INFO: 1, WARNING: 2, CRITICAL: 3 } as const

/** The indicator with the highest severity, and the names of all detected indicators. */
function evaluateIndicators(inputs: FeatureInputs, question: Question): DetectorResult {
  const evaluated = manipulationFeatures(inputs, question).map(({ indicator, feature }) => ({
    indicator,
    result: evaluateFeature(inputs, question, feature),
  }))
  const rank = ({ outcome }: DetectorResult) => (outcome?.severity ? ranks[outcome.severity] : 0)
  const z = ({ outcome }: DetectorResult) => outcome?.feature?.zMilli ?? -Infinity
  const [max] = evaluated.toSorted(
    (a, b) => rank(b.result) - rank(a.result) || z(b.result) - z(a.result),
  )
  if (!max) {
    const gap = { code: 'NOT_OBSERVED', detail: 'The venue was not observed.' }
    return evaluateFeature(inputs, question, {
      unit: 'PIPS',
      samples: [],
      missing: gap,
      words: gap.detail,
    })
  }
  const fired = evaluated.filter(({ result }) => result.outcome?.outcome === 'DETECTED')
  const contributors = fired.map(({ indicator, result }) => ({
    kind: indicator,
    ref: required(question.venueId, 'venue of an indicator'),
    amount: result.outcome?.feature?.value ?? 0n,
  }))
  return {
    ...max.result,
    // An anomaly closes only after all indicators are clear.
    outcome: max.result.outcome && {
      ...max.result.outcome,
      isClear: evaluated.every(({ result }) => result.outcome?.isClear === true),
    },
    indicators: fired.map(({ indicator }) => indicator),
    contributors,
  }
}
