import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'

const root = fileURLToPath(new URL('..', import.meta.url))
const startMilliseconds = 120_000
const stopMilliseconds = 10_000

/** A started program, and the JSON of its first line. */
export interface Program<Said> {
  said: Said
  stop: () => Promise<void>
}

/**
 * Starts a TypeScript program that prints one line of JSON when it is ready.
 *
 * @throws Error with what it wrote to its error output when it ends or stays silent
 */
export async function startProgram<Said>(
  file: string,
  environment: Readonly<Record<string, string>> = {},
  parameters: readonly string[] = [],
): Promise<Program<Said>> {
  const child = spawn(process.execPath, [join(root, file), ...parameters], {
    cwd: root,
    env: { ...withoutOurs(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-4000)
  })
  const line = await new Promise<string>((done, refuse) => {
    let text = ''
    const fail = (what: string) => {
      child.kill('SIGKILL')
      refuse(new Error(`${file} ${what}.\n${errors}`))
    }
    const timer = setTimeout(() => fail('said nothing for two minutes'), startMilliseconds)
    child.once('exit', (code) => fail(`ended with ${code}`))
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const end = text.indexOf('\n')
      if (end < 0) return
      clearTimeout(timer)
      child.removeAllListeners('exit')
      done(text.slice(0, end))
    })
  })
  return { said: JSON.parse(line) as Said, stop: () => stopChild(child) }
}

/** The environment without deployment settings, which would affect the measured service. */
function withoutOurs(): Record<string, string | undefined> {
  const { DATABASE_URL, DATA_DIR, PORT, WORKER, NODE_ENV, LOG_LEVEL, ...rest } = process.env
  return rest
}

/** Stops a child, with SIGKILL after ten seconds. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMilliseconds)
  await ended
  clearTimeout(timer)
}

/** A folder that disappears with `remove`. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'liquidity-bench-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** A private PostgreSQL with real flushes, and a function that creates databases. */
export interface Postgres {
  newDatabase: (name: string) => Promise<string>
  stop: () => Promise<void>
}

export async function startPostgres(): Promise<Postgres> {
  const folder = temporaryFolder()
  const script = join(root, 'bin/private-postgres.sh')
  const run = (command: string) =>
    promisify(execFile)('bash', [script, command, folder.path], { timeout: 60_000 })
  const url = (await run('start')).stdout.trim()
  return {
    newDatabase: async (name) => {
      const admin = new pg.Client(url)
      await admin.connect()
      await admin.query(`create database ${name}`)
      await admin.end()
      return Object.assign(new URL(url), { pathname: `/${name}` }).href
    },
    stop: async () => {
      await run('stop')
      folder.remove()
    },
  }
}
