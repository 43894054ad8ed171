// @module-tag postgres

import fc from 'fast-check'
import { expect } from 'vitest'
import { evaluateVenues } from '../src/families/intelligence/venues/evaluate-venues.ts'
import { observations, venues } from '../src/families/intelligence/venues/records.ts'
import { venueReorganized } from '../src/market/observed-spans.ts'
import { spanIs } from '../src/market/span-rows.ts'
import {
  evaluateVenue,
  followedIn,
  verdictStatements,
  verdictsWith,
} from '../src/market/span-verdicts.ts'
import {
  furthestSpans,
  latestSpans,
  provedSpansWithin,
  secondsRead,
  unvouchedSpans,
  venueEnds,
  venueSpans,
} from '../src/market/venue-spans.ts'
import { contentHashOf } from '../src/store/artifacts/content-hash.ts'
import { ConflictError, Database } from '../src/store/database/database.ts'
import { TenantRecords } from '../src/store/records/tenant-records.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { it } from './support/fixtures.ts'
import { newOrganization, type TestMember, type TestService } from './support/service.ts'

let now = Date.parse('2026-01-05T00:00:00Z')
function recordsNow(
  service: TestService,
  owner: TestMember,
  node: Pick<TestService, 'services'> = service,
): TenantRecords {
  const { database, verified, artifacts } = node.services
  now += 1
  const actor = { kind: 'SYSTEM', id: 'test' } as const
  const { organizationId } = owner
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

let addresses = 0
async function newVenue(service: TestService, owner: TestMember): Promise<string> {
  addresses += 1
  const { sealed, change } = venues.first(recordsNow(service, owner), {
    status: 'DRAFT',
    payload: { pair: { chainId: 1 }, address: `0x${addresses}` } as never,
    reason: 'For the test',
    event: 'venue.created',
  })
  await service.services.committer.commit(change)
  return sealed.record.id
}

/** An observation of blocks of a fork; a block has twelve seconds. */
interface Made {
  readonly from: number
  readonly to: number
  readonly fork: string
  readonly parentFork: string | null
  readonly gap: 'EVENTS_NOT_READ' | 'END_STATE_NOT_READ' | 'STATE_MISMATCH' | null
  /** Blocks with an event. */
  readonly events: readonly number[]
  /** Which of those that stand are found off the chain, by their places. */
  readonly overtakes: readonly number[]
}

const proved = (from: number, to: number, change: Partial<Made> = {}): Made => ({
  from,
  to,
  fork: 'a',
  parentFork: 'a',
  gap: null,
  events: [],
  overtakes: [],
  ...change,
})

const hashOf = (text: string) => contentHashOf(Buffer.from(text))
const block = (number: number, fork: string) => ({
  chainId: 1,
  number,
  hash: hashOf(`${fork}${number}`),
  timestamp: new Date(Date.parse('2026-01-05T00:00:00Z') + number * 12_000).toISOString(),
})

/** Seals an observation as an index job does, or as a node does that knows nothing of spans. */
async function seal(
  service: TestService,
  owner: TestMember,
  venueId: string,
  made: Made,
  { isOfEarlierRelease = false } = {},
) {
  const records = recordsNow(service, owner)
  const { from, to, fork, parentFork, gap } = made
  const lines = made.events
    .filter((at) => from <= at && at <= to)
    .map(
      (at) => `${JSON.stringify({ block: at, blockHash: hashOf(`${fork}${at}`), logIndex: 0 })}\n`,
    )
  const content = Buffer.from(lines.join(''))
  const artifactHash = contentHashOf(content)
  const state = { snapshotHash: hashOf(`state ${fork}${to}`), artifactHash }
  const payload = {
    venue: { id: venueId },
    range: {
      from: block(from, fork),
      to: block(to, fork),
      ...(parentFork === null ? {} : { parentHash: hashOf(`${parentFork}${from - 1}`) }),
    },
    start: state,
    state,
    events: { count: lines.length, artifactHash },
    gaps: gap === null ? [] : [{ code: gap, detail: 'For the test' }],
  }
  const { sealed, change } = observations.first(records, {
    status: gap === null ? 'COMPLETED' : 'PARTIAL',
    payload: payload as never,
    reason: 'For the test',
    event: 'venue.indexed',
  })
  const { activeSpans } = await venueSpans(records, venueId)
  const overtaken = made.overtakes.flatMap((index) => {
    const span = activeSpans[index]
    return span ? [{ id: span.id, resourceVersion: span.resourceVersion }] : []
  })
  const venue = (await records.current('VenueProfile', venueId))!
  const noted = records.note(venue, venueReorganized, { fork: null, overtaken })
  const statements = await verdictsWith(records, venueId, {
    spans: [sealed.record],
    overtaken: overtaken.map(({ id }) => id),
    artifacts: new Map([[artifactHash, content]]),
  })
  const { id, resourceType, resourceVersion } = sealed.record
  const producer = { resourceType, id, resourceVersion }
  await service.services.committer.commit({
    ...change,
    events: overtaken.length > 0 ? [...change.events, ...noted.events] : change.events,
    artifacts: [
      { contentHash: artifactHash, mediaType: 'application/x-ndjson', content, producer },
    ],
    statements: isOfEarlierRelease ? [] : statements,
  })
  return id
}

const idsOf = (spans: readonly { id: string }[]) => spans.map(({ id }) => id)
const sorted = (spans: readonly { id: string }[]) => idsOf(spans).sort()

async function storedVerdicts(service: TestService, venueId: string) {
  const { database } = service.services
  const { rows } = await database.pool.query(
    `select id, is_standing::text as verdict, is_followed::text as followed from venue_spans where venue_id = '${venueId}' order by id`,
  )
  return rows as { id: string; verdict: string | null; followed: string }[]
}

const anyMade: fc.Arbitrary<Made> = fc
  .record({
    from: fc.integer({ min: 1, max: 30 }),
    blocks: fc.integer({ min: 1, max: 12 }),
    fork: fc.constantFrom('a', 'a', 'a', 'b'),
    parentFork: fc.constantFrom('a', 'a', 'b', null),
    gap: fc.constantFrom(null, null, null, 'EVENTS_NOT_READ', 'END_STATE_NOT_READ'),
    events: fc.subarray([3, 9, 14, 20, 27]),
    overtakes: fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.subarray([0, 1, 2]) },
    ),
  })
  .map(({ blocks, ...made }) => {
    // What reads a state alone reads one block.
    const to = made.gap === 'EVENTS_NOT_READ' ? made.from : made.from + blocks - 1
    return { ...made, to } as Made
  })

