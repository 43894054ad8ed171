// @module-tag postgres

import { afterAll, beforeAll, expect, it } from 'vitest'
import { ConflictError, type Database } from '../src/store/database/database.ts'
import { sql } from '../src/store/database/sql.ts'
import { type Change, emptyChange } from '../src/store/records/change.ts'
import { Committer } from '../src/store/records/committer.ts'
import { testDatabase } from './support/database.ts'

let database: Database
beforeAll(async () => {
  database = (await testDatabase()).database
})
afterAll(() => database.close())

const claim = (organizationId: string, name: string): Change => ({
  ...emptyChange(organizationId, 0),
  claims: [{ kind: 'venue', name, recordId: `venue_of_${name}` }],
})

it('refuses the one change that conflicts and commits the others of its group', async () => {
  const committer = new Committer(database)
  await committer.commit(claim('org_one', 'taken'))
  const names = Array.from({ length: 40 }, (_, index) => (index === 17 ? 'taken' : `free-${index}`))
  const outcomes = await Promise.allSettled(
    names.map((name) => committer.commit(claim('org_one', name))),
  )
  expect(outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([
    17,
  ])
  const [rows = []] = await database.tenant('org_one', [
    sql`select count(*) as found from names where organization_id = ${'org_one'}`,
  ])
  expect(rows[0]?.found).toBe('40')
})

it('lets organizations claim the same name', async () => {
  const committer = new Committer(database)
  await Promise.all([
    committer.commit(claim('org_two', 'name')),
    committer.commit(claim('org_three', 'name')),
  ])
  const [rows = []] = await database.tenant('org_two', [
    sql`select name from names where organization_id = ${'org_two'}`,
  ])
  expect(rows).toEqual([{ name: 'name' }])
})

it('distinguishes an outdated expectation from an arithmetic error', async () => {
  const ask = (text: string) => database.tenant('org_four', [{ text }]).catch((error) => error)
  expect(await ask('select require_expected(false)')).toBeInstanceOf(ConflictError)
  expect(await ask('select require_expected(null)')).toBeInstanceOf(ConflictError)
  expect(await ask('select 1 / 0')).not.toBeInstanceOf(ConflictError)
  expect(await ask('select require_expected(true)')).toHaveLength(1)
})
