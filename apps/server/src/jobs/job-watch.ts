import { limits } from '../limits.ts'
import type { Services } from '../services.ts'
import { sql } from '../store/database/sql.ts'

/** A job is no longer this attempt's: it was cancelled, or another attempt has taken it over. */
export class JobTakenAwayError extends Error {
  constructor() {
    super('The job was cancelled or taken over.')
  }
}

/**
 * While an attempt works, says every now and then that it lives, and learns that it should stop.
 */
export class JobWatch {
  readonly #services: Pick<Services, 'database' | 'leaseClock'>
  readonly #job: { organizationId: string; id: string; attempt: number }
  readonly #taken = new AbortController()
  readonly #timer: NodeJS.Timeout
  #isLooking = false

  constructor(
    services: Pick<Services, 'database' | 'leaseClock'>,
    job: { organizationId: string; id: string; attempt: number },
  ) {
    this.#services = services
    this.#job = job
    this.#timer = setInterval(() => void this.#look(), limits.jobWatchMilliseconds)
    this.#timer.unref()
  }

  /** Aborted when the attempt should stop. */
  get signal(): AbortSignal {
    return this.#taken.signal
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const { organizationId, id, attempt } = this.#job
    const { database, leaseClock } = this.#services
    try {
      const [rows = []] = await database.tenant(organizationId, [
        sql`update jobs set heartbeat_at = ${leaseClock.read()} where organization_id = ${organizationId}
          and id = ${id} and attempts = ${attempt} and status = 'RUNNING' returning id`,
      ])
      if (rows.length === 0) this.#taken.abort(new JobTakenAwayError())
    } catch {
      // The database is away; that is told by whoever needs it next.
    } finally {
      this.#isLooking = false
    }
  }
}
