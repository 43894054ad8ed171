import pg from 'pg'
import type { PgBoss } from 'pg-boss'
import { limits } from '../limits.ts'
import type { Services } from '../services.ts'
import type { Database } from '../store/database/database.ts'
import { integerOf, optionalTextOf, type Row, type Rows, textOf } from '../store/database/row.ts'
import { sql, values } from '../store/database/sql.ts'
import { chooseTurns, type Served } from './fair-turns.ts'
import type { LoadJobKinds } from './job-kinds.ts'
import { runJob } from './job-runner.ts'

const queue = 'liquidity'
// A worker that has not been heard of for this long is gone.
const silentMilliseconds = 3 * limits.jobHeartbeatSeconds * 1000

interface Handed {
  organizationId: string
  jobId: string
}

/** Queue contents: number of waiting jobs, and the keys of all queued jobs. */
interface Tickets {
  waiting: number
  keys: readonly string[]
}

const keyOf = ({ organizationId, jobId }: Handed) => `${organizationId}|${jobId}`

/**
 * Assigns jobs to workers. The row in `jobs`, committed with the requesting change, is
 * authoritative; the queue only records current assignments. A sweep queues committed jobs, so a
 * crash between the two loses none. It queues no more than workers can take. Fairness is thus
 * decided when a slot is free, and no backlog blocks another organization's first job.
 */
export class JobQueue {
  readonly #services: Services
  readonly #kinds: LoadJobKinds
  readonly #stop = new AbortController()
  readonly #running = new Set<Promise<void>>()
  #boss: PgBoss | null = null
  #workerIds: string[] = []
  #sweeping: Promise<void> | null = null
  #sweepsAgain = false
  #timer: NodeJS.Timeout | null = null

  constructor(services: Services, kinds: LoadJobKinds) {
    this.#services = services
    this.#kinds = kinds
  }

  /** May be called again after it failed. */
  async start(): Promise<void> {
    await this.#open()
    this.#services.committed.on('change', this.#hear)
    this.#timer = setInterval(() => void this.#sweep(), limits.jobSweepMilliseconds)
    this.#timer.unref()
    await this.#sweep()
  }

