import type { Database } from '../database/database.ts'
import { integerOf } from '../database/row.ts'
import { type Sql, sql } from '../database/sql.ts'

/** A provider record. */
interface Node {
  readonly organizationId: string
  readonly recordId: string
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
   * Reserves the tokens of some milliseconds, after all earlier reservations.
   *
   * @returns Unix time in ms from which the tokens may be used
   */
  async reserve(node: Node, milliseconds: number, now: number): Promise<number> {
    const { organizationId, recordId } = node
    const whole = Math.ceil(milliseconds)
    const row = await this.#change(
      node,
      sql`insert into rpc_budgets as known (organization_id, provider_id, reserved_until, day, credits)
        values (${organizationId}, ${recordId}, ${Math.floor(now) + whole}, 0, 0)
        on conflict (organization_id, provider_id) do update
        set reserved_until = greatest(known.reserved_until, ${Math.floor(now)}) + ${whole}
        returning reserved_until`,
    )
    return integerOf(row, 'reserved_until') - whole
  }

  /** Adds credits of a Unix day and returns the sum of all processes. */
  async addCredits(node: Node, day: number, credits: number): Promise<number> {
    const { organizationId, recordId } = node
    const row = await this.#change(
      node,
      sql`insert into rpc_budgets as known (organization_id, provider_id, reserved_until, day, credits)
        values (${organizationId}, ${recordId}, 0, ${day}, ${Math.ceil(credits)})
        on conflict (organization_id, provider_id) do update
        set credits = case when known.day = excluded.day then known.credits else 0 end + excluded.credits,
          day = excluded.day
        returning credits`,
    )
    return integerOf(row, 'credits')
  }

  async #change({ organizationId }: Node, statement: Sql) {
    const [rows] = await this.#database.tenant(organizationId, [statement])
    const [row] = rows ?? []
    if (!row) throw new Error('The budget of an RPC node was not stored.')
    return row
  }
}

/** Credits spent on a Unix day, by provider. */
export const creditsStatement = (organizationId: string, day: number): Sql =>
  sql`select provider_id, credits from rpc_budgets
    where organization_id = ${organizationId} and day = ${day}`