it('keeps the verdicts that a comparison of all observations gives, whatever is added', async ({
  service,
  owner,
}) => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyMade, { minLength: 2, maxLength: 8 }), async (some) => {
      const venueId = await newVenue(service, owner)
      for (const made of some) {
        await seal(service, owner, venueId, made)
        const { activeSpans: standing, overtaken } = await evaluateVenue(
          recordsNow(service, owner),
          venueId,
        )
        const rows = await storedVerdicts(service, venueId)
        expect(idsOf(rows.filter(({ verdict }) => verdict === 'true'))).toEqual(sorted(standing))
        expect(idsOf(rows.filter(({ verdict }) => verdict === 'false'))).toEqual(sorted(overtaken))
        expect(new Set(idsOf(rows.filter(({ followed }) => followed === 'true')))).toEqual(
          followedIn(standing),
        )
      }
    }),
    { numRuns: 12, seed: 42 },
  )
})

it('returns the same as a walk over all spans', async ({ service, owner }) => {
  const venueId = await newVenue(service, owner)
  for (const made of [
    proved(1, 10),
    proved(11, 20),
    proved(18, 18, { gap: 'EVENTS_NOT_READ' }),
    proved(31, 40, { gap: 'END_STATE_NOT_READ' }),
    proved(41, 50, { fork: 'b', overtakes: [1] }),
    proved(61, 70),
    proved(71, 71, { gap: 'EVENTS_NOT_READ' }),
  ]) {
    await seal(service, owner, venueId, made)
  }
  const records = recordsNow(service, owner)
  const { activeSpans: standing, overtaken } = await venueSpans(records, venueId)
  const blocks = (spans: readonly (typeof standing)[number][]) =>
    spans.map(({ payload: { range } }) => `${range.from.number}-${range.to.number}`)
  expect([blocks(standing), blocks(overtaken)]).toEqual([
    ['1-10', '18-18', '31-40', '41-50', '61-70', '71-71'],
    ['11-20'],
  ])
  const latest = async (condition: (typeof spanIs)[keyof typeof spanIs], limit = 9) =>
    blocks((await latestSpans(records, venueId, condition, limit)).map(({ span }) => span))
  expect(await latest(spanIs.proved)).toEqual(['61-70', '41-50', '1-10'])
  expect(await latest(spanIs.confirmed, 2)).toEqual(['71-71', '61-70'])
  expect(await latest(spanIs.continuable, 9)).toEqual(['61-70', '41-50', '31-40', '1-10'])
  expect((await latestSpans(records, venueId, spanIs.any, 9)).map((one) => one.isActive)).toEqual([
    true,
    true,
    true,
    true,
    false,
    true,
    true,
  ])
  expect(blocks(await unvouchedSpans(records, venueId))).toEqual([
    ...['1-10', '41-50', '61-70', '71-71'],
  ])
  const furthest = await furthestSpans(records, [venueId])
  expect(furthest.get(venueId)).toEqual(sorted(standing.slice(-2)))
  const at = (number: number) => Date.parse(block(number, 'a').timestamp) / 1000
  expect(await venueEnds(records, [venueId])).toEqual(
    new Map([[venueId, { provedUntil: at(70), overtaken: 1 }]]),
  )
  const within = await provedSpansWithin(records, [venueId], { from: at(10), to: at(45) })
  expect(within.get(venueId)?.map(({ payload }) => payload.range.to.number)).toEqual([10, 50])
  // Blocks 5 to 10 and 41 to 45, from the first to the last of each.
  expect(await secondsRead(records, [venueId], { from: at(5), to: at(45) })).toEqual(
    new Map([[venueId, 12 * 5 + 12 * 4]]),
  )
  const unknown = 'venue_00000000000000000000000000000000'
  expect(await venueEnds(records, [unknown])).toEqual(
    new Map([[unknown, { provedUntil: null, overtaken: 0 }]]),
  )
  expect(await furthestSpans(records, [])).toEqual(new Map())
})

