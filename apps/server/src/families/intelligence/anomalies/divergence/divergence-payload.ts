import { engineBuildHash } from '@liquidity-os/engine/build-hash'
import { engineVersion } from '@liquidity-os/engine/version'
import { H } from '@liquidity-os/evidence'
import type { VenueRecord } from '../../../../market/named-venue.ts'
import { annualPips } from '../../../../market/realized-volatility.ts'
import { jsonArtifact } from '../../../../store/records/json-artifact.ts'
import { daySeconds, hourSeconds, yearSeconds } from '../../../../units.ts'
import { type Evaluated, timeOf } from '../anomaly-payload.ts'
import {
  type AnomalyPayload,
  type AnomalyRequest,
  anomalyTermsOf,
  fingerprintOf,
} from '../subject.ts'
import type { BoundStudy } from './bound-study.ts'
import type { DivergenceMetricFigures, Measured } from './measured.ts'
import type { ObservedSince } from './observed-since.ts'

/** Inputs of a divergence evaluation. */
export interface Divergence {
  readonly request: AnomalyRequest
  readonly venue: VenueRecord
  readonly bound: BoundStudy
  readonly observed: ObservedSince
  /** Unix seconds: start of the study, and the compared moment of its paths. */
  readonly begun: number
  readonly moment: number
  readonly paths: number
  readonly measured: Measured
}

const maxPoints = 240

/** Payload of the evaluation record, with the simulated figures as artifacts. */
export function divergenceOf(divergence: Divergence): Evaluated {
  const { request, venue, bound, observed, begun, moment, measured, paths } = divergence
  const { metrics, course } = measured
  const worst = metrics.reduce((a, b) => (rankOf(b) > rankOf(a) ? b : a))
  const { severity } = worst.verdict
  const isDetected = severity !== null
  const vector = jsonArtifact(
    metrics.map(({ metric, simulated }) => [metric, simulated.map((value) => `${value}`)]),
  )
  const observations = jsonArtifact(
    observed.observations.map(({ id, resourceVersion }) => ({ id, resourceVersion })),
  )
  const { kind, subject } = request
  const { cadenceSeconds, baselineSeconds } = anomalyTermsOf(request)
  const at = timeOf(moment)
  const terms = { kind, subject, at, cadenceSeconds, baselineSeconds }
  const payload: AnomalyPayload = {
    detectorVersion: 'robust-mad-v1',
    kind,
    subject,
    at,
    cadenceSeconds,
    baselineSeconds,
    state: 'COMPLETED',
    reasons: [],
    severity,
    outcome: isDetected ? 'DETECTED' : 'NOT_DETECTED',
    rule: isDetected ? 'STATISTICAL' : null,
    feature: featureOf(worst),
    persistence: { hits: isDetected ? 1 : 0, of: 1 },
    contributors: contributorsOf(divergence),
    indicators: metrics.flatMap(({ metric, verdict }) =>
      verdict.severity === null ? [] : [`${metric}_${verdict.severity}`],
    ),
    explanation: explanationOf(divergence, worst),
    fingerprint: fingerprintOf(request),
    baseline: {
      from: timeOf(begun),
      to: at,
      samples: paths,
      excluded: 0,
      coveragePips: 1_000_000,
      isSeasonal: false,
      isNewRegime: false,
    },
    course: course[worst.metric]?.slice(-maxPoints) ?? [],
    openedAt: isDetected ? at : null,
    lastSeenAt: isDetected ? at : null,
    occurrences: isDetected ? 1 : 0,
    criticalAt: severity === 'CRITICAL' ? [{ from: at, to: at }] : [],
    executionPerformed: false,
    executionAuthorityGranted: false,
    evidence: {
      engineVersion,
      engineBuildHash: engineBuildHash(),
      specHash: H('anomaly-evaluation-spec/v1', terms),
      inputs: [
        { name: 'detector.robust-mad-v1', hash: H('anomaly-detector/v1', { kind, spec: null }) },
        { name: 'venue.0', hash: venue.resourceVersion },
        { name: 'study', hash: bound.study.resourceVersion },
        { name: 'observations', hash: observations.contentHash },
        { name: 'simulatedFigures', hash: vector.contentHash },
      ],
      blocks: observed.observations.slice(-1).map(({ payload: { state } }) => state.at),
      seed: bound.study.payload.result?.evidence.seed ?? null,
      assumptions: [
        {
          code: 'ARM',
          value: bound.arm.armId,
          source: request.subject.armId ? 'DECLARED' : 'DEFAULT',
        },
        { code: 'REALIZED_ARM', value: 'REPLAY', source: 'DEFAULT' },
        { code: 'FLOW_MODEL', value: 'NEAREST_TO_MEDIAN', source: 'DEFAULT' },
      ],
      gaps: measured.gaps.map((gap) => ({ ...gap, venueId: venue.id })),
    },
  }
  return { payload, artifacts: [vector, observations] }
}

