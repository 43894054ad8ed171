import { reachFaultPoint } from '../../fault-points.ts'
import { limits } from '../../limits.ts'
import { ConflictError, type Database } from '../database/database.ts'
import { type Change, keysOf, partsOf } from './change.ts'
import { type AppendBy, statementsOf } from './statements.ts'
import { Turns } from './turns.ts'

interface Waiting {
  change: Change
  keys: readonly string[]
  bytes: number
  done: () => void
  refuse: (cause: unknown) => void
}

/**
 * Group commit. Changes that arrive during a running transaction wait and share the next one: one
 * message, one flush. Each change stays atomic, and its caller gets a response only after the
 * commit.
 *
 * A conflict fails the whole transaction. Its halves are then applied separately, recursively,
 * which isolates the conflicting change at the cost of a few more transactions.
 */
export class Committer {
  readonly #database: Database
  readonly #keep: (change: Change) => Promise<Change>
  readonly #afterCommit: (changes: readonly Change[]) => void
  readonly #appendBy: AppendBy
  readonly #queue: Waiting[] = []
  readonly #turns: Turns

  /**
   * @param options.keepArtifacts stores artifact bytes before their change commits
   * @param options.afterCommit receives every committed change
   * @param options.appendBy method to append a group; default: the database function
   */
  constructor(
    database: Database,
    options: {
      keepArtifacts?: (change: Change) => Promise<Change>
      afterCommit?: (changes: readonly Change[]) => void
      appendBy?: AppendBy
    } = {},
  ) {
    this.#database = database
    this.#keep = options.keepArtifacts ?? (async (change) => change)
    this.#afterCommit = options.afterCommit ?? (() => {})
    this.#appendBy = options.appendBy ?? 'function'
    this.#turns = new Turns(
      () => this.#queue.length > 0,
      () => this.#apply(this.#takeGroup()),
      {
        sideBySide: database.kind === 'embedded' ? 1 : limits.commitsSideBySide,
        maximumInFlight: database.kind === 'embedded' ? 1 : limits.commitsInFlight,
        patienceMilliseconds: limits.messagePatienceMilliseconds,
      },
    )
  }

  /**
   * @throws ConflictError if another change came first; StoreUnavailableError if the outcome is
   * unknown
   */
  async commit(proposed: Change): Promise<void> {
    const change = proposed.artifacts.length === 0 ? proposed : await this.#keep(proposed)
    return new Promise((done, refuse) => {
      const bytes = partsOf(change)
        .flatMap(({ records }) => records)
        .reduce((sum, sealed) => sum + sealed.text.length, 1024)
      this.#queue.push({ change, keys: keysOf(change), bytes, done, refuse })
      this.#turns.wake()
    })
  }

  /** Longest prefix of the queue without two changes to the same key. */
  #takeGroup(): Waiting[] {
    const taken = new Set<string>()
    let bytes = 0
    let count = 0
    for (const waiting of this.#queue) {
      bytes += waiting.bytes
      const full = count === limits.commitGroupChanges || bytes > limits.commitGroupBytes
      if (count > 0 && (full || waiting.keys.some((key) => taken.has(key)))) break
      for (const key of waiting.keys) taken.add(key)
      count += 1
    }
    return this.#queue.splice(0, count)
  }

  async #apply(group: readonly Waiting[]): Promise<void> {
    try {
      await this.#write(group.flatMap(({ change }) => partsOf(change)))
    } catch (cause) {
      if (cause instanceof ConflictError && group.length > 1) {
        const half = group.length >> 1
        await this.#apply(group.slice(0, half))
        await this.#apply(group.slice(half))
        return
      }
      for (const { refuse } of group) refuse(cause)
      return
    }
    for (const { done } of group) done()
    this.#afterCommit(group.flatMap(({ change }) => partsOf(change)))
  }

  async #write(changes: readonly Change[]): Promise<void> {
    const byOrganization = new Map<string, Change[]>()
    for (const change of changes) {
      const known = byOrganization.get(change.organizationId)
      if (known) known.push(change)
      else byOrganization.set(change.organizationId, [change])
    }
    // Sorted by id, so that two nodes lock the rows of organizations in one order and cannot
    // deadlock.
    const groups = [...byOrganization].sort(([a], [b]) => (a < b ? -1 : 1))
    const eventKinds = () =>
      changes.flatMap(({ events }) => events.map(({ event }) => event.kind)).join(' ')
    reachFaultPoint('commit:before-write', eventKinds)
    await this.#database.tenants(
      groups.map(([organizationId, own]) => ({
        organizationId,
        statements: statementsOf(organizationId, own, this.#appendBy),
      })),
    )
    reachFaultPoint('commit:after-write', eventKinds)
  }
}