it('compares rows of a node of the previous release, per read and then permanently', async ({
  service,
  owner,
}) => {
  const venueId = await newVenue(service, owner)
  await seal(service, owner, venueId, proved(1, 10))
  await seal(service, owner, venueId, proved(5, 12, { fork: 'b', parentFork: 'a' }), {
    isOfEarlierRelease: true,
  })
  await seal(service, owner, venueId, proved(13, 20, { fork: 'b', parentFork: 'b' }), {
    isOfEarlierRelease: true,
  })
  const verdicts = async () =>
    (await storedVerdicts(service, venueId)).map(({ verdict }) => verdict)
  expect(await verdicts()).toEqual(['true', null, null])
  const reached = async () => {
    const { activeSpans: standing, overtaken } = await venueSpans(
      recordsNow(service, owner),
      venueId,
    )
    return [standing.length, overtaken.length]
  }
  const before = await reached()
  await evaluateVenues(service.services)
  expect(await verdicts()).not.toContain(null)
  expect(await reached()).toEqual(before)
  // An observation that an index job adds has the others compared too.
  await seal(service, owner, venueId, proved(21, 30, { fork: 'b', parentFork: 'b' }), {
    isOfEarlierRelease: true,
  })
  await seal(service, owner, venueId, proved(31, 40, { fork: 'b', parentFork: 'b' }))
  expect(await verdicts()).not.toContain(null)
})

it('creates the rows of older observations once', async ({ service }) => {
  const owner = await newOrganization(service)
  const venueId = await newVenue(service, owner)
  const ids: string[] = []
  for (const [from, to] of [
    [1, 10],
    [11, 20],
    [21, 30],
  ] as const)
    ids.push(await seal(service, owner, venueId, proved(from, to)))
  const { database } = service
  const own = `organization_id = '${owner.organizationId}'`
  await database.pool.query(`delete from venue_spans where ${own}`)
  await database.pool.query(`delete from venue_spans_filled where ${own}`)
  // A process remembers what it filled by its database; this is another process.
  const { kind, pool } = database
  const services = { ...service.services, database: new Database(kind, pool, async () => {}) }
  const records = () => recordsNow(service, owner, { services })
  const all = await Promise.all([1, 2, 3].map(() => venueSpans(records(), venueId)))
  for (const { activeSpans: standing } of all) expect(idsOf(standing)).toEqual(ids)
  await evaluateVenues(services)
  expect((await storedVerdicts(service, venueId)).map(({ verdict }) => verdict)).toEqual(
    Array(3).fill('true'),
  )
})

it('refuses verdicts that know nothing of an observation that was sealed meanwhile', async ({
  service,
  owner,
}) => {
  const venueId = await newVenue(service, owner)
  await seal(service, owner, venueId, proved(1, 10))
  const records = recordsNow(service, owner)
  const known = await evaluateVenue(records, venueId)
  await seal(service, owner, venueId, proved(11, 20))
  const late = verdictStatements(owner.organizationId, venueId, known)
  await expect(records.query(late)).rejects.toThrow(ConflictError)
})

it('is compared with the observations: a different row is a fault', async ({ service }) => {
  const owner = await newOrganization(service)
  const venueId = await newVenue(service, owner)
  const first = await seal(service, owner, venueId, proved(1, 10))
  const second = await seal(service, owner, venueId, proved(11, 20))
  const { database, artifacts } = service.services
  const faults = async () =>
    (await verifyHistory(database, owner.organizationId, artifacts)).faults.map(
      ({ subject, message }) => [subject, message],
    )
  const before = await faults()
  const update = (set: string, id: string) =>
    database.pool.query(`update venue_spans set ${set} where id = '${id}'`)
  await update('is_standing = false', first)
  await update('last_block = 21, is_followed = true', second)
  const validateNew = async () =>
    (await faults()).filter(
      (fault) => !before.some((known) => known[1] === fault[1] && known[0] === fault[0]),
    )
  expect(await validateNew()).toEqual([
    [second, 'its row in venue_spans differs from the observation'],
    [first, 'venue_spans has it off the chain, but it is on the chain'],
    [second, 'venue_spans has a successor of its last block, but there is none'],
  ])
  await update('is_standing = true', first)
  await update('last_block = 20, is_followed = false', second)
  const unknown = 'venue_observation_00000000000000000000000000000000'
  await update(`id = '${unknown}'`, second)
  expect(await validateNew()).toEqual([
    [second, 'venue_spans has no row for this observation'],
    [unknown, 'venue_spans has a row for it, but the observation does not exist'],
  ])
})
