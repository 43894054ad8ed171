import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { reservePort } from '../../apps/server/test/support/ports.ts'
import { run } from '../../apps/server/test/support/processes.ts'
import { until } from '../../apps/server/test/support/until.ts'
import { pathOf, rewritten, settingsOf } from './files.ts'
import { type Common, Machine } from './machine.ts'
import { databaseUser, Program, programOf } from './programs.ts'

const deployed = (path: string) =>
  fileURLToPath(new URL(`../../deploy/postgres/${path}`, import.meta.url))
const etcdMembers = ['etcd1', 'etcd2', 'etcd3'] as const
/** A cluster that is laid, or a machine that is cloned or rewound, needs seconds; a minute where the machine is busy. */
const patienceMilliseconds = 180_000

/** Members of a cluster as Patroni tells of them. */
interface Members {
  readonly members: readonly { name: string; role: string; state: string; lag?: number | string }[]
}

/** Two machines of PostgreSQL under Patroni and etcd, HAProxy before them, and PgBouncer before that, as in `deploy/ha`. */
export class Cluster {
  readonly machines: readonly Machine[]
  readonly etcd: readonly Program[]
  readonly pgbouncer: Program
  readonly #haproxy: Program
  readonly #directory: string
  readonly #password: string
  readonly #ports: { readonly primary: number; readonly pgbouncer: number }

