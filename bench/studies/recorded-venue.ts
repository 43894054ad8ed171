import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { contract } from '@liquidity-os/contract'
import { findRecordings } from '../../apps/server/src/cli/replay/find-recordings.ts'
import { recordedEvents } from '../../apps/server/src/cli/replay/recorded-events.ts'
import { resolveStart } from '../../apps/server/src/cli/replay/start.ts'
import { EventRecorder } from '../../apps/server/src/families/intelligence/venues/event-recorder.ts'
import {
  artifactsOf,
  sealObservation,
} from '../../apps/server/src/families/intelligence/venues/observation.ts'
import type { Services } from '../../apps/server/src/services.ts'
import { emptyChange } from '../../apps/server/src/store/records/change.ts'
import { TenantRecords } from '../../apps/server/src/store/records/tenant-records.ts'

type Ref = { id: string; resourceVersion: string }
type Venue = contract.VenueProfile

/** A venue with a sealed observation, as an index job would have left them. */
export interface RecordedVenue {
  venue: Ref
  observation: Ref
  pair: Venue['pair']
  window: { fromBlock: number; toBlock: number }
  events: number
}

const folder = fileURLToPath(new URL('../../datasets/cl-weth-op-2024/', import.meta.url))
const pair = {
  chainId: 10,
  base: '0x4200000000000000000000000000000000000042',
  quote: '0x4200000000000000000000000000000000000006',
  baseDecimals: 18,
  quoteDecimals: 18,
}
const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as const

/** Writes the recorded stream of WETH/OP into an organization: what a chain would be asked for is in it. */
export async function recordVenue(
  services: Services,
  organizationId: string,
): Promise<RecordedVenue> {
  const now = services.clock()
  const { database, verified, artifacts, committer } = services
  const actor = { kind: 'SYSTEM', id: 'bench' } as const
  const records = new TenantRecords({
    purpose: 'REQUEST',
    organizationId,
    actor,
    now,
    database,
    verified,
    artifacts,
  })
  const profile = profileOf()
  const made = records.create('VenueProfile', {
    status: 'VALIDATED',
    payload: profile,
    reason: 'For the benchmark',
    event: 'venue.validated',
  })
  await committer.commit({ ...emptyChange(organizationId, now), ...made.change })
  const { id, resourceVersion } = made.sealed.record
  const sealed = await sealRecording({ id, resourceVersion, profile })
  const observation = records.create('VenueObservation', {
    status: sealed.status,
    payload: sealed.payload,
    reason: 'For the benchmark',
    event: 'venue.observed',
  })
  const { record } = observation.sealed
  const producer = {
    resourceType: record.resourceType,
    id: record.id,
    resourceVersion: record.resourceVersion,
  }
  await committer.commit({
    ...emptyChange(organizationId, now),
    ...observation.change,
    artifacts: artifactsOf(sealed.blobs, producer),
  })
  const { from, to } = sealed.payload.range
  return {
    venue: { id, resourceVersion },
    observation: { id: record.id, resourceVersion: record.resourceVersion },
    pair,
    window: { fromBlock: from.number, toBlock: to.number },
    events: sealed.payload.events.count,
  }
}

export function profileOf(): Venue {
  return {
    schemaVersion: 'venue-profile-v1',
    name: 'WETH/OP',
    kind: 'UNISWAP_V3',
    pair,
    address: '0x1e60272caDcFb575247a666c11DBEA146299A2c4',
    feePips: 3000,
    tickSpacing: 200,
    tags: [],
    read: { cadenceSeconds: 3600 },
    validation: null,
  } as unknown as Venue
}

/** Seals the recording as the observation of a venue, with the blobs that hold its start and its events. */
export async function sealRecording(venue: {
  id: string
  resourceVersion: string
  profile: Venue
}) {
  const terms = { feePips: null, tickSpacing: null, pairFee: null }
  const recordings = await findRecordings(folder, terms)
  const stream = recordings.find(({ kind }) => kind === 'STREAM')
  if (stream?.kind !== 'STREAM') throw new Error(`${folder} holds no stream of events.`)
  const [first] = await Array.fromAsync(take(recordedEvents(stream.events, []), 1))
  if (!first) throw new Error(`${stream.events} holds no events.`)
  const start = await resolveStart(stream.start, first, { file: stream.events, rows: 'EVENT' })
  if (start.kind !== 'MARKET') throw new Error(`${join(folder, 'pool.json')} gives no start.`)
  const side = { base: 1, quote: 0 } as const
  const from = headerOf(first.block - 1, (first.timestamp ?? 1) - 1)
  const recorder = new EventRecorder({
    start: start.market,
    side,
    cadenceSeconds: 3600,
    from: from.timestamp,
    feePips: 3000,
  })
  let to = from
  for await (const event of recordedEvents(stream.events, start.feeSteps)) {
    recorder.record({
      event,
      blockHash: hashOf(event.block),
      transactionHash: hashOf(event.block),
      parties: {},
    })
    to = headerOf(event.block, event.timestamp ?? to.timestamp)
  }
  const recorded = recorder.finish(to.timestamp)
  return sealObservation({
    venue,
    from,
    to,
    start: start.market,
    end: recorded.final,
    recorded,
    tokens: undefined,
    transfers: null,
    funding: undefined,
    providers: null,
    positions: 'COMPLETE',
    isStartRead: true,
    isStateAlone: false,
    side,
    limitations: [],
  })
}

const headerOf = (number: number, timestamp: number) => ({
  number,
  timestamp,
  hash: hashOf(number),
  parentHash: hashOf(number - 1),
  stateRoot: hashOf(0),
  isHashVerified: true,
})

async function* take<T>(items: AsyncGenerator<T>, count: number): AsyncGenerator<T> {
  let taken = 0
  for await (const item of items) {
    if (taken >= count) return
    taken += 1
    yield item
  }
}
