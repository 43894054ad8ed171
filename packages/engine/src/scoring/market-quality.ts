import { DAY_SECONDS, HOUR_SECONDS } from '../arithmetic/time-units.ts'
import { divideHalfEven, toPips } from '../numerics/half-even.ts'
import type { DrawStream } from '../random/streams.ts'
import { bootstrapInterval } from '../statistics/bootstrap.ts'
import { scoreOnAnchors } from './anchors.ts'
import {
  type ComponentCode,
  type ComponentDefinition,
  MQS_1,
  type RawUnit,
  WEAK_METHOD_CAP_PIPS,
} from './weight-set-mqs-1.ts'

/** One measured component; null if not measurable. */
export interface ComponentFeature {
  readonly raw: number | null
  readonly samples: number
  readonly coveragePips: number
  readonly method: string
  /** Whether the weaker method was used, which caps the sub-score: venue HHI, or a single price source. */
  readonly isWeakMethod?: boolean
}

export interface MarketFeatures {
  readonly components: Readonly<Record<ComponentCode, ComponentFeature>>
  readonly samplesPresent: number
  readonly samplesExpected: number
  /** Age of the newest sample at the end of the window. */
  readonly dataAgeSeconds: number
  /** Number of trades that are not suspicious. */
  readonly trades: number
  readonly priceSources: number
  /** 95th percentile deviation between sources; null with a single one. */
  readonly sourceDeviationPips: number | null
  /** 2 % depth at the end of the window, the thinner side, quote atoms. */
  readonly thinnerDepthAtEnd: bigint
  readonly hasCriticalAnomaly: boolean
}

/** A component of a result. */
export interface ComponentScore {
  readonly code: ComponentCode
  readonly weightPips: number
  readonly raw: string | null
  readonly unit: RawUnit
  readonly subScorePips: number | null
  readonly contributionPips: number
  readonly samples: number
  readonly coveragePips: number
  readonly method: string
}

export type Grade = 'A' | 'B' | 'C' | 'D' | 'E'

/** A market quality score, or a withheld one with reasons. */
export interface ScoreResult {
  readonly weightSet: 'mqs-1'
  readonly state: 'COMPLETED' | 'PARTIAL' | 'ABSTAINED'
  readonly reasons: readonly string[]
  readonly scorePips: number | null
  readonly indicativeScorePips: number | null
  readonly grade: Grade | null
  readonly confidencePips: number
  readonly caps: readonly string[]
  readonly components: readonly ComponentScore[]
}

const MILLION = 1_000_000

/**
 * Scores a market by the published weight set.
 *
 * The score is the sum of ⌊weight·sub-score / 10^6⌋ under its caps. The score is ABSTAINED without
 * depth, execution cost, half of the samples, 70 % of the weight or 40 % confidence. It is PARTIAL
 * below 90 % coverage or with any component missing, with only an indicative score on the remaining
 * weights. Caps limit score and confidence: wash volume, and depth that a single provider can
 * remove, look good on every other component.
 */
export function scoreMarket(features: MarketFeatures, weightSet: 'mqs-1' = 'mqs-1'): ScoreResult {
  const components = MQS_1.map((definition) => scoreComponent(definition, features))
  const available = components.filter(({ subScorePips }) => subScorePips !== null)
  const weight = available.reduce((sum, { weightPips }) => sum + weightPips, 0)
  const coverage = shareOf(features.samplesPresent, features.samplesExpected)
  const caps = capsOf(features, components)
  const confidence = confidenceOf(features, coverage, weight)
  const confidencePips = Math.min(confidence, ...caps.map((cap) => cap.confidencePips))
  const refusals = refusalsOf(components, coverage, weight, confidencePips)
  const flaws = [
    ...(coverage < 900_000 ? ['COVERAGE_INCOMPLETE'] : []),
    ...components.flatMap(({ code, subScorePips }) =>
      subScorePips === null ? [`MISSING_${code}`] : [],
    ),
  ]
  const sum = available.reduce((total, { contributionPips }) => total + contributionPips, 0)
  const capped = (score: number) => Math.min(score, ...caps.map((cap) => cap.scorePips))
  const whole = weight === 0 ? 0 : Number(divideHalfEven(BigInt(sum) * 1_000_000n, BigInt(weight)))
  const state = refusals.length > 0 ? 'ABSTAINED' : flaws.length > 0 ? 'PARTIAL' : 'COMPLETED'
  const scorePips = state === 'COMPLETED' ? capped(sum) : null
  const uncapped = state === 'COMPLETED' ? sum : whole
  return {
    weightSet,
    state,
    reasons: [...refusals, ...flaws],
    scorePips,
    indicativeScorePips: state === 'PARTIAL' ? capped(whole) : null,
    grade: scorePips === null ? null : gradeOf(scorePips),
    confidencePips,
    caps:
      state === 'ABSTAINED'
        ? []
        : caps
            .filter((cap) => cap.scorePips < uncapped || cap.confidencePips < confidence)
            .map(({ code }) => code),
    components,
  }
}

