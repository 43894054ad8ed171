// @module-tag postgres

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../src/store/database/database.ts'
import { RpcBudgets } from '../src/store/node-calls/rpc-budgets.ts'
import { doneWith, testDatabase } from './support/database.ts'

let database: Database
beforeAll(async () => {
  database = (await testDatabase()).database
})
afterAll(() => doneWith(database))

const node = (recordId: string, organizationId = 'org_a') => ({ organizationId, recordId })
const now = Date.parse('2026-01-05T12:00:00Z')

it('gives each process its own time, one after the other', async () => {
  const [first, second] = [new RpcBudgets(database), new RpcBudgets(database)]
  const reservations = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? first : second).reserve(node('provider_1'), 500, now),
    ),
  )
  expect(reservations.toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 10 }, (_, index) => now + 500 * index),
  )
  // Unused time is not saved up.
  expect(await first.reserve(node('provider_1'), 500, now + 60_000)).toBe(now + 60_000)
})

it('adds the credits of a day over processes, and starts again on the next day', async () => {
  const [first, second] = [new RpcBudgets(database), new RpcBudgets(database)]
  expect(await first.addCredits(node('provider_2'), 20_000, 75)).toBe(75)
  expect(await second.addCredits(node('provider_2'), 20_000, 10)).toBe(85)
  expect(await first.addCredits(node('provider_2', 'org_b'), 20_000, 1)).toBe(1)
  expect(await first.addCredits(node('provider_2'), 20_001, 3)).toBe(3)
  expect(await first.reserve(node('provider_2'), 1000, now)).toBe(now)
  expect(await first.addCredits(node('provider_2'), 20_001, 4)).toBe(7)
})
