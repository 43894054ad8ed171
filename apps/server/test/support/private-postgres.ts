import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reservePort } from './ports.ts'

const script = fileURLToPath(new URL('../../../../bin/private-postgres.sh', import.meta.url))

export interface PrivatePostgres {
  url: string
  start: () => void
  stop: () => void
  /** Makes it a standby without primary at its next start: readable but not writable. */
  becomeStandby: () => void
  remove: () => void
}

/** A PostgreSQL server of a test's own, which it may stop and start; always on the same port. */
export async function privatePostgres(): Promise<PrivatePostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'liquidity-postgres-'))
  const port = String(await reservePort())
  const call = (command: string) =>
    execFileSync('bash', [script, command, folder], {
      encoding: 'utf8',
      env: { ...process.env, PRIVATE_POSTGRES_PORT: port },
      // The server inherits the pipes otherwise, and they never end.
      stdio: ['ignore', command === 'start' ? 'pipe' : 'ignore', 'inherit'],
    })
  const url = call('start').trim()
  return {
    url,
    start: () => void call('start'),
    stop: () => void call('stop'),
    becomeStandby: () => writeFileSync(join(folder, 'data', 'standby.signal'), ''),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Restores a dump of one server into another, as an operator would. */
export function copyByDump(from: PrivatePostgres, to: PrivatePostgres): void {
  execFileSync('bash', [script, 'copy', from.url, to.url], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
