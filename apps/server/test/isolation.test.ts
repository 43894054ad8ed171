// @module-tag long
// @module-tag postgres
// @covers packages/contract/src apps/server/src

import { type LooseRequest, send } from '@liquidity-os/client'
import { type Operation, operations, pathParameters } from '@liquidity-os/contract'
import { describe, expect } from 'vitest'
import type { Row } from '../src/store/database/row.ts'
import { type Sql, sql } from '../src/store/database/sql.ts'
import { guarded, parametersFor, plainRequest, refusal } from './every-operation/requests.ts'
import { bookmarkBody, venueBody } from './support/bodies.ts'
import { test } from './support/fixtures.ts'
import { oneOfEach, type Resources } from './support/resources.ts'
import type { TestMember, TestService } from './support/service.ts'

const it = test
  .extend('resources', { scope: 'file', auto: true }, ({ service, owner }) =>
    oneOfEach(service, owner),
  )
  .extend('tables', { scope: 'file' }, ({ service }) => tenantTables(service))

it.beforeAll(async ({ service, owner, tables }) => {
  for (const [table, columns] of tables) await fill(service, owner, table, columns)
})

const cases = (list: readonly Operation[]) =>
  list.map((operation) => [operation.id, operation] as const)
const withId = guarded.filter(({ path }) => pathParameters(path).includes('id'))

/** The same request for each record of the first organization. */
function requestsFor(resources: Resources, operation: Operation): LooseRequest[] {
  const plain = plainRequest(operation)
  // The version is named once: by If-Match, as below.
  if (operation.precondition && plain.body) {
    const { resourceVersion: _, ...body } = plain.body as Record<string, unknown>
    plain.body = body
  }
  return Object.values(resources).map(({ id, resourceVersion }) => ({
    ...plain,
    params: { ...parametersFor(operation), id },
    ...(operation.precondition ? { ifMatch: resourceVersion } : {}),
    // Where a generation is named in the query it is that of the record.
    ...(operation.query && 'resourceVersion' in operation.query
      ? { query: { resourceVersion } }
      : {}),
  }))
}

describe.each(cases(withId))('%s', (_id, operation) => {
  it('hides every record of another organization from its owner', async ({
    stranger,
    resources,
  }) => {
    for (const request of requestsFor(resources, operation)) {
      const answer = await refusal(stranger.options, operation, request)
      expect([request.params?.id, answer.status, answer.code]).toEqual([
        request.params?.id,
        404,
        'LIQUIDITY_RESOURCE_NOT_FOUND',
      ])
    }
  })
})

describe.each(cases(withId.filter(({ paging }) => paging?.cursor === 'SEQUENCE')))(
  '%s',
  (_id, operation) => {
    it('hides them on a later page, too', async ({ stranger, resources }) => {
      for (const cursor of ['1', '2', '849']) {
        const requests = requestsFor(resources, operation).map((request) => ({
          ...request,
          query: { cursor },
        }))
        const answers = await Promise.all(
          requests.map((request) => refusal(stranger.options, operation, request)),
        )
        expect(new Set(answers.map(({ code }) => code))).toEqual(
          new Set(['LIQUIDITY_RESOURCE_NOT_FOUND']),
        )
      }
    })
  },
)

const reads = withId.filter(
  ({ method, response }) => method === 'GET' && response?.wrap !== 'bytes',
)
describe.each(cases(reads))('%s', (_id, operation) => {
  it('shows its own kind of record, and no other, to those it belongs to', async ({
    owner,
    resources,
  }) => {
    const { fetch: _, ...plain } = owner.options
    const answers = await Promise.all(
      requestsFor(resources, operation).map((request) => send(plain, operation, request)),
    )
    // A reading that computes something finds too little in what a test wrote, and says so otherwise.
    const found = answers.filter(({ status }) => status !== 404)
    // What is read of any record has no kind of its own.
    const own = operation.path.startsWith('/records/') ? answers.length : 1
    expect(found).toHaveLength(own)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(answers.length - own)
  })
})

