import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reservePort } from '../../apps/server/test/support/ports.ts'
import { signal } from '../chaos/fleet.ts'
import { type Interceptor, startInterceptor } from '../chaos/interceptor.ts'
import { pathOf, settingsOf } from './files.ts'
import { Program } from './programs.ts'

/** What all machines of the database know. */
export interface Common {
  readonly directory: string
  readonly etcdPorts: readonly number[]
  readonly password: string
}

/**
 * A machine of the database: PostgreSQL under Patroni. Its way to etcd, and that of the other machine to it, can be disturbed;
 * the service reaches it directly.
 */
export class Machine {
  readonly name: string
  readonly port: number
  readonly patroniPort: number
  readonly toEtcd: readonly Interceptor[]
  /** The way of the other machine to its PostgreSQL and its Patroni. */
  readonly fromPeer: readonly Interceptor[]
  readonly #data: string
  readonly #patroni: Program

  private constructor(
    name: string,
    { directory, password }: Common,
    lines: { ports: readonly [number, number]; toEtcd: Interceptor[]; fromPeer: Interceptor[] },
  ) {
    this.name = name
    const [port, patroniPort] = lines.ports
    this.port = port
    this.patroniPort = patroniPort
    this.toEtcd = lines.toEtcd
    this.fromPeer = lines.fromPeer
    this.#data = join(directory, name)
    const [toPostgres, toPatroni] = lines.fromPeer.map((line) => `127.0.0.1:${line.port}`)
    this.#patroni = new Program('patroni', [pathOf('patroni.yml')], {
      ...settingsOf('patroni.env', {
        PATRONI_NAME: name,
        PATRONI_RESTAPI_LISTEN: `127.0.0.1:${patroniPort}`,
        PATRONI_RESTAPI_CONNECT_ADDRESS: toPatroni ?? '',
        PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: toPostgres ?? '',
        PATRONI_POSTGRESQL_DATA_DIR: this.#data,
        PATRONI_POSTGRESQL_PGPASS: join(directory, `${name}.pgpass`),
        PATRONI_ETCD3_HOSTS: lines.toEtcd.map((line) => `127.0.0.1:${line.port}`).join(','),
        PATRONI_RESTAPI_PASSWORD: password,
        PATRONI_SUPERUSER_PASSWORD: password,
        PATRONI_REPLICATION_PASSWORD: password,
        PATRONI_REWIND_PASSWORD: password,
      }),
      // Otherwise it would learn the members' own addresses, and go past the lines.
      PATRONI_ETCD3_USE_PROXIES: 'true',
    })
  }

  static async make(name: string, common: Common): Promise<Machine> {
    const ports = [await reservePort(), await reservePort()] as const
    return new Machine(name, common, {
      ports,
      toEtcd: await Promise.all(common.etcdPorts.map(startInterceptor)),
      fromPeer: await Promise.all(ports.map(startInterceptor)),
    })
  }

  /** What its Patroni said so far. */
  get output(): string {
    return this.#patroni.output
  }

  start(): void {
    this.#patroni.start()
  }

  /** Takes its power away: Patroni, the postmaster, and every process that works for it. */
  async kill(): Promise<void> {
    const [postmaster] = this.#postmaster()
    const all = postmaster ? [postmaster, ...childrenOf(postmaster)] : []
    await this.#patroni.kill()
    for (const pid of all) signal(pid, 'SIGKILL')
  }

  async remove(): Promise<void> {
    await this.kill()
    await Promise.all([...this.toEtcd, ...this.fromPeer].map((line) => line.close()))
  }

  /** What Patroni answers on a path of its own, or null where it answers nothing. */
  async ask(path: string): Promise<{ status: number; body: unknown } | null> {
    try {
      const signal = AbortSignal.timeout(2_000)
      const answer = await fetch(`http://127.0.0.1:${this.patroniPort}${path}`, { signal })
      return { status: answer.status, body: await answer.json() }
    } catch {
      return null
    }
  }

  #postmaster(): number[] {
    try {
      return [Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')[0])]
    } catch {
      // None runs.
      return []
    }
  }
}

/** Processes that a process has started and that run still. */
function childrenOf(pid: number): number[] {
  try {
    const listed = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    return listed.split('\n').filter(Boolean).map(Number)
  } catch {
    // `ps` says by its exit status that there are none.
    return []
  }
}