  async #open(): Promise<void> {
    const { PgBoss } = await import('pg-boss')
    const { database, log } = this.#services
    const boss = new PgBoss({
      db: {
        executeSql: async (text, values) => ({ rows: await typedRows(database, text, values) }),
      },
      schema: 'queue',
      schedule: false,
      // Interval of heartbeat checks. With the library's default of one minute, the job of a dead
      // worker would wait too long.
      superviseIntervalSeconds: limits.jobHeartbeatSeconds / 2,
      monitorIntervalSeconds: limits.jobHeartbeatSeconds / 2,
    })
    boss.on('error', (error: unknown) =>
      log.error({ err: error }, 'The job queue reported an error.'),
    )
    try {
      await this.#prepare(boss)
    } catch (error) {
      await boss.stop({ graceful: false, close: false }).catch(() => {})
      this.#workerIds = []
      throw error
    }
    this.#boss = boss
  }

  /** Creates the queue if it is missing, and starts to take jobs. */
  async #prepare(boss: PgBoss): Promise<void> {
    const { database } = this.#services
    await boss.start()
    await boss.createQueue(queue, {
      policy: 'exclusive',
      retryLimit: limits.jobAttempts,
      retryDelay: 1,
      retryBackoff: true,
      expireInSeconds: limits.jobAttemptSeconds,
      heartbeatSeconds: limits.jobHeartbeatSeconds,
    })
    if (database.kind === 'embedded') {
      // One process owns this database, so active claims belong to a crashed process.
      const active = await database.pool.query(`select id from queue.job where state = 'active'`)
      for (const { id } of active.rows) await boss.fail(queue, id)
    }
    const options = { pollingIntervalSeconds: limits.jobPollMilliseconds / 1000, batchSize: 1 }
    const work = async ([job]: readonly { data: Handed }[]) => {
      if (!job) return
      this.#hear()
      const run = runJob(this.#services, this.#kinds, job.data, this.#stop.signal)
      await this.#track(run).finally(this.#hear)
    }
    for (let index = 0; index < limits.jobsAtOnce; index += 1) {
      this.#workerIds.push(await boss.work<Handed>(queue, options, work))
    }
  }

  /** Lets the running job finish, then stops; queued jobs remain queued. */
  async stop(): Promise<void> {
    this.#services.committed.off('change', this.#hear)
    if (this.#timer) clearInterval(this.#timer)
    const boss = this.#boss
    // Stop assigning jobs.
    this.#boss = null
    await boss?.stop({ graceful: true, timeout: limits.shutdownMilliseconds, close: false })
    this.#stop.abort()
    await Promise.allSettled(this.#running)
    await this.#sweeping
  }

  readonly #hear = () => {
    void this.#sweep()
  }

  async #track(work: Promise<void>): Promise<void> {
    this.#running.add(work)
    try {
      await work
    } finally {
      this.#running.delete(work)
    }
  }

  /** One sweep at a time; changes during it trigger one more. */
  async #sweep(): Promise<void> {
    this.#sweepsAgain = true
    this.#sweeping ??= this.#sweepUntilQuiet().finally(() => {
      this.#sweeping = null
    })
    return this.#sweeping
  }

  async #sweepUntilQuiet(): Promise<void> {
    while (this.#sweepsAgain) {
      this.#sweepsAgain = false
      try {
        await this.#handOver()
      } catch (error) {
        this.#services.log.warn(
          { err: error },
          'The sweep for queued jobs failed; the service retries.',
        )
      }
    }
  }

  async #handOver(): Promise<void> {
    const boss = this.#boss
    if (!boss) return
    const silentSince = this.#services.leaseClock.read() - silentMilliseconds
    const isDue = sql`(waiting_until is null or waiting_until <= ${this.#services.clock()})`
    const open = sql`(status = 'QUEUED' and ${isDue} or (status = 'RUNNING' and heartbeat_at < ${silentSince}))`
    const { database } = this.#services
    const [due = []] = await database.dispatch([sql`select from jobs where ${open} limit 1`])
    if (due.length === 0) return
    const { waiting, keys } = await this.#tickets()
    const places = limits.jobsAtOnce - waiting
    if (places > 0) {
      const isNew =
        keys.length > 0 ? sql`organization_id || '|' || id not in ${values(keys)}` : sql`true`
      const [rows = []] = await database.dispatch([
        sql`select next.organization_id, next.id, next.created_at, (select max(began.started_at)
            from jobs began where began.organization_id = next.organization_id) as last_began
          from (select organization_id, id, created_at, row_number() over
              (partition by organization_id order by created_at, id) as place
            from jobs where ${open} and ${isNew}) as next
          where next.place <= ${places} order by next.place, next.created_at limit ${limits.jobsConsidered}`,
      ])
      for (const turn of chooseTurns(rows.map(waitingJobOf), servedOf(rows, keys), places)) {
        const data = { organizationId: turn.organizationId, jobId: turn.jobId }
        await boss.send(queue, data, { singletonKey: keyOf(data) })
      }
    }
    for (const id of this.#workerIds) boss.notifyWorker(id)
  }

  async #tickets(): Promise<Tickets> {
    const { rows } = await this.#services.database.pool.query(
      `select singleton_key, state::text from queue.job where name = $1 and state < 'completed'`,
      [queue],
    )
    const tickets = rows as { singleton_key: string; state: string }[]
    return {
      waiting: tickets.filter(({ state }) => state === 'created').length,
      keys: tickets.map(({ singleton_key: key }) => key),
    }
  }
}

function waitingJobOf(row: Row) {
  return {
    organizationId: textOf(row, 'organization_id'),
    jobId: textOf(row, 'id'),
    createdAt: integerOf(row, 'created_at'),
  }
}

function servedOf(rows: Rows, keys: readonly string[]): Map<string, Served> {
  return new Map(
    rows.map((row) => {
      const organizationId = textOf(row, 'organization_id')
      const runningJobs = keys.filter((key) => key.startsWith(`${organizationId}|`)).length
      // No job of an organization began yet: it comes before all others.
      const lastStartedAt = Number(optionalTextOf(row, 'last_began') ?? 0)
      return [organizationId, { runningJobs, lastStartedAt }]
    }),
  )
}

/**
 * Rows with numbers, dates and booleans parsed by the driver. The queue library computes with them,
 * while the service's own statements read every value as text.
 */
async function typedRows(database: Database, text: string, values: unknown): Promise<unknown[]> {
  const answer: unknown = await database.pool.query(text, values as unknown[])
  // With several statements, the result of the last one with a response applies.
  const results = (Array.isArray(answer) ? answer : [answer]) as pg.QueryResult[]
  const { rows, fields } = results.findLast(({ rows }) => rows.length > 0) ?? {
    rows: [],
    fields: [],
  }
  return rows.map((row) =>
    Object.fromEntries(
      fields.map(({ name, dataTypeID }) => {
        const value = optionalTextOf(row as Row, name)
        return [name, value === null ? null : pg.types.getTypeParser(dataTypeID, 'text')(value)]
      }),
    ),
  )
}
