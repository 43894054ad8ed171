import type { contract, FieldErrors } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import type { ObservationRecord } from '../../../market/completed-observations.ts'
import { gradedSizeOf } from '../../../market/graded-size.ts'
import { issuerAccounts } from '../../../market/issuer-accounts.ts'
import {
  hasHistory,
  namedVenues,
  noHistory,
  type VenueRecord,
} from '../../../market/named-venue.ts'
import { type CriticalAnomalies, criticalAnomalies } from '../../../market/open-anomalies.ts'
import { readProviders } from '../../../market/provider-depths.ts'
import { historyOf, observationsWithin } from '../../../market/venue-history.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import {
  daySeconds,
  hourSeconds,
  minuteMilliseconds,
  minuteSeconds,
  weekSeconds,
} from '../../../units.ts'
import type { ScoreTask } from './score-task.ts'
import { type YoungVenue, youngVenues } from './young-venues.ts'

export type ScoreRequest = Static<typeof contract.MarketQualityRequest>

/** All inputs of a score, read and validated. */
export interface ScoreInput {
  request: ScoreRequest
  /** Published size of the quote currency; null if none exists. */
  gradedSize: ReturnType<typeof gradedSizeOf>
  specHash: string
  seed: string
  venues: VenueRecord[]
  reference: VenueRecord | null
  /** By venue, in chain order. */
  observations: ReadonlyMap<string, readonly ObservationRecord[]>
  anomalies: CriticalAnomalies
  young: readonly YoungVenue[]
  task: ScoreTask
}

/** Samples of a score. With fewer, a caller could choose the window whose draw suits. */
export const minSamples = 24

/** Slippage limit of usable depth in a graded score. */
const publishedSlippagePips = 20_000

/**
 * Reads the records of a request and the sealed observations in the window.
 *
 * @throws Failure 404 for an unknown venue, 409 for a venue that is not validated, 422 for a market
 * that cannot be scored as described
 */
export async function readScoreInput(
  records: TenantRecords,
  request: ScoreRequest,
): Promise<ScoreInput> {
  const window = windowOf(request, records.now)
  const sampleSeconds =
    request.sampleSeconds ??
    (window.to - window.from > weekSeconds ? hourSeconds : 5 * minuteSeconds)
  requireSound(request, window, records.now)
  const samples =
    (Math.floor((window.to - window.from) / sampleSeconds) + 1) * request.venues.length
  if (samples > limits.scoreSamples) {
    throw new Failure('LIQUIDITY_SCORE_SAMPLING_TOO_FINE', {
      fieldErrors: {
        'payload.sampleSeconds': [
          `must result in at most ${limits.scoreSamples} samples, got ${samples}`,
        ],
      },
    })
  }
  if (samples < minSamples * request.venues.length) {
    const least = Math.floor((window.to - window.from) / (minSamples - 1))
    throw invalid({
      'payload.sampleSeconds': [
        `must be at most ${least} for this window: a score needs ${minSamples} samples`,
      ],
    })
  }
  const read = await venuesOf(records, request)
  const venues = read.slice(0, request.venues.length)
  const reference = read[request.venues.length] ?? null
  const ids = read.map(({ id }) => id)
  const evaluated = venues.map(({ id }) => id)
  const [observations, anomalies, young, accounts] = await Promise.all([
    observationsWithin(records, ids, window),
    criticalAnomalies(records, { venueIds: ids, pair: request.pair }, window),
    youngVenues(records, evaluated, window.to),
    issuerAccounts(records, request.pair.chainId, read),
  ])
  requireFewEvents(observations)
  const history = (venue: VenueRecord) =>
    historyOf(records, venue, observations.get(venue.id) ?? [])
  const specHash = H('market-quality-spec/v1', { ...request, window, sampleSeconds })
  const seed = H('market-quality-seed/v1', specHash)
  const gradedSize = gradedSizeOf(request.pair)
  const task: ScoreTask = {
    histories: await Promise.all(venues.map(history)),
    reference: reference && (await history(reference)),
    window,
    sampleSeconds,
    providers: venues.map(({ id }) => {
      const last = observations.get(id)?.at(-1)
      return last ? readProviders(last) : null
    }),
    gradedSizeQuote: gradedSize?.tradeSizeQuote ?? null,
    requestedSizeQuote: request.referenceTradeSizeQuote,
    tradeSizesQuote: request.tradeSizesQuote.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)),
    usableSlippagePips: request.usableSlippagePips ?? publishedSlippagePips,
    ungraded: [
      ...(gradedSize === null ? ['NO_PUBLISHED_SIZE'] : []),
      ...((request.usableSlippagePips ?? publishedSlippagePips) === publishedSlippagePips
        ? []
        : ['OWN_USABLE_SLIPPAGE']),
    ],
    valueLocked: valueLocked(venues, observations),
    quoteDecimals: request.pair.quoteDecimals,
    hasCriticalAnomaly: anomalies.open.length > 0,
    issuerAccounts: accounts.declared,
    provenAccounts: accounts.proven,
    seed: Uint8Array.from(Buffer.from(seed.slice(2), 'hex')),
  }
  return {
    request,
    gradedSize,
    specHash,
    seed,
    venues,
    reference,
    observations,
    anomalies,
    young,
    task,
  }
}

