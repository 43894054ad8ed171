import type { Address } from 'viem'
import { Failure } from '../../../failure.ts'
import { CallRevertedError, ChainError } from '../../../integrations/chain/chain-error.ts'
import type { ChainClient } from '../../../integrations/chain/client.ts'
import { agreeOnCurrentHead } from '../../../integrations/chain/finalized.ts'
import { type Header, readHeader } from '../../../integrations/chain/header.ts'
import { sortTokens } from '../../../integrations/chain/pool-address.ts'
import { checkTransfers, type TokenReading } from '../../../integrations/chain/token-behaviour.ts'
import { unknownCode } from '../../../integrations/chain/venue-checks.ts'
import { chainProviders, jobPatience } from '../../../integrations/providers/chain-providers.ts'
import { chainJobFailure, findChainError } from '../../../jobs/chain-failure.ts'
import { type JobEnd, JobFailure, type JobRun } from '../../../jobs/job-run.ts'
import { limits } from '../../../limits.ts'
import {
  type ObservedSpan,
  type VenueSpans,
  venueReorganized,
} from '../../../market/observed-spans.ts'
import { continuableGaps, spanIs } from '../../../market/span-rows.ts'
import { type Addition, verdictsWith } from '../../../market/span-verdicts.ts'
import { venueOrientation } from '../../../market/venue-orientation.ts'
import { latestSpans, venueSpans } from '../../../market/venue-spans.ts'
import { emptyChange } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { evaluateVenue } from '../alerts/api.ts'
import { type EarlierEnd, endOf, unreadBlocks } from './earlier-end.ts'
import { EventRecorder } from './event-recorder.ts'
import { fundingOf } from './funding.ts'
import { cadenceInput } from './index-job.ts'
import { readEnd, startState } from './market-reads.ts'
import { artifactsOf, type SealedBlob, sealObservation } from './observation.ts'
import { countPoints, pointsOfRead } from './points/count-points.ts'
import { readTokens } from './position-tokens.ts'
import { providersOf } from './providers.ts'
import { observations } from './records.ts'
import { findReorganization, type Reorganization } from './reorganization.ts'
import { readSegments, reorganized, type Segment } from './segments.ts'
import type { VenueProfile } from './venue.ts'

interface Input {
  mode: 'STATE' | 'EVENTS' | 'FULL'
  /** Null continues after the last observation. */
  fromBlock: number | null
  toBlock: number | null
  reason: string
}

/**
 * Reads a venue over a finalized range, proves that its events connect the states, and seals the
 * result. A long range becomes several observations, each stored immediately.
 */
export default async function runVenueIndex(run: JobRun): Promise<JobEnd> {
  try {
    return await evaluated(run, await index(run))
  } catch (error) {
    const chainError = findChainError(error)
    if (chainError) {
      throw chainJobFailure(chainError, run, 'The chain could not be read.')
    }
    if (error instanceof CallRevertedError) {
      const message =
        'The market does not respond as its interface requires. It may not be deployed yet.'
      throw new JobFailure('LIQUIDITY_CHAIN_STATE_UNAVAILABLE', message, {
        retryable: false,
        cause: error,
      })
    }
    if (error instanceof Failure) {
      throw new JobFailure(error.code, error.message, { retryable: false, cause: error })
    }
    throw error
  }
}

/**
 * Evaluates thresholds of alert rules on the new observations before the job ends. The observations
 * are committed first.
 */
async function evaluated(run: JobRun, end: JobEnd): Promise<JobEnd> {
  const { services, records, subject, organizationId, now } = run
  const store = () => run.keep(end.change)
  const isStored = await evaluateVenue(services, records, subject.id, store)
  return isStored ? { ...end, change: emptyChange(organizationId, now) } : end
}

