import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { directoryRefused } from '../src/config.ts'
import { limits } from '../src/limits.ts'
import { openEmbedded } from '../src/store/database/connect.ts'
import type { Database } from '../src/store/database/database.ts'
import { beginEra } from '../src/store/database/era.ts'
import { migrate } from '../src/store/database/migrate.ts'
import { sql } from '../src/store/database/sql.ts'
import { bookmarkBody } from './support/bodies.ts'
import { newOrganization, startTestService } from './support/service.ts'

/** More than any disk has. */
const everything = Number.MAX_SAFE_INTEGER

async function databaseOnDisk(): Promise<Database> {
  const directory = mkdtempSync(join(tmpdir(), 'liquidity-disk-'))
  const database = await openEmbedded(directory)
  await migrate(database)
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return database
}

it('an embedded database on a full disk rejects changes, serves reads, and recovers with free space', async () => {
  const database = await databaseOnDisk()
  const service = await startTestService({}, database)
  onTestFinished(() => service.stop())
  const owner = await newOrganization(service)
  const save = (number: number) =>
    owner.client.savePlatformProject({ body: bookmarkBody(number) }).then(
      ({ status }) => [status, ''],
      ({ status, code, message }) => [status, code, message],
    )
  const ready = async () => {
    service.clock.advance(limits.writableMilliseconds)
    const answer = await fetch(`${service.baseUrl}/health/ready`)
    return [answer.status, ((await answer.json()) as { status: string }).status]
  }
  expect(await save(1)).toEqual([201, ''])

  await database.reserve(everything)
  expect(await save(2)).toEqual([
    503,
    'LIQUIDITY_STORE_UNAVAILABLE',
    expect.stringContaining('The database disk is full. No data was written.'),
  ])
  expect(await ready()).toEqual([503, 'database disk full'])
  expect((await owner.client.listSavedPlatformProjects()).body.data).toHaveLength(1)

  // A start writes too, and says in words why it cannot.
  const refused = await beginEra(database).catch((error: unknown) => error)
  expect(directoryRefused(refused, '/data')).toMatchObject({
    message: expect.stringContaining('/data needs 64 MiB of free space to start'),
  })

  await database.reserve(0)
  expect(await save(2)).toEqual([201, ''])
  expect(await ready()).toEqual([200, 'ready'])
})

it('a transaction that is open when the disk fills up ends as it began', async () => {
  const database = await databaseOnDisk()
  onTestFinished(() => database.close())
  const client = await database.pool.connect()
  await client.query('begin; create table kept (n int)')
  await database.reserve(everything)
  await client.query('insert into kept values (1)')
  await client.query('commit')
  await expect(client.query('insert into kept values (2)')).rejects.toMatchObject({ code: '25006' })
  expect((await client.query('select n from kept')).rows).toEqual([{ n: '1' }])
  client.release()
  await expect(database.global([sql`delete from users`])).rejects.toMatchObject({
    cause: { code: '53100' },
  })
})
