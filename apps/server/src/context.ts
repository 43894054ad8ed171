import { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import { AccessTokens } from './access/access-tokens.ts'
import { Budgets } from './access/budgets.ts'
import { KnownCallers } from './access/known-callers.ts'
import { OpeningReader } from './access/opening-read.ts'
import { Sealing } from './access/sealing.ts'
import { SigningKeys } from './access/signing-keys.ts'
import { type Config, ConfigurationError, directoryRefused, variables } from './config.ts'
import { StudyThreads } from './families/simulate/studies/study-threads.ts'
import { loadFamilies } from './families.ts'
import { Metrics } from './http/metrics.ts'
import { limits } from './limits.ts'
import type { Services } from './services.ts'
import { Artifacts } from './store/artifacts/artifacts.ts'
import { type Converse, connectPostgres, openEmbedded } from './store/database/connect.ts'
import type { Database } from './store/database/database.ts'
import { assertMigrated, migrate } from './store/database/migrate.ts'
import type { Change } from './store/records/change.ts'
import { Committer } from './store/records/committer.ts'
import { VerifiedTexts } from './store/records/verified-texts.ts'
import { Threads } from './threads.ts'

/**
 * Opens the database that the configuration names, with the schema this release needs.
 *
 * @param converse answers the command line while this process owns an embedded database
 * @throws ConfigurationError when it cannot be reached or written
 */
export async function openDatabase(config: Config, converse?: Converse): Promise<Database> {
  if (config.databaseUrl) return openPostgres(config, config.databaseUrl)
  try {
    const database = await openEmbedded(config.dataDirectory, converse)
    await migrate(database)
    return database
  } catch (error) {
    throw directoryRefused(error, config.dataDirectory)
  }
}

async function openPostgres(config: Config, url: string): Promise<Database> {
  const database = connectPostgres(url, 'liquidity')
  try {
    if (config.environment === 'production') await assertMigrated(database)
    else await migrate(database)
    return database
  } catch (error) {
    await database.close()
    throw databaseRefused(error, url)
  }
}

/** No such server, and PostgreSQL's own: no such user, password or database. */
const refusals = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]
const strangers = ['28000', '28P01', '3D000']

function databaseRefused(error: unknown, url: string): unknown {
  const { code = '', message } = error as { code?: string; message?: string }
  if (![...refusals, ...strangers].includes(code)) return error
  const { host, pathname } = new URL(url)
  // The URL may hold a password; host and name do not.
  return new ConfigurationError([
    `DATABASE_URL must name a PostgreSQL that answers; ${host}${pathname} does not: ${message || code}. Example: DATABASE_URL=${variables.DATABASE_URL.example}`,
  ])
}

/** @param clock milliseconds since 1970 */
export function createServices(
  config: Config,
  database: Database,
  log: Logger,
  clock: () => number = Date.now,
): Services {
  const committed = new EventEmitter<{ change: [organizationId: string] }>()
  committed.setMaxListeners(0)
  const artifacts = new Artifacts(database, config)
  const sealing = new Sealing(config.sealingKeys)
  const awaited = new Threads({ count: 2, niceness: 2 })
  const background = new Threads({ count: 2, niceness: 4 })
  const reporting = new Threads({ count: 1, niceness: 4 })
  return {
    config,
    log,
    clock,
    database,
    openings: new OpeningReader(database),
    budgets: new Budgets(database, config.budgets),
    artifacts,
    committer: new Committer(database, {
      keepArtifacts: (change) => artifacts.keep(change),
      afterCommit: announcer(committed),
    }),
    tokens: new AccessTokens(config.accessTokenKeys),
    sealing,
    signingKeys: new SigningKeys(database, sealing),
    verified: new VerifiedTexts(),
    callers: new KnownCallers(),
    metrics: new Metrics(),
    ...{ awaited, background, reporting },
    threads: new StudyThreads(awaited),
    jobThreads: new StudyThreads(background),
    closeThreads: async () => {
      await Promise.all([awaited, background, reporting].map((threads) => threads.close()))
    },
    families: loadFamilies,
    outbound: once(async () => {
      const { createOutbound } = await import('./outside/outbound/outbound.ts')
      return createOutbound({
        allowHttp: config.environment === 'development',
        allow: config.outboundAllow,
      })
    }),
    mailer: once(async () => {
      const { createMailer } = await import('./outside/mail/mailer.ts')
      return createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom })
    }),
    committed,
    startedAt: clock(),
    stopping: false,
  }
}

/**
 * Says that something was committed, at most once in a while: listeners look into the database, and a look
 * for every commit would cost as much as the commits.
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
