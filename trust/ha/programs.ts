import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { signal } from '../chaos/fleet.ts'

/** What a highly available database is made of: packages of Debian 12, and a file of each that is there once it is installed. */
const packages = {
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  'postgresql-client-15': '/usr/lib/postgresql/15/bin/psql',
  'etcd-server': '/usr/bin/etcd',
  patroni: '/usr/bin/patroni',
  // Its way to etcd, which the package of Patroni leaves to choice.
  'python3-etcd': '/usr/lib/python3/dist-packages/etcd/__init__.py',
  pgbouncer: '/usr/sbin/pgbouncer',
  haproxy: '/usr/sbin/haproxy',
} as const

export type Package = keyof typeof packages

/** Where a package has put what it is for. */
export const programOf = (name: Package): string => packages[name]

/** Packages that are not installed here. */
export function missingPackages(): Package[] {
  return (Object.keys(packages) as Package[]).filter((name) => !existsSync(programOf(name)))
}

/** PostgreSQL, Patroni and PgBouncer refuse to run as root; whoever is root runs them as the user of the Debian packages. */
export function databaseUser(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** A program that runs until it is ended, and can be started again. */
export class Program {
  readonly #name: Package
  readonly #args: readonly string[]
  readonly #environment: Readonly<Record<string, string>>
  #child: ReturnType<typeof spawn> | null = null
  /** Everything it said, of all its starts. */
  output = ''

  constructor(
    name: Package,
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ) {
    this.#name = name
    this.#args = args
    this.#environment = environment
  }

  start(): void {
    const child = spawn(programOf(this.#name), this.#args, {
      ...databaseUser(),
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C', ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (words) => {
        this.output += words
      })
    }
    this.#child = child
  }

  /** Kills it as a machine does that loses its power. */
  async kill(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((done) => child.once('exit', done))
    signal(child.pid, 'SIGKILL')
    await ended
  }
}
