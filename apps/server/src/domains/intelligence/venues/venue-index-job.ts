import { ChainError } from '../../../chain/chain-error.ts'
import type { ChainClient } from '../../../chain/client.ts'
import { agreeOnFinalizedHead } from '../../../chain/finalized.ts'
import { readHeader } from '../../../chain/header.ts'
import { Failure } from '../../../http/failure.ts'
import { type JobEnd, JobFailure, type JobRun } from '../../../jobs/job-run.ts'
import { chainProviders } from '../../../providers/chain-providers.ts'
import { emptyChange } from '../../../records/change.ts'
import { earlierEnd } from './earlier-end.ts'
import { EventRecorder } from './event-recorder.ts'
import { positionsOf, readEvents, readState, startState } from './market-reads.ts'
import { artifactsOf, sealObservation } from './observation.ts'
import { sideOf } from './quote-value.ts'
import type { VenueProfile } from './venue.ts'

interface Input {
  mode: 'STATE' | 'EVENTS' | 'FULL'
  fromBlock: number
  toBlock: number | null
  reason: string
}

/** Reads a venue over a finalized range, proves that its events lead from state to state, and seals that. */
export default async function runVenueIndex(run: JobRun): Promise<JobEnd> {
  try {
    return await index(run)
  } catch (error) {
    if (error instanceof ChainError) {
      throw new JobFailure(error.facts.code, 'The chain could not be read.', {
        retryable: error.facts.code !== 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
        cause: error,
      })
    }
    if (error instanceof Failure) {
      throw new JobFailure(error.code, error.message, { retryable: false, cause: error })
    }
    throw error
  }
}

async function index(run: JobRun): Promise<JobEnd> {
  const { records, services } = run
  const input = run.input as unknown as Input
  const venue = await records.current<VenueProfile>('VenueProfile', run.subject.id)
  if (!venue) throw new Error(`There is no venue ${run.subject.id}.`)
  const profile = venue.record.payload
  const providers = await chainProviders(
    records,
    services,
    profile.read.providerId,
    profile.pair.chainId,
  )
  const clients = providers.map(({ client }) => client) as [ChainClient, ...ChainClient[]]
  const finalized = await agreeOnFinalizedHead(clients, profile.read.finality)
  const [client] = clients
  const head = finalized.head
  const to =
    input.toBlock !== null && input.toBlock < head.number
      ? await readHeader(client, input.toBlock)
      : head
  const earlier =
    input.mode === 'STATE'
      ? null
      : await earlierEnd(records, venue.record.id, async (block) =>
          block <= head.number ? (await readHeader(client, block)).hash : null,
        )
  const fromBlock =
    input.mode === 'STATE' ? to.number : Math.max(input.fromBlock, earlier?.nextBlock ?? 0)
  if (fromBlock > to.number) {
    return {
      change: emptyChange(run.organizationId, run.now),
      result: { observation: null, reason: 'NOTHING_NEW', finalizedBlock: head.number },
    }
  }
  const from = await readHeader(client, fromBlock)
  const events = input.mode === 'STATE' ? [] : await readEvents(run, client, profile, { from, to })
  const start = await startState(client, profile, from, input.mode, { earlier, events })
  const recorder = new EventRecorder({
    start: start.market,
    side: sideOf(profile.pair),
    cadenceSeconds: profile.read.cadenceSeconds,
    from: from.timestamp,
    feePips: profile.feePips ?? 3000,
  })
  for (const event of events) recorder.record(event)
  const recorded = recorder.finish(to.timestamp)
  const end = await readState(client, profile, to, positionsOf(recorded.final))
  const { payload, status, blobs } = sealObservation({
    venue: { id: venue.record.id, resourceVersion: venue.record.resourceVersion, profile },
    from,
    to,
    start: start.market,
    end,
    recorded,
    positions: start.positions,
    side: sideOf(profile.pair),
    limitations: finalized.limitations,
  })
  const { sealed, change } = records.create('VenueObservation', {
    status,
    payload,
    reason: input.reason,
    evidenceHashes: [payload.eventsRoot, payload.state.snapshotHash],
    event: 'venue.indexed',
    eventPayload: { venueId: venue.record.id, eventsRoot: payload.eventsRoot },
  })
  const { id, resourceType, resourceVersion } = sealed.record
  return {
    change: { ...change, artifacts: artifactsOf(blobs, { resourceType, id, resourceVersion }) },
    result: {
      observation: { id, resourceVersion },
      status,
      events: payload.events.count,
      fidelity: payload.continuity.fidelity,
    },
  }
}
