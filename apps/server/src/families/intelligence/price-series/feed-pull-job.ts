import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import { ChainError } from '../../../integrations/chain/chain-error.ts'
import { FeedError } from '../../../integrations/feeds/feed-error.ts'
import type {
  ProviderPayload,
  ProviderRecord,
} from '../../../integrations/providers/chain-providers.ts'
import { scheduledChainFailure } from '../../../jobs/chain-failure.ts'
import { type JobEnd, JobFailure, type JobRun } from '../../../jobs/job-run.ts'
import { limits } from '../../../limits.ts'
import { coveragePips, holesOf } from '../../../market/prices/price-course.ts'
import {
  beginOf,
  dayOf,
  dropSealed,
  keepProvisional,
  provisionalPoints,
  readPrices,
  type StoredPoint,
  sealedPoints,
  segmentBytes,
} from '../../../market/prices/price-store.ts'
import { emptyChange } from '../../../store/records/change.ts'
import type { Current } from '../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../units.ts'
import { type Feed, type FeedReading, feedsToRead, type TimedGap } from './feed-reading.ts'
import { priceSeries, seriesName } from './records.ts'

type Series = Current<contract.PriceSeries>

/**
 * Reads all feeds of a provider. Completed days are sealed as versions of their series; points of
 * the current day are stored provisionally. A failed feed does not stop the others, but then the
 * job fails with the first error.
 */
export default async function runFeedPull(run: JobRun): Promise<JobEnd> {
  const provider = await run.records.current<ProviderPayload>('Provider', run.subject.id)
  if (!provider) throw new Error(`Provider ${run.subject.id} does not exist.`)
  const feeds = await failingAsJob(run, () => feedsToRead(run, provider.record.payload))
  const summaries: Record<string, unknown>[] = []
  let failure: unknown = null
  for (const [index, feed] of feeds.entries()) {
    try {
      summaries.push({ feed: feed.name, ...(await pull(run, provider.record, feed)) })
    } catch (error) {
      if (!(error instanceof FeedError || error instanceof ChainError)) throw error
      failure ??= error
      summaries.push({ feed: feed.name, failed: error.code })
    }
    await run.progress(Math.floor(((index + 1) * 1_000_000) / feeds.length))
  }
  if (failure !== null) throw jobFailure(run, failure)
  return { change: emptyChange(run.organizationId, run.now), result: { feeds: summaries } }
}

async function failingAsJob<T>(run: JobRun, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw jobFailure(run, error)
  }
}

/** No retry: the next scheduled run reads again. */
function jobFailure(run: JobRun, error: unknown): unknown {
  if (error instanceof FeedError) {
    return new JobFailure(error.code, `A feed could not be read: ${error.reason}.`, {
      retryable: false,
      cause: error,
    })
  }
  if (error instanceof ChainError) {
    return scheduledChainFailure(error, run, 'The chain of a feed could not be read.')
  }
  if (error instanceof Failure) {
    return new JobFailure(error.code, 'The chain of a feed could not be read.', {
      retryable: false,
      cause: error,
    })
  }
  return error
}

async function pull(run: JobRun, provider: ProviderRecord, feed: Feed) {
  const series = await openSeries(run, provider, feed)
  const { id } = series.record
  if (feed.isPresent) return pullPresent(run, provider, feed, series)
  // Days are sealed in order, so the newest version contains the last one.
  const sealed = series.record.payload.segment
  const begin = sealed ? beginOf(sealed.day) + daySeconds : await feed.since()
  if (begin === null) return { sealedDays: 0, provisional: 0 }
  let current = series
  let days = 0
  // One day at a time, so an interrupted job resumes at the first unsealed day.
  for (let from = begin; from * 1000 <= run.now; from = beginOf(dayOf(from)) + daySeconds) {
    const before = beginOf(dayOf(from)) + daySeconds
    const reading = await feed.read({ from, before })
    if (before > reading.settledBefore) {
      const statements = keepProvisional(run.organizationId, id, from, reading.points)
      await run.keep({ ...emptyChange(run.organizationId, run.now), statements })
      return { sealedDays: days, provisional: reading.points.length }
    }
    // Limits the work per run, so that a long history does not delay other providers. The next run
    // continues.
    if (days === limits.feedDaysAtOnce) return { sealedDays: days, provisional: 0 }
    if (days === 0 && sealed) current = await reread(run, provider, feed, current, sealed)
    const day = { day: dayOf(from), from, before }
    current = await seal(run, provider, { feed, series: current, day, reading, generation: 1 })
    days += 1
  }
  return { sealedDays: days, provisional: 0 }
}

/**
 * For a source with only current prices, the new price joins the stored ones. A day is sealed from
 * stored prices once every price is too old to use. This works even if the source is unavailable.
 */
async function pullPresent(run: JobRun, provider: ProviderRecord, feed: Feed, series: Series) {
  const { id } = series.record
  const storedPoints = await provisionalPoints(run.records, id)
  let current = series
  let days = 0
  const over = Map.groupBy(storedPoints, ({ at }) => dayOf(at))
  for (const [day, dayPoints] of [...over].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const window = { day, from: beginOf(day), before: beginOf(day) + daySeconds }
    if (run.now < (window.before + feed.maximumAgeSeconds) * 1000) break
    const reading = { points: dayPoints, gaps: [], settledBefore: run.now / 1000, blocks: null }
    current = await seal(run, provider, {
      feed,
      series: current,
      day: window,
      reading,
      generation: 1,
    })
    days += 1
  }
  const { points } = await feed.read({ from: 0, before: 0 })
  const [point] = points as [StoredPoint]
  const last = storedPoints.at(-1)
  // An unchanged price is not new; an earlier one is a replay.
  if (last && point.at < last.at)
    throw FeedError.refused('REPLAYED', 'older than the previous price')
  const statements = keepProvisional(run.organizationId, id, point.at, [point])
  await run.keep({ ...emptyChange(run.organizationId, run.now), statements })
  return { sealedDays: days, provisional: 1 }
}