const ranks = { INFO: 1, WARNING: 2, CRITICAL: 3 } as const

/** Worst first, then farthest from the middle. */
function rankOf({ verdict: { severity, zMilli } }: DivergenceMetricFigures): number {
  return (severity === null ? 0 : ranks[severity]) * 1e10 + Math.abs(zMilli)
}

function featureOf(worst: DivergenceMetricFigures): AnomalyPayload['feature'] {
  const { unit, value, median, mad, effectPips, verdict } = worst
  return {
    unit,
    value: `${value}`,
    median: `${median}`,
    mad: `${mad}`,
    // 1 / 0.6745 in ten-thousandths, as in every robust score.
    scale4: `${14_826n * mad}`,
    zMilli: verdict.zMilli,
    effectPips: `${effectPips}`,
  }
}

/**
 * Each metric with its simulated distribution, then market figures with the study's assumptions.
 */
function contributorsOf({ measured, moment, begun }: Divergence): AnomalyPayload['contributors'] {
  const { metrics, market } = measured
  const seconds = BigInt(moment - begun)
  const dayOf = (quote: bigint) => (quote * BigInt(daySeconds)) / seconds
  const figures = metrics.flatMap(({ metric, byModel, median, mad, middle, verdict }) => [
    ...byModel.map(({ flowModel, value }) => [metric, `REALIZED ${flowModel}`, value] as const),
    [metric, 'SIMULATED p02.5', middle[0]] as const,
    [metric, 'SIMULATED p50', median] as const,
    [metric, 'SIMULATED p97.5', middle[1]] as const,
    [metric, 'SIMULATED MAD', mad] as const,
    [metric, 'Z_MILLI', BigInt(verdict.zMilli)] as const,
    [metric, 'P_HOLM_PIPS', BigInt(Math.round(verdict.pHolm * 1e6))] as const,
  ])
  const { assumedVolatility, annualVolatility } = market
  const causes = [
    ['VOLATILITY_PIPS_PER_YEAR', 'SIMULATED', BigInt(annualPips(assumedVolatility))] as const,
    ...(annualVolatility === null
      ? []
      : [
          [
            'VOLATILITY_PIPS_PER_YEAR',
            'REALIZED',
            BigInt(Math.round(annualVolatility * 1e6)),
          ] as const,
        ]),
    ['VOLUME_QUOTE_PER_DAY', 'SIMULATED p50', dayOf(market.simulatedVolume)] as const,
    ['VOLUME_QUOTE_PER_DAY', 'REALIZED', dayOf(market.volumeQuote)] as const,
    ['OTHER_LIQUIDITY_DEPTH_CHANGE', market.others, market.otherLiquidity] as const,
  ]
  return [...figures, ...causes].map(([kind, ref, amount]) => ({ kind, ref, amount: `${amount}` }))
}

const shares = { INFO: '95 % of', WARNING: '99 % of', CRITICAL: 'all' } as const

function explanationOf(
  { bound, paths, moment, begun, measured }: Divergence,
  { metric, value, median, verdict }: DivergenceMetricFigures,
): string {
  const { assumedVolatility, annualVolatility } = measured.market
  const hours = Math.round((10 * (moment - begun)) / hourSeconds) / 10
  const stated =
    verdict.severity === null
      ? 'All metrics lie within the middle 95 % of the paths.'
      : `This lies outside ${shares[verdict.severity]} the paths: ${verdict.severity}.`
  const volatility =
    annualVolatility === null
      ? ''
      : ` Realized volatility is ${percent(annualVolatility)} per year; the study assumed ${percent(assumedVolatility * Math.sqrt(yearSeconds))}.`
  return `${metric} of the arm ${bound.arm.armId} is ${value} after ${hours} h. The median of ${paths} paths is ${median}: robust z-score ${(verdict.zMilli / 1000).toFixed(1)}. ${stated}${volatility}`
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`