  private constructor(
    common: Common,
    machines: readonly Machine[],
    etcd: readonly Program[],
    ports: { primary: number; pgbouncer: number },
  ) {
    this.#directory = common.directory
    this.#password = common.password
    this.#ports = ports
    this.machines = machines
    this.etcd = etcd
    const [first, second] = machines
    this.#haproxy = new Program(
      'haproxy',
      ['-db', '-f', pathOf('haproxy.cfg')],
      settingsOf('haproxy.env', {
        PRIMARY: `127.0.0.1:${ports.primary}`,
        DB1: `127.0.0.1:${first?.port}`,
        DB1_PATRONI_PORT: String(first?.patroniPort),
        DB2: `127.0.0.1:${second?.port}`,
        DB2_PATRONI_PORT: String(second?.patroniPort),
      }),
    )
    this.pgbouncer = new Program('pgbouncer', [join(common.directory, 'pgbouncer.ini')])
  }

  /** Starts everything, and lays the database by the scripts of `deploy/postgres`. */
  static async start(): Promise<Cluster> {
    await using begun = new AsyncDisposableStack()
    const directory = mkdtempSync(join(tmpdir(), 'liquidity-ha-'))
    begun.defer(() => rmSync(directory, { recursive: true, force: true }))
    own(directory)
    const password = randomBytes(12).toString('hex')
    const { etcd, etcdPorts } = await startEtcd(directory, begun)
    const common = { directory, etcdPorts, password }
    const machines = [await Machine.make('db1', common), await Machine.make('db2', common)]
    const ports = { primary: await reservePort(), pgbouncer: await reservePort() }
    const cluster = begun.adopt(new Cluster(common, machines, etcd, ports), (one) => one.remove())
    try {
      await cluster.#lay()
    } catch (error) {
      const outputs = [...machines, cluster.pgbouncer].map(({ output }) => output.slice(-2_000))
      throw new Error(`The cluster did not start.\n${outputs.join('\n\n')}`, { cause: error })
    }
    begun.move()
    return cluster
  }

  async #lay(): Promise<void> {
    for (const machine of this.machines) machine.start()
    this.#haproxy.start()
    await this.untilWhole()
    await this.#runScript(deployed('roles.sql'), 'postgres', 'postgres')
    const migrated = await run(['migrate'], { DATABASE_URL: this.#direct('liquidity_owner') })
    if (migrated.status !== 0) throw new Error(`The schema was not laid: ${migrated.stderr}`)
    await this.#runScript(deployed('grants.sql'), 'liquidity_owner', 'liquidity')
    await this.#layPeer()
    await this.#writePgbouncer()
    this.pgbouncer.start()
    await until('PgBouncer to answer', () => query(this.peerUrl, 'select 1'))
  }

  /** The machine that is the primary now; throws where none is. */
  async primary(): Promise<Machine> {
    for (const machine of this.machines) {
      if ((await machine.ask('/primary'))?.status === 200) return machine
    }
    throw new Error('No machine says that it is the primary.')
  }

  /** The machine that is not the primary now. */
  async standby(): Promise<Machine> {
    const primary = await this.primary()
    const other = this.machines.find((machine) => machine !== primary)
    if (!other) throw new Error('The cluster has no other machine.')
    return other
  }

  /** Waits until there is a primary with a synchronous standby beside it. */
  async untilWhole(): Promise<void> {
    await until(
      'a primary and its synchronous standby',
      () => this.#isWhole(),
      patienceMilliseconds,
    )
  }

  async #isWhole(): Promise<boolean> {
    const answer = await (await this.primary()).ask('/cluster')
    if (!answer) return false
    const { members } = answer.body as Members
    const roles = members.map(({ role, state }) => `${role} ${state}`).toSorted()
    return roles.join() === 'leader running,sync_standby running'
  }

  /** The database as the service reaches it: through PgBouncer. */
  get serviceUrl(): string {
    return this.#url('liquidity_service', this.#ports.pgbouncer, 'liquidity')
  }

  /** That of whoever is compared with it: another database, through the same PgBouncer. */
  get peerUrl(): string {
    return this.#url('peer', this.#ports.pgbouncer, 'peer')
  }

  /** As an administrator, at the primary itself. */
  get administratorUrl(): string {
    return this.#direct('postgres')
  }

  async remove(): Promise<void> {
    await this.pgbouncer.kill()
    await this.#haproxy.kill()
    for (const machine of this.machines) await machine.remove()
    for (const member of this.etcd) await member.kill()
    rmSync(this.#directory, { recursive: true, force: true })
  }

  #direct(user: string, database = 'liquidity'): string {
    return this.#url(user, this.#ports.primary, database)
  }

  #url(user: string, port: number, database: string): string {
    return `postgres://${user}:${this.#password}@127.0.0.1:${port}/${database}`
  }

  /** A script of `deploy/`, by psql as the guide says. */
  async #runScript(path: string, user: string, database: string): Promise<void> {
    const passwords = ['owner', 'service'].flatMap((who) => [
      '-v',
      `${who}_password=${this.#password}`,
    ])
    await promisify(execFile)(programOf('postgresql-client-15'), [
      ...['-X', '-q', '-v', 'ON_ERROR_STOP=1', ...passwords],
      ...['-f', path, this.#direct(user, database)],
    ])
  }

  /** A database with a table of one number, for a writer that knows nothing of the service. */
  async #layPeer(): Promise<void> {
    await query(
      this.#direct('postgres', 'postgres'),
      `create role peer login password '${this.#password}'`,
      'create database peer owner peer',
    )
    await query(this.#direct('peer', 'peer'), 'create table written (number integer primary key)')
  }

  async #writePgbouncer(): Promise<void> {
    const users = await query(
      this.administratorUrl,
      `select rolname, rolpassword from pg_authid where rolname in ('liquidity_service', 'peer')`,
    )
    const userlist = join(this.#directory, 'userlist.txt')
    const lines = users.map(({ rolname, rolpassword }) => `"${rolname}" "${rolpassword}"\n`)
    write(userlist, lines.join(''))
    const { primary, pgbouncer } = this.#ports
    const written = rewritten('pgbouncer.ini', {
      'port=5000': `port=${primary}`,
      'listen_port = 6432': `listen_port = ${pgbouncer}`,
      'auth_file = /etc/pgbouncer/userlist.txt': `auth_file = ${userlist}`,
      '[databases]': `[databases]\npeer = host=127.0.0.1 port=${primary} dbname=peer`,
    })
    write(join(this.#directory, 'pgbouncer.ini'), written)
  }
}

async function startEtcd(
  directory: string,
  begun: AsyncDisposableStack,
): Promise<{ etcd: Program[]; etcdPorts: readonly number[] }> {
  const members: { name: string; client: number; peer: string }[] = []
  for (const name of etcdMembers) {
    members.push({
      name,
      client: await reservePort(),
      peer: `http://127.0.0.1:${await reservePort()}`,
    })
  }
  const cluster = members.map(({ name, peer }) => `${name}=${peer}`).join(',')
  const etcd = members.map(({ name, client, peer }) => {
    const address = `http://127.0.0.1:${client}`
    return new Program(
      'etcd-server',
      ['--log-level', 'warn'],
      settingsOf('etcd.env', {
        ETCD_NAME: name,
        ETCD_DATA_DIR: join(directory, name),
        ETCD_LISTEN_CLIENT_URLS: address,
        ETCD_ADVERTISE_CLIENT_URLS: address,
        ETCD_LISTEN_PEER_URLS: peer,
        ETCD_INITIAL_ADVERTISE_PEER_URLS: peer,
        ETCD_INITIAL_CLUSTER: cluster,
      }),
    )
  })
  for (const member of etcd) begun.adopt(member, (one) => one.kill()).start()
  // Patroni reads the version that all members have agreed on, and ends where they have not yet.
  await until('etcd to agree on its version', async () => {
    const answer = await fetch(`http://127.0.0.1:${members[0]?.client}/version`)
    return ((await answer.json()) as { etcdcluster: string }).etcdcluster !== 'not_decided'
  })
  return { etcd, etcdPorts: members.map(({ client }) => client) }
}

/** Gives a path to the user that the programs run as. */
function own(path: string): void {
  const user = databaseUser()
  if (user.uid !== undefined) chownSync(path, user.uid, user.gid)
}

function write(path: string, text: string): void {
  writeFileSync(path, text)
  chmodSync(path, 0o600)
  own(path)
}

async function query(url: string, ...statements: string[]): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    let rows: pg.QueryResultRow[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}
