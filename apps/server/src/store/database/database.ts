import type pg from 'pg'
import { limits } from '../../limits.ts'
import type { Row, Rows } from './row.ts'
import { quote, type Sql } from './sql.ts'

/** Database roles for requests; none can bypass row-level security. */
type ServiceRole = 'liquidity_app' | 'liquidity_dispatch' | 'liquidity_log'

/** Statements for one organization inside a message. */
export interface TenantStatements {
  organizationId: string
  statements: readonly Sql[]
}

/** The database or the object store does not respond, or the connection was lost. */
export class StoreUnavailableError extends Error {
  /** True if the change may have been stored although its response was lost. */
  readonly mayBeWritten: boolean

  constructor(cause: unknown, { store = 'database', mayBeWritten = false } = {}) {
    super(`The ${store} does not respond.`, { cause })
    this.mayBeWritten = mayBeWritten
  }
}

/**
 * The responding database is not the primary: a failover is in progress, or the URL leads to a
 * standby.
 */
export class StandbyError extends Error {
  constructor() {
    super('The database is a standby.')
  }
}

/** Another transaction committed first: a unique key is taken or an expectation failed. */
export class ConflictError extends Error {
  readonly constraint: string | null
  constructor(constraint: string | null, cause: unknown) {
    super(`A concurrent change came first${constraint ? ` (${constraint})` : ''}.`, { cause })
    this.constraint = constraint
  }
}

// unique_violation, cardinality_violation (a row touched twice), and the custom code for a failed
// expectation.
const conflicts = new Set(['23505', '21000', 'LQ001'])
// serialization_failure, deadlock_detected: the whole message may be sent again.
const transient = new Set(['40001', '40P01'])

const standbyQuery = 'select pg_is_in_recovery() as is_standby'
const textsOf = (statements: readonly Sql[]) => statements.map(({ text }) => text)

/**
 * Sends statements to PostgreSQL, embedded or not: one message is one transaction and one round trip.
 * The tenant is set inside the same transaction, so pooled connections carry no state.
 */
export class Database {
  readonly kind: 'postgres' | 'embedded'
  readonly pool: pg.Pool
  readonly #close: () => Promise<void>
  readonly #dump: () => Promise<Blob>

  constructor(
    kind: 'postgres' | 'embedded',
    pool: pg.Pool,
    close: () => Promise<void>,
    dump: () => Promise<Blob> = () => Promise.reject(new Error('Use pg_dump.')),
    reserve: (bytes: number) => Promise<void> = () => Promise.resolve(),
  ) {
    this.kind = kind
    this.pool = pool
    this.#close = close
    this.#dump = dump
    this.reserve = reserve
  }

  /** The data directory of the embedded database as one tar file, for backups and test images. */
  dump(): Promise<Blob> {
    return this.#dump()
  }

  /** Changes the free disk space that the embedded database requires for changes. */
  readonly reserve: (bytes: number) => Promise<void>

  /** Runs statements of one organization; returns the rows per statement, in order. */
  async tenant(organizationId: string, statements: readonly Sql[]): Promise<Rows[]> {
    return (await this.tenants([{ organizationId, statements }])).flat()
  }

  /** Runs statements of several organizations in one transaction, each under its own policy. */
  async tenants(groups: readonly TenantStatements[]): Promise<Rows[][]> {
    const parts: string[] = []
    for (const { organizationId, statements } of groups) {
      parts.push(`set local app.organization_id = ${quote(organizationId)}`)
      for (const statement of statements) parts.push(statement.text)
    }
    const results = await this.#as('liquidity_app', parts)
    let next = 0
    return groups.map(({ statements }) => {
      next += 1
      const rows = results.slice(next, next + statements.length)
      next += statements.length
      return rows
    })
  }

  /** Runs statements on the few global tables: organizations, users, sessions, sign-in links. */
  global(statements: readonly Sql[]): Promise<Rows[]> {
    return this.#as('liquidity_app', textsOf(statements))
  }

  /** Runs statements that find due work across organizations; the role sees only queues. */
  dispatch(statements: readonly Sql[]): Promise<Rows[]> {
    return this.#as('liquidity_dispatch', textsOf(statements))
  }

  /** Runs statements on the proof log; the role sees hashes of all events, and can only add to the log. */
  proofLog(statements: readonly Sql[]): Promise<Rows[]> {
    return this.#as('liquidity_log', textsOf(statements))
  }

