import { daySeconds, minuteMilliseconds } from '../../units.ts'
import type { Database } from '../database/database.ts'
import { integerOf } from '../database/row.ts'
import { type Sql, sql } from '../database/sql.ts'

/** Unix time of the database in ms, the same in all parts of a statement. */
const databaseTime = sql`floor(extract(epoch from now()) * 1000)::bigint`
const databaseDay = sql`floor(extract(epoch from now()) / ${{ text: `${daySeconds}` }})::bigint`
/** A reservation begins at most this long from now, also after a change of the database clock. */
const aheadMilliseconds = minuteMilliseconds

/** A provider record. */
interface Node {
  readonly organizationId: string
  readonly recordId: string
}

/** Credits that all processes have spent in a Unix day. */
export interface SpentCredits {
  readonly day: number
  readonly credits: number
}

/** Rates and credits of RPC nodes that several processes share. Each change is one statement. */
export class RpcBudgets {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** True if other processes can read the same nodes; the embedded database has one process. */
  get isShared(): boolean {
    return this.#database.kind === 'postgres'
  }

  /**
   * Reserves the tokens of some milliseconds, after all earlier reservations. The clock of the database
   * decides, because the clocks of the processes differ.
   *
   * @param now Unix time in ms by the clock of the caller
   * @returns Unix time in ms from which the tokens may be used, by the clock of the caller
   */
  async reserve(node: Node, milliseconds: number, now: number): Promise<number> {
    const { organizationId, recordId } = node
    const whole = Math.ceil(milliseconds)
    const row = await this.#change(
      node,
      sql`insert into rpc_budgets as known (organization_id, provider_id, reserved_until, day, credits)
        values (${organizationId}, ${recordId}, ${databaseTime} + ${whole}, 0, 0)
        on conflict (organization_id, provider_id) do update set reserved_until = ${whole}
          + least(greatest(known.reserved_until, ${databaseTime}), ${databaseTime} + ${aheadMilliseconds})
        returning reserved_until - ${whole} - ${databaseTime} as delay`,
    )
    return now + integerOf(row, 'delay')
  }

  /**
   * Adds credits and returns the sum of all processes. The database decides the day if several
   * processes can read it.
   *
   * @param day Unix day of the caller
   */
  async addCredits(node: Node, day: number, credits: number): Promise<SpentCredits> {
    const { organizationId, recordId } = node
    const today = this.isShared ? databaseDay : sql`${day}`
    const row = await this.#change(
      node,
      sql`insert into rpc_budgets as known (organization_id, provider_id, reserved_until, day, credits)
        values (${organizationId}, ${recordId}, 0, ${today}, ${Math.ceil(credits)})
        on conflict (organization_id, provider_id) do update
        set credits = excluded.credits
            + case when known.day between excluded.day and excluded.day + 1 then known.credits else 0 end,
          day = case when known.day = excluded.day + 1 then known.day else excluded.day end
        returning day, credits`,
    )
    return { day: integerOf(row, 'day'), credits: integerOf(row, 'credits') }
  }

  async #change({ organizationId }: Node, statement: Sql) {
    const [rows] = await this.#database.tenant(organizationId, [statement])
    const [row] = rows ?? []
    if (!row) throw new Error('The budget of an RPC node was not stored.')
    return row
  }
}

/** Credits spent on the current Unix day, by provider. The day of the database can be a later one. */
export const creditsStatement = (organizationId: string, day: number): Sql =>
  sql`select provider_id, credits from rpc_budgets
    where organization_id = ${organizationId} and day >= ${day}`
