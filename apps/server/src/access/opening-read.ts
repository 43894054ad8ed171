import { limits } from '../limits.ts'
import type { Database } from '../store/database/database.ts'
import { type Row, type Rows, textOf } from '../store/database/row.ts'
import { join, type Sql, sql, values } from '../store/database/sql.ts'
import { headsById } from '../store/records/find.ts'
import { Grouped } from '../store/records/grouped.ts'
import type { Presented } from '../store/records/known-caller.ts'

export interface Opening {
  organizationId: string
  presented: Presented
  /** Idempotency key, if the actor behind the credential is already known. */
  key: { actor: string; key: string } | null
  /** Record that a read operation returns, or null for others. */
  recordId: string | null
}

export interface OpeningRows {
  identity: Row | null
  stored: Row | null
  record: Row | null
}

/**
 * First query of every authenticated request: credential and membership, stored response, and the
 * record to read. Concurrent requests share it. It is never cached, so a revoked credential or
 * removed member is rejected on the very next request on every node.
 */
export class OpeningReader {
  readonly #database: Database
  readonly #grouped: Grouped<Opening, OpeningRows>

  constructor(database: Database) {
    this.#database = database
    this.#grouped = new Grouped((items) => this.#run(items), {
      maximumItems: limits.readGroupRequests,
      maximumInFlight: database.kind === 'embedded' ? 1 : limits.readsInFlight,
    })
  }

  read(opening: Opening): Promise<OpeningRows> {
    return this.#grouped.ask(opening)
  }

  async #run(items: readonly Opening[]): Promise<OpeningRows[]> {
    const byOrganization = Map.groupBy(items, (item) => item.organizationId)
    const groups = [...byOrganization].map(([organizationId, own]) => ({
      organizationId,
      ...statementsOf(organizationId, own),
    }))
    const answers = await this.#database.tenants(groups)
    const found = new Map(
      groups.map((group, index) => [
        group.organizationId,
        rowsByKey(group.names, answers[index] ?? []),
      ]),
    )
    return items.map((item) => {
      const rows = found.get(item.organizationId)
      return {
        identity: rows?.get(identityKey(item.presented)) ?? null,
        stored: item.key ? (rows?.get(`stored|${item.key.actor}|${item.key.key}`) ?? null) : null,
        record: item.recordId ? (rows?.get(`record|${item.recordId}`) ?? null) : null,
      }
    })
  }
}

type Kind = 'session' | 'selector' | 'credential' | 'stored' | 'record'

function identityKey(presented: Presented): string {
  if (presented.kind === 'session') return `session|${presented.tokenHash}`
  if (presented.kind === 'selector') return `selector|${presented.selector}`
  return `credential|${presented.credentialId}`
}

const credentialColumns = {
  text: 'c.selector, c.credential_id, c.secret_hash, c.kind, c.generation, c.status, c.scopes, c.creator_id, c.expires_at, m.role',
}

/** Only the statements that this group needs, with their names. */
function statementsOf(organizationId: string, items: readonly Opening[]) {
  const names: Kind[] = []
  const statements: Sql[] = []
  const add = (name: Kind, keys: ReadonlySet<string>, statement: (list: Sql) => Sql) => {
    if (keys.size === 0) return
    names.push(name)
    statements.push(statement(values([...keys])))
  }
  const presented = <K extends Presented['kind']>(
    kind: K,
    pick: (p: Extract<Presented, { kind: K }>) => string,
  ) =>
    new Set(
      items.flatMap((item) =>
        item.presented.kind === kind
          ? [pick(item.presented as Extract<Presented, { kind: K }>)]
          : [],
      ),
    )
  add(
    'session',
    presented('session', (p) => p.tokenHash),
    (list) => sql`
    select s.token_hash, s.user_id, s.authenticated_at, s.expires_at, s.revoked_at, m.role
    from sessions s left join memberships m on m.organization_id = ${organizationId} and m.user_id = s.user_id
      and m.epoch <= s.epoch
    where s.token_hash in ${list}`,
  )
  add(
    'selector',
    presented('selector', (p) => p.selector),
    (list) => sql`
    select ${credentialColumns} from credential_secrets c
    left join memberships m on m.organization_id = ${organizationId} and m.user_id = c.creator_id
      and m.epoch = c.epoch
    where c.organization_id = ${organizationId} and c.selector in ${list}`,
  )
  add(
    'credential',
    presented('credential', (p) => p.credentialId),
    (list) => sql`
    select ${credentialColumns} from credential_secrets c
    left join memberships m on m.organization_id = ${organizationId} and m.user_id = c.creator_id
      and m.epoch = c.epoch
    where c.organization_id = ${organizationId} and c.credential_id in ${list}`,
  )
  const keys = items.flatMap((item) => (item.key ? [item.key] : []))
  if (keys.length > 0) {
    names.push('stored')
    statements.push(storedAnswers(organizationId, keys))
  }
  const recordIds = [...new Set(items.flatMap((item) => (item.recordId ? [item.recordId] : [])))]
  if (recordIds.length > 0) {
    names.push('record')
    statements.push(headsById(organizationId, recordIds))
  }
  return { names, statements }
}

// One lookup per key, with an equality on every index column. The planner can then only descend the
// index, even with stale statistics. With a list and stale statistics it would scan all rows of the
// organization.

function storedAnswers(
  organizationId: string,
  keys: readonly { actor: string; key: string }[],
): Sql {
  const requested = join(keys.map(({ actor, key }) => sql`(${actor},${key})`))
  return sql`select i.actor, i.key, i.fingerprint, i.status, i.headers, i.body,
      i.record_id, i.record_sequence, r.body as record_body
    from (values ${requested}) as asked (actor, key)
    cross join lateral (select * from idempotency where organization_id = ${organizationId}
      and actor = asked.actor and key = asked.key limit 1) as i
    left join lateral (select body from records where organization_id = ${organizationId}
      and id = i.record_id and sequence = i.record_sequence limit 1) as r on true`
}

function rowsByKey(names: readonly Kind[], answers: readonly Rows[]): Map<string, Row> {
  const found = new Map<string, Row>()
  for (const [position, name] of names.entries()) {
    for (const row of answers[position] ?? []) found.set(`${name}|${keyOf(name, row)}`, row)
  }
  return found
}

function keyOf(name: Kind, row: Row): string {
  if (name === 'session') return textOf(row, 'token_hash')
  if (name === 'selector') return textOf(row, 'selector')
  if (name === 'credential') return textOf(row, 'credential_id')
  if (name === 'stored') return `${row.actor}|${row.key}`
  return textOf(row, 'id')
}
