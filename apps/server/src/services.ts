import type { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import type { AccessTokens } from './access/access-tokens.ts'
import type { Budgets } from './access/budgets.ts'
import type { KnownCallers } from './access/known-callers.ts'
import type { OpeningReader } from './access/opening-read.ts'
import type { Sealing } from './access/sealing.ts'
import type { SigningKeys } from './access/signing-keys.ts'
import type { Config } from './config.ts'
import type { Exchanges } from './exchanges.ts'
import type { Families } from './family-parts.ts'
import type { Mailer } from './mailer.ts'
import type { Metrics } from './metrics.ts'
import type { Outbound } from './outbound.ts'
import type { Artifacts } from './store/artifacts/artifacts.ts'
import type { Database } from './store/database/database.ts'
import type { HeavyReads } from './store/database/heavy-reads.ts'
import type { LeaseClock } from './store/database/lease-clock.ts'
import type { Writable } from './store/database/writable.ts'
import type { NodeCalls } from './store/node-calls/node-calls.ts'
import type { Committer } from './store/records/committer.ts'
import type { OrganizationUsage } from './store/records/organization-usage.ts'
import type { RecordCounts } from './store/records/record-counts.ts'
import type { VerifiedTexts } from './store/records/verified-texts.ts'
import type { Threads } from './threads.ts'

/**
 * Process phase. WAITING: waits for its database and serves health checks only. SERVING: normal
 * operation. DRAINING: serves while the load balancer notices the shutdown. STOPPING: ends open
 * requests and accepts no new ones.
 */
export type Phase = 'WAITING' | 'SERVING' | 'DRAINING' | 'STOPPING'

/**
 * All parts of the service: types of the store and of access, and interfaces of upper layers.
 * `context.ts` assembles them.
 */
export interface Services {
  config: Config
  log: Logger
  clock: () => number
  /** Clock for leases and heartbeats, equal on every node. */
  leaseClock: LeaseClock
  database: Database
  heavyReads: HeavyReads
  recordCounts: RecordCounts
  openings: OpeningReader
  budgets: Budgets
  usage: OrganizationUsage
  /** Calls and learned limits of RPC nodes. */
  nodeCalls: NodeCalls
  artifacts: Artifacts
  committer: Committer
  tokens: AccessTokens
  sealing: Sealing
  signingKeys: SigningKeys
  /** Signs only checkpoints of the proof log. */
  logKeys: SigningKeys
  verified: VerifiedTexts
  callers: KnownCallers
  metrics: Metrics
  /**
   * Threads for requests that a user waits for. Jobs have separate threads, so neither blocks the
   * other.
   */
  awaited: Threads
  background: Threads
  /** Threads for reports and charts, which must not block computed responses. */
  reporting: Threads
  closeThreads: () => Promise<void>
  /** Declarations of all families; loaded at first use. */
  families: () => Promise<Families>
  /** Loaded at first use: the HTTP client and the mailer are dear at start. */
  outbound: () => Promise<Outbound>
  mailer: () => Promise<Mailer>
  /** Loaded at first use: it starts a process. */
  exchanges: () => Promise<Exchanges>
  /** Announces commits on a best-effort basis; listeners must not depend on it. */
  committed: EventEmitter<{ change: [organizationId: string] }>
  startedAt: number
  phase: Phase
  writable: Writable
}

// Named parts of the services. A function takes the parts that it uses. Only the assembly holds the whole, and hands it to
// requests, jobs and sweeps.

/** Reads and verifies the records of any organization. */
export type RecordReading = Pick<Services, 'artifacts' | 'clock' | 'database' | 'verified'>

/** Reads the records of any organization and commits changes by the service itself. */
export type RecordSweeping = RecordReading & Pick<Services, 'committer' | 'log'>

/** Sends requests to providers of an organization, with its sealed secrets. */
export type ProviderAccess = Pick<Services, 'exchanges' | 'nodeCalls' | 'outbound' | 'sealing'>

/** Sends requests to the public nodes that the operator configures. */
export type PublicChainAccess = Pick<Services, 'clock' | 'config' | 'log' | 'outbound'>

/** Finds the schedules of the families. */
export type ScheduleReading = Pick<Services, 'config' | 'families' | 'usage'>

/** True once the process received a stop signal and only serves remaining requests. */
export const isLeaving = ({ phase }: Pick<Services, 'phase'>) =>
  phase === 'DRAINING' || phase === 'STOPPING'
