import { randomUUID } from 'node:crypto'
import type { ChainErrorDetails } from '@liquidity-os/contract'
import type { Logger } from 'pino'
import { limits } from '../../limits.ts'
import { minuteMilliseconds, minuteSeconds } from '../../units.ts'
import type { Database, TenantStatements } from '../database/database.ts'
import { integerOf, optionalTextOf, textOf } from '../database/row.ts'
import { join, type Sql, sql } from '../database/sql.ts'
import {
  addCounts,
  type CallCounts,
  type CountedCall,
  countCalls,
  emptyCounts,
} from './call-counts.ts'
import { RpcBudgets } from './rpc-budgets.ts'

/** A version of a provider record. */
export interface NodeVersion {
  readonly organizationId: string
  readonly recordId: string
  readonly resourceVersion: string
}

/** A limit that refusals of the node have shown. */
export interface LearnedLimit {
  readonly value: number
  /** Unix time in ms. */
  readonly at: number
}

export interface LearnedLimits {
  readonly callsPerSecond?: LearnedLimit
  readonly callsPerRequest?: LearnedLimit
  /** Blocks of one `eth_getLogs`. */
  readonly logBlocks?: LearnedLimit
}

export type LastError = ChainErrorDetails & { readonly at: string }

export interface NodeState {
  readonly limits: LearnedLimits
  readonly lastError: LastError | null
}

interface Node extends NodeVersion {
  /** Changes since the last storage. */
  changes: { limits?: LearnedLimits; lastError?: LastError }
  /** By Unix seconds of the start. */
  readonly minutes: Map<number, CallCounts>
}

export interface CountedMinute {
  readonly at: number
  readonly counts: CallCounts
}

/**
 * Calls, learned limits and last errors of nodes. Each process counts in memory and stores completed
 * minutes, and changed limits, once a minute in one statement per organization. A crash loses at
 * most the last minutes.
 */
export class NodeCalls {
  readonly #database: Database
  readonly #log: Logger
  readonly #clock: () => number
  readonly #process = randomUUID()
  readonly #nodes = new Map<string, Node>()
  /** Rates and credits that several processes share. */
  readonly budgets: RpcBudgets
  #flushing: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null

  constructor(database: Database, log: Logger, clock: () => number) {
    this.#database = database
    this.budgets = new RpcBudgets(database)
    this.#log = log
    this.#clock = clock
  }

  /** Unix time in ms, which decides the day of credits. */
  readonly now = () => this.#clock()

  /** Counts the calls of one HTTP request. */
  count(
    version: NodeVersion,
    calls: readonly CountedCall[],
    size: { milliseconds: number; bytes: number },
  ): void {
    const now = this.#clock()
    const at = minuteOf(now)
    const { minutes } = this.#nodeOf(version)
    const counts = minutes.get(at) ?? emptyCounts()
    countCalls(counts, calls, size)
    minutes.set(at, counts)
  }

  setLimits(version: NodeVersion, learned: LearnedLimits): void {
    this.#nodeOf(version).changes.limits = learned
  }

