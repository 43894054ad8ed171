import type { Database } from './database.ts'
import { integerOf } from './row.ts'
import { sql } from './sql.ts'

export interface LeaseClockOptions {
  /** Current time for this process, in milliseconds since 1970. */
  readonly clock: () => number
  /** Machine clock, compared with the database clock. */
  readonly machine?: () => number
}

/**
 * Clock for leases and heartbeats: that of the database, shared by all nodes. A node with a fast
 * clock would take work from others; one with a slow clock would leave abandoned work.
 */
export class LeaseClock {
  readonly #database: Database
  readonly #clock: () => number
  readonly #machine: () => number
  #ahead = 0

  constructor(database: Database, { clock, machine = Date.now }: LeaseClockOptions) {
    this.#database = database
    this.#clock = clock
    this.#machine = machine
  }

  /** Database time in milliseconds since 1970; the error is at most half of the query time. */
  read(): number {
    return this.#clock() + this.#ahead
  }

  /** Database clock minus machine clock, in milliseconds. */
  get ahead(): number {
    return this.#ahead
  }

  async measure(): Promise<void> {
    const sent = this.#machine()
    const [rows = []] = await this.#database.global([
      sql`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`,
    ])
    const between = (sent + this.#machine()) / 2
    this.#ahead = Math.round(integerOf(rows[0] ?? {}, 'now') - between)
  }
}
