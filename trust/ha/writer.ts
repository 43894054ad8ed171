import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { programOf } from './programs.ts'

/** After which psql is ended and asked again, as a client of the service gives a request up. */
const patienceMilliseconds = 4_000
const pauseMilliseconds = 100

/**
 * Somebody who knows nothing of the service: `psql` writes one number after the other through the same PgBouncer. How long it
 * is told nothing is what the database under it takes to come back.
 */
export class Writer {
  readonly #url: string
  readonly #ended = new AbortController()
  readonly #told: number[] = []
  readonly answeredAt: number[] = []
  #work: Promise<void> = Promise.resolve()

  constructor(url: string) {
    this.#url = url
  }

  start(): void {
    this.#work = this.#write()
  }

  /** @returns how many numbers it was told are written, and those of them that are not there */
  async stop(): Promise<{ written: number; lost: readonly number[] }> {
    this.#ended.abort()
    await this.#work
    const client = new pg.Client(this.#url)
    await client.connect()
    const { rows } = await client.query('select number from written')
    await client.end()
    const there = new Set(rows.map(({ number }) => Number(number)))
    return { written: this.#told.length, lost: this.#told.filter((number) => !there.has(number)) }
  }

  async #write(): Promise<void> {
    // What was not acknowledged may be there, so no number is written twice.
    for (let number = 0; !this.#ended.signal.aborted; number += 1) {
      if (await this.#attempt(number)) {
        this.#told.push(number)
        this.answeredAt.push(performance.now())
      }
      await sleep(pauseMilliseconds)
    }
  }

  async #attempt(number: number): Promise<boolean> {
    const statement = `insert into written values (${number})`
    try {
      await promisify(execFile)(
        programOf('postgresql-client-15'),
        ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-c', statement, this.#url],
        { timeout: patienceMilliseconds, killSignal: 'SIGKILL' },
      )
      return true
    } catch {
      return false
    }
  }
}
