// @module-tag long
// @module-tag postgres
// @covers apps/server/src/history apps/server/src/store packages/evidence/src

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { describe, expect } from 'vitest'
import { heldBy } from '../src/families/intelligence/scores/active-score.ts'
import {
  createdKind,
  transitionedKind,
} from '../src/families/operate/migration-plans/plan-events.ts'
import { busyNames, deadlineName } from '../src/families/operate/migration-plans/plan-names.ts'
import type { PlanRequest } from '../src/families/operate/migration-plans/plan-types.ts'
import { admittedKind, expiredKind } from '../src/families/plan/strategies/admissions.ts'
import { admissionName, nameOf } from '../src/families/plan/strategies/lapses.ts'
import type { HistoryReport } from '../src/history/verify-history.ts'
import { providerName } from '../src/integrations/providers/provider-name.ts'
import { contentHashOf } from '../src/store/artifacts/content-hash.ts'
import { connectPostgres, openEmbedded } from '../src/store/database/connect.ts'
import type { Change } from '../src/store/records/change.ts'
import { TenantRecords } from '../src/store/records/tenant-records.ts'
import { hourMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { recordsOf } from './support/admissible.ts'
import { bookmarkBody, venueBody } from './support/bodies.ts'
import { it } from './support/fixtures.ts'
import { migratedDeployment, run } from './support/processes.ts'
import { waitForEvents } from './support/published-events.ts'
import { writeRecord } from './support/resources.ts'
import { newOrganization, type TestMember, type TestService } from './support/service.ts'

let owner: TestMember
let venueId: string

/** An organization with a venue of three versions, a bookmark, and a record with an artifact. */
it.beforeEach(async ({ service }) => {
  owner = await newOrganization(service)
  const { client } = owner
  await client.savePlatformProject({ body: bookmarkBody(1) })
  await writeRecord(service, owner, 'VenueObservation')
  let { body } = await client.createVenues({ body: venueBody(1) })
  venueId = body.data.id
  for (const tag of ['first', 'second']) {
    ;({ body } = await client.supersedeVenues({
      params: { id: venueId },
      ifMatch: body.data.resourceVersion,
      body: { payload: { tags: [tag] }, reason: 'For the test' },
    }))
  }
})

const verify = (service: TestService) =>
  verifyHistory(service.database, owner.organizationId, service.services.artifacts)

/** Changes the store behind the service's back, as only a superuser of the database can. */
async function tamper(service: TestService, text: string): Promise<void> {
  const { rowCount } = await service.database.pool.query(
    text.replaceAll(':org', `'${owner.organizationId}'`).replaceAll(':venue', `'${venueId}'`),
  )
  expect(rowCount).toBeGreaterThan(0)
}

const own = 'organization_id = :org'
const ofVenue = `${own} and id = :venue`
const ofSubject = `${own} and subject_id = :venue`

describe('a history', () => {
  it('an untouched history is valid, over every organization', async ({ service }) => {
    const report = await verify(service)
    expect(report).toMatchObject({ organizations: 1, records: 5, events: 5, faults: [] })
    const whole = await verifyHistory(service.database, null, service.services.artifacts)
    expect(whole.organizations).toBeGreaterThanOrEqual(1)
    expect(whole.records).toBeGreaterThanOrEqual(5)
  })

  it.for([
    [
      'a payload was altered',
      `update records set body = replace(body, 'first', 'other') where ${ofVenue} and sequence = 2`,
    ],
    [
      'a status was altered',
      `update records set body = replace(body, 'DRAFT', 'VALIDATED') where ${ofVenue} and sequence = 3`,
    ],
    [
      'a reason was altered',
      `update records set body = replace(body, 'For the test', 'By decision') where ${ofVenue} and sequence = 1`,
    ],
    [
      'a version in the middle was deleted',
      `delete from records where ${ofVenue} and sequence = 2`,
    ],
    ['the first version was deleted', `delete from records where ${ofVenue} and sequence = 1`],
    ['the last version was deleted', `delete from records where ${ofVenue} and sequence = 3`],
    ['every version was deleted', `delete from records where ${ofVenue}`],
    [
      'two versions changed places',
      `update records set sequence = case sequence when 1 then 102 else 101 end where ${ofVenue} and sequence < 3`,
    ],
    [
      'a version was inserted',
      `insert into records select organization_id, id, 4, body from records where ${ofVenue} and sequence = 3`,
    ],
    [
      'a version of another record was put in',
      `update records set body = (select body from records where ${own} and id like 'platform_project%') where ${ofVenue} and sequence = 1`,
    ],
    ['the head was set back', `update record_heads set sequence = 2 where ${ofVenue}`],
    [
      'the head names another version',
      `update record_heads set resource_version = '0x${'0'.repeat(64)}' where ${ofVenue}`,
    ],
    ['the head was deleted', `delete from record_heads where ${ofVenue}`],
    [
      'an event was altered',
      `update events set body = replace(body, 'venue.created', 'venue.revoked') where ${ofSubject} and sequence = 1`,
    ],
    [
      'an event in the middle was deleted',
      `delete from events where ${ofSubject} and sequence = 2`,
    ],
    ['the last event was deleted', `delete from events where ${ofSubject} and sequence = 3`],
    [
      'an event was inserted',
      `insert into events select organization_id, subject_id, 4, body, kind, at, era, transaction_id, 9 from events where ${ofSubject} and sequence = 3`,
    ],
    [
      'an event is found under another kind',
      `update events set kind = 'venue.revoked' where ${ofSubject} and sequence = 1`,
    ],
    [
      'an event is found under another time',
      `update events set at = at + 1 where ${ofSubject} and sequence = 1`,
    ],
    [
      'the head says another status than its version',
      `update record_heads set status = 'REVOKED' where ${ofVenue}`,
    ],
    [
      'a version was moved to another sequence',
      `update records set sequence = 9 where ${ofVenue} and sequence = 3`,
    ],
    [
      'an event was moved to another sequence',
      `update events set sequence = 9 where ${ofSubject} and sequence = 3`,
    ],
    [
      'a time was altered',
      `update records set body = replace(body, '2026-01-05T12', '2025-01-05T12') where ${ofVenue} and sequence = 1`,
    ],
  ] as const)('shows where %s', async ([_name, text], { service }) => {
    await tamper(service, text)
    const { faults } = await verify(service)
    expect(faults.length).toBeGreaterThanOrEqual(1)
    expect(faults[0]).toMatchObject({ organizationId: owner.organizationId, subject: venueId })
    expect(faults[0]!.message.length).toBeGreaterThan(10)
  })

  it('shows where the whole history of a record was put under another id', async ({ service }) => {
    const forged = venueId.replace(/.{4}$/, 'ffff')
    for (const [table, column] of [
      ['records', 'id'],
      ['record_heads', 'id'],
      ['events', 'subject_id'],
    ]) {
      await tamper(
        service,
        `update ${table} set ${column} = '${forged}' where ${own} and ${column} = :venue`,
      )
    }
    const { faults } = await verify(service)
    expect(faults).toEqual([
      expect.objectContaining({
        subject: forged,
        message: `a version of ${venueId} is stored in its place`,
      }),
      // What it was called by before is left over.
      expect.objectContaining({
        subject: venueId,
        message: expect.stringMatching(/the name venue/),
      }),
    ])
  })

  it('shows where the newest version was cut off and its event was left', async ({ service }) => {
    const [before] = await service.database.tenant(owner.organizationId, [
      { text: `select body from records where id = '${venueId}' and sequence = 2` },
    ])
    const { resourceVersion } = JSON.parse(before?.[0]?.body ?? '') as VersionedRecord
    await tamper(service, `delete from records where ${ofVenue} and sequence = 3`)
    await tamper(
      service,
      `update record_heads set sequence = 2, resource_version = '${resourceVersion}' where ${ofVenue}`,
    )
    expect((await verify(service)).faults).toMatchObject([
      { subject: venueId, message: expect.stringMatching(/an event names version 0x/) },
    ])
  })

  it('shows where a whole history of another organization was put in', async ({ service }) => {
    const other = await newOrganization(service)
    const { body } = await other.client.savePlatformProject({ body: bookmarkBody(2) })
    for (const table of ['records', 'record_heads', 'events', 'names']) {
      await tamper(
        service,
        `update ${table} set organization_id = :org where organization_id = '${other.organizationId}'`,
      )
    }
    const { id } = body.data
    expect((await verify(service)).faults).toMatchObject([
      { subject: id, message: `a version of ${id} is stored in its place` },
    ])
  })

  it('names the version at which a chain breaks first', async ({ service }) => {
    await tamper(
      service,
      `update records set body = replace(body, 'For the test', 'Changed') where ${ofVenue} and sequence > 1`,
    )
    const [fault] = (await verify(service)).faults
    expect(fault!.message).toMatch(/\b2\b/)
  })

  it('continues over a record with valid hashes and missing members, and names it', async ({
    service,
  }) => {
    const { sealed, change } = recordsOf(service, owner).create('TreasuryCustodyEvidence', {
      status: 'ACTIVE',
      payload: {},
      event: 'test.stored',
      reason: 'Past the service',
    })
    await service.services.committer.commit(change)
    const report = await verifyHistory(
      ...([service.database, owner.organizationId, service.services.artifacts] as const),
    )
    expect(report.faults).toEqual([
      expect.objectContaining({
        subject: sealed.record.id,
        message: expect.stringMatching(
          /^it is not a valid TreasuryCustodyEvidence of this service/,
        ),
      }),
    ])
  })

  it('reports an artifact whose bytes differ from the registered ones', async ({ service }) => {
    await tamper(service, `update artifacts set content = '\\x00' where ${own}`)
    expect((await verify(service)).faults).toHaveLength(1)
  })
})

describe('what records refer to', () => {
  it('is missed when the artifact that a record names was deleted', async ({ service }) => {
    const { client } = owner
    const { body } = await client.createVenues({ body: venueBody(2) })
    const { tampered, hash } = await refer(service, body.data.id)
    expect((await verify(service)).faults).toEqual([])
    await tamper(service, `delete from artifacts where ${own} and content_hash = '${hash}'`)
    expect((await verify(service)).faults).toEqual([
      {
        organizationId: owner.organizationId,
        subject: tampered,
        message: expect.stringContaining(hash),
      },
    ])
  })

  it('is missed when the record that another names was deleted with all its rows', async ({
    service,
  }) => {
    const { body } = await owner.client.createVenues({ body: venueBody(3) })
    const { tampered } = await refer(service, body.data.id)
    for (const table of ['records', 'record_heads']) {
      await tamper(service, `delete from ${table} where ${own} and id = '${body.data.id}'`)
    }
    await tamper(service, `delete from events where ${own} and subject_id = '${body.data.id}'`)
    const { faults } = await verify(service)
    expect(faults).toEqual([
      {
        organizationId: owner.organizationId,
        subject: tampered,
        message: expect.stringContaining(body.data.id),
      },
      expect.objectContaining({
        subject: body.data.id,
        message: expect.stringMatching(/the name venue/),
      }),
    ])
  })

  it('is missed when the organization itself was deleted', async ({ service }) => {
    await tamper(service, `delete from organizations where id = :org`)
    const { faults } = await verifyHistory(service.database, null, service.services.artifacts)
    expect(faults.map(({ subject }) => subject)).toContain(owner.organizationId)
  })
})

/** Appends an observation that names a venue and an artifact, as an index job does. */
async function refer(
  service: TestService,
  venue: string,
): Promise<{ tampered: string; hash: string }> {
  const { database, verified, committer, clock, artifacts } = service.services
  const records = new TenantRecords({
    purpose: 'REQUEST',
    organizationId: owner.organizationId,
    actor: { kind: 'SYSTEM', id: 'test' },
    now: clock(),
    database,
    verified,
    artifacts,
  })
  const current = await records.current('VenueProfile', venue)
  const content = new TextEncoder().encode(`Events of ${venue}`)
  const hash = contentHashOf(content)
  const { sealed, change } = records.create('VenueObservation', {
    status: 'COMPLETED',
    payload: {
      venue: { id: venue, resourceVersion: current!.record.resourceVersion },
      events: { count: 0, artifactHash: hash },
    },
    reason: 'For the test',
    event: 'venue.indexed',
  })
  const { id, resourceType, resourceVersion } = sealed.record
  const producer = { id, resourceType, resourceVersion }
  await committer.commit({
    ...change,
    artifacts: [{ contentHash: hash, mediaType: 'text/plain', content, producer }],
  })
  return { tampered: id, hash }
}

describe('names and jobs, which have no hash', () => {
  const named = (kind: string) => `${own} and kind = '${kind}'`
  const faults = async (service: TestService) =>
    (await verify(service)).faults.map(({ message }) => message)

  /** An open anomaly and the score that holds, with the names that they claim when they are kept. */
  async function writeActiveRecords(service: TestService): Promise<void> {
    const { pair } = venueBody(1).payload
    const records = recordsOf(service, owner)
    const write = (type: 'LiquidityAnomaly' | 'MarketQualityScore', payload: object) =>
      records.create(type, {
        status: 'ACTIVE',
        payload,
        reason: 'For the test',
        event: 'test.written',
      })
    const anomaly = write('LiquidityAnomaly', { fingerprint: 'the-pair' })
    const validUntil = '2026-02-01T00:00:00.000Z'
    const score = write('MarketQualityScore', { request: { pair }, validUntil })
    const { id, payload } = score.sealed.record as VersionedRecord<never>
    for (const [change, claims] of [
      [anomaly.change, [{ kind: 'open-anomaly', name: 'the-pair' }]],
      [score.change, heldBy({ id, payload })],
    ] as const) {
      const recordId = change.records[0]!.record.id
      await service.services.committer.commit({
        ...change,
        claims: claims.map((name) => ({ ...name, recordId })),
      })
    }
  }

  /** A strategy with an admission that holds, beside one that has lapsed. */
  async function admitted(service: TestService): Promise<void> {
    const write = async (change: Change) => service.services.committer.commit(change)
    const { sealed, change } = recordsOf(service, owner).create('StrategyDefinitionV2', {
      status: 'VALIDATED',
      payload: {},
      reason: 'For the test',
      event: 'strategy.created',
    })
    await write(change)
    const { id } = sealed.record
    const current = async () =>
      (await recordsOf(service, owner).current('StrategyDefinitionV2', id))!
    const admit = async (expiresAt: string) => {
      const admitted = recordsOf(service, owner).note(await current(), admittedKind, { expiresAt })
      const name = nameOf({ eventId: admitted.events[0]!.event.id, expiresAt })
      await write({ ...admitted, claims: [{ kind: admissionName, name, recordId: id }] })
      return { admissionId: admitted.events[0]!.event.id, name }
    }
    await admit('2026-02-01T00:00:00.000Z')
    const { admissionId, name } = await admit('2026-01-08T00:00:00.000Z')
    const expiryChange = recordsOf(service, owner).note(await current(), expiredKind, {
      admissionId,
    })
    await write({ ...expiryChange, releases: [{ kind: admissionName, name }] })
  }

  /** A migration under way, with its wallet, its position and its deadline. */
  async function migrating(service: TestService): Promise<void> {
    const request = {
      pair: { chainId: 31337 },
      from: { wallet: '0x1', positions: [{ venue: { id: venueId }, tokenId: '7' }] },
      constraints: { deadline: '2026-02-01T00:00:00.000Z' },
    } as unknown as PlanRequest
    const terms = { payload: { request }, reason: 'For the test' }
    const records = recordsOf(service, owner)
    const natures = ['CALL']
    const { sealed, change } = records.create('MigrationPlan', {
      ...terms,
      status: 'DRAFT',
      event: createdKind,
      eventPayload: { natures },
    })
    const recordId = sealed.record.id
    const claims = [{ ...deadlineName(request, recordId), recordId }]
    await service.services.committer.commit({ ...change, claims })
    for (const [status, move] of [
      ['VALIDATED', { kind: 'VALIDATE', forward: natures }],
      ['ACTIVE', { kind: 'START' }],
    ] as const) {
      const current = (await records.current('MigrationPlan', recordId))!
      const next = records.supersede(current, {
        ...terms,
        status,
        event: transitionedKind,
        eventPayload: { move, step: null },
      })
      const taken = status === 'ACTIVE' ? busyNames(request) : []
      await service.services.committer.commit({
        ...next.change,
        claims: taken.map((name) => ({ ...name, recordId })),
      })
    }
  }

  /** A provider that was revoked, whose own id stays taken. */
  async function registered(service: TestService): Promise<void> {
    const { sealed, change } = recordsOf(service, owner).create('Provider', {
      status: 'REVOKED',
      payload: { providerId: 'a-node' },
      reason: 'For the test',
      event: 'provider.registered',
    })
    const claims = [{ ...providerName('a-node'), recordId: sealed.record.id }]
    await service.services.committer.commit({ ...change, claims })
  }

  it.for([
    ...['venue', 'open-anomaly', 'active-score', 'score-due', 'provider', 'strategy-admission'],
    ...['migration-wallet', 'migration-position', 'migration-deadline'],
  ])(
    'a missing name of kind %s is reported, in one organization only',
    async (kind, { service }) => {
      await Promise.all([
        writeActiveRecords(service),
        admitted(service),
        migrating(service),
        registered(service),
      ])
      expect(await faults(service)).toEqual([])
      await tamper(service, `update names set name = name || '0' where ${named(kind)}`)
      const [missing, foreign, ...others] = await faults(service)
      expect(missing).toMatch(new RegExp(`must have the name ${kind} .*, which no record has$`))
      expect(foreign).toMatch(new RegExp(`^it has the name ${kind} .*0, which is not its own$`))
      expect(others).toEqual([])
      await tamper(service, `delete from names where ${named(kind)}`)
      expect(await faults(service)).toHaveLength(1)
    },
  )

  it('a name given to another record is reported for the record that lost it', async ({
    service,
  }) => {
    await tamper(service, `update names set record_id = 'venue_other' where ${named('venue')}`)
    expect((await verify(service)).faults).toEqual([
      expect.objectContaining({
        subject: venueId,
        message: expect.stringMatching(/which venue_other has$/),
      }),
    ])
  })

  /** A venue that is indexed: the job, its event, and what it made. */
  async function indexed(service: TestService, jobNumber = 0n): Promise<string> {
    const records = recordsOf(service, owner)
    const current = (await records.current('VenueProfile', venueId))!
    const input = { mode: 'FULL', fromBlock: null, toBlock: 100, reason: 'For the test' }
    const { resourceType, resourceVersion } = current.record
    const subject = { id: venueId, resourceType, resourceVersion }
    const digits = (BigInt(`0x${venueId.split('_').at(-1)}`) + jobNumber).toString(16)
    // New ids of this process never go back behind the time of another, whatever the clock of a test says.
    const queuedAt = service.clock.read().toString(16).padStart(12, '0')
    const id = `job_${queuedAt}${digits.slice(-20)}`
    const change = records.note(current, 'venue.index_queued', { jobId: id, ...input })
    const jobs = [{ id, kind: 'VENUE_INDEX', subject, input }]
    await service.services.committer.commit({ ...change, jobs })
    const { tampered } = await refer(service, venueId)
    const made = (await records.current('VenueObservation', tampered))!.record
    const observation = { id: made.id, resourceVersion: made.resourceVersion }
    const result = JSON.stringify({ observation, status: 'COMPLETED' })
    await tamper(
      service,
      `update jobs set status = 'COMPLETED', result = '${result}' where ${own} and id = '${id}'`,
    )
    return id
  }

  it.for([
    ['of another subject', `set subject_id = 'venue_other'`, /its subject names venue_/],
    ['of another version', `set subject = replace(subject, '"0x', '"0xff')`, /names the version/],
    ['with another input', `set input = replace(input, '100', '90')`, /differs from its event/],
    [
      'that made something else',
      `set result = replace(result, 'resourceVersion":"0x', 'resourceVersion":"0xff')`,
      /names the version/,
    ],
    [
      'with another outcome',
      `set result = replace(result, '"COMPLETED"', '"PARTIAL"')`,
      /its status is PARTIAL, but its observation is COMPLETED/,
    ],
    ['under another id', `set id = id || '0'`, /no event records that it was queued/],
  ] as const)('a job %s shows', async ([_, change, message], { service }) => {
    const id = await indexed(service)
    expect(await faults(service)).toEqual([])
    await tamper(service, `update jobs ${change} where ${own} and id = '${id}'`)
    expect((await faults(service))[0]).toMatch(message)
  })

  it('a deleted job is missed by its event', async ({ service }) => {
    const id = await indexed(service)
    await tamper(service, `delete from jobs where ${own} and id = '${id}'`)
    expect((await verify(service)).faults).toEqual([
      expect.objectContaining({
        subject: venueId,
        message: `an event names ${id}, which is not stored`,
      }),
    ])
  })

  it('a run that the purge removed is not missed, also where nothing was queued since', async ({
    service,
  }) => {
    const purged = await indexed(service)
    await indexed(service, 1n)
    await tamper(service, `delete from jobs where ${own} and id = '${purged}'`)
    expect(await faults(service)).toEqual([])
  })
})

describe('the service', () => {
  it('does not hand out a record that was altered', async ({ service }) => {
    const { client } = owner
    await tamper(
      service,
      `update records set body = replace(body, 'second', 'forged') where ${ofVenue} and sequence = 3`,
    )
    await expect(client.getVenues({ params: { id: venueId } })).rejects.toMatchObject({
      status: 500,
      code: 'LIQUIDITY_INTERNAL_ERROR',
    })
  })
})

describe('liquidity verify-history', () => {
  it('ends with status 0 over an intact history and 1 over a broken one', async () => {
    const deployment = await migratedDeployment()
    const { environment, directory } = deployment
    const created = await run(
      ['org', 'create', 'Test', '--owner', 'a@b.org', '--json'],
      environment,
    )
    const { organizationId } = JSON.parse(created.stdout)
    const intact = await run(['verify-history'], environment)
    expect([intact.status, intact.stdout]).toEqual([
      0,
      expect.stringContaining('All links are valid.'),
    ])
    const file = join(directory, 'verified.json')
    expect((await run(['verify-history', '--checkpoint', file], environment)).status).toBe(0)
    const since = await run(['verify-history', '--since', file], environment)
    expect([since.status, since.stdout]).toEqual([
      0,
      expect.stringMatching(/^0 record versions, 0 events.*\nChecked: records with events since/),
    ])
    writeFileSync(file, '{"version":"verified-history-v2"}')
    const other = await run(['verify-history', '--since', file], environment)
    expect([other.status, other.stderr]).toEqual([
      1,
      expect.stringMatching(/verified\.json is not a verified-history file.*--checkpoint FILE/),
    ])
    const database = environment.DATABASE_URL
      ? connectPostgres(environment.DATABASE_URL, 'liquidity-test')
      : await openEmbedded(directory)
    await database.pool.query(
      `insert into records values ($1, 'venue_00000000000000000000000000000001', 1, '{}')`,
      [organizationId],
    )
    await database.close()
    const broken = await run(['verify-history', '--organization', organizationId], environment)
    expect(broken.status).toBe(1)
    expect(broken.stdout).toContain(
      `BROKEN ${organizationId} venue_00000000000000000000000000000001`,
    )
    const json = await run(['verify-history', '--json'], environment)
    expect([json.status, JSON.parse(json.stdout).faults.length]).toEqual([1, 1])
  })
})

describe('a walk that continues from an earlier one', () => {
  const verifySince = (service: TestService, since: HistoryReport['until']) =>
    verifyHistory(service.database, owner.organizationId, service.services.artifacts, since)
  /** Up to the newest event, which stands still once no transaction on the server could get before it. */
  const untilNow = async (service: TestService) => {
    await waitForEvents(service)
    return (await verify(service)).until
  }
  const again = async () => {
    const { body } = await owner.client.getVenues({ params: { id: venueId } })
    await owner.client.supersedeVenues({
      params: { id: venueId },
      ifMatch: body.data.resourceVersion,
      body: { payload: { tags: ['third'] }, reason: 'For the test' },
    })
  }

  it('reads only records with newer events, and those completely', async ({ service }) => {
    const until = await untilNow(service)
    const idle = await verifySince(service, until)
    // Artifacts of the last hour are hashed again.
    expect(idle).toMatchObject({ records: 0, events: 0, artifacts: 1, faults: [] })
    service.clock.advance(2 * hourMilliseconds)
    await again()
    await writeRecord(service, owner, 'VenueObservation')
    await waitForEvents(service)
    const verified = await verifySince(service, until)
    expect(verified).toMatchObject({ records: 5, events: 5, artifacts: 2, faults: [] })
    expect(await verifySince(service, verified.until)).toMatchObject({
      records: 0,
      artifacts: 1,
      faults: [],
    })
    const [first] = verified.until!.organizations
    expect(first!.events).toBe(7)
  })

  it('names altered records of any age, and later artifacts', async ({ service }) => {
    const until = await untilNow(service)
    await again()
    await writeRecord(service, owner, 'VenueObservation')
    await tamper(
      service,
      `update records set body = replace(body, 'first', 'other') where ${ofVenue} and sequence = 2`,
    )
    await tamper(service, `update artifacts set content = content || '\\x00'::bytea where ${own}`)
    const { faults, until: none } = await verifySince(service, until)
    expect(faults.map(({ message }) => message.slice(0, 20)).sort()).toEqual([
      ...Array(2).fill(expect.stringMatching(/^its bytes have/)),
      expect.stringMatching(/^venue_/),
    ])
    expect(none).toBeNull()
  })

  it('misses events that were there, and those of a store that was restored from an earlier time', async ({
    service,
  }) => {
    const until = await untilNow(service)
    await tamper(service, `delete from events where ${own} and subject_id like 'platform_project%'`)
    expect((await verifySince(service, until)).faults.map(({ message }) => message)).toEqual([
      '5 events preceded the end of the last verification, but 4 are stored',
    ])
    await tamper(service, `delete from events where ${ofSubject} and sequence = 3`)
    expect((await verifySince(service, until)).faults.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^the event 0x[0-9a-f]{64}, the end of the last verification, has moved/,
      ),
    ])
  })

  it('names the newest event where that was altered, as the whole walk does', async ({
    service,
  }) => {
    const until = await untilNow(service)
    const newest = `${own} and transaction_id = (select max(transaction_id) from events where ${own})`
    await tamper(
      service,
      `update events set body = replace(body, '"kind":"', '"kind":"x') where ${newest}`,
    )
    const since = (await verifySince(service, until)).faults.map(({ message }) => message)
    expect(since).toEqual([
      expect.stringMatching(/^the event .*, the end of the last verification, has moved$/),
    ])
    const whole = await verify(service)
    expect([whole.until, whole.faults.length]).toEqual([null, 1])
  })

  it('leaves the rest to a whole one', async ({ service }) => {
    const until = await untilNow(service)
    await tamper(
      service,
      `update records set body = replace(body, 'first', 'other') where ${ofVenue} and sequence = 2`,
    )
    expect((await verifySince(service, until)).faults).toEqual([])
    expect((await verify(service)).faults).toHaveLength(1)
  })
})

