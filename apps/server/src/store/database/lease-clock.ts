import type { Database } from './database.ts'
import { integerOf } from './row.ts'
import { sql } from './sql.ts'

export interface LeaseClockOptions {
  /** What this process calls now, milliseconds since 1970. */
  readonly clock: () => number
  /** The clock of its machine, beside which that of the database is held. */
  readonly machine?: () => number
}

/**
 * The time by which leases and signs of life are judged: that of the database, which all nodes share. A node whose own clock
 * is ahead would take what another still works on; one that is behind would leave what nobody works on.
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

  /** Milliseconds since 1970, as the database has it to within half of what asking it took. */
  read(): number {
    return this.#clock() + this.#ahead
  }

  /** How far the database is ahead of this machine, milliseconds; negative where it is behind. */
  get ahead(): number {
    return this.#ahead
  }

  /** Asks the database what time it is. */
  async measure(): Promise<void> {
    const sent = this.#machine()
    const [rows = []] = await this.#database.global([
      sql`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`,
    ])
    const between = (sent + this.#machine()) / 2
    this.#ahead = Math.round(integerOf(rows[0] ?? {}, 'now') - between)
  }
}
