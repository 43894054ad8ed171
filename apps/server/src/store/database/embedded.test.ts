import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openInMemory } from './connect.ts'
import type { Database } from './database.ts'
import { EmbeddedDatabase } from './embedded.ts'

let database: Database
beforeAll(async () => {
  database = await openInMemory()
})
afterAll(() => database.close())

it('takes several statements in one message, and statements with parameters', async () => {
  const several = await database.pool.query('select 1 as a; select 2 as b')
  expect((several as unknown as { rows: unknown[] }[]).map(({ rows }) => rows)).toEqual([
    [{ a: '1' }],
    [{ b: '2' }],
  ])
  const { rows } = await database.pool.query('select $1::text as a, $2::int as b', ['x', 7])
  expect(rows).toEqual([{ a: 'x', b: '7' }])
})

it('continues after a rejection of parameters or text', async () => {
  await expect(database.pool.query('select nonsense')).rejects.toMatchObject({ code: '42703' })
  await expect(database.pool.query('select $1::int', ['x'])).rejects.toMatchObject({
    code: '22P02',
  })
  expect((await database.pool.query('select 1 as a')).rows).toEqual([{ a: '1' }])
})

it('carries megabytes both ways', async () => {
  const text = 'y'.repeat(3_000_000)
  const { rows } = await database.pool.query(`select repeat('${text}', 2) as a`)
  expect(rows[0].a).toBe(text + text)
})

it('leaves the event loop free while it works', async () => {
  let isDone = false
  const work = database.pool
    .query('select count(*) from generate_series(1, 2000000)')
    .finally(() => {
      isDone = true
    })
  let turns = 0
  while (!isDone) {
    await nextTurn()
    turns += 1
  }
  await work
  expect(turns).toBeGreaterThan(100)
})

it('reads its own dump', async () => {
  await database.pool.query('create table kept (n int); insert into kept values (42)')
  const copy = await openInMemory(await database.dump())
  expect((await copy.pool.query('select n from kept')).rows).toEqual([{ n: '42' }])
  await copy.close()
})

it('reports to later callers that it stopped', async () => {
  const thread = new EmbeddedDatabase()
  await expect(thread.dump()).rejects.toThrow('not open')
  await thread.close()
  await expect(thread.dump()).rejects.toThrow('Connection terminated')
  await thread.close()
})