async function index(run: JobRun): Promise<JobEnd> {
  const { records, services } = run
  const input = run.input as unknown as Input
  const venue = await records.current<VenueProfile>('VenueProfile', run.subject.id)
  if (!venue) throw new Error(`Venue ${run.subject.id} does not exist.`)
  const { id, resourceVersion, payload: profile } = venue.record
  const { providerId, finality } = profile.read
  const providers = await chainProviders(
    records,
    services,
    providerId,
    profile.pair.chainId,
    jobPatience(run.signal),
  )
  const opened = providers.map(({ client }) => client) as [ChainClient, ...ChainClient[]]
  const agreed = await agreeOnCurrentHead(opened, finality, services.clock())
  const { head, clients } = agreed
  const limitations = [...agreed.limitations, ...(isFork(profile) ? [unknownCode] : [])]
  const [client] = clients
  const endAt = (block: number | null) =>
    block !== null && block < head.number ? readHeader(client, block) : head
  const sealer = { run, clients, venue: { id, resourceVersion, profile }, input, limitations }
  const { chainId } = profile.pair
  let news = await findReorganization(records, { id, chainId }, headersOf(clients))
  if (input.mode === 'STATE') {
    const at = await endAt(input.toBlock)
    const { jobEnd } = await sealSegment(sealer, { from: at, to: at, events: [] }, null, news)
    return news ? withNews(run, jobEnd, news) : jobEnd
  }
  const begin = { requestedFrom: input.fromBlock, startBlock: profile.read.startBlock }
  const spans = await spansToGoOnFrom(records, id, input, news)
  const { fromBlock, toBlock, after } = unreadBlocks(spans, begin)
  const bounds = [input.toBlock, toBlock].filter((block) => block !== null)
  const to = await endAt(bounds.length === 0 ? null : Math.min(...bounds))
  if (fromBlock > to.number) {
    const change = emptyChange(run.organizationId, run.now)
    const result = { observation: null, reason: 'NOTHING_NEW', finalizedBlock: head.number }
    if (!news) return { change, result }
    const statements = await verdictsWith(records, id, additionOf(null, news))
    return withNews(run, { change: { ...change, statements }, result }, news)
  }
  let earlier = after && (await endOf(records, after))
  const range = { from: await readHeader(client, fromBlock), to }
  // The chain may have reorged since the end block was read.
  if (after && range.from.parentHash !== after.payload.range.to.hash) throw reorganized(fromBlock)
  let events = 0
  let observations = 0
  for await (const segment of readSegments(run, clients, profile, range)) {
    if (!news && after && isIdle(run, profile, segment, to, after)) {
      const change = emptyChange(run.organizationId, run.now)
      const result = { observation: null, reason: 'NOTHING_HAPPENED', finalizedBlock: head.number }
      return { change, result }
    }
    const sealed = await sealSegment(sealer, segment, earlier, news)
    const { end } = sealed
    const jobEnd = news ? await withNews(run, sealed.jobEnd, news) : sealed.jobEnd
    news = null
    observations += 1
    events += segment.events.length
    if (segment.to.number === to.number) {
      return { ...jobEnd, result: { ...jobEnd.result, events, observations } }
    }
    // After a crash, the next attempt resumes here and only repeats later segments.
    await run.keep(jobEnd.change)
    earlier = end
  }
  throw new Error(`The range from ${fromBlock} to ${to.number} did not end.`)
}

/**
 * True if a scheduled run found no events and the last observation is recent. Sealing is then
 * skipped, and the next run reads the same blocks again.
 */
function isIdle(
  { input, services, now }: JobRun,
  { read }: VenueProfile,
  { events, to: end }: Segment,
  to: Header,
  { payload }: ObservedSpan,
): boolean {
  const seconds = to.timestamp - Date.parse(payload.range.to.timestamp) / 1000
  // Seal now if this run is closer to the deadline than the next run will be.
  const isNearer = seconds + read.cadenceSeconds / 2 >= services.config.venueIdleSealSeconds
  // On a chain with slow finality the last observation is already old, and the venue would become
  // stale before the next run.
  const age = now / 1000 - Date.parse(payload.range.to.timestamp) / 1000
  const isOld = age + 2 * read.cadenceSeconds >= limits.mapFreshSeconds
  return (
    input.reason === cadenceInput.reason &&
    end.number === to.number &&
    events.length === 0 &&
    !isNearer &&
    !isOld
  )
}

/** Current headers, each read once; null above the head of every provider. */
function headersOf(clients: readonly ChainClient[]): (block: number) => Promise<Header | null> {
  const read = new Map<number, Promise<Header | null>>()
  return (block) => {
    const found = read.get(block) ?? firstHeader(clients, block)
    read.set(block, found)
    return found
  }
}

/** A provider that is behind does not have every recorded block. */
async function firstHeader(clients: readonly ChainClient[], block: number): Promise<Header | null> {
  for (const client of clients) {
    try {
      return await readHeader(client, block)
    } catch (error) {
      const isUnknown = error instanceof ChainError && error.facts.reason === 'UNKNOWN_BLOCK'
      if (!isUnknown) throw error
    }
  }
  return null
}

/**
 * Observations that determine the start of a run. Without a requested block, the latest one is
 * enough.
 */
async function spansToGoOnFrom(
  records: TenantRecords,
  venueId: string,
  { fromBlock }: Input,
  news: Reorganization | null,
): Promise<VenueSpans> {
  if (news) return withoutOvertaken(await venueSpans(records, venueId), news)
  if (fromBlock !== null) return venueSpans(records, venueId)
  const latest = await latestSpans(records, venueId, spanIs.continuable, 1)
  return { activeSpans: latest.map(({ span }) => span), overtaken: [] }
}

function withoutOvertaken(
  { activeSpans, overtaken }: VenueSpans,
  news: Pick<Reorganization, 'overtaken'>,
): VenueSpans {
  const named = new Set(news.overtaken.map(({ id }) => id))
  return {
    activeSpans: activeSpans.filter(({ id }) => !named.has(id)),
    overtaken: [...overtaken, ...activeSpans.filter(({ id }) => named.has(id))],
  }
}

/** True if validation found unknown market code. */
function isFork({ validation }: VenueProfile): boolean {
  return validation?.checks.some(({ code }) => code === unknownCode) ?? false
}

