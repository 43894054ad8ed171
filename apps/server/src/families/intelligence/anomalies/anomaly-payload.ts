import { toJsonSafe } from '@liquidity-os/engine/amm'
import { engineBuildHash } from '@liquidity-os/engine/build-hash'
import { detectors, type Severity } from '@liquidity-os/engine/detection'
import { engineVersion } from '@liquidity-os/engine/version'
import { H } from '@liquidity-os/evidence'
import { limits } from '../../../limits.ts'
import type { VenueRecord } from '../../../market/named-venue.ts'
import type { ArtifactInsert } from '../../../store/records/change.ts'
import { jsonArtifact } from '../../../store/records/json-artifact.ts'
import type { PanelResults } from './detect-requests.ts'
import type { DetectorResult } from './detect-task.ts'
import {
  type AnomalyPayload,
  type AnomalyRequest,
  anomalyTermsOf,
  fingerprintOf,
} from './subject.ts'
import { meanSeconds } from './venue-material.ts'

/** The payload of the evaluation record, with its evidence artifacts. */
export interface Evaluated {
  payload: AnomalyPayload
  artifacts: Omit<ArtifactInsert, 'producer'>[]
}

const coursePoints = 240
/** Unix seconds in the format of the contract. */
export const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString()
const ranks: Record<Severity, number> = { INFO: 1, WARNING: 2, CRITICAL: 3 }

/** The higher of two severities. */
export const severer = (a: Severity | null, b: Severity | null): Severity | null =>
  a === null || (b !== null && ranks[b] > ranks[a]) ? b : a

/** Evaluation of one panel request from the detector's result. */
export function evaluationOf(
  { panel, observations, results, feeds }: PanelResults,
  itemIndex: number,
): Evaluated {
  const { request } = panel.requests[itemIndex]!
  const result = results[itemIndex]!
  const { at, cadenceSeconds, baselineSeconds, venues } = panel
  const { outcome } = result
  const stated = verdictOf(result)
  const observed = jsonArtifact([
    ...[...observations].map(([venueId, some]) => ({
      venueId,
      observations: some.map(({ id, resourceVersion }) => ({ id, resourceVersion })),
    })),
    ...(feeds.length === 0 ? [] : [{ priceSeries: feeds }]),
  ])
  const vector = jsonArtifact(result.samples.map((one) => [one.at, `${one.value}`]))
  const blocks = [...observations.values()].flatMap((some) => some.at(-1)?.payload.state.at ?? [])
  const { kind } = request
  const spec = kind === 'SIMULATED_REALIZED_DIVERGENCE' ? null : toJsonSafe(detectors[kind])
  const payload: AnomalyPayload = {
    detectorVersion: 'robust-mad-v1',
    kind,
    subject: request.subject,
    at: timeOf(at),
    cadenceSeconds,
    baselineSeconds,
    ...stated,
    reasons: [...result.reasons],
    feature: outcome?.feature ? featureOf(result.unit, outcome.feature) : null,
    persistence: outcome ? { ...outcome.persistence } : { hits: 0, of: 0 },
    contributors: result.contributors
      .slice(0, limits.anomalyContributors)
      .map(({ amount, ...one }) => ({ ...one, amount: `${amount}` })),
    indicators: [...result.indicators],
    explanation: explanationOf(request, result, stated, venues),
    fingerprint: fingerprintOf(request),
    baseline: outcome
      ? {
          ...outcome.baseline,
          from: timeOf(outcome.baseline.from),
          to: timeOf(outcome.baseline.to),
        }
      : null,
    course: courseOf(result, request),
    openedAt: stated.outcome === 'DETECTED' ? timeOf(at) : null,
    lastSeenAt: stated.outcome === 'DETECTED' ? timeOf(at) : null,
    occurrences: stated.outcome === 'DETECTED' ? 1 : 0,
    criticalAt:
      stated.severity === 'CRITICAL' ? [{ from: timeOf(at - cadenceSeconds), to: timeOf(at) }] : [],
    executionPerformed: false,
    executionAuthorityGranted: false,
    evidence: {
      engineVersion,
      engineBuildHash: engineBuildHash(),
      specHash: H('anomaly-evaluation-spec/v1', {
        kind,
        subject: request.subject,
        at: timeOf(at),
        cadenceSeconds,
        baselineSeconds,
      }),
      inputs: [
        { name: 'detector.robust-mad-v1', hash: H('anomaly-detector/v1', { kind, spec }) },
        ...venues.map(({ resourceVersion }, index) => ({
          name: `venue.${index}`,
          hash: resourceVersion,
        })),
        ...(request.subject.study
          ? [{ name: 'study', hash: request.subject.study.resourceVersion }]
          : []),
        { name: 'observations', hash: observed.contentHash },
        { name: 'baselineVector', hash: vector.contentHash },
      ],
      blocks,
      seed: null,
      assumptions: [],
      gaps: result.gaps.map((gap) => ({
        ...gap,
        ...(request.subject.venueId ? { venueId: request.subject.venueId } : {}),
      })),
    },
  }
  return { payload, artifacts: [observed, vector] }
}