describe.each(
  cases(guarded.filter(({ method, path }) => method === 'GET' && !pathParameters(path).length)),
)('%s', (_id, operation) => {
  it('says nothing of another organization', async ({ owner, stranger, resources }) => {
    const answer = await send(stranger.options, operation, plainRequest(operation))
    const text = await answer.text()
    // What reads a chain is told that the organization has no provider of it.
    if (operation.id === 'readMarketHistory') expect(text).toContain('query.pair')
    else if (operation.id === 'detectMarkets') expect(text).toContain('LIQUIDITY_PROVIDER_UNKNOWN')
    else expect(answer.status).toBe(200)
    expect(text).not.toContain(owner.organizationId)
    for (const { id } of Object.values(resources)) expect(text).not.toContain(id)
  })
})

describe('ids of another organization in a body', () => {
  it('do not exist for a study', async ({ stranger, resources }) => {
    const operation = operations.find(({ id }) => id === 'createStudies')!
    const example = JSON.stringify(operation.example?.body)
    const body = JSON.parse(example.replaceAll('venue_example', resources.VenueProfile.id))
    const answer = await refusal(stranger.options, operation, { body })
    expect(answer.status).toBe(404)
  })
})

describe('a cursor', () => {
  const paged = guarded.filter(({ paging, path }) => paging && !pathParameters(path).length)

  it('of one organization is refused in another, and in another collection', async ({
    owner,
    stranger,
  }) => {
    await owner.client.savePlatformProject({ body: bookmarkBody(2) })
    await owner.client.createVenues({ body: venueBody(2) })
    const venues = await owner.client.listVenues({ query: { limit: 1 } })
    const bookmarks = await owner.client.listSavedPlatformProjects({ query: { limit: 1 } })
    for (const cursor of [venues.body.meta.nextCursor, bookmarks.body.meta.nextCursor]) {
      expect(cursor).toBeTypeOf('string')
      for (const operation of paged) {
        const answer = await refusal(stranger.options, operation, { query: { cursor } })
        expect([operation.id, answer.code]).toEqual([operation.id, 'LIQUIDITY_CURSOR_INVALID'])
      }
    }
    const { nextCursor: cursor } = venues.body.meta
    expect((await owner.client.listVenues({ query: { cursor: cursor! } })).status).toBe(200)
    const elsewhere = operations.find(({ id }) => id === 'listWebhooks')!
    expect(await refusal(owner.options, elsewhere, { query: { cursor } })).toMatchObject({
      status: 400,
      code: 'LIQUIDITY_CURSOR_INVALID',
    })
  })
})

/** Every table that belongs to organizations, with the columns that are written, as the database itself lists them. */
async function tenantTables(service: TestService): Promise<Map<string, Row[]>> {
  const { rows } = await service.database.pool.query<Row>(
    `select table_name, column_name, data_type from information_schema.columns
     where table_schema = 'public' and is_generated = 'NEVER' and table_name in (select table_name from information_schema.columns
       where table_schema = 'public' and column_name = 'organization_id')
     order by table_name, ordinal_position`,
  )
  return Map.groupBy(rows, (row) => row.table_name ?? '')
}

const columnValue = (column: Row, organizationId: string, mark: string): Sql => {
  if (column.column_name === 'organization_id') return sql`${organizationId}`
  if (column.data_type === 'bytea') return sql`${new Uint8Array([1])}`
  if (column.data_type === 'ARRAY') return { text: `'{}'::text[]` }
  if (column.data_type === 'jsonb') return { text: `'{}'::jsonb` }
  if (column.data_type === 'boolean') return sql`${true}`
  return column.data_type === 'text' ? sql`${mark}` : sql`${7}`
}