async function openSeries(run: JobRun, provider: ProviderRecord, feed: Feed): Promise<Series> {
  const { records } = run
  const { key, baseDecimals, quoteDecimals } = feed
  // The decimals of both tokens are part of the series key, because they change the price scale.
  const seriesId = H('price-series', { ...key, baseDecimals, quoteDecimals })
  const held = await records.holder(seriesName(seriesId))
  const known = held && (await priceSeries.current(records, held))
  if (known) return known
  const { sealed, change } = priceSeries.first(records, {
    status: 'ACTIVE',
    payload: {
      seriesId,
      key,
      providerId: provider.payload.providerId,
      feed: feed.name,
      baseDecimals,
      quoteDecimals,
      maximumAgeSeconds: feed.maximumAgeSeconds,
      segment: null,
    },
    reason: `Feed ${feed.name} of ${provider.payload.providerId}`,
    event: 'feed.opened',
    eventPayload: { seriesId },
  })
  await run.keep(change)
  return currentOf(run, sealed.record.id)
}

async function currentOf(run: JobRun, id: string): Promise<Series> {
  const current = await priceSeries.current(run.records, id)
  if (!current) throw new Error(`Series ${id} does not exist.`)
  return current
}

interface Sealing {
  readonly feed: Feed
  readonly series: Series
  readonly day: { readonly day: string; readonly from: number; readonly before: number }
  readonly reading: FeedReading
  readonly generation: number
}

async function seal(
  run: JobRun,
  provider: ProviderRecord,
  { feed, series, day, reading, generation }: Sealing,
): Promise<Series> {
  const { records, organizationId } = run
  const { id, payload } = series.record
  const { content, contentHash } = segmentBytes(payload.seriesId, day.day, reading.points)
  const before = await pointsBefore(run, id, day.from, feed.maximumAgeSeconds)
  const course = {
    points: [...before, ...reading.points],
    maximumAgeSeconds: feed.maximumAgeSeconds,
  }
  const window = { from: day.from, to: day.before }
  const segment: contract.PriceSegment = {
    day: day.day,
    generation,
    points: reading.points.length,
    artifactHash: contentHash,
    previous: payload.segment?.artifactHash ?? null,
    coveragePips: coveragePips(course, window),
    gaps: gapsOf(reading.gaps, holesOf(course, window)),
    provider: { id: provider.id, resourceVersion: provider.resourceVersion },
    blocks: reading.blocks,
    sealedAt: new Date(run.now).toISOString(),
  }
  const { sealed, change } = priceSeries.next(records, series, {
    status: 'ACTIVE',
    payload: { ...payload, maximumAgeSeconds: feed.maximumAgeSeconds, segment },
    reason: `${day.day} of ${feed.name}`,
    evidenceHashes: [contentHash],
    event: generation === 1 ? 'feed.sealed' : 'feed.revised',
    eventPayload: { seriesId: payload.seriesId, day: day.day, generation, points: segment.points },
  })
  const { resourceType, resourceVersion } = sealed.record
  const producer = { resourceType, id, resourceVersion }
  await run.keep({
    ...change,
    artifacts: [{ contentHash, mediaType: 'application/json', content, producer }],
    statements: [dropSealed(organizationId, id, day.before)],
  })
  return currentOf(run, id)
}

/** The prices that are still valid at the start of a day. */
async function pointsBefore(run: JobRun, id: string, from: number, maximumAge: number) {
  const days = Math.ceil(maximumAge / daySeconds) + 1
  const window = { from: from - maximumAge, to: from - 1 }
  const { points } = await readPrices(run.records, { id }, window, days)
  return points
}

const maxGaps = 64

/** Gaps reported by the source plus unexplained gaps. Above the limit, only the longest remain. */
function gapsOf(
  reported: readonly TimedGap[],
  holes: readonly { from: number; to: number }[],
): contract.PriceGap[] {
  const isReported = (hole: { from: number; to: number }) =>
    reported.some(({ from, to }) => from < hole.to && to > hole.from)
  const stale = holes
    .filter((hole) => !isReported(hole))
    .map((hole) => ({ ...hole, code: 'STALE' as const }))
  return [...reported, ...stale]
    .sort((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, maxGaps)
    .sort((a, b) => a.from - b.from)
    .map(({ from, to, code }) => ({
      from: new Date(from * 1000).toISOString(),
      to: new Date(to * 1000).toISOString(),
      code,
    }))
}

/** Rereads the last sealed day. A correction by the source becomes a new version. */
async function reread(
  run: JobRun,
  provider: ProviderRecord,
  feed: Feed,
  series: Series,
  sealed: contract.PriceSegment,
): Promise<Series> {
  const begin = beginOf(sealed.day)
  const since = await feed.since()
  const from = since === null ? begin : Math.max(begin, since)
  const day = { day: sealed.day, from, before: begin + daySeconds }
  const reading = await feed.read(day)
  const known = await sealedPoints(run.records, sealed)
  const isSame =
    segmentBytes('', sealed.day, reading.points).contentHash ===
    segmentBytes('', sealed.day, known).contentHash
  if (isSame) return series
  const generation = sealed.generation + 1
  return seal(run, provider, { feed, series, day, reading, generation })
}
