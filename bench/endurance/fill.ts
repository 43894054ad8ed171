import { pino } from 'pino'
import { createOrganization } from '../../apps/server/src/access/administration.ts'
import { readConfig } from '../../apps/server/src/config.ts'
import { createServices, openDatabase } from '../../apps/server/src/context.ts'
import { evaluateVenues } from '../../apps/server/src/families/intelligence/venues/evaluate-venues.ts'
import { artifactsOf } from '../../apps/server/src/families/intelligence/venues/observation.ts'
import type { Services } from '../../apps/server/src/services.ts'
import { contentHashOf } from '../../apps/server/src/store/artifacts/content-hash.ts'
import { sql } from '../../apps/server/src/store/database/sql.ts'
import { emptyChange } from '../../apps/server/src/store/records/change.ts'
import { TenantRecords } from '../../apps/server/src/store/records/tenant-records.ts'
import { profileOf, sealRecording } from '../studies/recorded-venue.ts'

const secondsBetween = 60
const blocksBetween = 5
const recordsAtOnce = 200

/** A service over a database, to fill it and to measure without HTTP. */
export async function openFilled(url: string, dataDirectory: string): Promise<Services> {
  const config = readConfig({
    NODE_ENV: 'development',
    DATABASE_URL: url,
    DATA_DIR: dataDirectory,
    LOG_LEVEL: 'silent',
  })
  return createServices(config, await openDatabase(config), pino({ level: 'silent' }))
}

export interface FilledOrganization {
  readonly organizationId: string
  readonly venueIds: readonly string[]
}

/** The current records of an organization, as the service reads them. */
export function recordsOf(
  { database, verified, artifacts, clock }: Services,
  organizationId: string,
  now = clock(),
): TenantRecords {
  const actor = { kind: 'SYSTEM', id: 'bench' } as const
  return new TenantRecords({
    purpose: 'REQUEST',
    organizationId,
    actor,
    now,
    database,
    verified,
    artifacts,
  })
}

/** Venues with one market each and one observation without events per minute. */
export async function fillObservations(
  services: Services,
  { name, venues, observations }: { name: string; venues: number; observations: number },
): Promise<FilledOrganization> {
  const organizationId = await newOrganization(services, name)
  const venueIds: string[] = []
  for (let index = 0; index < venues; index += 1) {
    venueIds.push(await newVenue(services, organizationId, index))
  }
  await observe(services, organizationId, venueIds, observations)
  await evaluateVenues(services)
  // A server runs this automatically after a while.
  await services.database.pool.query('vacuum analyze')
  return { organizationId, venueIds }
}

async function newOrganization(services: Services, name: string): Promise<string> {
  const { organizationId } = await createOrganization(
    services.database,
    { name, owner: `${name}@example.org` },
    services.clock(),
  )
  return organizationId
}

async function newVenue(services: Services, organizationId: string, index: number) {
  const { sealed, change } = venueChange(services, organizationId, index, services.clock())
  await services.committer.commit(change)
  return sealed.record.id
}

function venueChange(
  services: Services,
  organizationId: string,
  index: number,
  now: number,
  pair: object = {},
) {
  const address = `0x${(index + 1).toString(16).padStart(40, '0')}`
  const profile = profileOf()
  return recordsOf(services, organizationId, now).create('VenueProfile', {
    status: 'VALIDATED',
    payload: { ...profile, pair: { ...profile.pair, ...pair }, address },
    reason: 'For the benchmark',
    event: 'venue.validated',
  })
}

/** Consecutive one-minute observations that end now, for each venue in turn. */
async function observe(
  services: Services,
  organizationId: string,
  venueIds: readonly string[],
  count: number,
): Promise<void> {
  const profile = profileOf()
  const { payload, blobs } = await sealRecording({ id: venueIds[0]!, resourceVersion: '', profile })
  const content = Buffer.alloc(0)
  const empty = { hash: contentHashOf(content), mediaType: 'application/x-ndjson', content }
  const now = services.clock()
  const timeOf = (place: number) => now - (count - place) * secondsBetween * 1000
  const block = (venueId: string, index: number) => ({
    chainId: profile.pair.chainId,
    number: index * blocksBetween,
    hash: contentHashOf(Buffer.from(`${venueId} ${index}`)),
    timestamp: new Date(timeOf(index)).toISOString(),
  })
  let group = emptyChange(organizationId, now)
  for (let place = 1; place <= count; place += 1) {
    for (const venueId of venueIds) {
      const [before, to] = [block(venueId, place - 1), block(venueId, place)]
      const hash = contentHashOf(Buffer.from(`${venueId} ${place} begins`))
      const from = { ...before, number: before.number + 1, hash }
      const { snapshotHash, artifactHash } = payload.state
      const { sealed, change } = recordsOf(services, organizationId, timeOf(place)).create(
        'VenueObservation',
        {
          status: 'COMPLETED',
          payload: {
            ...payload,
            venue: { id: venueId, resourceVersion: hash },
            range: { from, to, parentHash: before.hash },
            counts: Object.fromEntries(Object.keys(payload.counts).map((kind) => [kind, 0])),
            events: { count: 0, artifactHash: empty.hash },
            start: { snapshotHash, artifactHash },
            state: { ...payload.state, at: to },
            gaps: [],
          },
          reason: 'For the benchmark',
          event: 'venue.indexed',
        },
      )
      const { id, resourceType, resourceVersion } = sealed.record
      const producer = { id, resourceType, resourceVersion }
      const artifacts = place === 1 ? artifactsOf([...blobs, empty], producer) : []
      group = {
        ...group,
        records: [...group.records, ...change.records],
        events: [...group.events, ...change.events],
        artifacts: [...group.artifacts, ...artifacts],
      }
    }
    if (group.records.length < recordsAtOnce && place < count) continue
    await services.committer.commit(group)
    group = emptyChange(organizationId, now)
  }
}