  setError(version: NodeVersion, details: ChainErrorDetails): void {
    const at = new Date(this.#clock()).toISOString()
    this.#nodeOf(version).changes.lastError = { ...details, at }
  }

  /** Stored limits and last error of this version; those of earlier versions are forgotten. */
  async state(version: NodeVersion): Promise<NodeState> {
    const node = this.#nodes.get(keyOf(version))
    const changes = node?.resourceVersion === version.resourceVersion ? node.changes : {}
    const { organizationId, recordId, resourceVersion } = version
    const [rows = []] = await this.#database.tenant(organizationId, [
      sql`select limits, last_error from provider_limits where organization_id = ${organizationId}
        and provider_id = ${recordId} and resource_version = ${resourceVersion}`,
    ])
    const [row] = rows
    const limitsText = row ? optionalTextOf(row, 'limits') : null
    const errorText = row ? optionalTextOf(row, 'last_error') : null
    return {
      limits: limitsText === null ? {} : (JSON.parse(limitsText) as LearnedLimits),
      lastError: errorText === null ? null : (JSON.parse(errorText) as LastError),
      ...changes,
    }
  }

  /** Minutes with calls in a range of Unix seconds, oldest first, of all versions. */
  async minutes(
    { organizationId, recordId }: Pick<NodeVersion, 'organizationId' | 'recordId'>,
    { from, until }: { from: number; until: number },
  ): Promise<CountedMinute[]> {
    const [rows = []] = await this.#database.tenant(organizationId, [
      sql`select at, counts from provider_minutes where organization_id = ${organizationId}
        and provider_id = ${recordId} and at >= ${from} and at < ${until}`,
    ])
    const stored = rows.map((row) => ({
      at: integerOf(row, 'at'),
      counts: JSON.parse(textOf(row, 'counts')) as CallCounts,
    }))
    const own = this.#nodes.get(keyOf({ organizationId, recordId }))?.minutes ?? new Map()
    const counted = [...own].map(([at, counts]): CountedMinute => ({ at, counts }))
    const sums = new Map<number, CallCounts>()
    for (const { at, counts } of [...stored, ...counted]) {
      if (at < from || at >= until) continue
      const sum = sums.get(at) ?? emptyCounts()
      addCounts(sum, counts)
      sums.set(at, sum)
    }
    return [...sums].map(([at, counts]) => ({ at, counts })).sort((a, b) => a.at - b.at)
  }

  /** Stores completed minutes and changed limits. */
  flush(): Promise<void> {
    return this.#store(minuteOf(this.#clock()))
  }

  /** Stores all minutes. */
  close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    return this.#store(Number.MAX_SAFE_INTEGER)
  }

  #store(before: number): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#storeBefore(before))
    return this.#flushing
  }

  async #storeBefore(before: number): Promise<void> {
    const unsaved = [...this.#nodes.values()].map((node) => [node, node.changes] as const)
    const byOrganization = new Map<string, Node[]>()
    for (const node of this.#nodes.values()) {
      const nodes = byOrganization.get(node.organizationId) ?? []
      byOrganization.set(node.organizationId, [...nodes, node])
    }
    const groups = [...byOrganization].flatMap(([organizationId, nodes]): TenantStatements[] => {
      const statements = this.#statements(nodes, before)
      return statements.length === 0 ? [] : [{ organizationId, statements }]
    })
    if (groups.length === 0) return
    try {
      await this.#database.tenants(groups)
    } catch (error) {
      // Limits and errors are few, so the next flush stores them. Counts are statistics: they must not
      // fill the memory while the database is unavailable.
      for (const [node, changes] of unsaved) node.changes = { ...changes, ...node.changes }
      this.#log.warn({ err: error }, 'Could not store the calls of nodes.')
    }
    for (const [key, node] of this.#nodes) {
      if (node.minutes.size === 0 && isUnchanged(node)) this.#nodes.delete(key)
    }
  }

  #flushLater(): void {
    if (this.#timer) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.flush().then(() => {
        if (this.#nodes.size > 0) this.#flushLater()
      })
    }, minuteMilliseconds).unref()
  }

  /** Statements for the nodes of one organization; removes the stored minutes from memory. */
  #statements(nodes: readonly Node[], before: number): Sql[] {
    const minutes: Sql[] = []
    const states: Sql[] = []
    const now = this.#clock()
    for (const node of nodes) {
      const { organizationId, recordId, resourceVersion, changes } = node
      for (const [at, counts] of node.minutes) {
        if (at >= before) continue
        node.minutes.delete(at)
        minutes.push(
          sql`(${organizationId}, ${recordId}, ${at}, ${this.#process}, ${JSON.stringify(counts)})`,
        )
      }
      if (isUnchanged(node)) continue
      node.changes = {}
      const learned = textOrNull(changes.limits)
      const lastError = textOrNull(changes.lastError)
      states.push(
        sql`(${organizationId}, ${recordId}, ${resourceVersion}, ${learned}, ${lastError}, ${now})`,
      )
    }
    return [
      ...(minutes.length === 0
        ? []
        : [
            sql`insert into provider_minutes (organization_id, provider_id, at, process, counts)
              values ${join(minutes)} on conflict do nothing`,
          ]),
      ...(states.length === 0
        ? []
        : [
            sql`insert into provider_limits as known (organization_id, provider_id, resource_version, limits, last_error, updated_at)
              values ${join(states)} on conflict (organization_id, provider_id) do update set
              limits = case when known.resource_version <> excluded.resource_version then excluded.limits
                else coalesce((known.limits::jsonb || excluded.limits::jsonb)::text, excluded.limits, known.limits) end,
              last_error = coalesce(excluded.last_error, case when known.resource_version = excluded.resource_version then known.last_error end),
              resource_version = excluded.resource_version, updated_at = excluded.updated_at`,
          ]),
    ]
  }

  #nodeOf(version: NodeVersion): Node {
    const key = keyOf(version)
    const known = this.#nodes.get(key)
    if (known?.resourceVersion === version.resourceVersion) return known
    const minutes = known?.minutes ?? new Map()
    const { organizationId, recordId, resourceVersion } = version
    const node: Node = { organizationId, recordId, resourceVersion, changes: {}, minutes }
    this.#nodes.set(key, node)
    this.#flushLater()
    return node
  }
}

const isUnchanged = ({ changes }: Node) =>
  changes.limits === undefined && changes.lastError === undefined

const textOrNull = (value: object | null | undefined) =>
  value === null || value === undefined ? null : JSON.stringify(value)

const minuteOf = (milliseconds: number) =>
  Math.floor(milliseconds / minuteMilliseconds) * minuteSeconds

const keyOf = ({ organizationId, recordId }: Pick<NodeVersion, 'organizationId' | 'recordId'>) =>
  `${organizationId} ${recordId}`

/** Removes minutes after their retention. */
export const forgetMinutes = (now: number): readonly Sql[] => [
  sql`delete from provider_minutes where at < ${Math.floor((now - limits.nodeMinutesRetentionMilliseconds) / 1000)}`,
]
