import { execFile } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The naive transaction without a service: the speed of PostgreSQL alone. */
const script = (record: string) => `
begin;
insert into naive_records values ('org', gen_random_uuid()::text, 1, 'VenueProfile', gen_random_uuid()::text,
  null, 'DRAFT', 'A reason of ordinary length', '${record}', now(), 'SESSION', 'user_bench');
insert into naive_events values ('org', gen_random_uuid()::text, 1, gen_random_uuid()::text, 'venue.created',
  '{"kind":"venue.created","sequence":1,"actor":{"kind":"SESSION","id":"user_bench"}}', now(), 'user_bench');
insert into naive_idempotency values ('org', 'user_bench', gen_random_uuid()::text, '/venues', 201, '{}',
  '${record}', now());
commit;
`

/** Transactions per second of pgbench with prepared statements. */
export async function runPgbench(options: {
  url: string
  folder: string
  record: string
  clients: number
  seconds: number
}): Promise<number> {
  const file = join(options.folder, 'transaction.sql')
  // A colon before a letter would name a variable; JSON has none, since a quote follows each.
  writeFileSync(file, script(options.record.replaceAll("'", "''")))
  const { stdout } = await promisify(execFile)(
    pgbench(),
    [
      ...['-n', '-M', 'prepared', '-c', String(options.clients), '-j', '2'],
      ...['-T', String(options.seconds), '-f', file, options.url],
    ],
    { timeout: (options.seconds + 30) * 1000 },
  )
  const rate = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
  if (!(rate > 0)) throw new Error(`pgbench printed no rate:\n${stdout}`)
  return rate
}

function pgbench(): string {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root) : []
  const found = versions.map((version) => join(root, version, 'bin/pgbench')).find(existsSync)
  return found ?? 'pgbench'
}
