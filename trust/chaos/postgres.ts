import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { reservePort } from '../../apps/server/test/support/ports.ts'
import { run, runProcess } from '../../apps/server/test/support/processes.ts'
import { until } from '../../apps/server/test/support/until.ts'

const script = fileURLToPath(new URL('../../bin/private-postgres.sh', import.meta.url))
const repository = fileURLToPath(new URL('../..', import.meta.url))
const maxMigrationMilliseconds = 120_000
/** Few, so that they can be used up. */
const connections = '60'

/** A server of its own that can be killed, with a database that the service reaches by the roles of the operations guide. */
export class ChaosPostgres {
  readonly port: number
  readonly #folder = mkdtempSync(join(tmpdir(), 'liquidity-chaos-postgres-'))

  constructor(port: number) {
    this.port = port
  }

  static async start(): Promise<ChaosPostgres> {
    const postgres = new ChaosPostgres(await reservePort())
    await postgres.#call('start')
    return postgres
  }

  /** @param port of the server, or of what stands before it */
  url(user: string, port = this.port): string {
    return `postgres://${user}@127.0.0.1:${port}/chaos`
  }

  /**
   * The database, its owner and the login of the service, as an administrator makes them.
   *
   * @param root folder whose code lays the schema; this repository by default
   */
  async layDatabase(root?: string): Promise<void> {
    const server = `postgres://liquidity@127.0.0.1:${this.port}/postgres`
    await query(
      server,
      'create role liquidity_owner login createrole',
      'create role liquidity_service login',
      'create database chaos owner liquidity_owner',
    )
    if (root !== undefined) return this.migrate(root)
    const migrated = await run(['migrate'], { DATABASE_URL: this.url('liquidity_owner') })
    if (migrated.status !== 0) throw new Error(`The schema was not laid: ${migrated.stderr}`)
    await this.#grant(repository)
  }

  /**
   * Brings the schema and the rights of the service to a release, as the owner does in an upgrade.
   *
   * @param root folder with the code of the release; this repository by default
   */
  async migrate(root = repository): Promise<void> {
    const environment = { DATABASE_URL: this.url('liquidity_owner') }
    const limits = { root, maxMilliseconds: maxMigrationMilliseconds }
    const { status, stderr } = await runProcess(['migrate'], environment, '', limits)
    if (status !== 0) throw new Error(`The migration ended with ${status}: ${stderr}`)
    await this.#grant(root)
  }

  async #grant(root: string): Promise<void> {
    const grants = readFileSync(join(root, 'deploy', 'postgres', 'grants.sql'), 'utf8')
    await query(this.url('liquidity_owner'), grants)
  }

  /** Statements of the administrator, one after the other; the rows of the last. */
  administer(...statements: string[]): Promise<pg.QueryResultRow[]> {
    return query(this.url('liquidity'), ...statements)
  }

  /** The postmaster and every process that works for it now. */
  async processes(): Promise<number[]> {
    const rows = await this.administer(
      'select pid from pg_stat_activity where pid <> pg_backend_pid()',
    )
    return [this.#postmaster(), ...rows.map(({ pid }) => Number(pid))]
  }

  /** Kills the postmaster as a machine does that has no memory left; what worked for it ends by itself. */
  async kill(): Promise<void> {
    const pid = this.#postmaster()
    process.kill(pid, 'SIGKILL')
    await until('the postmaster to be gone', () => !isAlive(pid))
  }

  /** Starts it again; while processes of the killed one are still ending it refuses, and is asked again. */
  async startAgain(): Promise<void> {
    await until('PostgreSQL to start again', async () => {
      await this.#call('start')
      return true
    })
  }

  async remove(): Promise<void> {
    await this.#call('stop')
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #postmaster(): number {
    return Number(readFileSync(join(this.#folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
  }

  async #call(command: string): Promise<void> {
    await promisify(execFile)('bash', [script, command, this.#folder], {
      env: {
        ...process.env,
        PRIVATE_POSTGRES_PORT: String(this.port),
        PRIVATE_POSTGRES_CONNECTIONS: connections,
      },
      timeout: 60_000,
    })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function query(url: string, ...statements: string[]): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    let rows: pg.QueryResultRow[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows ?? []
    return rows
  } finally {
    await client.end()
  }
}