function scoreComponent(
  definition: ComponentDefinition,
  { components }: MarketFeatures,
): ComponentScore {
  const { code, weightPips, unit } = definition
  const { raw, samples, coveragePips, method, isWeakMethod = false } = components[code]
  const onAnchors = raw === null ? null : scoreOnAnchors(raw, definition)
  const subScorePips =
    onAnchors !== null && isWeakMethod ? Math.min(onAnchors, WEAK_METHOD_CAP_PIPS) : onAnchors
  const contributionPips = Math.floor((weightPips * (subScorePips ?? 0)) / MILLION)
  const shown = raw === null ? null : String(raw)
  return {
    code,
    weightPips,
    raw: shown,
    unit,
    subScorePips,
    contributionPips,
    samples,
    coveragePips,
    method,
  }
}

/** @returns pips, at most a million */
function shareOf(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.min(MILLION, Math.floor((part * MILLION) / whole))
}

/** min(coverage, freshness) × (½ + ½·min(1, trades/200)) × agreement × available weight. */
function confidenceOf(features: MarketFeatures, coverage: number, weight: number): number {
  const age = features.dataAgeSeconds
  const freshness = Math.max(0, Math.min(1, (DAY_SECONDS - age) / (DAY_SECONDS - HOUR_SECONDS)))
  const activity = 0.5 + 0.5 * Math.min(1, features.trades / 200)
  const agreement =
    features.priceSources >= 2
      ? 1 - Math.min(1, (features.sourceDeviationPips ?? 20_000) / 20_000)
      : 0.7
  const share = Math.min(coverage / MILLION, freshness) * activity * agreement * (weight / MILLION)
  return toPips(share)
}

function refusalsOf(
  components: readonly ComponentScore[],
  coverage: number,
  weight: number,
  confidencePips: number,
): string[] {
  const isMissing = (code: ComponentCode) =>
    components.some((c) => c.code === code && c.subScorePips === null)
  return [
    ...(isMissing('DEPTH') ? ['NO_DEPTH'] : []),
    ...(isMissing('EXECUTION_COST') ? ['NO_EXECUTION_COST'] : []),
    ...(coverage < 500_000 ? ['COVERAGE_TOO_LOW'] : []),
    ...(weight < 700_000 ? ['WEIGHT_TOO_LOW'] : []),
    ...(confidencePips < 400_000 ? ['CONFIDENCE_TOO_LOW'] : []),
  ]
}

interface Cap {
  readonly code: string
  readonly scorePips: number
  readonly confidencePips: number
}

/** Shares of suspicious volume for a manipulation warning and for a critical alert. */
const SUSPICIOUS_PIPS = 100_000
const MANIPULATED_PIPS = 300_000
/** 1 − Herfindahl index below which one provider has nine tenths of the depth. */
const SINGLE_PROVIDER_PIPS = 180_000

function capsOf(features: MarketFeatures, components: readonly ComponentScore[]): Cap[] {
  const continuity = components.find(({ code }) => code === 'CONTINUITY')?.subScorePips ?? null
  const flow = features.components.FLOW_INTEGRITY.raw
  const suspicious = flow === null ? 0 : MILLION - flow
  const isSuspicious = suspicious >= SUSPICIOUS_PIPS && suspicious < MANIPULATED_PIPS
  const { raw: spread, isWeakMethod = false } = features.components.CONCENTRATION
  // Venues used as a substitute for providers give no information on providers.
  const isSingle = spread !== null && !isWeakMethod && spread < SINGLE_PROVIDER_PIPS
  const cap = (holds: boolean, code: string, scorePips: number, confidencePips = MILLION) =>
    holds ? [{ code, scorePips, confidencePips }] : []
  return [
    ...cap(features.thinnerDepthAtEnd === 0n, 'ONE_SIDED_DEPTH', 200_000),
    ...cap(continuity !== null && continuity < 200_000, 'LOW_CONTINUITY', 400_000),
    ...cap(features.hasCriticalAnomaly, 'CRITICAL_ANOMALY', 500_000),
    ...cap(suspicious >= MANIPULATED_PIPS, 'MANIPULATED_FLOW', 500_000, 500_000),
    ...cap(isSuspicious, 'SUSPICIOUS_FLOW', 700_000, 700_000),
    ...cap(isSingle, 'SINGLE_PROVIDER', 700_000, 700_000),
  ]
}

function gradeOf(score: number): Grade {
  if (score >= 850_000) return 'A'
  if (score >= 700_000) return 'B'
  if (score >= 550_000) return 'C'
  return score >= 400_000 ? 'D' : 'E'
}

/**
 * 90 % interval of a score. Whole hours are resampled in stationary blocks, 500 times, and the
 * score is computed for each resample.
 *
 * @param hours one-hour blocks in the window, at least two
 * @param scoreHours score in pips of the market with these hours
 * @param meanBlock expected number of consecutive hours in a block
 */
export function scoreInterval(
  hours: number,
  scoreHours: (indices: Uint32Array) => number,
  terms: { readonly stream: DrawStream; readonly meanBlock: number },
): [low: number, high: number] {
  const [low, high] = bootstrapInterval(hours, scoreHours, {
    ...terms,
    resamples: 500,
    confidence: 0.9,
  })
  return [Math.round(low), Math.round(high)]
}