/**
 * Abstains from an evaluation whose data source this release lacks, and states the missing source.
 *
 * @param at Unix seconds
 */
export function abstention(
  request: AnomalyRequest,
  venues: readonly VenueRecord[],
  gap: { code: string; detail: string },
  at: number,
): Evaluated {
  const { cadenceSeconds, baselineSeconds } = anomalyTermsOf(request)
  const panel = {
    venues,
    at,
    cadenceSeconds,
    baselineSeconds,
    requests: [{ request, criticalAt: [] }],
  }
  const result: DetectorResult = {
    outcome: null,
    reasons: [gap.code],
    unit: 'PIPS',
    contributors: [],
    indicators: [],
    gaps: [gap],
    isEarlyWarning: false,
    words: gap.detail,
    samples: [],
  }
  return evaluationOf({ panel, observations: new Map(), results: [result], feeds: [] }, 0)
}

/** State, outcome, severity and rule. An early warning counts if the detector has no detection. */
function verdictOf({ outcome, isEarlyWarning }: DetectorResult) {
  const state = outcome?.state ?? ('ABSTAINED' as const)
  if (isEarlyWarning && outcome?.outcome !== 'DETECTED') {
    return {
      state: state === 'ABSTAINED' ? ('PARTIAL' as const) : state,
      outcome: 'DETECTED' as const,
      severity: 'INFO' as const,
      rule: 'ABSOLUTE' as const,
    }
  }
  return {
    state,
    outcome: outcome?.outcome ?? null,
    severity: outcome?.severity ?? null,
    rule: outcome?.rule ?? null,
  }
}

type Feature = NonNullable<NonNullable<DetectorResult['outcome']>['feature']>

function featureOf(unit: DetectorResult['unit'], feature: Feature): AnomalyPayload['feature'] {
  const { value, median, mad, scale4, zMilli, effectPips } = feature
  return {
    unit,
    zMilli,
    value: `${value}`,
    median: `${median}`,
    mad: `${mad}`,
    scale4: `${scale4}`,
    effectPips: `${effectPips}`,
  }
}

function courseOf(
  { samples, outcome }: DetectorResult,
  { kind }: AnomalyRequest,
): AnomalyPayload['course'] {
  const known = outcome?.feature
  const isLow = kind === 'LIQUIDITY_DISAPPEARANCE'
  const isBeyond = (value: bigint) => {
    if (!known || known.scale4 === 0n) return false
    const away = isLow ? known.median - value : value - known.median
    return away * 10_000_000n >= 3500n * known.scale4
  }
  return samples.slice(-coursePoints).map(({ at, value }) => ({
    at: timeOf(at),
    value: `${value}`,
    isFlagged: isBeyond(value),
  }))
}

function explanationOf(
  { kind, subject }: AnomalyRequest,
  { outcome, words, unit, indicators, reasons }: DetectorResult,
  statement: ReturnType<typeof verdictOf>,
  venues: readonly VenueRecord[],
): string {
  const named = namedWords(words, venues)
  const about = `${named.slice(0, 1).toUpperCase()}${named.slice(1)}`
  const feature = outcome?.feature
  if (statement.outcome === null) return `No result for ${kind}: ${reasons.join(', ')}. ${about}`
  const formatValue = (value: bigint) => formatUnitValue(unit, value, subject.pair.quoteDecimals)
  const measured = feature
    ? `: ${formatValue(feature.value)}, median ${formatValue(feature.median)}; robust z-score ${(feature.zMilli / 1000).toFixed(1)}, effect ${formatUnitValue('PIPS', feature.effectPips, 0)}.`
    : ' was measured.'
  const how =
    statement.outcome === 'NOT_DETECTED'
      ? ' Result: no anomaly.'
      : ` Severity ${statement.severity}, based on ${statement.rule === 'ABSOLUTE' ? 'a fixed limit' : `${outcome?.persistence.hits} of the last ${outcome?.persistence.of} samples`}.`
  const also = indicators.length > 0 ? ` Noted: ${indicators.join(', ')}.` : ''
  return `${about}${measured}${how}${also}`
}

/** Replaces venue ids in the detector's text with venue names. */
function namedWords(words: string, venues: readonly VenueRecord[]): string {
  return venues.reduce(
    (text, { id, payload: { name } }) =>
      text
        .replaceAll(`spot:${id}`, `the price at “${name}”`)
        .replaceAll(`mean-${meanSeconds}:${id}`, `its ${meanSeconds / 60}-minute mean`),
    words,
  )
}

/** Rounded display value, in % or whole quote tokens. The record has full precision. */
function formatUnitValue(
  unit: DetectorResult['unit'],
  value: bigint,
  quoteDecimals: number,
): string {
  if (unit === 'PIPS')
    return `${(Number(value) / 10_000).toLocaleString('en-US', { maximumFractionDigits: 4 })} %`
  const tokens = Number(value) / 10 ** quoteDecimals
  return `${tokens.toLocaleString('en-US', { maximumSignificantDigits: 6 })} quote tokens`
}