function insertInto(table: string, columns: readonly Row[], organizationId: string, mark: string) {
  const names = columns.map(({ column_name }) => column_name).join(', ')
  const values = columns.map((column) => columnValue(column, organizationId, mark).text).join(', ')
  return { text: `insert into ${table} (${names}) values (${values})` }
}

/** A row of the first organization, written by the owner of the database, whom no policy binds. */
async function fill(
  service: TestService,
  owner: TestMember,
  table: string,
  columns: readonly Row[],
): Promise<void> {
  await service.database.pool.query(insertInto(table, columns, owner.organizationId, 'row').text)
}

const countOf = (table: string) => ({ text: `select count(*) as count from ${table}` })
const sqlstate = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  )
const denied = '42501'

describe('the database itself', () => {
  it('has a policy on every table with an organization, which binds also its owner', async ({
    service,
    tables,
  }) => {
    const { rows } = await service.database.pool.query<Row>(
      `select relname from pg_class where relrowsecurity and relforcerowsecurity order by relname`,
    )
    const secured = rows.map(({ relname }) => relname)
    expect(secured).toEqual(expect.arrayContaining([...tables.keys()]))
    expect(tables.size).toBeGreaterThanOrEqual(13)
  })

  it('serves requests under roles that cannot bypass it', async ({ service }) => {
    const { rows } = await service.database.pool.query<Row>(
      `select rolname, rolsuper::text, rolbypassrls::text, rolcreaterole::text, rolcanlogin::text,
         (select count(*) from pg_class where relowner = pg_roles.oid) as owns
       from pg_roles where rolname in ('liquidity_app', 'liquidity_dispatch') order by rolname`,
    )
    const nothing = {
      rolsuper: 'false',
      rolbypassrls: 'false',
      rolcreaterole: 'false',
      rolcanlogin: 'false',
      owns: '0',
    }
    expect(rows).toEqual([
      { rolname: 'liquidity_app', ...nothing },
      { rolname: 'liquidity_dispatch', ...nothing },
    ])
  })

  it('shows rows to their organization only, and no rows without an organization', async ({
    service,
    owner,
    tables,
  }) => {
    for (const table of tables.keys()) {
      const own = await service.database.tenant(owner.organizationId, [countOf(table)])
      const foreign = await service.database.tenant('org_other', [countOf(table)])
      const none = await service.database.global([countOf(table)])
      const counts = [own, foreign, none].map((rows) => Number(rows[0]?.[0]?.count))
      expect([table, counts[0]! > 0, counts[1], counts[2]]).toEqual([table, true, 0, 0])
    }
  })

  it('does not reveal whose event was the last of the proof log', async ({ service, owner }) => {
    const request = { text: 'select last_organization_id from log_state' }
    expect(await sqlstate(service.database.global([request]))).toBe(denied)
    expect(await sqlstate(service.database.tenant(owner.organizationId, [request]))).toBe(denied)
  })

  it('refuses to write a row of another organization', async ({
    service,
    owner,
    stranger,
    tables,
  }) => {
    for (const [table, columns] of tables) {
      const statement = insertInto(table, columns, owner.organizationId, 'smuggled')
      const done = await sqlstate(service.database.tenant(stranger.organizationId, [statement]))
      expect([table, done]).toEqual([table, denied])
    }
  })

  it('refuses to move a row into another organization, and touches no foreign row', async ({
    service,
    owner,
    stranger,
    tables,
  }) => {
    for (const table of tables.keys()) {
      const update = {
        text: `update ${table} set organization_id = '${stranger.organizationId}'
          where organization_id = '${owner.organizationId}' returning organization_id`,
      }
      const remove = {
        text: `delete from ${table} where organization_id = '${owner.organizationId}' returning organization_id`,
      }
      for (const statement of [update, remove]) {
        const touched = await service.database.tenant(stranger.organizationId, [statement]).then(
          ([rows]) => rows?.length,
          (error: { code?: string }) => error.code,
        )
        expect([0, denied]).toContain(touched)
      }
      const moved = await sqlstate(service.database.tenant(owner.organizationId, [update]))
      expect([table, moved]).toEqual([table, denied])
    }
  })

  it('refuses to change or delete records, events and artifacts, also one’s own', async ({
    service,
    owner,
  }) => {
    for (const table of ['records', 'events', 'artifacts']) {
      for (const text of [
        `update ${table} set organization_id = organization_id`,
        `delete from ${table}`,
        `truncate ${table}`,
      ]) {
        const done = await sqlstate(service.database.tenant(owner.organizationId, [{ text }]))
        expect([text, done]).toEqual([text, denied])
      }
    }
  })

  it('lets the role that finds due work see queues and nothing else', async ({
    service,
    tables,
  }) => {
    const studies = ['study_batches', 'study_grounds']
    const queues = [
      'alert_messages',
      'idempotency',
      'invitations',
      'jobs',
      ...studies,
      'webhook_deliveries',
    ]
    const parts = [
      ...['credential_secrets', 'record_heads', 'venue_spans', 'venue_spans_filled'],
      ...['webhook_attempts', 'webhook_subscriptions'],
    ]
    const points = ['alert_firings', 'market_points', 'market_points_due']
    const visible = ['budgets', 'memberships', 'organization_usage', ...parts, ...points, ...queues]
    for (const table of tables.keys()) {
      const seen = await sqlstate(service.database.dispatch([countOf(table)]))
      expect([table, seen]).toEqual([table, visible.includes(table) ? 'done' : denied])
    }
    for (const text of [
      `update jobs set status = 'FAILED'`,
      'select answer_head from webhook_attempts',
      'select content from study_batches',
      'select arms from study_grounds',
      'select secret_hash from credential_secrets',
      'select url from webhook_subscriptions',
      'select sequence from record_heads',
      'select close from market_points',
      'select title from alert_firings',
      'delete from market_points_due',
      'select last_block from venue_spans',
      'update venue_spans set is_standing = false',
      'select secret from webhook_subscriptions',
      'update webhook_deliveries set attempts = 0',
    ]) {
      expect(await sqlstate(service.database.dispatch([{ text }]))).toBe(denied)
    }
  })

  it('lets no purge take away a job that waits', async ({ service, owner }) => {
    const count = async () => {
      const text = `select count(*) as found from jobs where status in ('QUEUED', 'RUNNING')`
      const [rows] = await service.database.tenant(owner.organizationId, [{ text }])
      return Number(rows?.[0]?.found)
    }
    const before = await count()
    expect(before).toBeGreaterThan(0)
    await service.database.dispatch([{ text: 'delete from jobs' }])
    expect(await count()).toBe(before)
  })

  it('lets no purge take away a delivery that waits', async ({ service, owner }) => {
    const webhook = { url: 'https://hooks.example.com/a', eventKinds: ['*'] }
    await owner.client.createWebhooks({ body: { payload: webhook, reason: 'For the test' } })
    const count = async () => {
      const text = `select count(*) as found from webhook_deliveries where status in ('WAITING', 'HELD')`
      const [rows] = await service.database.tenant(owner.organizationId, [{ text }])
      return Number(rows?.[0]?.found)
    }
    const before = await count()
    expect(before).toBeGreaterThan(0)
    await service.database.dispatch([{ text: 'delete from webhook_deliveries' }])
    expect(await count()).toBe(before)
  })

  it('lets no request change the schema, the policies or its role', async ({ service, owner }) => {
    for (const text of [
      'alter table records disable row level security',
      'drop policy tenant on records',
      'create table own (id text)',
      `create function f() returns int language sql as 'select 1'`,
    ]) {
      const done = await sqlstate(service.database.tenant(owner.organizationId, [{ text }]))
      expect([text, done]).toEqual([text, denied])
    }
  })
})
