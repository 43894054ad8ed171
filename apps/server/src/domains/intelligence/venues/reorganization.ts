import type { Block } from '@liquidity-os/contract'
import { openEvent } from '@liquidity-os/evidence'
import type { Header } from '../../../chain/header.ts'
import { sql } from '../../../database/sql.ts'
import {
  type ContinuableSpan,
  continuableSpans,
  type ObservationRecord,
} from '../../../observations/completed-observations.ts'
import type { SealedEvent } from '../../../observations/venue-history.ts'
import type { TenantRecords } from '../../../records/tenant-records.ts'
import { eventsOf } from '../../../simulation/sealed-events.ts'
import { blockOf } from './validate-venue.ts'

/** The event of a venue some of whose recorded blocks are no longer on the chain. */
export const venueReorganized = 'venue.reorg'
/** Of one venue; a chain that drops final blocks more often is no chain to be observed. */
const mostEvents = 1000

/** News of a reorganization, as the event tells it. */
export interface Reorganization {
  /** Newest recorded block that is still on the chain; null when none is. */
  fork: Block | null
  /** Observations that end on a block which is not. */
  overtaken: { id: string; resourceVersion: string }[]
}

type HeaderAt = (block: number) => Promise<Header>
type Recorded = { number: number; hash: string }

/**
 * Finds out whether recorded blocks up to the head have left the chain since anybody said so. The fork is looked for among
 * all blocks that those observations name: where they begin, and where their events happened.
 *
 * @param headerAt the chain as it is now
 */
export async function findReorganization(
  records: TenantRecords,
  venue: { id: string; chainId: number },
  head: Header,
  headerAt: HeaderAt,
): Promise<Reorganization | null> {
  const isOnChain = async ({ number, hash }: Recorded) => (await headerAt(number)).hash === hash
  const spans = (await continuableSpans(records, venue.id))
    // What lies above the head may only be ahead of a provider that is late.
    .filter(({ to }) => to <= head.number)
    .toSorted((a, b) => b.to - a.to)
  const overtaken: ContinuableSpan[] = []
  let standing: Recorded | null = null
  for (const span of spans) {
    const end = { number: span.to, hash: span.toHash }
    if (await isOnChain(end)) {
      standing = end
      break
    }
    overtaken.push(span)
  }
  const told = overtaken.length === 0 ? null : await toldBefore(records, venue.id)
  const news = overtaken.filter(({ id }) => !told?.has(id))
  if (news.length === 0) return null
  const observations = await Promise.all(news.map(({ id }) => observationOf(records, id)))
  const blocks = (await Promise.all(observations.map((one) => blocksOf(records, one)))).flat()
  blocks.sort((a, b) => a.number - b.number)
  const fork = (await lastOnChain(blocks, isOnChain)) ?? standing
  return {
    fork: fork && blockOf(venue.chainId, await headerAt(fork.number)),
    overtaken: observations.map(({ id, resourceVersion }) => ({ id, resourceVersion })),
  }
}

async function toldBefore(records: TenantRecords, venueId: string): Promise<Set<string>> {
  const [rows = []] = await records.query([
    sql`select body from events where organization_id = ${records.organizationId} and subject_id = ${venueId}
      and body::jsonb ->> 'kind' = ${venueReorganized} order by sequence desc limit ${mostEvents}`,
  ])
  const told = rows.flatMap(
    ({ body }) => (openEvent(body ?? '').payload as unknown as Reorganization).overtaken,
  )
  return new Set(told.map(({ id }) => id))
}

async function observationOf(records: TenantRecords, id: string): Promise<ObservationRecord> {
  const found = await records.current<ObservationRecord['payload']>('VenueObservation', id)
  if (!found) throw new Error(`There is no observation ${id}.`)
  return found.record
}

async function blocksOf(
  records: TenantRecords,
  { payload: { range, events } }: ObservationRecord,
): Promise<Recorded[]> {
  const lines = await records.artifact(events.artifactHash)
  const sealed = [...eventsOf([lines])] as SealedEvent[]
  return [range.from, ...sealed.map(({ block, blockHash }) => ({ number: block, hash: blockHash }))]
}

/** The blocks before a fork are on the chain and those behind it are not, so halving finds the last. */
async function lastOnChain(
  ascending: readonly Recorded[],
  isOnChain: (block: Recorded) => Promise<boolean>,
): Promise<Recorded | null> {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (await isOnChain(ascending[middle]!)) low = middle + 1
    else high = middle
  }
  return ascending[low - 1] ?? null
}
