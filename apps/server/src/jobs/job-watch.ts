import { limits } from '../limits.ts'
import type { Services } from '../services.ts'
import { sql } from '../store/database/sql.ts'

/** This attempt lost the job: it was canceled, or another attempt took over. */
export class JobTakenAwayError extends Error {
  constructor() {
    super('The job was canceled or taken over.')
  }
}

/** Renews the lease of a working attempt at intervals and detects when it should stop. */
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
      // The database is unavailable; the next caller that needs it reports the error.
    } finally {
      this.#isLooking = false
    }
  }
}