/**
 * Pairs with one venue each and market points of every minute. The first venue also has the rows
 * of one observation per minute.
 */
export async function fillMarkets(
  services: Services,
  { name, markets, days }: { name: string; markets: number; days: number },
): Promise<FilledOrganization> {
  const organizationId = await newOrganization(services, name)
  const { pool } = services.database
  const now = services.clock()
  const end = Math.floor(now / 60_000) * 60
  const start = end - days * 86_400
  const venueIds: string[] = []
  for (let index = 0; index < markets; index += 1) {
    const base = `0x${(index + 1).toString(16).padStart(40, '0')}`
    const { sealed, change } = venueChange(services, organizationId, index, now, { base })
    await services.committer.commit(change)
    const { id } = sealed.record
    venueIds.push(id)
    for (const [resolution, kept] of [
      [60, 8],
      [600, 90],
      [3600, days],
      [86_400, days],
    ] as const) {
      const from = Math.max(start, end - kept * 86_400)
      await pool.query(`insert into market_points select '${organizationId}', '${id}', ${resolution}, at,
          price, trunc(price * 1.01), trunc(price * 0.99), price, '{"10000":["9","8"],"20000":["19000000000000000","18000000000000000"],
          "50000":["3","2"],"100000":["5","4"]}', 5000000000000000000, 300000000000000000, 900000000000000, 3, 'venue_observation_x'
        from (select at, trunc(10::numeric ^ 33) + (at % 997) * trunc(10::numeric ^ 30) as price
          from generate_series(${from - (from % resolution)}, ${end - 1}, ${resolution}) as at) as made`)
    }
    await pool.query(`insert into market_spans select '${organizationId}', '${id}', day, greatest(day, ${start}),
        least(day + 86400, ${end}) from generate_series(${start - (start % 86_400)}, ${end - 1}, 86400) as day`)
  }
  await pool.query(`insert into venue_spans (organization_id, id, venue_id, resource_version, status, first_block,
      first_hash, first_at, last_block, last_hash, last_at, start_snapshot, end_snapshot, events_hash, gaps, is_standing,
      is_followed, is_counted)
    select '${organizationId}', 'venue_observation_' || at, '${venueIds[0]}', '0x' || repeat('1', 64), 'COMPLETED', at,
      'a', at, at + 59, 'b', at + 59, 'c', 'd', 'e', '', true, true, true
    from generate_series(${start}, ${end - 60}, 60) as at`)
  await pool.query('vacuum analyze')
  return { organizationId, venueIds }
}

/** Organizations with recently read venues, so nothing is due. */
export async function fillSchedules(
  services: Services,
  { organizations, venues }: { organizations: number; venues: number },
): Promise<void> {
  const now = services.clock()
  for (let place = 0; place < organizations; place += 1) {
    const organizationId = await newOrganization(services, `scheduled-${place}`)
    const made = Array.from({ length: venues }, (_, index) =>
      venueChange(services, organizationId, index, now),
    )
    const jobs = made.map(({ sealed: { record } }) => {
      const { id, resourceType, resourceVersion } = record
      const subject = JSON.stringify({ id, resourceType, resourceVersion })
      return sql`insert into jobs (organization_id, id, kind, status, subject_id, subject, input, progress_pips, attempts, created_at, finished_at)
        values (${organizationId}, ${`job_${id.slice('venue_'.length)}`}, 'VENUE_INDEX', 'COMPLETED', ${id}, ${subject},
          ${JSON.stringify({ mode: 'FULL', fromBlock: null, toBlock: null, reason: 'x' })}, 1000000, 1, ${now}, ${now})`
    })
    await Promise.all(made.map(({ change }) => services.committer.commit(change)))
    await services.database.tenant(organizationId, jobs)
  }
  await services.database.pool.query('vacuum analyze')
}
