import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openEmbedded } from './connect.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'

/** What `docs/growth.md` says of tables, read from the catalog of a migrated database. */
const folder = mkdtempSync(join(tmpdir(), 'liquidity-catalog-'))
let database: Database
beforeAll(async () => {
  database = await openEmbedded(folder)
  await migrate(database)
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const queryRows = async (text: string) =>
  (await database.pool.query(text)).rows as Record<string, string>[]

const page = readFileSync(join(import.meta.dirname, '../../../../../docs/growth.md'), 'utf8')
/** Tables of the deployment, as the page names them. */
const shared = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => [...line.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!))

it('names every table that is of no organization', async () => {
  const rows = await queryRows(`select c.relname as name from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = 'public' and c.relname not like 'kysely_%' and not exists (
      select from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where i.indrelid = c.oid and i.indisprimary and a.attname = 'organization_id')`)
  expect(rows.map(({ name }) => name).sort()).toEqual([...shared].sort())
})

it('leads every unique index of an organization by it, and binds no tables to each other', async () => {
  const indexes = await queryRows(`select c.relname as table, i.indexrelid::regclass::text as index
    from pg_index i join pg_class c on c.oid = i.indrelid
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where n.nspname = 'public' and i.indisunique and a.attname <> 'organization_id'
      and c.relname not like 'kysely_%'`)
  const foreign = indexes.filter(({ table }) => !shared.includes(table!))
  expect(foreign).toEqual([])
  expect(await queryRows(`select conname from pg_constraint where contype = 'f'`)).toEqual([])
  const triggers = await queryRows(
    `select tgrelid::regclass::text as table from pg_trigger where not tgisinternal`,
  )
  expect(triggers.filter(({ table }) => !shared.includes(table!))).toEqual([])
  expect(
    await queryRows(`select relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where relkind = 'S' and n.nspname = 'public'`),
  ).toEqual([])
})

it('says how many statements were printed with each verdict', () => {
  const printed = readFileSync(
    join(import.meta.dirname, '../../../test/every-operation/statements.txt'),
    'utf8',
  )
  const counted = (verdict: string) =>
    [...printed.matchAll(new RegExp(`^${verdict} +(?:select|insert|update|delete|with) `, 'gm'))]
      .length
  const counts = ['one', 'none', 'every', 'two'].map(counted)
  const [, text = ''] = /\| Statements \|.*\n\| ---.*\n((?:\|.*\n)+)/.exec(page) ?? []
  expect([...text.matchAll(/^\| (\d+) \|/gm)].map(([, count]) => Number(count))).toEqual(counts)
  const all = counts.reduce((sum, count) => sum + count)
  expect(page).toContain(`records ${all} distinct\nstatements`)
})
