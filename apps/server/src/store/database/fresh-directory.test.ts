import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { openEmbedded } from './connect.ts'
import { fillFreshDirectory, imageFile, imageRelease } from './fresh-directory.ts'
import { migrate } from './migrate.ts'
import { sql } from './sql.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'liquidity-fresh-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

it('is of the installed PGlite: run apps/server/bin/make-database-image.ts after raising it', () => {
  const entry = fileURLToPath(import.meta.resolve('@electric-sql/pglite'))
  const installed = JSON.parse(readFileSync(entry.replace(/dist.*/, 'package.json'), 'utf8'))
  expect(installed.version).toBe(imageRelease)
  expect(statSync(imageFile).size).toBeLessThan(4_000_000)
})

it('opens, applies the schema, and keeps writes', async () => {
  const folder = newFolder()
  const first = await openEmbedded(folder)
  expect(await migrate(first)).not.toEqual([])
  await first.global([
    sql`insert into organizations (id, name, created_at) values (${'org_1'}, ${'One'}, ${1})`,
  ])
  await first.close()
  const second = await openEmbedded(folder)
  onTestFinished(() => second.close())
  expect(await migrate(second)).toEqual([])
  const [rows] = await second.global([sql`select name from organizations`])
  expect(rows).toEqual([{ name: 'One' }])
})

it('replaces files of a process that died while unpacking', async () => {
  const directory = join(newFolder(), 'database')
  mkdirSync(`${directory}.new/base`, { recursive: true })
  writeFileSync(`${directory}.new/half`, 'written')
  await fillFreshDirectory(directory)
  expect(readFileSync(join(directory, 'PG_VERSION'), 'utf8')).toMatch(/^\d+\n$/)
  expect(existsSync(join(directory, 'half'))).toBe(false)
  expect(existsSync(`${directory}.new`)).toBe(false)
})

it('leaves a directory alone that holds anything', async () => {
  const directory = newFolder()
  writeFileSync(join(directory, 'mine'), 'x')
  await fillFreshDirectory(directory)
  expect(existsSync(join(directory, 'PG_VERSION'))).toBe(false)
})