/** Publishes a reorg of the venue's chain in the same transaction as the new observation. */
async function withNews(
  { records, subject }: JobRun,
  { change, result }: JobEnd,
  { fork, overtaken }: Reorganization,
): Promise<JobEnd> {
  // The venue may have a newer version by now, so the event follows the newest one.
  const venue = await records.current('VenueProfile', subject.id)
  if (!venue) throw new Error(`Venue ${subject.id} does not exist.`)
  const { expects, events } = records.note(venue, venueReorganized, { fork, overtaken })
  return {
    change: {
      ...change,
      expects: [...change.expects, ...expects],
      events: [...change.events, ...events],
    },
    result,
  }
}

interface Sealer {
  run: JobRun
  clients: readonly [ChainClient, ...ChainClient[]]
  venue: { id: string; resourceVersion: string; profile: VenueProfile }
  input: Input
  limitations: readonly string[]
}

async function transfersOf(
  clients: Sealer['clients'],
  { address, pair, read, stableswap }: VenueProfile,
  { from, to, events }: Segment,
): Promise<TokenReading> {
  const tokens = (stableswap?.coins ??
    sortTokens(pair.base as Address, pair.quote as Address)) as readonly Address[]
  const { logChunkBlocks } = read
  const pool = { address: address as Address, tokens, logChunkBlocks }
  return checkTransfers(clients, pool, { from, to, events })
}

/** Records and artifacts that a run adds to its venue. */
function additionOf(
  sealed: { readonly span: ObservedSpan; readonly blobs: readonly SealedBlob[] } | null,
  news: Reorganization | null,
): Addition {
  return {
    spans: sealed ? [sealed.span] : [],
    overtaken: news ? news.overtaken.map(({ id }) => id) : [],
    artifacts: new Map(sealed?.blobs.map(({ hash, content }) => [hash, content])),
  }
}

/**
 * Replays one segment from its start state, compares the end state with the chain, and seals it.
 */
async function sealSegment(
  { run, clients, venue, input, limitations }: Sealer,
  { from, to, events, limitations: ofSegment = [] }: Segment,
  earlier: EarlierEnd | null,
  news: Reorganization | null,
): Promise<{ jobEnd: JobEnd; end: EarlierEnd }> {
  const { profile } = venue
  const [client] = clients
  const side = venueOrientation(profile)
  const start = await startState(client, profile, from, input.mode, { earlier, events })
  const recorder = new EventRecorder({
    start: start.market,
    side,
    cadenceSeconds: profile.read.cadenceSeconds,
    from: from.timestamp,
    feePips: profile.feePips ?? 3000,
  })
  for (const event of events) recorder.record(event)
  const recorded = recorder.finish(to.timestamp)
  const end = await readEnd(client, profile, to, recorded)
  const { positions, isRead: isStartRead, market } = start
  const tokens = end ? await readTokens(client, profile, to) : undefined
  const providers = end && (await providersOf(client, to, end, side, tokens))
  const funding = await fundingOf(client, profile, { to, events }, run.signal)
  const transfers =
    input.mode === 'STATE' ? null : await transfersOf(clients, profile, { from, to, events })
  const { payload, status, blobs } = sealObservation({
    venue,
    from,
    to,
    start: market,
    end,
    recorded,
    positions,
    isStartRead,
    side,
    limitations: [...new Set([...limitations, ...ofSegment])],
    tokens,
    transfers,
    funding,
    providers,
    isStateAlone: input.mode === 'STATE',
  })
  const { sealed, change } = observations.first(run.records, {
    status,
    payload,
    reason: input.reason,
    evidenceHashes: [payload.eventsRoot, payload.state.snapshotHash],
    event: 'venue.indexed',
    eventPayload: { venueId: venue.id, eventsRoot: payload.eventsRoot },
  })
  const { id, resourceType, resourceVersion } = sealed.record
  const addition = additionOf({ span: sealed.record, blobs }, news)
  // Points are derived data: without them the day becomes due, and the sweep computes it.
  const points = await pointsOfRead(run.services.background, {
    observation: sealed.record,
    artifacts: addition.artifacts,
    profile,
    now: run.now,
  }).catch((error: unknown) => {
    run.services.log.warn(
      { err: error, observationId: id },
      'Could not compute the market points of an observation.',
    )
    return []
  })
  return {
    jobEnd: {
      change: {
        ...change,
        artifacts: artifactsOf(blobs, { resourceType, id, resourceVersion }),
        statements: [
          ...(await verdictsWith(run.records, venue.id, addition)),
          ...countPoints(run.organizationId, venue.id, id, points),
        ],
      },
      result: {
        observation: { id, resourceVersion },
        status,
        events: payload.events.count,
        fidelity: payload.continuity.fidelity,
      },
    },
    end: {
      nextBlock: to.number + 1,
      // A mismatched event may hide a position, so the list may be incomplete.
      positions: payload.gaps.every(({ code }) => continuableGaps.includes(code))
        ? positions
        : 'PARTIAL',
      market: end ?? recorded.final,
      isRead: end !== null,
    },
  }
}
