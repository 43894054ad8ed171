import { createClmmPool, createCpmmPair, type Market } from '@liquidity-os/engine'
import type { Address } from 'viem'
import { ChainError } from '../../../chain/chain-error.ts'
import type { ChainClient } from '../../../chain/client.ts'
import { ask } from '../../../chain/client.ts'
import { agreeOnFinalizedHead } from '../../../chain/finalized.ts'
import { type Header, readHeader } from '../../../chain/header.ts'
import { indexEvents } from '../../../chain/index-events.ts'
import type { MarketKind } from '../../../chain/logs.ts'
import { readV2State, readV3State } from '../../../chain/pool-state.ts'
import { Failure } from '../../../http/failure.ts'
import { type JobEnd, JobFailure, type JobRun } from '../../../jobs/job-run.ts'
import { limits } from '../../../limits.ts'
import { chainProviders } from '../../../providers/chain-providers.ts'
import { emptyChange } from '../../../records/change.ts'
import { type EarlierEnd, earlierEnd } from './earlier-end.ts'
import { EventRecorder } from './event-recorder.ts'
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
  const start = await startState(client, profile, from, input.mode, earlier)
  const recorder = new EventRecorder({
    start: start.market,
    positions: start.positions,
    side: sideOf(profile.pair),
    cadenceSeconds: profile.read.cadenceSeconds,
    from: from.timestamp,
    feePips: profile.feePips ?? 3000,
  })
  if (input.mode !== 'STATE') await recordEvents(run, client, profile, { from, to }, recorder)
  const recorded = recorder.finish(to.timestamp)
  const end = await readState(client, profile, to, recorded.final)
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

async function recordEvents(
  run: JobRun,
  client: ChainClient,
  profile: VenueProfile,
  range: { from: Header; to: Header },
  recorder: EventRecorder,
): Promise<void> {
  const steps = indexEvents(client, {
    kind: profile.kind as MarketKind,
    address: profile.address as Address,
    fromBlock: range.from.number,
    to: range.to,
    logChunkBlocks: profile.read.logChunkBlocks,
  })
  const blocks = range.to.number - range.from.number + 1
  for await (const step of steps) {
    run.signal.throwIfAborted()
    if (step.outcome === 'REORGED') {
      throw new JobFailure(
        'LIQUIDITY_CHAIN_REORGED',
        `Block ${step.noticedAt} is no longer the one that was read.`,
        { retryable: true },
      )
    }
    for (const event of step.events) recorder.record(event)
    if (recorder.events > limits.studyEvents) {
      throw new JobFailure(
        'LIQUIDITY_VENUE_RANGE_INVALID',
        `The range holds more than ${limits.studyEvents} events; choose a smaller one.`,
        { retryable: false },
      )
    }
    await run.progress(((step.to.number - range.from.number + 1) / blocks) * 1_000_000)
  }
}

/**
 * The market before the first block of the range: the sealed end of the observation before it, or read from
 * the chain. A pool that did not exist then starts from nothing, and
 * its positions are complete; of any other the positions are those that events name.
 */
async function startState(
  client: ChainClient,
  profile: VenueProfile,
  from: Header,
  mode: Input['mode'],
  earlier: EarlierEnd | null,
): Promise<{ market: Market; positions: 'COMPLETE' | 'PARTIAL' }> {
  if (earlier?.nextBlock === from.number) return earlier
  const before =
    mode === 'STATE' ? from : from.number === 0 ? null : await readHeader(client, from.number - 1)
  const code = before
    ? await ask<string>(client, 'eth_getCode', [profile.address, `0x${before.number.toString(16)}`])
    : '0x'
  if (before && code !== '0x') {
    return { market: await readState(client, profile, before, null), positions: 'PARTIAL' }
  }
  const market =
    profile.kind === 'UNISWAP_V3'
      ? createClmmPool({ feePips: profile.feePips ?? 0, tickSpacing: profile.tickSpacing ?? 1 })
      : createCpmmPair({})
  return { market, positions: 'COMPLETE' }
}

/** The market at a block, with the positions that the replayed market knows of and those that are owned. */
function readState(
  client: ChainClient,
  profile: VenueProfile,
  block: Header,
  replayed: Market | null,
): Promise<Market> {
  const address = profile.address as Address
  if (profile.kind === 'UNISWAP_V2') {
    const holders = replayed?.kind === 'UNISWAP_V2' ? Object.keys(replayed.liquidityOf) : []
    return readV2State(
      client,
      block,
      address,
      holders.filter((name) => name.startsWith('0x')) as Address[],
    )
  }
  const known = replayed?.kind === 'UNISWAP_V3' ? replayed.positions : []
  const keys = [...known, ...(profile.ownedPositions ?? [])].map(
    ({ owner, tickLower, tickUpper }) => ({
      owner: owner as Address,
      tickLower,
      tickUpper,
    }),
  )
  const distinct = new Map(
    keys.map((key) => [`${key.owner}|${key.tickLower}|${key.tickUpper}`, key]),
  )
  return readV3State(client, block, address, { positions: [...distinct.values()] })
}
