import pg from 'pg'
import { type DatabaseKind, type Fleet, signal } from './fleet.ts'

/** Something that breaks, and how it is mended. */
export interface Fault {
  readonly name: string
  readonly says: string
  readonly on: readonly DatabaseKind[]
  /** How long it lasts at least and at most, milliseconds. */
  readonly lasts: readonly [number, number]
  /** Breaks something; what it gives mends it again. */
  readonly strike: (fleet: Fleet, random: () => number) => Promise<() => Promise<void>>
}

const everywhere = ['postgres', 'embedded'] as const
const postgresOnly = ['postgres'] as const
const brief = [300, 1_200] as const
const still = [500, 2_500] as const
const atOnce = [0, 0] as const
/** Longer than one attempt of a client, so that some requests are repeated while the first still waits. */
const held = [500, 6_000] as const
/** The database ends a session that holds a lock for longer, also if this program is gone. */
const maxLockMilliseconds = 20_000
const tablesOfRecords = ['records', 'record_heads', 'events'] as const

const pick = <T>(list: readonly T[], random: () => number): T => {
  const one = list[Math.floor(random() * list.length)]
  if (one === undefined) throw new Error('The list is empty.')
  return one
}

const serverOf = ({ postgres }: Fleet) => {
  if (!postgres) throw new Error('This fleet has no PostgreSQL.')
  return postgres
}
const lineOf = ({ line }: Fleet) => {
  if (!line) throw new Error('This fleet has no line that can be disturbed.')
  return line
}

export const faults: readonly Fault[] = [
  {
    name: 'kill-node',
    says: 'kill -9 of a node, which its supervisor starts again at once',
    on: everywhere,
    lasts: atOnce,
    strike: async ({ nodes }, random) => {
      const { process } = pick(nodes, random)
      await process.end('SIGKILL')
      return async () => process.start()
    },
  },
  {
    name: 'freeze-node',
    says: 'a node stops (SIGSTOP) and continues later',
    on: everywhere,
    lasts: still,
    strike: async ({ nodes }, random) => {
      const { process } = pick(nodes, random)
      signal(process.pid, 'SIGSTOP')
      return async () => signal(process.pid, 'SIGCONT')
    },
  },
  {
    name: 'kill-worker',
    says: 'kill -9 of the worker during a job and deliveries',
    on: postgresOnly,
    lasts: brief,
    strike: async ({ workers }, random) => {
      const worker = pick(workers, random)
      await worker.end('SIGKILL')
      return async () => worker.start()
    },
  },
  {
    name: 'freeze-worker',
    says: 'a worker stops (SIGSTOP) and continues later',
    on: postgresOnly,
    lasts: still,
    strike: async ({ workers }, random) => {
      const worker = pick(workers, random)
      signal(worker.pid, 'SIGSTOP')
      return async () => signal(worker.pid, 'SIGCONT')
    },
  },
  {
    name: 'kill-database',
    says: 'kill -9 of the postmaster, which restarts and recovers',
    on: postgresOnly,
    lasts: brief,
    strike: async (fleet) => {
      await serverOf(fleet).kill()
      return () => serverOf(fleet).startAgain()
    },
  },
  {
    name: 'freeze-database',
    says: 'every database process stops and continues later',
    on: postgresOnly,
    lasts: still,
    strike: async (fleet) => {
      const frozen = await serverOf(fleet).processes()
      const signalAll = (name: NodeJS.Signals) => {
        for (const pid of frozen) signal(pid, name)
      }
      signalAll('SIGSTOP')
      return async () => signalAll('SIGCONT')
    },
  },
  {
    name: 'read-only',
    says: 'a read-only database, like a standby or one with a full disk',
    on: postgresOnly,
    lasts: brief,
    strike: async (fleet) => {
      const set = (value: string) =>
        serverOf(fleet).administer(
          `alter system set default_transaction_read_only = ${value}`,
          'select pg_reload_conf()',
        )
      await set('on')
      // What undoes it is itself no change of a table.
      return async () => void (await set('off'))
    },
  },
  {
    name: 'lock-records',
    says: 'a second session locks a table of records, events or heads, so requests wait',
    on: postgresOnly,
    lasts: held,
    strike: async (fleet, random) =>
      lockTable(serverOf(fleet).url('liquidity_owner'), pick(tablesOfRecords, random)),
  },
  {
    name: 'no-connections',
    says: 'other clients take every connection of the database',
    on: postgresOnly,
    lasts: brief,
    strike: async (fleet) => {
      const server = serverOf(fleet)
      const taken = await takeAll(server.url('liquidity_owner'))
      await server.administer(
        `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'liquidity_service'`,
      )
      taken.push(...(await takeAll(server.url('liquidity_owner'))))
      return async () => {
        await Promise.all(taken.map((client) => client.end()))
      }
    },
  },
  {
    name: 'cut-line',
    says: 'every connection between service and database is cut repeatedly',
    on: postgresOnly,
    lasts: brief,
    strike: async (fleet) => {
      const { cut } = lineOf(fleet)
      cut()
      const again = setInterval(cut, 100)
      return async () => clearInterval(again)
    },
  },
  {
    name: 'lose-answers',
    says: 'the database executes statements, but its responses are lost, then the connections',
    on: postgresOnly,
    lasts: brief,
    strike: async (fleet) => {
      const line = lineOf(fleet)
      line.behave('LOSE_ANSWERS')
      return async () => {
        line.cut()
        line.behave('PASS')
      }
    },
  },
  {
    name: 'hold-line',
    says: 'packets are delayed, then all arrive at once',
    on: postgresOnly,
    lasts: still,
    strike: async (fleet) => {
      const line = lineOf(fleet)
      line.behave('HOLD')
      return async () => line.behave('PASS')
    },
  },
]

/**
 * Locks a table in a session of its own against reads and writes, as a careless `alter table` does.
 *
 * @returns ends the session, and the lock with it
 */
export async function lockTable(
  url: string,
  table: string,
  maxMilliseconds = maxLockMilliseconds,
): Promise<() => Promise<void>> {
  const client = new pg.Client(url)
  // The database may end the session.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(
      `set lock_timeout = ${maxMilliseconds}; set idle_in_transaction_session_timeout = ${maxMilliseconds}`,
    )
    await client.query('begin')
    await client.query(`lock table ${table} in access exclusive mode`)
  } catch (error) {
    await client.end()
    throw error
  }
  return () => client.end()
}

/** Opens connections until there is none left for anybody but the administrator. */
async function takeAll(url: string): Promise<pg.Client[]> {
  const taken: pg.Client[] = []
  for (;;) {
    const client = new pg.Client(url)
    client.on('error', () => {})
    try {
      await client.connect()
      taken.push(client)
    } catch (error) {
      // Too many connections: that is what was wanted.
      if ((error as { code?: string }).code === '53300') return taken
      throw error
    }
  }
}

/**
 * The faults that a database can have, in an order that follows from the seed, over and over.
 *
 * @param only names of those that are wanted; empty for all
 */
export function* inTurn(
  kind: DatabaseKind,
  only: readonly string[],
  random: () => number,
): Generator<Fault, never> {
  const possible = faults.filter(
    ({ on, name }) => on.includes(kind) && (only.length === 0 || only.includes(name)),
  )
  if (possible.length === 0) throw new Error(`${kind} has none of these faults.`)
  for (;;) {
    const left = [...possible]
    while (left.length > 0) yield* left.splice(Math.floor(random() * left.length), 1)
  }
}
