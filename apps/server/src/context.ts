import { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import { AccessTokens } from './access/access-tokens.ts'
import { Budgets } from './access/budgets.ts'
import { KnownCallers } from './access/known-callers.ts'
import { OpeningReader } from './access/opening-read.ts'
import { Sealing } from './access/sealing.ts'
import { SigningKeys } from './access/signing-keys.ts'
import { type Config, ConfigurationError, directoryRefused, variables } from './config.ts'
import { loadFamilies } from './families.ts'
import { PrometheusMetrics } from './http/metrics.ts'
import { limits } from './limits.ts'
import type { Services } from './services.ts'
import { Artifacts } from './store/artifacts/artifacts.ts'
import { type Converse, connectPostgres, openEmbedded } from './store/database/connect.ts'
import type { Database } from './store/database/database.ts'
import { beginEra } from './store/database/era.ts'
import { HeavyReads } from './store/database/heavy-reads.ts'
import { LeaseClock } from './store/database/lease-clock.ts'
import { assertMigrated, migrate } from './store/database/migrate.ts'
import {
  awayCodes,
  causeOf,
  type Patience,
  waitForDatabase,
} from './store/database/wait-for-database.ts'
import { writableOf } from './store/database/writable.ts'
import { NodeCalls } from './store/node-calls/node-calls.ts'
import type { Change } from './store/records/change.ts'
import { Committer } from './store/records/committer.ts'
import { OrganizationUsage } from './store/records/organization-usage.ts'
import { RecordCounts } from './store/records/record-counts.ts'
import { VerifiedTexts } from './store/records/verified-texts.ts'
import { Threads } from './threads.ts'

/** An opening database, usable once `ready` resolves with the schema for the release. */
export interface OpeningDatabase {
  database: Database
  /** @throws ConfigurationError when it cannot be reached or written */
  ready: Promise<void>
}

/**
 * Opens the configured database with the schema for the release.
 *
 * @param converse serves CLI commands of an embedded database
 * @throws ConfigurationError if the database is unreachable or read-only
 */
export async function openDatabase(config: Config, converse?: Converse): Promise<Database> {
  const { database, ready } = await beginDatabase(config, converse)
  try {
    await ready
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

/**
 * Starts to open the database. With `patience` it waits for an unavailable PostgreSQL, because a
 * node may start before its database.
 */
export async function beginDatabase(
  config: Config,
  converse?: Converse,
  patience?: Patience,
): Promise<OpeningDatabase> {
  if (config.databaseUrl) {
    const database = connectPostgres(config.databaseUrl, 'liquidity')
    return { database, ready: preparePostgres(database, config, config.databaseUrl, patience) }
  }
  try {
    const database = await openEmbedded(config.dataDirectory, converse)
    await migrate(database)
    await beginEra(database)
    return { database, ready: Promise.resolve() }
  } catch (error) {
    throw directoryRefused(error, config.dataDirectory)
  }
}

async function preparePostgres(
  database: Database,
  config: Config,
  url: string,
  patience?: Patience,
): Promise<void> {
  const prepare = async () => {
    if (config.environment === 'production') await assertMigrated(database)
    else await migrate(database)
    await beginEra(database)
  }
  const { host, pathname } = new URL(url)
  try {
    await (patience ? waitForDatabase(prepare, patience, `${host}${pathname}`) : prepare())
  } catch (error) {
    throw databaseRefused(error, url)
  }
}

/** PostgreSQL's own: no such user, password or database. */
const accessErrorCodes = ['28000', '28P01', '3D000']

function databaseRefused(error: unknown, url: string): unknown {
  const { code = '' } = error as { code?: string }
  if (![...awayCodes, ...accessErrorCodes].includes(code)) return error
  const { host, pathname } = new URL(url)
  // The URL may contain a password; host and name do not.
  return new ConfigurationError([
    `DATABASE_URL must name a reachable PostgreSQL server. ${host}${pathname} is not reachable: ${causeOf(error)}. Example: DATABASE_URL=${variables.DATABASE_URL.example}`,
  ])
}

/**
 * @param clock milliseconds since 1970
 * @param machine clock of the local machine, if different
 */
export function createServices(
  config: Config,
  database: Database,
  log: Logger,
  clock: () => number = Date.now,
  machine: () => number = Date.now,
): Services {
  const committed = new EventEmitter<{ change: [organizationId: string] }>()
  committed.setMaxListeners(0)
  const artifacts = new Artifacts(database, config)
  const usage = new OrganizationUsage(database, log, config.maxOrganizationBytes)
  const announce = announcer(committed)
  const sealing = new Sealing(config.sealingKeys)
  const awaited = new Threads({ count: 2, niceness: 2 })
  const background = new Threads({ count: 2, niceness: 4 })
  const reporting = new Threads({ count: 1, niceness: 4 })
  const outbound = once(async () => {
    const { createOutbound } = await import('./integrations/outbound/outbound.ts')
    return createOutbound({
      allowHttp: config.environment === 'development',
      allow: config.outboundAllow,
    })
  })
  return {
    config,
    log,
    clock,
    leaseClock: new LeaseClock(database, { clock, machine }),
    database,
    heavyReads: new HeavyReads(limits.databaseHeavyReads),
    recordCounts: new RecordCounts(limits.countedOrganizations),
    openings: new OpeningReader(database),
    budgets: new Budgets(database, config.budgets),
    usage,
    nodeCalls: new NodeCalls(database, log, clock),
    artifacts,
    committer: new Committer(database, {
      keepArtifacts: (change) => artifacts.keep(change),
      afterCommit: (changes) => {
        usage.add(changes)
        announce(changes)
      },
      appendBy: config.databaseAppend,
    }),
    tokens: new AccessTokens(config.accessTokenKeys),
    sealing,
    signingKeys: new SigningKeys(database, sealing),
    logKeys: new SigningKeys(database, sealing, 'log'),
    verified: new VerifiedTexts(),
    callers: new KnownCallers(),
    metrics: new PrometheusMetrics(),
    awaited,
    background,
    reporting,
    closeThreads: async () => {
      await Promise.all([awaited, background, reporting].map((threads) => threads.close()))
    },
    families: loadFamilies,
    outbound,
    exchanges: once(async () => {
      const { ExchangeProcess } = await import('./integrations/exchanges/exchange-process.ts')
      return new ExchangeProcess({ outbound, clock, mirrors: config.exchangeMirrors })
    }),
    mailer: once(async () => {
      const { createMailer } = await import('./integrations/mail/mailer.ts')
      return createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom })
    }),
    committed,
    startedAt: clock(),
    phase: 'SERVING',
    writable: writableOf(database, clock),
  }
}

/**
 * Announces commits, throttled: listeners query the database, and one query per commit would double
 * the cost of commits.
 */
function announcer(committed: Services['committed']): (changes: readonly Change[]) => void {
  const changed = new Set<string>()
  const announce = () => {
    const organizationIds = [...changed]
    changed.clear()
    for (const organizationId of organizationIds) committed.emit('change', organizationId)
  }
  return (changes) => {
    for (const change of changes) {
      if (change.events.length === 0 && change.jobs.length === 0) continue
      if (changed.size === 0) setTimeout(announce, limits.announceMilliseconds)
      changed.add(change.organizationId)
    }
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make()
    return made
  }
}
