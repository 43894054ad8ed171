// @module-tag postgres

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../src/store/database/database.ts'
import { sql } from '../src/store/database/sql.ts'
import { RpcBudgets } from '../src/store/node-calls/rpc-budgets.ts'
import { hourMilliseconds, minuteMilliseconds } from '../src/units.ts'
import { doneWith, testDatabase } from './support/database.ts'

let database: Database
beforeAll(async () => {
  database = (await testDatabase()).database
})
afterAll(() => doneWith(database))

const node = (recordId: string, organizationId = 'org_a') => ({ organizationId, recordId })
/** The clocks of the processes differ from each other and from the database. */
const now = Date.parse('2026-01-05T12:00:00Z')

it('gives each process its own time, one after the other', async () => {
  const [first, second] = [new RpcBudgets(database), new RpcBudgets(database)]
  const milliseconds = 5000
  const began = performance.now()
  const reservations = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? first : second).reserve(node('provider_1'), milliseconds, now),
    ),
  )
  const elapsed = Math.ceil(performance.now() - began)
  const ascending = reservations.toSorted((a, b) => a - b)
  for (const [index, from] of ascending.entries()) {
    // Each delay counts from the time of its own statement.
    expect(Math.abs(from - now - milliseconds * index)).toBeLessThanOrEqual(elapsed + 1)
  }
})

it('reserves by the clock of the database, whatever the clock of a process says', async () => {
  const [ahead, other] = [new RpcBudgets(database), new RpcBudgets(database)]
  const later = now + hourMilliseconds
  expect(await ahead.reserve(node('provider_3'), 1000, later)).toBe(later)
  const from = await other.reserve(node('provider_3'), 1000, now)
  expect(from - now).toBeLessThanOrEqual(1000)
  // A database clock that was set back delays the calls by a minute.
  await database.tenant('org_a', [
    sql`update rpc_budgets set reserved_until = reserved_until + ${hourMilliseconds}
      where organization_id = 'org_a' and provider_id = 'provider_3'`,
  ])
  const delay = (await other.reserve(node('provider_3'), 1000, now)) - now
  expect(delay).toBe(minuteMilliseconds)
  // Unused time is not saved up.
  await database.tenant('org_a', [
    sql`update rpc_budgets set reserved_until = 1
      where organization_id = 'org_a' and provider_id = 'provider_3'`,
  ])
  expect(await other.reserve(node('provider_3'), 1000, now)).toBe(now)
})

const dayOfDatabase = async () => {
  const [[row] = []] = await database.tenant('org_a', [
    sql`select floor(extract(epoch from now()) / 86400)::bigint as day`,
  ])
  return Number(row?.day)
}

/** Credits of a process whose clock says this day. */
const add = async (record: string, { day, credits }: { day: number; credits: number }) =>
  (await new RpcBudgets(database).addCredits(node(record), day, credits)).credits

it('adds the credits of a day over processes', async () => {
  const day = await dayOfDatabase()
  expect(await add('provider_2', { day, credits: 75 })).toBe(75)
  expect(await add('provider_2', { day, credits: 10 })).toBe(85)
  const other = new RpcBudgets(database).addCredits(node('provider_2', 'org_b'), day, 1)
  expect(await other).toMatchObject({ credits: 1 })
  await new RpcBudgets(database).reserve(node('provider_2'), 1000, now)
  expect(await add('provider_2', { day, credits: 4 })).toBe(89)
})

it('starts again on the next day, and not for a process on another day', async () => {
  const budgets = new RpcBudgets(database)
  const day = await dayOfDatabase()
  await add('provider_4', { day, credits: 5 })
  const setDay = (value: number) =>
    database.tenant('org_a', [
      sql`update rpc_budgets set day = ${value}
        where organization_id = 'org_a' and provider_id = 'provider_4'`,
    ])
  if (budgets.isShared) {
    expect(await add('provider_4', { day: day - 1, credits: 1 })).toBe(6)
    expect(await add('provider_4', { day: day + 1, credits: 1 })).toBe(7)
    expect(await budgets.addCredits(node('provider_4'), 3, 0)).toEqual({ day, credits: 7 })
  } else {
    // The only process decides the day.
    expect(await add('provider_4', { day, credits: 2 })).toBe(7)
  }
  // At midnight, a standby with an earlier time can become the primary.
  await setDay(day + 1)
  expect(await budgets.addCredits(node('provider_4'), day, 1)).toEqual({
    day: day + 1,
    credits: 8,
  })
  // A day far ahead is an error of the clock, and does not last.
  await setDay(day + 2)
  expect(await add('provider_4', { day, credits: 3 })).toBe(3)
  await setDay(day - 1)
  expect(await add('provider_4', { day, credits: 4 })).toBe(4)
})