function windowOf({ window }: ScoreRequest, now: number): { from: number; to: number } {
  if (!window) {
    // Whole minutes, so that default requests within one minute are equal.
    const to = Math.floor(now / minuteMilliseconds) * minuteSeconds
    return { from: to - weekSeconds, to }
  }
  const seconds = (time: string) => Math.floor(Date.parse(time) / 1000)
  return { from: seconds(window.from), to: seconds(window.to) }
}

function requireSound(
  { referenceTradeSizeQuote, tradeSizesQuote }: ScoreRequest,
  { from, to }: { from: number; to: number },
  now: number,
): void {
  const faults: FieldErrors = {}
  const { scoreWindowLeastSeconds: min, scoreWindowMostSeconds: max } = limits
  if (to - from < min || to - from > max) {
    faults['payload.window'] = [
      `must span ${min / hourSeconds} hours to ${max / daySeconds} days, got ${to - from} s`,
    ]
  }
  if (to * 1000 > now) {
    faults['payload.window.to'] = [`must be at most ${new Date(now).toISOString()} (now)`]
  }
  if (BigInt(referenceTradeSizeQuote) === 0n) {
    faults['payload.referenceTradeSizeQuote'] = ['must be above zero']
  }
  for (const [index, size] of tradeSizesQuote.entries()) {
    if (BigInt(size) === 0n) faults[`payload.tradeSizesQuote.${index}`] = ['must be above zero']
  }
  if (Object.keys(faults).length > 0) throw invalid(faults)
}

/** The replay starts with the first observation, so events before the window count as well. */
function requireFewEvents(observations: ScoreInput['observations']): void {
  const events = [...observations.values()]
    .flat()
    .reduce((sum, { payload }) => sum + payload.events.count, 0)
  if (events <= limits.scoreEvents) return
  const text = `must overlap observations with at most ${limits.scoreEvents} events, got ${events}`
  throw invalid({ 'payload.window': [text] })
}

const invalid = (fieldErrors: FieldErrors) =>
  new Failure('LIQUIDITY_SCORE_REQUEST_INVALID', { fieldErrors })

/** The venues of the market in order, then the reference, if any. */
async function venuesOf(records: TenantRecords, request: ScoreRequest): Promise<VenueRecord[]> {
  const names = request.venues.map((ref, index) => ({ ref, at: `payload.venues.${index}` }))
  const { reference } = request
  if (reference) names.push({ ref: reference.venue, at: 'payload.reference.venue' })
  const found = await namedVenues(records, names, request.pair, invalid)
  for (const [itemIndex, { payload }] of found.entries()) {
    if (!hasHistory(payload)) throw invalid({ [names[itemIndex]!.at]: [noHistory(payload)] })
  }
  return found
}

/** Combined TVL at the last reading per venue; null if a venue was never read. */
function valueLocked(
  venues: readonly VenueRecord[],
  observations: ScoreInput['observations'],
): string | null {
  let sum = 0n
  for (const { id } of venues) {
    const last = observations.get(id)?.at(-1)
    if (!last) return null
    sum += BigInt(last.payload.metrics.tvlQuote)
  }
  return `${sum}`
}
