// @module-tag postgres

import { createClient } from '@liquidity-os/client'
import { pino } from 'pino'
import { describe, expect, onTestFinished } from 'vitest'
import { openDatabase } from '../src/context.ts'
import { startService } from '../src/service.ts'
import { sql } from '../src/store/database/sql.ts'
import { bookmarkBody, venueBody } from './support/bodies.ts'
import { bearer, issue } from './support/credentials.ts'
import { it } from './support/fixtures.ts'
import { copyByDump, privatePostgres } from './support/private-postgres.ts'
import { waitForEvents } from './support/published-events.ts'
import {
  newMember,
  newOrganization,
  serviceForTest,
  type TestMember,
  type TestService,
} from './support/service.ts'

const onPostgres = Boolean(process.env.DATABASE_URL)

let number = 0
const save = async (by: Pick<TestMember, 'client'>) => {
  number += 1
  return (await by.client.savePlatformProject({ body: bookmarkBody(number) })).body.data.id
}
const createVenue = async (by: TestMember) => {
  number += 1
  return (await by.client.createVenues({ body: venueBody(number) })).body.data
}

type Query = { after?: string; kind?: string; limit?: number }
const readNow = async (by: Pick<TestMember, 'client'>, query: Query = {}) =>
  (await by.client.listEvents({ query })).body.data

async function read(service: TestService, by: Pick<TestMember, 'client'>, query: Query = {}) {
  await waitForEvents(service)
  return readNow(by, query)
}
const subjectsOf = ({ events }: { events: readonly { subject: { id: string } }[] }) =>
  events.map(({ subject }) => subject.id)

/** The subjects of everything from a cursor on, page by page, and the last cursor. */
async function follow(service: TestService, by: Pick<TestMember, 'client'>, query: Query = {}) {
  const subjects: string[] = []
  for (let after = query.after; ; ) {
    const page = await read(service, by, { ...query, ...(after ? { after } : {}) })
    subjects.push(...subjectsOf(page))
    after = page.nextCursor ?? after
    if (!page.hasMore) return { subjects, after: after! }
  }
}

describe('the events of an organization', () => {
  it('are read in the order of their commits, page by page, and on from the end', async ({
    service,
  }) => {
    const owner = await newOrganization(service)
    expect(await read(service, owner)).toEqual({ events: [], hasMore: false, nextCursor: null })
    const saved: string[] = []
    for (let times = 0; times < 7; times += 1) saved.push(await save(owner))
    for (const limit of [1, 2, 3, 7, 8]) {
      expect((await follow(service, owner, { limit })).subjects).toEqual(saved)
    }
    const { after } = await follow(service, owner, { limit: 3 })
    expect(await read(service, owner, { after })).toMatchObject({ events: [], nextCursor: after })
    const later = await save(owner)
    expect(subjectsOf(await read(service, owner, { after }))).toEqual([later])
  })

  it('exist once each under concurrent commits', async ({ service }) => {
    const owner = await newOrganization(service)
    const saved = await Promise.all(Array.from({ length: 60 }, () => save(owner)))
    const { subjects } = await follow(service, owner, { limit: 7 })
    expect(subjects.toSorted()).toEqual(saved.toSorted())
  })

  it('of one kind are found behind others, and a cursor skips other kinds', async ({ service }) => {
    const owner = await newOrganization(service)
    const venue = await createVenue(owner)
    for (let times = 0; times < 4; times += 1) await save(owner)
    const first = await read(service, owner, { kind: 'venue.created' })
    expect(subjectsOf(first)).toEqual([venue.id])
    const other = await createVenue(owner)
    const query = { kind: 'venue.created', limit: 1 }
    expect((await follow(service, owner, query)).subjects).toEqual([venue.id, other.id])
    const next = await read(service, owner, { kind: 'venue.created', after: first.nextCursor! })
    expect(subjectsOf(next)).toEqual([other.id])
    await expect(read(service, owner, { kind: 'venue.creatd' })).rejects.toMatchObject({
      status: 400,
      body: {
        error: {
          fieldErrors: { 'query.kind': [expect.stringMatching(/nearest is venue.created$/)] },
        },
      },
    })
  })

  it('continue only from a cursor of the same organization and kind', async ({ service }) => {
    const [owner, foreignOwner] = [await newOrganization(service), await newOrganization(service)]
    await createVenue(owner)
    const all = (await read(service, owner)).nextCursor!
    const some = (await read(service, owner, { kind: 'venue.created' })).nextCursor!
    const venues =
      (await createVenue(owner)) && (await owner.client.listVenues({ query: { limit: 1 } }))
    const attempts: [TestMember, Query][] = [
      [foreignOwner, { after: all }],
      [owner, { after: some }],
      [owner, { after: all, kind: 'venue.created' }],
      [owner, { after: some, kind: 'venue.changed' }],
      [owner, { after: `${all}A` }],
      [owner, { after: 'nonsense' }],
      [owner, { after: venues.body.meta.nextCursor! }],
    ]
    for (const [who, query] of attempts) {
      await expect(read(service, who, query)).rejects.toMatchObject({
        status: 400,
        code: 'LIQUIDITY_CURSOR_INVALID',
        body: { error: { fieldErrors: { 'query.after': expect.anything() } } },
      })
    }
  })

  it('are for members, and for credentials that may have webhooks', async ({ service }) => {
    const owner = await newOrganization(service)
    const id = await save(owner)
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    expect(subjectsOf(await read(service, viewer))).toEqual([id])
    const client = async (scope: string) =>
      bearer((await issue(owner, 'API_KEY', [scope])).secret, owner.organizationId, service.baseUrl)
    expect(subjectsOf(await read(service, { client: await client('webhooks:manage') }))[0]).toBe(id)
    await expect(read(service, { client: await client('studies:read') })).rejects.toMatchObject({
      status: 403,
      code: 'LIQUIDITY_STUDIO_SERVICE_SCOPE_REQUIRED',
    })
  })

  it('are of one organization also where a statement names another', async ({ service }) => {
    const [owner, foreignOwner] = [await newOrganization(service), await newOrganization(service)]
    await save(owner)
    const statement = sql`select kind from events where organization_id = ${owner.organizationId}`
    const [own] = await service.database.tenant(owner.organizationId, [statement])
    const [foreign] = await service.database.tenant(foreignOwner.organizationId, [statement])
    expect([own, foreign]).toEqual([[{ kind: 'platform_project.saved' }], []])
    for (const text of [
      `update events set kind = 'x'`,
      `delete from events`,
      `update event_eras set cluster = 'x'`,
      `delete from event_eras`,
    ]) {
      const attempt = service.database.tenant(owner.organizationId, [{ text }])
      await expect(attempt).rejects.toMatchObject({ code: '42501' })
    }
  })

  it('that were altered in the store are not served', async ({ service }) => {
    const owner = await newOrganization(service)
    const id = await save(owner)
    await service.database.pool.query(
      `update events set body = replace(body, '"sequence":1', '"sequence":2') where subject_id = $1`,
      [id],
    )
    await expect(read(service, owner)).rejects.toMatchObject({ status: 500 })
  })

  it('continue only from an event in the store', async ({ service }) => {
    const owner = await newOrganization(service)
    const [kept, lost] = [await save(owner), await save(owner)]
    const before = (await read(service, owner, { limit: 1 })).nextCursor!
    const after = (await read(service, owner)).nextCursor!
    // As a copy of the store that was made between the two would have it.
    await service.database.pool.query(`delete from events where subject_id = $1`, [lost])
    await expect(read(service, owner, { after })).rejects.toMatchObject({
      status: 422,
      code: 'LIQUIDITY_EVENT_CURSOR_LOST',
      body: { error: { fieldErrors: { 'query.after': expect.anything() } } },
    })
    const later = await save(owner)
    expect(subjectsOf(await read(service, owner, { after: before }))).toEqual([later])
    expect(subjectsOf(await read(service, owner))).toEqual([kept, later])
  })
})

