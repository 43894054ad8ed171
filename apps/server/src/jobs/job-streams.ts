import { limits } from '../limits.ts'
import type { Services } from '../services.ts'
import { textOf } from '../store/database/row.ts'
import { sql } from '../store/database/sql.ts'
import { jobOf } from './job.ts'

/** Receives changes: the id of a job, and its text as in `/jobs`. */
export type JobListener = (id: string, text: string) => void

interface Watch {
  listeners: Set<JobListener>
  /** Last state sent to the listeners, per job. */
  sent: Map<string, string>
  timer: NodeJS.Timeout
  stop: () => void
}

/**
 * Streams job progress of an organization, on any node. Polls the database twice per second for all
 * its listeners together, and at once after a local commit.
 */
export class JobStreams {
  readonly #services: Pick<Services, 'clock' | 'committed' | 'database'>
  readonly #watches = new Map<string, Watch>()

  constructor(services: Pick<Services, 'clock' | 'committed' | 'database'>) {
    this.#services = services
  }

  /**
   * Reports running jobs and jobs that ended within the last minute, then every change, until the
   * returned function is called.
   */
  listen(organizationId: string, listener: JobListener): () => void {
    const watch = this.#watches.get(organizationId) ?? this.#watch(organizationId)
    for (const [id, text] of watch.sent) listener(id, text)
    watch.listeners.add(listener)
    return () => {
      watch.listeners.delete(listener)
      if (watch.listeners.size > 0) return
      watch.stop()
      if (this.#watches.get(organizationId) === watch) this.#watches.delete(organizationId)
    }
  }

  #watch(organizationId: string): Watch {
    let isLooking = false
    const watch: Watch = {
      listeners: new Set(),
      sent: new Map(),
      timer: setInterval(() => void look(), limits.jobStreamMilliseconds),
      stop: () => {
        clearInterval(watch.timer)
        committed.off('change', onChange)
      },
    }
    const look = async () => {
      if (isLooking) return
      isLooking = true
      try {
        await this.#tell(organizationId, watch)
      } catch {
        // The database is unavailable; the next poll reports missed changes.
      } finally {
        isLooking = false
      }
    }
    const { committed } = this.#services
    const onChange = (changed: string) => {
      if (changed === organizationId) void look()
    }
    committed.on('change', onChange)
    this.#watches.set(organizationId, watch)
    void look()
    return watch
  }

  async #tell(organizationId: string, watch: Watch): Promise<void> {
    const { database, clock } = this.#services
    const [rows = []] = await database.tenant(organizationId, [
      sql`select * from jobs where organization_id = ${organizationId}
        and (status in ('QUEUED', 'RUNNING') or finished_at >= ${clock() - limits.jobStreamLifetimeMilliseconds})
        order by id desc limit ${limits.jobStreamJobs}`,
    ])
    const jobTexts = new Map(rows.map((row) => [textOf(row, 'id'), JSON.stringify(jobOf(row))]))
    for (const [id, text] of [...jobTexts].reverse()) {
      if (watch.sent.get(id) === text) continue
      for (const listener of watch.listeners) listener(id, text)
    }
    watch.sent = jobTexts
  }
}
