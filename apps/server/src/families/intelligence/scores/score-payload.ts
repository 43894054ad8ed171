import { engineBuildHash } from '@liquidity-os/engine/build-hash'
import { MQS_1 } from '@liquidity-os/engine/scoring'
import { engineVersion } from '@liquidity-os/engine/version'
import { canonicalize, H, sha256Hex } from '@liquidity-os/evidence'
import { limits } from '../../../limits.ts'
import { drawMethod } from '../../../market/drawn-moments.ts'
import type { ArtifactInsert } from '../../../store/records/change.ts'
import type { ScorePayload } from './active-score.ts'
import { assumedTransfersGap } from './assumed-transfers.ts'
import { minRecentSamples } from './market-sampler.ts'
import { samplesArtifact, samplesInput } from './reliability-samples.ts'
import type { ScoreInput } from './score-input.ts'
import type { MeasuredScore } from './score-task.ts'
import { youngGaps } from './young-venues.ts'

const maxX18 = 10n ** 77n

/** The payload of the score record, with the lists of its observations and samples. */
export function scorePayloadOf(
  input: ScoreInput,
  measured: MeasuredScore,
  now: number,
): { payload: ScorePayload; artifacts: Omit<ArtifactInsert, 'producer'>[] } {
  const { request, task, venues, reference, observations } = input
  const { window, sampleSeconds } = task
  const { result, last, interval90 } = measured
  const content = Buffer.from(canonicalize(observedOf(observations)))
  const contentHash = `0x${sha256Hex(content)}`
  const samples = samplesArtifact(task.usableSlippagePips, measured.sampleRuns)
  const lastBlocks = [...observations.values()].flatMap(
    (some) => some.at(-1)?.payload.state.at ?? [],
  )
  const gaps = [
    ...measured.gaps,
    ...(last !== null && !measured.isLastSustained
      ? [measured.areRecentEnough ? notSustained : fewRecent]
      : []),
    ...youngGaps(input.young),
    ...gapsOf(input),
  ]
  const continuity = result.components.find(({ code }) => code === 'CONTINUITY')?.raw ?? null
  const payload: ScorePayload = {
    request,
    window: { from: timeOf(window.from), to: timeOf(window.to), sampleSeconds },
    state: result.state,
    assessesMarketHealth: result.state === 'COMPLETED',
    reasons: [...result.reasons],
    scorePips: result.scorePips,
    indicativeScorePips: result.indicativeScorePips,
    grade: result.grade,
    // Also set for an indicative score, because the interval belongs to the displayed value.
    interval90,
    gradedSize: input.gradedSize,
    requestedSize: {
      tradeSizeQuote: request.referenceTradeSizeQuote,
      medianSlippagePips: measured.requestedSlippagePips,
    },
    confidencePips: result.confidencePips,
    caps: [...result.caps],
    components: result.components.map((component) => ({ ...component })),
    diagnostics: diagnosticsOf(measured.diagnostics),
    ownFlow: measured.ownFlow,
    passportClaims:
      last === null || continuity === null || !measured.isLastSustained
        ? null
        : {
            usableDepthByTradeSize: last.slippage.map(({ sizeQuote, buyPips, sellPips }) => ({
              tradeSizeQuote: sizeQuote,
              buySlippagePips: buyPips,
              sellSlippagePips: sellPips,
            })),
            historicalReliabilityPips: Number(continuity),
            dataFreshnessSeconds: Math.max(0, Math.floor(now / 1000) - last.at),
            majorIncidentCount: input.anomalies.opened,
          },
    depth: last?.depth ?? [],
    shortLivedDepthPips: measured.shortLivedDepthPips,
    course: measured.course.map(({ from, ...point }) => ({ from: timeOf(from), ...point })),
    validUntil: timeOf(window.to + limits.scoreValidSeconds),
    lastBlocks,
    evidence: {
      engineVersion,
      engineBuildHash: engineBuildHash(),
      specHash: input.specHash,
      inputs: [
        {
          name: 'weightSet.mqs-1',
          hash: H('weight-set/v1', { weightSet: 'mqs-1', components: MQS_1 }),
        },
        ...venues.map(({ resourceVersion }, index) => ({
          name: `venue.${index}`,
          hash: resourceVersion,
        })),
        ...(reference ? [{ name: 'reference', hash: reference.resourceVersion }] : []),
        ...(measured.drawBlock ? [{ name: 'sampleDraw', hash: measured.drawBlock.hash }] : []),
        { name: samplesInput, hash: samples.contentHash },
        { name: 'observations', hash: contentHash },
        ...(task.issuerAccounts.length === 0
          ? []
          : [
              {
                name: 'issuerAccounts',
                hash: H('issuer-accounts/v1', { accounts: task.issuerAccounts }),
              },
              {
                name: 'provenAccounts',
                hash: H('issuer-accounts/v1', { accounts: task.provenAccounts }),
              },
            ]),
        ...input.anomalies.open
          .slice(0, limits.scoreAnomaliesNamed)
          .map(({ resourceVersion }, index) => ({
            name: `anomaly.${index}`,
            hash: resourceVersion,
          })),
      ],
      blocks: lastBlocks,
      seed: input.seed,
      assumptions: assumptionsOf(input),
      gaps,
    },
  }
  const observed = { contentHash, mediaType: 'application/json', content }
  return { payload, artifacts: [observed, samples] }
}

