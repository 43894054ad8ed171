// @module-tag postgres

import type { SealedEvent, SealedRecord } from '@liquidity-os/evidence'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../src/store/database/database.ts'
import type { Row } from '../src/store/database/row.ts'
import { sql } from '../src/store/database/sql.ts'
import { type Change, emptyChange } from '../src/store/records/change.ts'
import type { KnownCaller } from '../src/store/records/known-caller.ts'
import { type AppendBy, statementsOf } from '../src/store/records/statements.ts'
import { doneWith, testDatabase } from './support/database.ts'
import { formOf } from './support/sent-statements.ts'
import { shardReach } from './support/shard-reach.ts'

const organizationId = 'org_appended'
const session = {
  token_hash: 'token',
  user_id: 'user_one',
  role: 'OWNER',
  authenticated_at: '1',
  expires_at: '9',
}
const credential = {
  credential_id: 'cred_one',
  secret_hash: 'secret',
  scopes: 'studies:read',
  role: 'OWNER',
  creator_id: 'user_one',
  expires_at: null,
}

let database: Database
beforeAll(async () => {
  database = (await testDatabase()).database
  await database.tenant(organizationId, [
    sql`insert into organizations values (${organizationId}, 'One', 0)`,
    sql`insert into users values ('user_one', 'one@example.org', 0)`,
    sql`insert into memberships values (${organizationId}, 'user_one', 'OWNER', 0)`,
    sql`insert into sessions (token_hash, user_id, created_at, authenticated_at, expires_at)
      values ('token', 'user_one', 0, 1, 9)`,
    sql`insert into credential_secrets (organization_id, selector, credential_id, secret_hash, kind, generation, status,
        scopes, creator_id) values (${organizationId}, 'a', 'cred_one', 'secret', 'API_KEY', 1, 'ACTIVE', 'studies:read', 'user_one')`,
    ...[
      ['hook_all', 'ACTIVE', '*'],
      ['hook_paused', 'PAUSED', 'venue.changed'],
      ['hook_other', 'ACTIVE', 'score.changed'],
    ].map(
      ([id, status, kind]) => sql`insert into webhook_subscriptions
        (organization_id, id, url, event_kinds, status, secret, owner_id)
        values (${organizationId}, ${id!}, 'https://example.org', array[${kind!}], ${status!}, 's', 'user_one')`,
    ),
  ])
})
afterAll(() => doneWith(database))

const record = (id: string, sequence: number) =>
  ({
    record: { id, sequence, status: sequence === 1 ? 'DRAFT' : 'ACTIVE' },
    text: `{"it's":"\\\\${id}"}`,
    resourceVersion: `0x${sequence}`,
  }) as unknown as SealedRecord
const event = (subject: string, sequence: number, kind: string) =>
  ({
    event: { id: `evt_${subject}_${sequence}`, sequence, kind, subject: { id: subject } },
    text: `{"sequence":${sequence}}`,
  }) as unknown as SealedEvent

const known = (identity: Row): KnownCaller => ({
  identity,
  presented:
    'token_hash' in identity
      ? { kind: 'session', tokenHash: 'token' }
      : { kind: 'credential', credentialId: 'cred_one' },
})

const change = (at: number, more: Partial<Change>): Change => ({
  ...emptyChange(organizationId, at),
  ...more,
})
const group = [
  change(5, {
    records: [record('venue_a', 1), record('venue_b', 1), record('venue_b', 2)],
    events: [
      event('venue_a', 1, 'venue.changed'),
      event('venue_a', 2, 'venue.reorg'),
      event('venue_b', 1, 'venue.changed'),
    ],
    claims: [{ kind: 'venue', name: "o'name", recordId: 'venue_a' }],
    response: {
      actor: 'user_one',
      key: 'key-one',
      fingerprint: 'f',
      status: 201,
      body: null,
      record: { id: 'venue_a', sequence: 1 },
      headers: { etag: '"1"' },
    },
    caller: known(session),
  }),
  change(6, {
    records: [record('venue_c', 1)],
    events: [event('venue_c', 1, 'policy.changed'), event('venue_c', 2, 'venue.changed')],
    response: {
      actor: 'cred_one',
      key: 'key-two',
      fingerprint: 'g',
      status: 409,
      body: '{}',
      record: null,
      headers: {},
    },
    caller: known(credential),
  }),
]
/** What comes to records that stand, with nothing else. */
const later = [change(7, { records: [record('venue_a', 2)] })]

