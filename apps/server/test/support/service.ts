import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, type ClientOptions, createClient } from '@liquidity-os/client'
import type { Role } from '@liquidity-os/contract'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { addMember, createOrganization } from '../../src/access/administration.ts'
import { foldEmail } from '../../src/access/email-address.ts'
import { type Removal, removeMember as remove } from '../../src/access/remove-member.ts'
import { mintToken } from '../../src/access/secrets.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { startService } from '../../src/service.ts'
import type { Services } from '../../src/services.ts'
import { connectPostgres } from '../../src/store/database/connect.ts'
import type { Database } from '../../src/store/database/database.ts'
import { sql } from '../../src/store/database/sql.ts'
import { conformingFetch } from './conforming-fetch.ts'
import { doneWith, testDatabase } from './database.ts'

/** A clock that a test moves by hand; it never goes back. */
export class TestClock {
  #now: number
  constructor(now = Date.parse('2026-01-05T12:00:00Z')) {
    this.#now = now
  }
  readonly read = (): number => this.#now
  advance(milliseconds: number): void {
    this.#now += milliseconds
  }
}

export interface TestService {
  baseUrl: string
  services: Services
  database: Database
  config: Config
  clock: TestClock
  databaseUrl: string | null
  stop: () => Promise<void>
}

/**
 * A running service, stopped by `stop`.
 *
 * @param given a migrated database; default: a separate one
 */
export async function startTestService(
  environment: Record<string, string> = {},
  given?: Database,
): Promise<TestService> {
  const { database, url } = given ? { database: given, url: null } : await testDatabase()
  const directory = mkdtempSync(join(tmpdir(), 'liquidity-test-'))
  const config = readConfig({
    NODE_ENV: 'development',
    PORT: '0',
    BASE_URL: 'http://127.0.0.1:8080',
    DATA_DIR: directory,
    WORKER: 'none',
    LOG_LEVEL: 'silent',
    // A sweep would pick up data that a test prepares for another purpose; sweep tests enable
    // theirs.
    ANOMALY_SWEEP_SECONDS: '0',
    VENUE_INDEX_SECONDS: '0',
    FEED_PULL_SECONDS: '0',
    ALERT_SWEEP_SECONDS: '0',
    PROVIDER_PROBE_SECONDS: '0',
    SCORE_REFRESH_SECONDS: '0',
    VAULT_SNAPSHOT_SECONDS: '0',
    PARTNER_DOMAIN_SECONDS: '0',
    SESSION_REQUESTS_PER_MINUTE: '0',
    ...environment,
  })
  const clock = new TestClock()
  const running = await startService(config, {
    database,
    clock: clock.read,
    log: pino({ level: process.env.TEST_LOG ?? 'silent' }),
  })
  return {
    baseUrl: running.baseUrl,
    services: running.services,
    database,
    config,
    clock,
    databaseUrl: url,
    stop: async () => {
      await running.stop()
      if (given) await given.close()
      else await doneWith(database)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/**
 * A second node of the same deployment: its own HTTP server, caches and groups, and on PostgreSQL its own
 * connections. The embedded database has one owner, so there both nodes share it. Stops after the test.
 */
export async function anotherNode(
  service: TestService,
  changes: Partial<Config> = {},
  /** By how much its machine is ahead of the others. */
  aheadMilliseconds = 0,
): Promise<TestService> {
  const database = service.databaseUrl
    ? connectPostgres(service.databaseUrl, 'liquidity-test-node')
    : service.database
  const running = await startService(
    { ...service.config, ...changes },
    {
      database,
      clock: () => service.clock.read() + aheadMilliseconds,
      machineClock: () => Date.now() + aheadMilliseconds,
      log: pino({ level: process.env.TEST_LOG ?? 'silent' }),
    },
  )
  let stopped: Promise<void> | null = null
  const end = async () => {
    await running.stop()
    if (database !== service.database) await database.close()
  }
  const stop = () => (stopped ??= end())
  onTestFinished(stop)
  return { ...service, baseUrl: running.baseUrl, services: running.services, database, stop }
}

/** The same, for one test only. */
export async function serviceForTest(
  environment: Record<string, string> = {},
): Promise<TestService> {
  const service = await startTestService(environment)
  onTestFinished(() => service.stop())
  return service
}

export interface TestMember {
  organizationId: string
  email: string
  userId: string
  options: ClientOptions
  client: Client
  cookie: string
}

let number = 0

/** An organization with its owner, signed in just now. */
export async function newOrganization(service: TestService, name = 'Org'): Promise<TestMember> {
  number += 1
  const email = `owner${number}-${process.pid}@example.org`
  const { organizationId } = await createOrganization(
    service.database,
    { name, owner: email },
    service.clock.read(),
  )
  return signIn(service, organizationId, email)
}

/** Another member of an organization, signed in just now. */
export async function newMember(
  service: TestService,
  organizationId: string,
  role: Role,
): Promise<TestMember> {
  number += 1
  const email = `${role.toLowerCase()}${number}-${process.pid}@example.org`
  await addMember(service.database, { organizationId, email, role }, service.clock.read())
  return signIn(service, organizationId, email)
}

/** Removes a member as the operator does. */
export async function removeMember(
  service: TestService,
  member: { organizationId: string; email: string },
): Promise<Removal> {
  const { departures } = await service.services.families()
  const actor = { kind: 'SYSTEM', id: 'operator' } as const
  const request = { ...member, actor }
  return remove({ ...service.services, departures }, request, service.clock.read())
}

/** Signs a member in again, in place: sessions end while a test lets days pass. */
export async function signInAgain(service: TestService, member: TestMember): Promise<void> {
  Object.assign(member, await signIn(service, member.organizationId, member.email))
}

/** A session of a known user, as if a link had just been redeemed. */
export async function signIn(
  service: TestService,
  organizationId: string,
  email: string,
): Promise<TestMember> {
  const { token, tokenHash } = mintToken()
  const now = service.clock.read()
  const [rows] = await service.database.global([
    sql`insert into sessions (token_hash, user_id, created_at, authenticated_at, expires_at, epoch)
      select ${tokenHash}, id, ${now}, ${now}, ${now + 12 * 3_600_000}, epoch from users
      where email = ${foldEmail(email)} returning user_id`,
  ])
  const options: ClientOptions = {
    baseUrl: service.baseUrl,
    fetch: conformingFetch,
    organizationId,
    auth: {
      kind: 'session',
      cookieName: service.config.sessionCookie,
      cookie: token,
      origin: new URL(service.config.baseUrl).origin,
    },
  }
  return {
    organizationId,
    email,
    userId: rows?.[0]?.user_id ?? '',
    options,
    client: createClient(options),
    cookie: token,
  }
}