const notSustained = {
  code: 'DEPTH_NOT_SUSTAINED',
  detail:
    'The market at the end of the window is cheaper than in most samples of the last day, so the score supports no passport claims.',
}

const fewRecent = {
  code: 'FEW_RECENT_SAMPLES',
  detail: `The last day of the window has fewer than ${minRecentSamples} observed samples, so the score supports no passport claims.`,
}

const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString()

/**
 * All observation versions by venue. They are an artifact, because the evidence field is too small.
 */
export function observedOf(observations: ScoreInput['observations']) {
  return [...observations].map(([venueId, some]) => ({
    venueId,
    observations: some.map(({ id, resourceVersion }) => ({ id, resourceVersion })),
  }))
}

/** Unobserved parts of the window and unchecked transfers, per venue. */
function gapsOf({ task, venues, observations }: ScoreInput): ScorePayload['evidence']['gaps'] {
  return venues.flatMap(({ id: venueId }, itemIndex) => {
    const stretches = task.histories[itemIndex]?.stretches ?? []
    if (stretches.length === 0) {
      return [
        { code: 'NOT_OBSERVED', detail: 'No proved observation overlaps the window.', venueId },
      ]
    }
    const holes = stretches.slice(1).map(({ fromBlock, from }, index) => ({
      code: 'EVENT_GAP',
      detail: `Not observed for ${from - stretches[index]!.to} s.`,
      venueId,
      fromBlock: stretches[index]!.toBlock + 1,
      toBlock: fromBlock - 1,
    }))
    const late = stretches[0]!.from - task.window.from
    const early = task.window.to - stretches.at(-1)!.to
    const edges = [
      ...(late > task.sampleSeconds
        ? [
            {
              code: 'WINDOW_BEGIN_UNOBSERVED',
              detail: `The first ${late} s were not observed.`,
              venueId,
            },
          ]
        : []),
      ...(early > task.sampleSeconds
        ? [
            {
              code: 'WINDOW_END_UNOBSERVED',
              detail: `The last ${early} s were not observed.`,
              venueId,
            },
          ]
        : []),
    ]
    const assumed = assumedTransfersGap(venueId, observations.get(venueId) ?? [])
    return [...assumed, ...edges, ...holes].slice(0, 7)
  })
}

function assumptionsOf({ request, task }: ScoreInput): ScorePayload['evidence']['assumptions'] {
  const source = (declared: unknown) =>
    declared === undefined ? ('DEFAULT' as const) : ('DECLARED' as const)
  return [
    {
      code: 'SAMPLE_SECONDS',
      value: `${task.sampleSeconds}`,
      source: source(request.sampleSeconds),
    },
    {
      code: 'USABLE_SLIPPAGE_PIPS',
      value: `${task.usableSlippagePips}`,
      source: source(request.usableSlippagePips),
    },
    { code: 'SAMPLE_MOMENTS', value: drawMethod, source: 'DEFAULT' },
    { code: 'DEPTH_OF_SEVERAL', value: 'SUM_AROUND_OWN_MID', source: 'DEFAULT' },
    { code: 'COMMON_MID', value: 'DEPTH_WEIGHTED_MEAN', source: 'DEFAULT' },
    { code: 'GAS', value: 'NOT_CHARGED', source: 'DEFAULT' },
  ]
}

function diagnosticsOf(found: MeasuredScore['diagnostics']): ScorePayload['diagnostics'] {
  const pips = (value: number | null) => (value === null ? null : Math.round(value * 1_000_000))
  const x18 = (value: number | null) => {
    if (value === null || !Number.isFinite(value)) return null
    const scaled = BigInt(Math.round(value * 1e18))
    return scaled > maxX18 || scaled < -maxX18 ? null : `${scaled}`
  }
  return {
    kyleLambdaX18: x18(found.kyleLambda),
    amihudX18: x18(found.amihud),
    rollSpreadPips: pips(found.rollSpread),
    realizedVolAnnualPips: pips(found.annualVolatility),
    turnoverRatioPips: pips(found.turnover),
    lvrPerVolumePips: pips(found.lvrPerVolume),
    markout300Pips: pips(found.markout300),
  }
}
