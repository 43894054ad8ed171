// @module-tag postgres

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../src/store/database/database.ts'
import { sql } from '../src/store/database/sql.ts'
import { doneWith, testDatabase } from './support/database.ts'
import { formOf, watchStatements } from './support/sent-statements.ts'
import { conjunctsOf, type ShardReach, shardReach } from './support/shard-reach.ts'

const organizationId = 'org_one'
let database: Database
let reachOf: Awaited<ReturnType<typeof shardReach>>
beforeAll(async () => {
  database = (await testDatabase()).database
  reachOf = await shardReach(database)
})
afterAll(() => doneWith(database))

const reach = (text: string): Promise<ShardReach> =>
  reachOf({ text, form: formOf(text, organizationId), organizationId })

describe('one shard answers a statement', () => {
  it.each([
    ['by a constant', `select from jobs where organization_id = 'org_one' and status = 'QUEUED'`],
    [
      'by equality with a table that is bound',
      `select from records r join record_heads h using (organization_id, id) where h.organization_id = 'org_one'`,
    ],
    [
      'within a subquery that depends on a row',
      `select (select max(sequence) from records r where r.organization_id = h.organization_id and r.id = h.id)
        from record_heads h where organization_id = 'org_one'`,
    ],
    [
      'in the optional half of a join',
      `select m.role from users u left join memberships m on m.organization_id = 'org_one' and m.user_id = u.id`,
    ],
    ['that deletes', `delete from names where organization_id = 'org_one' and kind = 'venue'`],
    [
      'that inserts rows of a list',
      `insert into names (organization_id, kind, name, record_id) values ('org_one', 'a', 'b', 'c'), ('org_one', 'd', 'e', 'f')`,
    ],
    [
      'that inserts what it reads',
      `insert into names (organization_id, kind, name, record_id)
        select organization_id, 'copy', name, record_id from names where organization_id = 'org_one'`,
    ],
  ])('%s', async (_, text) => {
    const { touched, unbound } = await reach(text)
    expect(touched).not.toEqual([])
    expect(unbound).toEqual([])
  })
})

describe('queries every shard', () => {
  it.each([
    ['by nothing that is said', `select from jobs where status = 'QUEUED'`, ['jobs']],
    [
      'for another organization than that of the transaction',
      `select from jobs where organization_id = 'org_two'`,
      ['jobs'],
    ],
    [
      'for either of two',
      `select from jobs where organization_id = 'org_one' or status = 'QUEUED'`,
      ['jobs'],
    ],
    [
      'for several organizations',
      `select from jobs where organization_id in ('org_one', 'org_two')`,
      ['jobs'],
    ],
    [
      'where only one of two tables is bound',
      `select from records r join record_heads h on h.id = r.id where r.organization_id = 'org_one'`,
      ['record_heads'],
    ],
    [
      'where only the optional half of a join is bound',
      `select r.body, h.status from records r left join record_heads h
        on h.organization_id = r.organization_id and h.id = r.id and h.organization_id = 'org_one'`,
      ['records'],
    ],
    [
      'where a join is optional for other organizations',
      `select r.body, h.status from records r left join record_heads h
        on h.organization_id = r.organization_id and h.id = r.id and r.organization_id = 'org_one'`,
      ['record_heads', 'records'],
    ],
    [
      'where only a subquery says it of the row that it depends on',
      `select (select max(sequence) from records r where r.organization_id = h.organization_id
        and r.id = h.id and h.organization_id = 'org_one' and r.organization_id = 'org_one') from record_heads h`,
      ['record_heads'],
    ],
    [
      'where rows of one organization are left out',
      `select from jobs j where not exists (select from names n
        where n.organization_id = j.organization_id and n.record_id = j.subject_id and n.organization_id = 'org_one')`,
      ['jobs'],
    ],
    [
      'by what no planner of a router can know',
      `select from jobs where organization_id = current_setting('app.organization_id', true)`,
      ['jobs'],
    ],
    [
      'by a text that looks like a condition',
      `select from jobs where kind = ') AND (jobs.organization_id = ''org_one''::text) AND ('`,
      ['jobs'],
    ],
    [
      'where a row of a list is of another organization',
      `insert into names (organization_id, kind, name, record_id) values ('org_one', 'a', 'b', 'c'), ('org_two', 'd', 'e', 'f')`,
      ['names'],
    ],
    [
      'where rows are moved between organizations',
      `insert into names (organization_id, kind, name, record_id)
        select 'org_two', 'copy', name, record_id from names where organization_id = 'org_one'`,
      ['names'],
    ],
  ])('%s', async (_, text, tables) => {
    expect((await reach(text)).unbound).toEqual(tables)
  })
})

it('touches no organization in tables of the deployment', async () => {
  expect(await reach(`select from users where email = 'one@example.org'`)).toEqual({
    touched: [],
    unbound: [],
    deploymentTables: [],
  })
})

it('lists the deployment tables that are read together with those of an organization', async () => {
  const text = `select u.email from memberships m join users u on u.id = m.user_id where m.organization_id = 'org_one'`
  expect(await reach(text)).toEqual({
    touched: ['memberships'],
    unbound: [],
    deploymentTables: ['users'],
  })
})

it('reads the parts of a condition between its outermost ANDs', () => {
  expect(conjunctsOf(`((a.b = 'x) AND (y'::text) AND ((c = 1) OR ((d = 2) AND (e = 3))))`)).toEqual(
    [`a.b = 'x) AND (y'::text`, '(c = 1) OR ((d = 2) AND (e = 3))'],
  )
})

describe('the form of a statement', () => {
  it('is the same whatever its literals are, and names the organization', () => {
    const form = `select ? from jobs where organization_id = {organization} and id in (…) and at > ?`
    expect(
      [
        `select 1 from jobs where organization_id = 'org_one' and id in ('a','b') and at > 17`,
        `select 1 from jobs\n  where organization_id = 'org_one' and id in ('it''s') and at > -1`,
        String.raw`select 1 from jobs where organization_id = 'org_one' and id in ( E'\\') and at > 0`.replace(
          '( ',
          '(',
        ),
      ].map((text) => formOf(text, organizationId)),
    ).toEqual([form, form, form])
  })

  it('is the same for lists of any length', () => {
    const inserted = (rows: string) => formOf(`insert into names values ${rows}`, organizationId)
    expect(inserted(`('org_one','a','b'), ('org_one','c','d')`)).toBe(
      inserted(`('org_one','a','b')`),
    )
    expect(inserted(`('org_one','a','b'), ('org_two','c','d')`)).not.toBe(
      inserted(`('org_one','a','b')`),
    )
    expect(formOf(`unnest(array[1,2]::text[], array[]::text[], array[null]::text[])`, null)).toBe(
      'unnest(array[…]::text[], array[…]::text[], array[…]::text[])',
    )
  })
})

it('receives messages of the service, and none of a test', async () => {
  const { database: own } = await testDatabase()
  const sent = watchStatements(own)
  const { listMembers } = await import('../src/access/administration.ts')
  await listMembers(own, organizationId)
  await own.tenant(organizationId, [sql`select 1`])
  expect(sent().map(({ by, senders }) => [by, ...senders])).toEqual([
    ['tenants', 'access/administration.ts'],
  ])
  await own.close()
})
