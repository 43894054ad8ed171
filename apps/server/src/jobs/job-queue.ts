import pg from 'pg'
import type { PgBoss } from 'pg-boss'
import type { Services } from '../context.ts'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { limits } from '../limits.ts'
import { runJob } from './job-runner.ts'

const queue = 'liquidity'
const sweepMilliseconds = 5_000
// A worker that has not been heard of for this long is gone.
const silentMilliseconds = 3 * limits.jobHeartbeatSeconds * 1000

interface Handed {
  organizationId: string
  jobId: string
}

/**
 * Hands jobs to workers. The row in `jobs`, committed with the change that asked for it, is the truth; the
 * queue only says who works on it now. A sweep hands over whatever was committed and not yet queued, so
 * nothing is lost when a process dies between the two.
 */
export class JobQueue {
  readonly #services: Services
  readonly #stop = new AbortController()
  readonly #running = new Set<Promise<void>>()
  #boss: PgBoss | null = null
  #workerId: string | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(services: Services) {
    this.#services = services
  }

  async start(): Promise<void> {
    const { PgBoss } = await import('pg-boss')
    const { database, log } = this.#services
    const boss = new PgBoss({
      db: {
        executeSql: async (text, values) => ({ rows: await typedRows(database, text, values) }),
      },
      schema: 'queue',
      schedule: false,
      // How often silence is looked for; the library's minute would leave a dead worker's job lying.
      superviseIntervalSeconds: limits.jobHeartbeatSeconds / 2,
      monitorIntervalSeconds: limits.jobHeartbeatSeconds / 2,
    })
    boss.on('error', (error: unknown) =>
      log.error({ err: error }, 'The job queue reported an error.'),
    )
    await boss.start()
    await boss.createQueue(queue, {
      policy: 'exclusive',
      retryLimit: limits.jobAttempts,
      retryDelay: 1,
      retryBackoff: true,
      expireInSeconds: 3600,
      heartbeatSeconds: limits.jobHeartbeatSeconds,
    })
    if (database.kind === 'embedded') {
      // One process owns this database, so whatever is still claimed was left by one that died.
      const left = await database.pool.query(`select id from queue.job where state = 'active'`)
      for (const { id } of left.rows) await boss.fail(queue, id)
    }
    this.#boss = boss
    const options = { pollingIntervalSeconds: limits.jobPollMilliseconds / 1000, batchSize: 1 }
    this.#workerId = await boss.work<Handed>(queue, options, async ([job]) => {
      if (job) await this.#track(runJob(this.#services, job.data, this.#stop.signal))
    })
    this.#services.committed.on('change', this.#hear)
    this.#timer = setInterval(() => void this.#sweep(), sweepMilliseconds)
    this.#timer.unref()
    await this.#sweep()
  }

  /** Lets the running job end, then stops; what is queued stays queued. */
  async stop(): Promise<void> {
    this.#services.committed.off('change', this.#hear)
    if (this.#timer) clearInterval(this.#timer)
    await this.#boss?.stop({ graceful: true, timeout: limits.shutdownMilliseconds, close: false })
    this.#stop.abort()
    await Promise.allSettled(this.#running)
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

  async #sweep(): Promise<void> {
    const boss = this.#boss
    if (!boss) return
    try {
      const silentSince = this.#services.clock() - silentMilliseconds
      const [rows = []] = await this.#services.database.dispatch([
        sql`select organization_id, id from jobs where status = 'QUEUED'
          or (status = 'RUNNING' and heartbeat_at < ${silentSince}) order by created_at limit 200`,
      ])
      for (const row of rows) {
        const data = { organizationId: row.organization_id ?? '', jobId: row.id ?? '' }
        await boss.send(queue, data, { singletonKey: `${data.organizationId}|${data.jobId}` })
      }
      if (rows.length > 0 && this.#workerId) boss.notifyWorker(this.#workerId)
    } catch (error) {
      this.#services.log.warn({ err: error }, 'The sweep for queued jobs failed; it is repeated.')
    }
  }
}

/**
 * Rows with numbers, dates and flags as the driver would parse them: the library computes with what it
 * reads, while our own statements take every value as text.
 */
async function typedRows(database: Database, text: string, values: unknown): Promise<unknown[]> {
  const answer: unknown = await database.pool.query(text, values as unknown[])
  // Of several statements the last one that answers counts.
  const results = (Array.isArray(answer) ? answer : [answer]) as pg.QueryResult[]
  const { rows, fields } = results.findLast(({ rows }) => rows.length > 0) ?? {
    rows: [],
    fields: [],
  }
  return rows.map((row) =>
    Object.fromEntries(
      fields.map(({ name, dataTypeID }) => {
        const value = (row as Record<string, string | null>)[name]
        const parsed =
          value === null ? null : pg.types.getTypeParser(dataTypeID, 'text')(value ?? '')
        return [name, parsed]
      }),
    ),
  )
}