describe('the rows by which the service acts', () => {
  /** A key that was revoked, and a subscription. */
  async function acting(): Promise<void> {
    const { client } = owner
    const expiresAt = '2030-01-01T00:00:00Z'
    const issued = await client.createDeveloperCredentials({
      body: {
        label: 'Key',
        kind: 'API_KEY',
        scopes: ['studies:read'],
        reason: 'For the test',
        expiresAt,
      },
    })
    const { credential } = issued.body.data
    await client.supersedeDeveloperCredentials({
      params: { id: credential.id },
      ifMatch: credential.resourceVersion,
      body: { status: 'REVOKED', reason: 'For the test' },
    })
    const payload = { url: 'https://example.org/hook', eventKinds: ['*' as const] }
    await client.createWebhooks({ body: { payload, reason: 'For the test' } })
  }

  it.for([
    ['credential_secrets', `set status = 'ACTIVE'`, /its status is REVOKED, but .* ACTIVE/],
    ['credential_secrets', `set scopes = 'studies:write'`, /its scopes is studies:read/],
    ['credential_secrets', 'set expires_at = expires_at + 1', /its expires_at is 18/],
    ['credential_secrets', `set creator_id = 'user_other'`, /its creator_id is user_/],
    ['credential_secrets', `set credential_id = 'credential_other'`, /not stored|no record/],
    ['webhook_subscriptions', `set url = 'https://evil.example/'`, /its url is .*example\.org/],
    ['webhook_subscriptions', `set event_kinds = '{venue.created}'`, /its event_kinds is \*/],
    ['webhook_subscriptions', `set status = 'PAUSED'`, /its status is ACTIVE/],
  ] as const)('%s: %s', async ([table, set, message], { service }) => {
    await acting()
    expect((await verify(service)).faults).toEqual([])
    await tamper(service, `update ${table} ${set} where organization_id = :org`)
    const { faults } = await verify(service)
    expect(faults.length).toBeGreaterThan(0)
    expect(faults.map((fault) => fault.message).join('; ')).toMatch(message)
  })
})