const observationId = `venue_observation_${'0'.repeat(32)}`
/** An observation of a venue, in one version or the next; a later one has another gap. */
function observation(sequence: number): SealedRecord {
  const block = (number: number) => ({
    number,
    hash: `0x${number}`,
    timestamp: `2026-01-01T00:00:${number}.000Z`,
  })
  const known = { id: observationId, sequence, status: 'PARTIAL', resourceType: 'VenueObservation' }
  const gaps = ['EVENTS_NOT_READ', ...(sequence > 1 ? ['END_STATE_NOT_READ'] : [])]
  const payload = {
    venue: { id: 'venue_a' },
    range: { from: block(10), to: block(20), parentHash: '0x9' },
    start: { snapshotHash: '0xa' },
    state: { snapshotHash: '0xb' },
    events: { artifactHash: '0xc' },
    gaps: gaps.map((code) => ({ code })),
  }
  const resourceVersion = `0x${sequence}`
  return {
    record: known,
    text: JSON.stringify({ ...known, resourceVersion, payload }),
    resourceVersion,
  } as unknown as SealedRecord
}
/** What comes before: the event of a reorganization in the group makes the verdict unknown again. */
const markActive = sql`update venue_spans set is_standing = true where organization_id = ${organizationId}`
const observed = [
  [change(3, { records: [observation(1)] })],
  [change(4, { records: [observation(2)], statements: [markActive] })],
]

const tables = [
  ...['records', 'record_heads', 'events', 'webhook_deliveries', 'names', 'idempotency'],
  'venue_spans',
]

/** Every row of the organization once groups were appended, in a transaction that is then undone. */
async function appended(by: AppendBy, groups: readonly (readonly Change[])[]): Promise<unknown[]> {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query(`select set_config('app.organization_id', '${organizationId}', true)`)
    for (const changes of groups)
      for (const { text } of statementsOf(organizationId, changes, by)) await client.query(text)
    const dumped: unknown[] = []
    for (const table of tables) {
      const { rows } = await client.query<{ json: string }>(
        `select (to_jsonb(t) - 'transaction_id')::text as json from ${table} t where organization_id = '${organizationId}' order by 1`,
      )
      dumped.push(table, ...rows.map(({ json }) => json))
    }
    return dumped
  } finally {
    await client.query('rollback')
    client.release()
  }
}

describe('a group that is appended by statements', () => {
  it('leaves the rows that the function of the database leaves', async () => {
    const rows = await appended('statements', [...observed, group, later])
    expect(rows).toEqual(await appended('function', [...observed, group, later]))
    expect(JSON.stringify(rows)).toContain('HELD')
    expect(rows).toHaveLength(tables.length + 7 + 4 + 5 + 8 + 1 + 2 + 1)
    expect(JSON.parse(String(rows.at(-1)))).toMatchObject({
      id: observationId,
      venue_id: 'venue_a',
      first_block: 10,
      last_block: 20,
      gaps: 'END_STATE_NOT_READ EVENTS_NOT_READ',
      reads_events: false,
      is_standing: null,
    })
  })

  it('queries only the shard of the organization, also through the function', async () => {
    const reachOf = await shardReach(database)
    const reached = async (by: AppendBy) => {
      const all: string[] = []
      for (const { text } of [...observed, group, later].flatMap((one) =>
        statementsOf(organizationId, one, by),
      )) {
        const form = formOf(text, organizationId)
        const { touched, unbound } = await reachOf({ text, form, organizationId })
        expect(unbound, text).toEqual([])
        all.push(...touched)
      }
      return [...new Set(all)].sort()
    }
    expect(await reached('function')).toEqual(['append_change_group', 'venue_spans'])
    expect(await reached('statements')).toEqual([
      ...['credential_secrets', 'events', 'idempotency', 'memberships', 'names', 'record_heads'],
      ...['records', 'venue_spans', 'webhook_deliveries', 'webhook_subscriptions'],
    ])
  })

  it.each([
    { ...session, role: 'VIEWER' },
    { ...session, expires_at: '8' },
    { ...credential, scopes: 'studies:write' },
  ])('is refused with our own state where a caller is another by now', async (identity) => {
    const stale = [[change(5, { caller: known(identity) })]]
    for (const by of ['statements', 'function'] as const)
      await expect(appended(by, stale), by).rejects.toMatchObject({ code: 'LQ001' })
  })
})
