import type { Logger } from 'pino'
import { limits } from '../../limits.ts'
import { type Database, StoreUnavailableError } from '../database/database.ts'
import { integerOf, optionalIntegerOf, type Row } from '../database/row.ts'
import { type Sql, sql } from '../database/sql.ts'
import { bytesOf, type Change } from './change.ts'
import { Grouped } from './grouped.ts'

interface Excess {
  readonly usedBytes: number
  readonly maxBytes: number
}

/** As the database has it. */
interface KnownUsage {
  readonly bytes: number
  /** Quota set by the operator, in bytes; null for the deployment default. */
  readonly maxBytes: number | null
}

/**
 * Storage use of organizations in bytes, if the deployment has a quota; otherwise not counted.
 *
 * Each process adds up its commits and reports them every few seconds; the database returns the
 * totals of all processes. No change waits for a counter, so an organization can exceed its quota
 * by the bytes of those seconds. A crash loses unreported bytes; `measureUsage` corrects them.
 */
export class OrganizationUsage {
  readonly #database: Database
  readonly #log: Logger
  readonly #maxBytes: number | null
  readonly #reads: Grouped<string, KnownUsage>
  /** Last database values, for organizations requested or written since. */
  readonly #known = new Map<string, KnownUsage>()
  /** Organizations requested since the last report. */
  #requested = new Set<string>()
  /** Local commits not reported yet. */
  readonly #added = new Map<string, number>()
  #timer: NodeJS.Timeout | null = null
  #telling: Promise<void> = Promise.resolve()
  #isClosed = false

  /** @param maxBytes default quota of an organization, in bytes; null for no quota */
  constructor(database: Database, log: Logger, maxBytes: number | null) {
    this.#database = database
    this.#log = log
    this.#maxBytes = maxBytes
    this.#reads = new Grouped((ids) => this.#exchange(ids.map((id) => [id, 0])), {
      maximumItems: limits.readGroupRequests,
      maximumInFlight: 1,
    })
  }

  /** Receives committed changes. */
  add(changes: readonly Change[]): void {
    if (this.#maxBytes === null) return
    for (const change of changes) {
      const { organizationId } = change
      this.#added.set(organizationId, (this.#added.get(organizationId) ?? 0) + bytesOf(change))
    }
    this.#tellLater()
  }

  /**
   * Usage over quota; null if within it.
   *
   * @throws StoreUnavailableError if unknown and unreadable
   */
  async excess(organizationId: string): Promise<Excess | null> {
    if (this.#maxBytes === null) return null
    this.#requested.add(organizationId)
    this.#tellLater()
    const usage = this.#known.get(organizationId) ?? (await this.#read(organizationId))
    const usedBytes = usage.bytes + (this.#added.get(organizationId) ?? 0)
    const maxBytes = usage.maxBytes ?? this.#maxBytes
    return usedBytes > maxBytes ? { usedBytes, maxBytes } : null
  }

  /** Reports all commits up to now and refreshes the requested values. */
  flush(): Promise<void> {
    this.#telling = this.#telling.then(() => this.#tell())
    return this.#telling
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.flush()
  }

  async #read(organizationId: string): Promise<KnownUsage> {
    const readUsage = await this.#reads.ask(organizationId)
    this.#known.set(organizationId, readUsage)
    return readUsage
  }

  #tellLater(): void {
    if (this.#timer || this.#isClosed) return
    const flush = () => {
      this.#timer = null
      void this.flush()
    }
    this.#timer = setTimeout(flush, limits.usageMilliseconds).unref()
  }

  async #tell(): Promise<void> {
    const requested = [...this.#requested].map((id): [string, number] => [id, 0])
    // Sorted by id, so that two processes lock the rows of organizations in one order and cannot
    // deadlock.
    const pending = [...new Map([...requested, ...this.#added])].sort(([a], [b]) =>
      a < b ? -1 : 1,
    )
    this.#requested = new Set()
    for (let start = 0; start < pending.length; start += limits.readGroupRequests) {
      await this.#tellGroup(pending.slice(start, start + limits.readGroupRequests))
    }
    const reportedIds = new Set(pending.map(([id]) => id))
    for (const id of this.#known.keys()) if (!reportedIds.has(id)) this.#known.delete(id)
  }

  async #tellGroup(group: readonly [string, number][]): Promise<void> {
    try {
      const sums = await this.#exchange(group)
      this.#forget(group)
      for (const [index, sum] of sums.entries()) this.#known.set(group[index]![0], sum)
    } catch (error) {
      // A report that may have arrived is not repeated, because double counting could reject an
      // organization within its quota.
      if (error instanceof StoreUnavailableError && error.mayBeWritten) this.#forget(group)
      if (this.#added.size > 0) this.#tellLater()
      this.#log.warn({ err: error }, 'Failed to report storage use; the service retries.')
    }
  }

  #forget(reported: readonly [string, number][]): void {
    for (const [organizationId, bytes] of reported) {
      const remaining = (this.#added.get(organizationId) ?? 0) - bytes
      if (remaining > 0) this.#added.set(organizationId, remaining)
      else this.#added.delete(organizationId)
    }
  }

  async #exchange(group: readonly [string, number][]): Promise<KnownUsage[]> {
    const answers = await this.#database.tenants(
      group.map(([organizationId, bytes]) => ({
        organizationId,
        // A database crash may lose counts; the measurement corrects them.
        statements: [sql`set local synchronous_commit = off`, exchange(organizationId, bytes)],
      })),
    )
    return answers.map(([, rows = []]) => parseUsage(rows[0]))
  }
}

const parseUsage = (row: Row | undefined): KnownUsage => ({
  bytes: row ? integerOf(row, 'bytes') : 0,
  maxBytes: row ? optionalIntegerOf(row, 'most_bytes') : null,
})

function exchange(organizationId: string, bytes: number): Sql {
  if (bytes === 0) {
    return sql`select bytes, most_bytes from organization_usage where organization_id = ${organizationId}`
  }
  return sql`insert into organization_usage as u (organization_id, bytes) values (${organizationId}, ${bytes})
    on conflict (organization_id) do update set bytes = u.bytes + excluded.bytes
    returning bytes, most_bytes`
}
