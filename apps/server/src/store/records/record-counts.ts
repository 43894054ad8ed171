import { integerOf, optionalTextOf, type Row, type Rows, textOf } from '../database/row.ts'
import { join, type Sql, sql } from '../database/sql.ts'
import { idPrefixes, idRange, type ResourceType } from './resource-types.ts'

export type Counts = Record<ResourceType, number>

/** Counts that are final: records whose first event no running transaction can precede. */
interface Settled {
  readonly era: number
  /** All transactions below this number had ended. */
  readonly below: bigint
  /** The newest of those events, by position and text hash. */
  readonly newest: { readonly place: readonly [string, string, string]; readonly hash: string }
  readonly counts: Readonly<Counts>
}

const types = Object.keys(idPrefixes) as ResourceType[]
const typeOfPrefix = new Map(types.map((type) => [idPrefixes[type], type]))
function typeOf(row: Row): ResourceType | undefined {
  const prefix = optionalTextOf(row, 'prefix')
  return prefix === null ? undefined : typeOfPrefix.get(prefix)
}
const nothing = (): Counts => Object.fromEntries(types.map((type) => [type, 0])) as Counts

type Query = (statements: readonly Sql[]) => Promise<Rows[]>

/**
 * Number of records per type in an organization. The first count scans the index of heads; later
 * ones add only new first events. The event order is final once older transactions have ended. If
 * the database was restored, its newest counted event or era differs, and the count restarts.
 */
export class RecordCounts {
  readonly #max: number
  readonly #settled = new Map<string, Settled>()

  /** @param max cache size in organizations; the least recently used is evicted first */
  constructor(max: number) {
    this.#max = max
  }

  /** @param query reads under the organization's policy */
  async read(organizationId: string, query: Query): Promise<Counts> {
    const known = this.#settled.get(organizationId)
    const since = known ? await this.#since(organizationId, known, query) : null
    return since ?? this.#whole(organizationId, query)
  }

  async #since(organizationId: string, known: Settled, query: Query): Promise<Counts | null> {
    const [rows = []] = await query([countedSince(organizationId, known)])
    const [first] = rows
    if (!first || integerOf(first, 'era') !== known.era || first.known !== known.newest.hash) {
      this.#settled.delete(organizationId)
      return null
    }
    const settled = { ...known.counts }
    const counts = { ...known.counts }
    for (const row of rows) {
      const type = typeOf(row)
      if (!type) continue
      settled[type] += integerOf(row, 'settled')
      counts[type] += integerOf(row, 'number')
    }
    this.#keep(organizationId, first, settled)
    return counts
  }

  async #whole(organizationId: string, query: Query): Promise<Counts> {
    // A single statement, because each statement has its own snapshot.
    const since = countedSince(organizationId, null)
    const [rows = []] = await query([sql`${since} union all ${countedHeads(organizationId)}`])
    const counts = nothing()
    for (const row of rows) {
      if (row.era === null) counts[typeOf(row)!] = integerOf(row, 'number')
    }
    const [first] = rows.filter(({ era }) => era !== null)
    const settled = { ...counts }
    for (const row of rows) {
      const type = row.era === null ? undefined : typeOf(row)
      if (type) settled[type] -= integerOf(row, 'number')
    }
    this.#keep(organizationId, first, settled)
    return counts
  }

  #keep(organizationId: string, row: Row | undefined, counts: Counts): void {
    this.#settled.delete(organizationId)
    // Without a settled event, a restored database could not be detected.
    if (!row?.newest) return
    const place = [textOf(row, 'at_era'), textOf(row, 'at_transaction'), textOf(row, 'at_ordinal')]
    this.#settled.set(organizationId, {
      era: integerOf(row, 'era'),
      below: BigInt(textOf(row, 'below')),
      newest: { place: place as [string, string, string], hash: row.newest },
      counts,
    })
    const [oldest] = this.#settled.keys()
    if (this.#settled.size > this.#max && oldest !== undefined) this.#settled.delete(oldest)
  }
}

/** Scan of the head index without reading rows; the era is null. */
function countedHeads(organizationId: string): Sql {
  const ranges = types.map((type) => {
    const { from, to } = idRange(type)
    return sql`(${idPrefixes[type]},${from},${to})`
  })
  return sql`select null, null, kinds.prefix, counted.number, null, null, null, null, null, null
    from (values ${join(ranges)}) as kinds (prefix, lower, upper)
    cross join lateral (select count(*) as number from record_heads where organization_id = ${organizationId}
      and id >= kinds.lower and id < kinds.upper) as counted`
}

const hashOf = (event: string): Sql => ({
  text: `encode(sha256(convert_to(${event}.body, 'UTF8')), 'hex')`,
})

/**
 * First events since the known state, or of transactions that may still run, by subject prefix: all
 * visible ones, and the settled ones. Includes the horizon that no running transaction precedes,
 * the newest event below it, and the hash of the previous newest one. Returns at least one row.
 */
function countedSince(organizationId: string, known: Settled | null): Sql {
  const [era, transaction, ordinal] = known?.newest.place ?? []
  const place = known
    ? sql`(${Number(era)}, ${BigInt(transaction!)}, ${Number(ordinal)})`
    : sql`(null, null, null)`
  // Compare eras by equality, not tuple order: the planner overestimates the rows of later eras.
  const since = known
    ? sql`e.era = ${known.era} and e.transaction_id >= ${known.below}`
    : sql`e.era = horizon.era and e.transaction_id >= horizon.below`
  return sql`select horizon.era, horizon.below, came.prefix, came.number, came.settled, newest.era as at_era,
      newest.transaction_id as at_transaction, newest.ordinal as at_ordinal, newest.hash as newest,
      (select ${hashOf('e')} from events e where e.organization_id = ${organizationId}
        and (e.era, e.transaction_id, e.ordinal) = ${place}) as known
    from (select max(era) as era, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as below
      from event_eras) as horizon
    left join lateral (select e.era, e.transaction_id, e.ordinal, ${hashOf('e')} as hash from events e
      where e.organization_id = ${organizationId} and (e.era, e.transaction_id) < (horizon.era, horizon.below)
      order by e.era desc, e.transaction_id desc, e.ordinal desc limit 1) as newest on true
    left join lateral (select regexp_replace(e.subject_id, '_[^_]*$', '') as prefix, count(*) as number,
        count(*) filter (where e.transaction_id < horizon.below) as settled
      from events e where e.organization_id = ${organizationId} and e.sequence = 1
        and ${since} group by 1) as came on true`
}
