import type { LogWitness } from '../../../config.ts'
import type { Dispatcher } from '../../../jobs/sweeps.ts'
import { limits } from '../../../limits.ts'
import type { Services } from '../../../services.ts'
import { integerOf, type Row } from '../../../store/database/row.ts'
import { column, sql } from '../../../store/database/sql.ts'
import { cosignHead, type Witnessed, witnessOutcomes } from './cosign-head.ts'
import { newestCheckpoint, type StoredCheckpoint } from './log-store.ts'

/** Reads heads, and sends them to witnesses. */
type WitnessAsking = Pick<Services, 'clock' | 'database' | 'log' | 'metrics' | 'outbound'>

/** State of a witness in this process. */
interface WitnessState {
  readonly witness: LogWitness
  work: Promise<void> | null
  /** Earliest time of the next request, milliseconds since 1970. */
  notBefore: number
  outcome: Witnessed['outcome'] | null
}

/**
 * Requests cosignatures for the newest checkpoint from all witnesses that lack it. The checkpoint
 * is stored first. Each witness has at most one request at a time, independent of the others, so a
 * slow witness delays neither them nor the log. A checkpoint missed during an outage stays without
 * that cosignature; the next one covers it.
 */
export class WitnessAsker implements Dispatcher {
  readonly #services: WitnessAsking
  readonly #standings: readonly WitnessState[]
  readonly #stopping = new AbortController()
  #looking: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(services: WitnessAsking & Pick<Services, 'config'>) {
    this.#services = services
    this.#standings = services.config.logWitnesses.map((witness) => ({
      witness,
      work: null,
      notBefore: 0,
      outcome: null,
    }))
  }

  start = (): void => {
    if (this.#standings.length === 0) return
    for (const { witness } of this.#standings) {
      this.#services.metrics.beginWitness(witness.name, witnessOutcomes)
    }
    const look = () => void this.look()
    this.#timer = setInterval(look, limits.logWitnessLookMilliseconds).unref()
  }

  /** Stops new requests and aborts those in progress. */
  stop = async (): Promise<void> => {
    if (this.#timer) clearInterval(this.#timer)
    this.#stopping.abort()
    await this.#looking
    await this.settled()
  }

  /** Starts all required requests; resolves after they have started. */
  look(): Promise<void> {
    this.#looking ??= this.#begin()
      .catch((error: unknown) =>
        this.#services.log.warn(
          { err: error },
          'Failed to query the witnesses; the service retries.',
        ),
      )
      .finally(() => {
        this.#looking = null
      })
    return this.#looking
  }

  /** Resolves when no request is in progress. */
  async settled(): Promise<void> {
    await Promise.all(this.#standings.map(({ work }) => work))
  }

  async #begin(): Promise<void> {
    const now = this.#services.clock()
    const free = this.#standings.filter(({ work, notBefore }) => !work && notBefore <= now)
    const head = free.length === 0 ? null : await newestCheckpoint(this.#services.database)
    if (!head) return
    const seen = await this.#seenBy(free.map(({ witness }) => witness))
    for (const [index, state] of free.entries()) {
      const size = seen[index] ?? 0
      if (size >= head.treeSize || this.#stopping.signal.aborted) continue
      state.work = this.#ask(state, head, size).finally(() => {
        state.work = null
      })
    }
  }

  /** Tree size of the largest known checkpoint cosigned per witness. */
  async #seenBy(witnesses: readonly LogWitness[]): Promise<number[]> {
    const [rows = []] = await this.#services.database.global([
      sql`select coalesce(max(c.tree_size), 0) as size
        from unnest(${column('text', witnesses, ({ name }) => name)},
          ${column('text', witnesses, ({ publicKey }) => publicKey)}) with ordinality as w (name, public_key, place)
        left join log_cosignatures c on c.name = w.name and c.public_key = w.public_key
        group by w.place order by w.place`,
    ])
    return rows.map((row: Row) => integerOf(row, 'size'))
  }

  async #ask(standing: WitnessState, head: StoredCheckpoint, size: number): Promise<void> {
    const { clock, log, metrics } = this.#services
    const { signal } = this.#stopping
    const { witness } = standing
    const begun = performance.now()
    try {
      const requested = { seen: { size }, signal }
      const witnessed = await cosignHead(this.#services, witness, head, requested)
      metrics.observeWitness(witness.name, witnessed.outcome, performance.now() - begun)
      if (witnessed.outcome === 'OVERTAKEN') return
      this.#note(standing, witnessed, head)
      if (witnessed.outcome === 'COSIGNED') return
    } catch (error) {
      if (signal.aborted) return
      log.warn(
        { err: error, witness: witness.name },
        'Failed to query a witness; the service retries.',
      )
    }
    standing.notBefore = clock() + limits.logWitnessPauseMilliseconds
  }

  /** Logs a witness outage once, however long it lasts, and the recovery once. */
  #note(standing: WitnessState, witnessed: Witnessed, { treeSize }: StoredCheckpoint): void {
    const { outcome: before, witness } = standing
    standing.outcome = witnessed.outcome
    if (witnessed.outcome === before) return
    const summary = { witness: witness.name, treeSize, ...witnessed }
    const { log } = this.#services
    if (witnessed.outcome !== 'COSIGNED') {
      log.warn(
        summary,
        'A witness has not cosigned the checkpoint of the proof log; the service retries.',
      )
    } else if (before !== null) {
      log.info(summary, 'A witness cosigns checkpoints of the proof log again.')
    }
  }
}
