import { defaultBudget, type Scope } from '@liquidity-os/contract/outline'
import { Failure } from '../failure.ts'
import { limits } from '../limits.ts'
import type { Database } from '../store/database/database.ts'
import { join, sql } from '../store/database/sql.ts'
import { Grouped } from '../store/records/grouped.ts'

interface Charge {
  organizationId: string
  credentialId: string
  scope: Scope
  windowStart: number
}

/**
 * Request budgets of service credentials: persistent, shared by all nodes, counted per credential, scope
 * and window of 900 s. Requests of one burst are counted by one statement, so a hot key costs one row
 * update a burst and not one a request.
 */
export class Budgets {
  readonly #grouped: Grouped<Charge, number>
  readonly #overrides: Readonly<Partial<Record<Scope, number>>>

  constructor(database: Database, overrides: Readonly<Partial<Record<Scope, number>>>) {
    this.#overrides = overrides
    this.#grouped = new Grouped((charges) => count(database, charges), {
      maximumItems: limits.readGroupRequests,
      maximumInFlight: 1,
    })
  }

  limitOf(scope: Scope): number {
    return this.#overrides[scope] ?? defaultBudget(scope)
  }

  /**
   * Charges one request.
   *
   * @param notices receives the rate limit headers, for any outcome
   * @throws Failure 429 if the budget is exhausted, 503 if the counter is unreachable (fails
   * closed)
   */
  async charge(
    organizationId: string,
    budget: { credentialId: string; scope: Scope },
    now: number,
    notices: Record<string, string>,
  ): Promise<void> {
    const windowMilliseconds = limits.budgetWindowSeconds * 1000
    const windowStart = Math.floor(now / windowMilliseconds) * windowMilliseconds
    const position = await this.#grouped.ask({ organizationId, ...budget, windowStart })
    const limit = this.limitOf(budget.scope)
    const remaining = limit - position
    const secondsLeft = Math.ceil((windowStart + windowMilliseconds - now) / 1000)
    // Headers of draft-ietf-httpapi-ratelimit-headers: quota, window, remaining requests and reset
    // time.
    notices['ratelimit-policy'] = `"${budget.scope}";q=${limit};w=${limits.budgetWindowSeconds}`
    notices.ratelimit = `"${budget.scope}";r=${Math.max(0, remaining)};t=${secondsLeft}`
    if (remaining < 0) {
      throw new Failure('LIQUIDITY_STUDIO_SERVICE_SCOPE_RATE_LIMITED', {
        retryAfterSeconds: limits.budgetWindowSeconds,
      })
    }
  }
}

const keyOf = (charge: Charge) =>
  [charge.organizationId, charge.credentialId, charge.scope, charge.windowStart].join('|')

/** Adds the charges of a burst and gives each its position in the window, from 1. */
async function count(database: Database, charges: readonly Charge[]): Promise<number[]> {
  const byOrganization = Map.groupBy(charges, ({ organizationId }) => organizationId)
  // Sorted by key, so that two nodes lock the same counters in one order and cannot deadlock.
  const inOrder = [...byOrganization].sort(([a], [b]) => (a < b ? -1 : 1))
  const groups = inOrder.map(([organizationId, own]) => {
    const sums = [...Map.groupBy(own, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1))
    const rows = sums.map(([, same]) => {
      const { credentialId, scope, windowStart } = same[0] as Charge
      return sql`(${organizationId},${credentialId},${scope},${windowStart},${same.length})`
    })
    return {
      organizationId,
      statements: [
        // A crash may lose the last counts, which is harmless; waiting for the disk would cost
        // latency.
        sql`set local synchronous_commit = off`,
        sql`insert into budgets as b (organization_id, credential_id, scope, window_start, used)
          values ${join(rows)} on conflict (organization_id, credential_id, scope, window_start)
          do update set used = b.used + excluded.used
          returning credential_id, scope, window_start, used`,
      ],
    }
  })
  const answers = await database.tenants(groups)
  const next = new Map<string, number>()
  for (const [index, { organizationId }] of groups.entries()) {
    for (const row of answers[index]?.[1] ?? []) {
      const key = [organizationId, row.credential_id, row.scope, row.window_start].join('|')
      const added = charges.filter((charge) => keyOf(charge) === key).length
      next.set(key, Number(row.used) - added + 1)
    }
  }
  return charges.map((charge) => {
    const key = keyOf(charge)
    const position = next.get(key) ?? Number.POSITIVE_INFINITY
    next.set(key, position + 1)
    return position
  })
}