  /**
   * Runs statements under a role, on the primary only. Data on a standby may be rolled back: a
   * demoted primary can hold unacknowledged changes, and a response read there would acknowledge
   * them.
   */
  async #as(role: ServiceRole, statements: readonly string[]): Promise<Rows[]> {
    const head = [`set local role ${role}`, ...(this.kind === 'postgres' ? [standbyQuery] : [])]
    const results = await this.#send([...head, ...statements].join(';\n'))
    if (this.kind === 'postgres' && results[1]?.[0]?.is_standby !== 'f') {
      throw new StoreUnavailableError(new StandbyError())
    }
    return results.slice(head.length)
  }

  async #send(text: string): Promise<Rows[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#exchange(text)
      } catch (cause) {
        if (!isTransient(cause)) throw cause
        if (attempt === limits.databaseAttempts) throw new ConflictError(null, cause)
      }
    }
  }

  async #exchange(text: string): Promise<Rows[]> {
    const client = await this.#connect()
    let isBroken = true
    try {
      const answer: unknown = await client.query(text)
      isBroken = false
      const results = (Array.isArray(answer) ? answer : [answer]) as { rows: Row[] }[]
      return results.map((result) => result.rows)
    } catch (cause) {
      // After a server error, the transaction is rolled back and the connection stays usable.
      isBroken = !isUndone(cause)
      throw this.kind === 'embedded' ? classify(asFullDisk(cause)) : classify(cause)
    } finally {
      client.release(isBroken)
    }
  }

  /**
   * A frozen server accepts connections once it resumes. No statement was sent yet, so the call
   * waits up to the query timeout. A server that refuses connections fails at once.
   */
  async #connect(): Promise<pg.PoolClient> {
    // Each waits as long as the pool.
    const attempts = limits.databaseQueryMilliseconds / limits.databaseConnectMilliseconds
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.pool.connect()
      } catch (cause) {
        if (!isAway(cause)) throw cause
        if (!isTimeout(cause) || attempt >= attempts) throw new StoreUnavailableError(cause)
      }
    }
  }

  close(): Promise<void> {
    return this.#close()
  }
}

/** The embedded database is read-only while its disk is nearly full, and for no other reason. */
function asFullDisk(cause: unknown): unknown {
  const { code } = cause as { code?: string }
  if (code !== '25006') return cause
  return Object.assign(new Error('The disk is full.', { cause }), { code: '53100' })
}

function classify(cause: unknown): unknown {
  const { code, constraint } = cause as { code?: string; constraint?: string }
  if (typeof code === 'string' && conflicts.has(code)) {
    return new ConflictError(constraint ?? null, cause)
  }
  if (!isAway(cause)) return cause
  return new StoreUnavailableError(cause, { mayBeWritten: !isUndone(cause) })
}

const sqlState = /^[0-9A-Z]{5}$/

/**
 * True if the server itself reported an error, so the transaction was rolled back; false for errors
 * during its shutdown.
 */
function isUndone(cause: unknown): boolean {
  const { code } = cause as { code?: unknown }
  return (
    typeof code === 'string' &&
    sqlState.test(code) &&
    !code.startsWith('08') &&
    !code.startsWith('57P') &&
    !isOfSystem(code)
  )
}

function isTransient(cause: unknown): boolean {
  return transient.has(String((cause as { code?: unknown }).code))
}

/**
 * query_canceled (a statement took too long), read_only_sql_transaction: a standby replaced the
 * primary.
 */
const unavailable = new Set(['57014', '25006'])

function isAway(cause: unknown): boolean {
  const { code } = cause as { code?: unknown }
  // The driver reports lost connections and exhausted pools without an SQLSTATE.
  if (typeof code !== 'string') return isDriverFailure(cause)
  return (
    isOfSystem(code) ||
    unavailable.has(code) ||
    ['08', '57P', '53'].some((beginning) => code.startsWith(beginning))
  )
}

/** A code of the operating system, such as EPIPE, which could be read as an SQLSTATE by its length alone. */
const isOfSystem = (code: string) => code.startsWith('E')

/** True if the driver or its pool reports that the server did not respond. */
const isTimeout = (cause: unknown) => cause instanceof Error && /timeout/i.test(cause.message)

function isDriverFailure(cause: unknown): boolean {
  return (
    cause instanceof Error &&
    /connect|terminat|timeout|closed|end(ed)? the pool|not queryable/i.test(cause.message)
  )
}