describe.runIf(onPostgres)('on a server', () => {
  it('no event is skipped that is committed later than those behind it', async ({ service }) => {
    const owner = await newOrganization(service)
    const first = await save(owner)
    const { after } = await follow(service, owner)
    const slow = await service.database.pool.connect()
    try {
      // A transaction that began before, and takes its time.
      await slow.query('begin')
      await slow.query('select pg_current_xact_id()')
      const second = await save(owner)
      expect(subjectsOf(await readNow(owner, { after }))).toEqual([])
      await slow.query(
        `insert into events select organization_id, 'slow', 1, body, kind, at, era,
           pg_current_xact_id()::text::bigint, 1 from events where subject_id = $1`,
        [first],
      )
      await slow.query('commit')
      // The copy keeps the subject of its body.
      expect(subjectsOf(await read(service, owner, { after }))).toEqual([first, second])
    } finally {
      slow.release()
    }
  })

  it('a dump restored elsewhere continues at its position, with valid cursors', async ({
    service,
  }) => {
    const [here, there] = [await privatePostgres(), await privatePostgres()]
    onTestFinished(() => {
      for (const server of [here, there]) {
        server.stop()
        server.remove()
      }
    })
    const suite = process.env.DATABASE_URL
    process.env.DATABASE_URL = here.url
    const before = await serviceForTest().finally(() => {
      process.env.DATABASE_URL = suite
    })
    const owner = await newOrganization(before)
    // The first server has counted further than the second will for long.
    await before.database.pool.query(
      `do $$ begin for i in 1..3000 loop perform pg_current_xact_id(); commit; end loop; end $$`,
    )
    const saved = [await save(owner), await save(owner)]
    const { after } = await follow(service, owner)
    copyByDump(Object.assign(here, { url: before.databaseUrl }), there)
    const lost = await save(owner)
    const beyond = (await follow(service, owner)).after

    const database = await openDatabase({ ...before.config, databaseUrl: there.url })
    const running = await startService(before.config, {
      database,
      clock: before.clock.read,
      log: pino({ level: 'silent' }),
    })
    onTestFinished(async () => {
      await running.stop()
      await database.close()
    })
    const restored = { client: createClient({ ...owner.options, baseUrl: running.baseUrl }) }
    const later = await save(restored)
    expect((await follow(service, restored)).subjects).toEqual([...saved, later])
    expect(subjectsOf(await read(service, restored, { after }))).toEqual([later])
    await expect(read(service, restored, { after: beyond })).rejects.toMatchObject({
      code: 'LIQUIDITY_EVENT_CURSOR_LOST',
    })
    expect(lost).toBeTypeOf('string')
    // The same server begins no further era.
    const again = await openDatabase({ ...before.config, databaseUrl: there.url })
    const { rows } = await again.pool.query('select era from event_eras order by era')
    await again.close()
    expect(rows.map(({ era }) => Number(era))).toEqual([1, 2])
  })
})
