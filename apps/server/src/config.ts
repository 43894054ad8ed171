import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { type Scope, scopes } from '@liquidity-os/contract/outline'
import { NoteError, noteKeyKinds, parseVerifierKey, type VerifierKey } from '@liquidity-os/evidence'
import { limits } from './limits.ts'
import { required } from './required.ts'
import {
  daySeconds,
  hourMilliseconds,
  hourSeconds,
  minuteMilliseconds,
  minuteSeconds,
} from './units.ts'

export interface Key {
  id: string
  key: Uint8Array
}

export interface OpenIdConfig {
  /** Its address, as it names itself in its tokens. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | null
  readonly name: string
  /** Email domains that it may vouch for; null accepts every address that it states as verified. */
  readonly emailDomains: readonly string[] | null
}

/** An S3-compatible bucket. */
export interface ObjectStoreConfig {
  /** Scheme, host and bucket. */
  url: string
  region: string
  accessKey: string
  secretKey: string
  /** 0 for none. */
  lockDays: number
}

/** A file whose bytes are pinned by their SHA-256, in hex. */
export interface PinnedFile {
  path: string
  sha256: string
}

export interface LogWitness extends VerifierKey {
  /** The prefix of its `add-checkpoint`, without a slash at its end. */
  readonly url: string
}

/** A chain that the console suggests, with a public endpoint. */
export interface ChainOffer {
  readonly chainId: number
  readonly name: string
  readonly endpoint: string
}

/** A market data provider of the deployment; a null endpoint means its public API. */
export interface MarketDataProvider {
  readonly dialect: 'GECKOTERMINAL' | 'DEXSCREENER'
  readonly endpoint: string | null
}

/** Everything the service learns from its environment, checked. */
export interface Config {
  environment: 'development' | 'production'
  port: number
  host: string
  baseUrl: string
  dataDirectory: string
  databaseUrl: string | null
  databaseAppend: 'function' | 'statements'
  smtpUrl: string | null
  mailFrom: string
  metricsPort: number | null
  worker: 'in-process' | 'none'
  trustedProxyHops: number
  allowedOrigins: readonly string[]
  /** host:port pairs that outbound requests may reach although they are not public. */
  outboundAllow: readonly string[]
  /** URL by host of an exchange. */
  exchangeMirrors: ReadonlyMap<string, string>
  budgets: Readonly<Partial<Record<Scope, number>>>
  /** Default storage quota of an organization, in bytes; null for unlimited. */
  maxOrganizationBytes: number | null
  sessionMilliseconds: number
  idempotencyRetentionDays: number
  /** Rate limit per client across all public operations. */
  publicRequestsPerMinute: number
  /** Rate limit per member and process; 0 disables it. */
  sessionRequestsPerMinute: number
  /** Largest study, milliseconds of one core as estimated. */
  studyMilliseconds: number
  /** Least time between two sweeps for anomalies of an organization; 0 for none. */
  anomalySweepSeconds: number
  alertSweepSeconds: number
  /** Minimum interval between automatic index runs of a venue, in seconds; 0 disables them. */
  venueIndexSeconds: number
  venueIdleSealSeconds: number
  /** Time a stopping node continues to serve while reporting not ready, in seconds. */
  drainSeconds: number
  /** Interval between automatic reads of price feeds, in seconds; 0 disables them. */
  feedPullSeconds: number
  /** Interval between automatic probes of a chain provider, in seconds; 0 disables them. */
  providerProbeSeconds: number
  /** Interval between automatic reads of a vault's Safe, in seconds; 0 disables them. */
  vaultSnapshotSeconds: number
  /**
   * Interval between automatic checks of a partner's domain control, in seconds; 0 disables them.
   */
  partnerDomainSeconds: number
  /**
   * DNS resolvers for partner names, `address` or `address:port`; empty for the system resolvers.
   */
  dnsResolvers: readonly string[]
  /** Port for queries to the name servers of a zone. */
  dnsServerPort: number
  /** Required addresses of partner hosts; empty for the addresses of the base URL. */
  partnerIngress: readonly string[]
  /** Public TLS port of partner hosts. */
  partnerHttpsPort: number
  /** Interval between automatic measurements of an active score, in seconds; 0 disables them. */
  scoreRefreshSeconds: number
  /** Events after which one observation ends and the next begins. */
  observationEvents: number
  logWitnesses: readonly LogWitness[]
  accessTokenKeys: readonly Key[]
  sealingKeys: readonly Key[]
  sessionCookie: '__Host-service_session' | 'service_session'
  /**
   * Identifies the browser that requests a sign-in link. With the `__Host-` prefix, sibling domains
   * cannot set it.
   */
  signInCookie: '__Host-service_sign_in' | 'service_sign_in'
  /** Identifies the browser redirected to the identity provider. */
  openIdCookie: '__Host-service_openid' | 'service_openid'
  /** Identity provider for sign-in, in addition to links; null for links only. */
  openId: OpenIdConfig | null
  /** Bucket for artifacts; null stores them in the database. */
  objectStore: ObjectStoreConfig | null
  /** Path of the signed adapter release; null for the bundled one. */
  releaseFile: string | null
  /** The 32 raw bytes of the key that releases are signed with, in base64; null for none. */
  releasePublicKey: string | null
  /** Path of the chain list for public queries; null disables them. */
  publicChainsFile: string | null
  /** Market data providers for public discovery, in the order of their figures. */
  publicMarketData: readonly MarketDataProvider[]
  /** Total time limit for one public query. */
  publicReadMilliseconds: number
  /** Chains that the console suggests for a provider. */
  chainOffers: readonly ChainOffer[]
  plansFile: PinnedFile | null
  acpOfferingFile: PinnedFile | null
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug'
}

interface Variable<T> {
  expected: string
  example: string
  /** Value if the variable is unset; absent for no default. */
  default?: string
  /** Name before a rename. The service still accepts it. */
  formerName?: string
  /** Cause of a rejected value, without the value. */
  cause?: (text: string) => string | null
  parse: (text: string) => T | undefined
}

const integer = (low: number, high: number) => (text: string) => {
  const value = Number(text)
  return /^\d+$/.test(text) && value >= low && value <= high ? value : undefined
}
const oneOf =
  <const V extends string>(...values: V[]) =>
  (text: string) =>
    values.find((value) => value === text)
const url =
  (...protocols: string[]) =>
  (text: string) =>
    URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined
const list = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

/** Environment variables and their expected values; `liquidity serve --help` prints this table. */
export const variables = {
  NODE_ENV: {
    expected: 'development or production',
    example: 'production',
    default: 'development',
    // The test runners set the third; it is a development like any other.
    parse: (text) => (text === 'test' ? 'development' : oneOf('development', 'production')(text)),
  } as Variable<Config['environment']>,
  PORT: {
    expected: 'a port from 0 to 65535; 0 lets the system choose',
    example: '8080',
    default: '8080',
    parse: integer(0, 65_535),
  } as Variable<number>,
  HOST: {
    expected: 'an address to listen on',
    example: '127.0.0.1',
    default: '127.0.0.1',
    parse: (text) => (/^[A-Za-z0-9.:_-]+$/.test(text) ? text : undefined),
  } as Variable<string>,
  BASE_URL: {
    expected: 'the http or https URL of the service for its users',
    example: 'https://liquidity.example.org',
    parse: (text) => url('http:', 'https:')(text)?.replace(/\/+$/, ''),
  } as Variable<string>,
  DATA_DIR: {
    expected: 'the directory of the embedded database, the keys and the control socket',
    example: './data',
    default: './data',
    parse: (text) => (text ? resolve(text) : undefined),
  } as Variable<string>,
  DATABASE_URL: {
    expected: 'a PostgreSQL URL. Unset: the embedded database',
    example: 'postgres://liquidity@127.0.0.1:5432/liquidity',
    parse: url('postgres:', 'postgresql:'),
  } as Variable<string>,
  SMTP_URL: {
    expected: 'an smtp or smtps URL. Required in production',
    example: 'smtps://user:password@mail.example.org:465',
    parse: url('smtp:', 'smtps:'),
  } as Variable<string>,
  MAIL_FROM: {
    expected: 'the sender of emails',
    example: 'Liquidity OS <no-reply@example.org>',
    default: 'Liquidity OS <no-reply@localhost>',
    parse: (text) => (/^[^\r\n]{3,200}$/.test(text) ? text : undefined),
  } as Variable<string>,
  METRICS_PORT: {
    expected: 'a port from 1 to 65535 for Prometheus metrics',
    example: '9464',
    parse: integer(1, 65_535),
  } as Variable<number>,
  WORKER: {
    expected: 'in-process, or none if you run `liquidity worker` as a separate process',
    example: 'none',
    default: 'in-process',
    parse: oneOf('in-process', 'none'),
  } as Variable<Config['worker']>,
  TRUSTED_PROXY_HOPS: {
    expected: 'the number of trusted proxies in front of the service, 0 to 8',
    example: '1',
    default: '0',
    parse: integer(0, 8),
  } as Variable<number>,
  ALLOWED_ORIGINS: {
    expected: 'additional origins that can use session cookies, comma-separated',
    example: 'https://console.example.org',
    default: '',
    parse: (text) => (list(text).every((item) => URL.canParse(item)) ? list(text) : undefined),
  } as Variable<string[]>,
  OUTBOUND_ALLOW: {
    expected: 'host:port pairs in your network that providers and webhooks can reach',
    example: '10.0.0.7:8545',
    default: '',
    parse: (text) => (list(text).every((item) => /^.+:\d+$/.test(item)) ? list(text) : undefined),
  } as Variable<string[]>,
  EXCHANGE_MIRRORS: {
    expected: 'URLs of mirrors by exchange host, as comma-separated host=url',
    example: 'api.kraken.com=https://kraken.example.org',
    default: '',
    parse: parseMirrors,
  } as Variable<ReadonlyMap<string, string>>,
  SERVICE_BUDGETS: {
    expected: 'requests per 900 s and scope, as comma-separated scope=number; each scope once',
    example: 'studies:read=5000,studies:write=400',
    default: '',
    parse: parseBudgets,
  } as Variable<Partial<Record<Scope, number>>>,
  MAX_ORGANIZATION_BYTES: {
    expected:
      'the storage quota of an organization in bytes (versions, events, stored responses and artifacts), 1 to 9007199254740991. Unset: no quota',
    example: '20000000000',
    formerName: 'ORGANIZATION_BYTES_MOST',
    parse: integer(1, Number.MAX_SAFE_INTEGER),
  } as Variable<number>,
  PUBLIC_REQUESTS_PER_MINUTE: {
    expected: 'public requests per client and minute, 1 to 1000000',
    example: '600',
    default: String(limits.publicRequestsPerMinute),
    parse: integer(1, 1_000_000),
  } as Variable<number>,
  SESSION_REQUESTS_PER_MINUTE: {
    expected:
      'requests per signed-in member, process and minute, 1 to 1000000; 0 disables the limit',
    example: '3000',
    default: String(limits.sessionRequestsPerMinute),
    parse: (text) => (text === '0' ? 0 : integer(1, 1_000_000)(text)),
  } as Variable<number>,
  ANOMALY_SWEEP_SECONDS: {
    expected:
      'minimum seconds between two anomaly sweeps of an organization, 60 to 86400; 0 disables them',
    example: '900',
    default: String(limits.anomalySweepSeconds),
    parse: (text) => (text === '0' ? 0 : integer(minuteSeconds, daySeconds)(text)),
  } as Variable<number>,
  ALERT_SWEEP_SECONDS: {
    expected: 'seconds between two alert sweeps, 10 to 3600; 0 disables sweeps and notifications',
    example: '30',
    default: String(limits.alertSweepSeconds),
    parse: (text) => (text === '0' ? 0 : integer(10, 60 * minuteSeconds)(text)),
  } as Variable<number>,
  VENUE_INDEX_SECONDS: {
    expected:
      'minimum seconds between two scheduled index runs of a venue, 60 to 86400; 0 disables the schedule',
    example: '300',
    default: String(limits.venueIndexSeconds),
    parse: (text) => (text === '0' ? 0 : integer(minuteSeconds, daySeconds)(text)),
  } as Variable<number>,
  VENUE_IDLE_SEAL_SECONDS: {
    expected: 'maximum seconds between two observations of a market without events, 60 to 900',
    example: '600',
    default: String(limits.venueIdleSealSeconds),
    parse: integer(minuteSeconds, limits.mapFreshSeconds),
  } as Variable<number>,
  DRAIN_SECONDS: {
    expected:
      'seconds that a stopping node serves requests while it reports not ready, 0 to 300. Default: 10 in production, otherwise 0',
    example: '10',
    parse: integer(0, limits.drainSecondsMaximum),
  } as Variable<number>,
  FEED_PULL_SECONDS: {
    expected:
      'seconds between two reads of the feeds of a price provider, 60 to 86400; 0 disables the schedule',
    example: '300',
    default: String(limits.feedPullSeconds),
    parse: (text) => (text === '0' ? 0 : integer(minuteSeconds, daySeconds)(text)),
  } as Variable<number>,
  PROVIDER_PROBE_SECONDS: {
    expected:
      'seconds between two probes of a chain provider, 60 to 86400; 0 disables the schedule',
    example: '900',
    default: String(limits.providerProbeSeconds),
    parse: (text) => (text === '0' ? 0 : integer(minuteSeconds, daySeconds)(text)),
  } as Variable<number>,
  VAULT_SNAPSHOT_SECONDS: {
    expected:
      'seconds between two reads of the Safe of a vault, 60 to 3600; 0 disables the schedule',
    example: '300',
    default: String(limits.vaultSnapshotSeconds),
    parse: (text) => (text === '0' ? 0 : integer(minuteSeconds, hourSeconds)(text)),
  } as Variable<number>,
  PARTNER_DOMAIN_SECONDS: {
    expected:
      'seconds between two verifications of a partner domain, 3600 to 86400; 0 disables the schedule',
    example: '86400',
    default: String(limits.partnerDomainSeconds),
    parse: (text) => (text === '0' ? 0 : integer(hourSeconds, daySeconds)(text)),
  } as Variable<number>,
  DNS_RESOLVERS: {
    expected:
      'addresses of recursive DNS resolvers, comma-separated, with :port if it is not 53. Unset: the resolvers of the system',
    example: '9.9.9.9,[2620:fe::fe]:53',
    default: '',
    parse: (text) => (list(text).every(isServerAddress) ? list(text) : undefined),
  } as Variable<string[]>,
  DNS_SERVER_PORT: {
    expected: 'the port of authoritative name servers, 1 to 65535',
    example: '53',
    default: '53',
    parse: integer(1, 65_535),
  } as Variable<number>,
  PARTNER_INGRESS: {
    expected:
      'addresses to which partner domains must resolve, comma-separated. Unset: the addresses of the host of BASE_URL',
    example: '203.0.113.10,2001:db8::10',
    default: '',
    parse: (text) => (list(text).every((item) => isIP(item) !== 0) ? list(text) : undefined),
  } as Variable<string[]>,
  PARTNER_HTTPS_PORT: {
    expected: 'the TLS port of partner domains, 1 to 65535',
    example: '443',
    default: '443',
    parse: integer(1, 65_535),
  } as Variable<number>,
  SCORE_REFRESH_SECONDS: {
    expected:
      'seconds between two measurements of an active score, 3600 to 86400; 0 disables the schedule',
    example: '21600',
    default: String(limits.scoreRefreshSeconds),
    parse: (text) => (text === '0' ? 0 : integer(hourSeconds, daySeconds)(text)),
  } as Variable<number>,
  STUDY_CORE_MINUTES: {
    expected: 'the maximum estimated cost of a study, in minutes of one core, 1 to 100000',
    example: '240',
    default: String(limits.studyMilliseconds / minuteMilliseconds),
    parse: integer(1, 100_000),
  } as Variable<number>,
  OBSERVATION_EVENTS: {
    expected: 'maximum events per observation, 1 to 500000',
    example: '20000',
    default: String(limits.observationEvents),
    parse: integer(1, 500_000),
  } as Variable<number>,
  LOG_WITNESSES: {
    expected: `witnesses that cosign each checkpoint of the proof log (c2sp.org/tlog-witness), at most ${limits.logWitnesses}, comma-separated. Each is a key NAME+ID+KEY, a space and the base URL of add-checkpoint`,
    example:
      'witness.example.org+173386f4+BDtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop https://witness.example.org',
    default: '',
    parse: parseWitnesses,
  } as Variable<LogWitness[]>,
  OPENID_ISSUER: {
    expected:
      'the OpenID Connect issuer for sign-in: an https URL, or http on this machine. It must belong to one organization, not to all tenants of a platform. Requires OPENID_CLIENT_ID',
    example: 'https://login.example.org',
    parse: (text) => {
      const url = URL.canParse(text) ? new URL(text) : null
      // Issuers for all tenants are rejected: an email address from an arbitrary tenant proves no
      // identity.
      if (url && /^\/(common|organizations|consumers)(\/|$)/.test(url.pathname)) return undefined
      const isLocal =
        url?.protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
      return url?.protocol === 'https:' || isLocal ? text : undefined
    },
  } as Variable<string>,
  OPENID_CLIENT_ID: {
    expected: 'the client ID of this service at OPENID_ISSUER',
    example: 'liquidity-os',
    parse: (text) => text,
  } as Variable<string>,
  OPENID_CLIENT_SECRET: {
    expected: 'the client secret of this service at OPENID_ISSUER. Unset: a public client',
    example: 'a-long-secret',
    parse: (text) => text,
  } as Variable<string>,
  OPENID_NAME: {
    expected: 'the label of the sign-in button of OPENID_ISSUER, at most 40 characters',
    example: 'Example Login',
    parse: (text) => (text.length <= 40 ? text : undefined),
  } as Variable<string>,
  OPENID_EMAIL_DOMAINS: {
    expected:
      'email domains that OPENID_ISSUER may sign in, comma-separated. Unset: every address that it reports as verified',
    example: 'example.org',
    parse: (text) => list(text.toLowerCase()),
  } as Variable<string[]>,
  DATABASE_APPEND: {
    expected: 'function (changes are appended by a database function) or statements',
    example: 'statements',
    default: 'function',
    parse: oneOf('function', 'statements'),
  } as Variable<'function' | 'statements'>,
  SESSION_HOURS: {
    expected: 'the lifetime of a session in hours, 1 to 720',
    example: '8',
    default: '12',
    parse: integer(1, 720),
  } as Variable<number>,
  IDEMPOTENCY_RETENTION_DAYS: {
    expected: 'days for which idempotent responses are stored, 1 to 3650',
    example: '30',
    default: '30',
    parse: integer(1, 3650),
  } as Variable<number>,
  ACCESS_TOKEN_KEYS: {
    expected:
      'comma-separated id:key pairs; a key is 32 bytes in base64. The first signs, all verify',
    example: '2026a:kJ0c…=',
    parse: parseKeys,
  } as Variable<Key[]>,
  SEALING_KEYS: {
    expected:
      'comma-separated id:key pairs; a key is 32 bytes in base64. The first encrypts stored secrets, all decrypt',
    example: '2026a:o3Qf…=',
    parse: parseKeys,
  } as Variable<Key[]>,
  OBJECT_STORE_URL: {
    expected: 'the URL of an S3-compatible bucket for artifacts. Unset: the database stores them',
    example: 'https://s3.eu-central-1.amazonaws.com/liquidity-artifacts',
    parse: url('http:', 'https:'),
  } as Variable<string>,
  OBJECT_STORE_REGION: {
    expected: 'the region of the bucket',
    example: 'eu-central-1',
    default: 'auto',
    parse: (text) => (/^[a-z0-9-]{1,40}$/.test(text) ? text : undefined),
  } as Variable<string>,
  OBJECT_STORE_ACCESS_KEY: {
    expected: 'the access key of the bucket',
    example: 'AKIA…',
    parse: (text) => (/^\S{3,200}$/.test(text) ? text : undefined),
  } as Variable<string>,
  OBJECT_STORE_SECRET_KEY: {
    expected: 'the secret key of the bucket',
    example: 'wJal…',
    parse: (text) => (/^\S{3,200}$/.test(text) ? text : undefined),
  } as Variable<string>,
  OBJECT_STORE_LOCK_DAYS: {
    expected: 'days of object lock in compliance mode, 0 to 36500. The bucket must allow it',
    example: '3650',
    default: '0',
    parse: integer(0, 36_500),
  } as Variable<number>,
  RELEASE_FILE: {
    expected: 'the path of the signed adapter release. Unset: the shipped release',
    example: '/etc/liquidity/release.json',
    parse: (text) => text,
  } as Variable<string>,
  RELEASE_PUBLIC_KEY: {
    expected:
      'the public key of adapter releases, 32 raw bytes in base64. Unset: development uses the shipped key, and production accepts no release',
    example: 'hA6NV…=',
    parse: (text) => (Buffer.from(text, 'base64').length === 32 ? text : undefined),
  } as Variable<string>,
  PUBLIC_CHAINS: {
    expected:
      'a JSON file with the chains and nodes that /public/projects may read. Unset: /public/projects is disabled',
    example: '/etc/liquidity/chains.json',
    parse: (text) => resolve(text),
  } as Variable<string>,
  PUBLIC_MARKET_DATA: {
    expected: `market data providers for /public/discovery, at most ${limits.publicMarketData}, comma-separated: GECKOTERMINAL or DEXSCREENER, each optionally with = and the URL of a server of the same API. They see what visitors search for. Unset: the shipped catalog only`,
    example: 'GECKOTERMINAL,DEXSCREENER',
    default: '',
    parse: parseMarketData,
  } as Variable<MarketDataProvider[]>,
  PUBLIC_READ_MILLISECONDS: {
    expected: 'the time limit of one response of /public/projects in milliseconds, 100 to 60000',
    example: '8000',
    default: String(limits.publicReadMilliseconds),
    parse: integer(100, minuteMilliseconds),
  } as Variable<number>,
  CHAIN_OFFERS: {
    expected: `chains that the console suggests, at most ${limits.chainOffers}, comma-separated. Each is a chain ID, a name and an RPC URL, separated by spaces. Every member can read the URLs, so they must not contain a key: no user, no query, and no long token in the path`,
    example: '1 Ethereum https://ethereum-rpc.publicnode.com',
    default: '',
    parse: (text) => (offersFault(text) === null ? list(text).map(parseOffer) : undefined),
    cause: offersFault,
  } as Variable<ChainOffer[]>,
  PLANS_FILE: {
    expected: 'a JSON file with the plans that GET /public/plans returns. Requires PLANS_SHA256',
    example: '/etc/liquidity/plans.json',
    parse: (text) => resolve(text),
  } as Variable<string>,
  PLANS_SHA256: sha256Of('PLANS_FILE'),
  ACP_OFFERING_FILE: {
    expected:
      'a JSON file with the offering that GET /public/acp/offering returns. Requires ACP_OFFERING_SHA256',
    example: '/etc/liquidity/offering.json',
    parse: (text) => resolve(text),
  } as Variable<string>,
  ACP_OFFERING_SHA256: sha256Of('ACP_OFFERING_FILE'),
  LOG_LEVEL: {
    expected: 'silent, error, warn, info or debug',
    example: 'info',
    default: 'info',
    parse: oneOf('silent', 'error', 'warn', 'info', 'debug'),
  } as Variable<Config['logLevel']>,
} as const

/** An address with or without a port, as `dns.setServers` takes it. */
function isServerAddress(text: string): boolean {
  const [, address = text] = /^\[?([0-9a-fA-F:.]+?)\]?(?::\d{1,5})?$/.exec(text) ?? []
  return isIP(text) !== 0 || isIP(address) !== 0
}

/** The pin of a file. */
function sha256Of(file: string): Variable<string> {
  return {
    expected: `the SHA-256 of ${file} in 64 hex digits, as sha256sum prints it`,
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    parse: (text) => (/^[0-9a-f]{64}$/.test(text) ? text : undefined),
  }
}

function parseBudgets(text: string): Partial<Record<Scope, number>> | undefined {
  const entries = list(text).map((item) => item.split('='))
  const isValid =
    new Set(entries.map(([scope]) => scope)).size === entries.length &&
    entries.every(
      ([scope, number]) =>
        scopes.includes(scope as Scope) && number !== undefined && /^[1-9]\d{0,8}$/.test(number),
    )
  return isValid
    ? Object.fromEntries(entries.map(([scope, number]) => [scope, Number(number)]))
    : undefined
}

function parseMirrors(text: string): ReadonlyMap<string, string> | undefined {
  const mirrors = new Map<string, string>()
  for (const item of list(text)) {
    const [, host, url] = /^([a-z0-9.-]+)=(https?:\/\/.+)$/.exec(item) ?? []
    if (host === undefined || url === undefined || !URL.canParse(url)) return undefined
    mirrors.set(host, url)
  }
  return mirrors
}

function parseWitnesses(text: string): LogWitness[] | undefined {
  const witnesses = list(text).map(parseWitness)
  const found = witnesses.filter((one) => one !== null)
  const isValid =
    found.length === witnesses.length &&
    found.length <= limits.logWitnesses &&
    new Set(found.map(({ name }) => name)).size === found.length &&
    new Set(found.map(({ publicKey }) => publicKey)).size === found.length
  return isValid ? found : undefined
}

function parseWitness(text: string): LogWitness | null {
  const [key = '', address = '', ...more] = text.split(/\s+/)
  if (!url('http:', 'https:')(address) || /[?#]/.test(address) || more.length > 0) return null
  try {
    const witness = parseVerifierKey(key, noteKeyKinds.cosignature)
    if (witness.name.length > limits.logWitnessNameCharacters) return null
    return { ...witness, url: address.replace(/\/+$/, '') }
  } catch (error) {
    if (!(error instanceof NoteError)) throw error
    return null
  }
}

function parseMarketData(text: string): MarketDataProvider[] | undefined {
  const providers = list(text).map((part) => {
    const [, dialect, endpoint] = /^(GECKOTERMINAL|DEXSCREENER)(?:=(.+))?$/.exec(part) ?? []
    const isUrl = endpoint === undefined || url('http:', 'https:')(endpoint) !== undefined
    return dialect && isUrl
      ? { dialect: dialect as MarketDataProvider['dialect'], endpoint: endpoint ?? null }
      : null
  })
  const known = providers.filter((provider) => provider !== null)
  const isValid = known.length === providers.length && known.length <= limits.publicMarketData
  return isValid ? known : undefined
}

function parseOffer(text: string): ChainOffer {
  const [chainId, ...rest] = text.split(/\s+/)
  return {
    chainId: Number(chainId),
    name: rest.slice(0, -1).join(' '),
    endpoint: required(rest.at(-1), 'endpoint'),
  }
}

/** Cause why chain offers are invalid, without their text, or null. */
function offersFault(text: string): string | null {
  const parts = list(text)
  if (parts.length > limits.chainOffers) return `it lists ${parts.length} chains`
  const ids = new Set<number>()
  for (const [index, part] of parts.entries()) {
    const fault = offerFault(part, ids)
    if (fault !== null) return `chain ${index + 1} ${fault}`
  }
  return null
}

function offerFault(text: string, ids: Set<number>): string | null {
  if (text.split(/\s+/).length < 3) return 'lacks an ID, a name or a URL'
  const { chainId, name, endpoint } = parseOffer(text)
  if (!Number.isSafeInteger(chainId) || chainId < 1) return 'has no valid chain ID'
  if (ids.has(chainId)) return `repeats the chain ID ${chainId}`
  ids.add(chainId)
  if (name.length > 60) return 'has a name of more than 60 characters'
  const address = url('http:', 'https:')(endpoint) ? new URL(endpoint) : null
  if (address === null) return 'has no http or https URL'
  if (address.username !== '' || address.password !== '') return 'has a URL with user information'
  if (/[?#]/.test(endpoint)) return 'has a URL with a query or fragment'
  return isKeyLike(address) ? 'has a URL that seems to contain a key' : null
}

/** True if a part of the path or host has the form of a token. */
function isKeyLike({ pathname, hostname }: URL): boolean {
  const isToken = (part: string) =>
    part.length >= 24 || (part.length >= 16 && /\d/.test(part)) || /^[0-9a-f-]{12,}$/i.test(part)
  const isHex = (label: string) => /^[0-9a-f]{16,}$/i.test(label) || label.length >= 40
  return pathname.split(/[/;,:=]/).some(isToken) || hostname.split('.').some(isHex)
}

function parseKeys(text: string): Key[] | undefined {
  const keys = list(text).map((item) => {
    const split = item.indexOf(':')
    return { id: item.slice(0, split), key: Buffer.from(item.slice(split + 1), 'base64') }
  })
  const isValid = keys.every(({ id, key }) => /^[A-Za-z0-9_-]{1,32}$/.test(id) && key.length === 32)
  return keys.length > 0 && isValid ? keys : undefined
}

/** Invalid environment. The message names the variable, its expected value and an example. */
export class ConfigurationError extends Error {
  constructor(problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map((line) => `  - ${line}`).join('\n')}`)
  }
}

type Environment = Readonly<Record<string, string | undefined>>
type Values = { [K in keyof typeof variables]: ReturnType<(typeof variables)[K]['parse']> | null }

/**
 * Reads and validates the environment. In development, keys are generated at the first start and
 * stored in DATA_DIR; production requires them.
 *
 * @throws ConfigurationError with every invalid variable, not only the first
 */
export function readConfig(environment: Environment): Config {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, variable] of Object.entries<Variable<unknown>>(variables)) {
    const { formerName } = variable
    const former = formerName === undefined ? undefined : environment[formerName] || undefined
    const given = environment[name] || former
    if (former !== undefined && given !== former) {
      problems.push(
        `${name} and its former name ${formerName} differ: ${JSON.stringify(hide(name, String(given)))} and ${JSON.stringify(hide(name, former))}. Unset ${formerName}`,
      )
    }
    const text = given || variable.default
    const value = text === undefined ? null : variable.parse(text)
    if (text !== undefined && value === undefined) {
      problems.push(
        `${name} must be ${variable.expected}. Got ${JSON.stringify(hide(name, text))}${causeOf(variable, text)}. Example: ${name}=${variable.example}`,
      )
    }
    values[name] = value ?? null
  }
  const read = values as Values
  if (read.NODE_ENV === 'production')
    problems.push(...missing(read, neededInProduction, 'in production'))
  if (read.OBJECT_STORE_URL)
    problems.push(...missing(read, objectStoreKeys, 'with OBJECT_STORE_URL'))
  if (read.OPENID_ISSUER)
    problems.push(...missing(read, ['OPENID_CLIENT_ID'], 'with OPENID_ISSUER'))
  if (read.PLANS_FILE) problems.push(...missing(read, ['PLANS_SHA256'], 'with PLANS_FILE'))
  if (read.ACP_OFFERING_FILE)
    problems.push(...missing(read, ['ACP_OFFERING_SHA256'], 'with ACP_OFFERING_FILE'))
  if (problems.length > 0) throw new ConfigurationError(problems)
  return assemble(read)
}

/** A warning for each variable that is set under its former name. */
export const formerNameWarnings = (environment: Environment): string[] =>
  Object.entries<Variable<unknown>>(variables).flatMap(([name, { formerName }]) =>
    formerName !== undefined && environment[formerName]
      ? [
          `${formerName} is now ${name}. Set ${name} instead; a later version removes the former name.`,
        ]
      : [],
  )

function causeOf({ cause }: Variable<unknown>, text: string): string {
  const found = cause?.(text) ?? null
  return found === null ? '' : `: ${found}`
}

const hide = (name: string, text: string) =>
  /KEY|URL|SECRET|OFFERS/.test(name) ? '(hidden)' : text

/** Settings that production requires. */
export const neededInProduction = [
  'BASE_URL',
  'SMTP_URL',
  'ACCESS_TOKEN_KEYS',
  'SEALING_KEYS',
] as const

const objectStoreKeys = ['OBJECT_STORE_ACCESS_KEY', 'OBJECT_STORE_SECRET_KEY'] as const

function missing(read: Values, needed: readonly (keyof Values)[], when: string): string[] {
  return needed
    .filter((name) => read[name] === null)
    .map(
      (name) =>
        `${name} is required ${when}: ${variables[name].expected}. Example: ${name}=${variables[name].example}`,
    )
}

function assemble(read: Values): Config {
  const port = read.PORT ?? 8080
  const baseUrl = read.BASE_URL ?? `http://127.0.0.1:${port}`
  const isSecure = baseUrl.startsWith('https:')
  const dataDirectory = read.DATA_DIR ?? resolve('data')
  const own = read.ACCESS_TOKEN_KEYS && read.SEALING_KEYS ? null : developmentKeys(dataDirectory)
  return {
    environment: read.NODE_ENV ?? 'development',
    port,
    host: read.HOST ?? '127.0.0.1',
    baseUrl,
    dataDirectory,
    databaseUrl: read.DATABASE_URL ?? null,
    databaseAppend: read.DATABASE_APPEND ?? 'function',
    smtpUrl: read.SMTP_URL ?? null,
    mailFrom: required(read.MAIL_FROM, 'MAIL_FROM'),
    metricsPort: read.METRICS_PORT ?? null,
    worker: read.WORKER ?? 'in-process',
    trustedProxyHops: read.TRUSTED_PROXY_HOPS ?? 0,
    allowedOrigins: [
      new URL(baseUrl).origin,
      // Without a BASE_URL the browser may call this machine by either name.
      ...(read.BASE_URL ? [] : [`http://localhost:${port}`]),
      ...(read.ALLOWED_ORIGINS ?? []),
    ],
    outboundAllow: read.OUTBOUND_ALLOW ?? [],
    exchangeMirrors: read.EXCHANGE_MIRRORS ?? new Map(),
    budgets: read.SERVICE_BUDGETS ?? {},
    maxOrganizationBytes: read.MAX_ORGANIZATION_BYTES ?? null,
    sessionMilliseconds: (read.SESSION_HOURS ?? 12) * hourMilliseconds,
    idempotencyRetentionDays: read.IDEMPOTENCY_RETENTION_DAYS ?? 30,
    publicRequestsPerMinute: read.PUBLIC_REQUESTS_PER_MINUTE ?? limits.publicRequestsPerMinute,
    sessionRequestsPerMinute: read.SESSION_REQUESTS_PER_MINUTE ?? limits.sessionRequestsPerMinute,
    anomalySweepSeconds: read.ANOMALY_SWEEP_SECONDS ?? limits.anomalySweepSeconds,
    alertSweepSeconds: read.ALERT_SWEEP_SECONDS ?? limits.alertSweepSeconds,
    venueIndexSeconds: read.VENUE_INDEX_SECONDS ?? limits.venueIndexSeconds,
    venueIdleSealSeconds: read.VENUE_IDLE_SEAL_SECONDS ?? limits.venueIdleSealSeconds,
    drainSeconds: read.DRAIN_SECONDS ?? (read.NODE_ENV === 'production' ? limits.drainSeconds : 0),
    feedPullSeconds: read.FEED_PULL_SECONDS ?? limits.feedPullSeconds,
    providerProbeSeconds: read.PROVIDER_PROBE_SECONDS ?? limits.providerProbeSeconds,
    vaultSnapshotSeconds: read.VAULT_SNAPSHOT_SECONDS ?? limits.vaultSnapshotSeconds,
    partnerDomainSeconds: read.PARTNER_DOMAIN_SECONDS ?? limits.partnerDomainSeconds,
    dnsResolvers: read.DNS_RESOLVERS ?? [],
    dnsServerPort: read.DNS_SERVER_PORT ?? 53,
    partnerIngress: read.PARTNER_INGRESS ?? [],
    partnerHttpsPort: read.PARTNER_HTTPS_PORT ?? 443,
    scoreRefreshSeconds: read.SCORE_REFRESH_SECONDS ?? limits.scoreRefreshSeconds,
    studyMilliseconds: read.STUDY_CORE_MINUTES
      ? read.STUDY_CORE_MINUTES * minuteMilliseconds
      : limits.studyMilliseconds,
    observationEvents: read.OBSERVATION_EVENTS ?? limits.observationEvents,
    logWitnesses: read.LOG_WITNESSES ?? [],
    accessTokenKeys: read.ACCESS_TOKEN_KEYS ?? own?.accessToken ?? [],
    sealingKeys: read.SEALING_KEYS ?? own?.sealing ?? [],
    sessionCookie: isSecure ? '__Host-service_session' : 'service_session',
    signInCookie: isSecure ? '__Host-service_sign_in' : 'service_sign_in',
    openIdCookie: isSecure ? '__Host-service_openid' : 'service_openid',
    openId: read.OPENID_ISSUER
      ? {
          issuer: read.OPENID_ISSUER,
          clientId: required(read.OPENID_CLIENT_ID, 'OPENID_CLIENT_ID'),
          clientSecret: read.OPENID_CLIENT_SECRET ?? null,
          name: read.OPENID_NAME ?? new URL(read.OPENID_ISSUER).host,
          emailDomains: read.OPENID_EMAIL_DOMAINS ?? null,
        }
      : null,
    logLevel: read.LOG_LEVEL ?? 'info',
    releaseFile: read.RELEASE_FILE ?? null,
    releasePublicKey: read.RELEASE_PUBLIC_KEY ?? null,
    publicChainsFile: read.PUBLIC_CHAINS ?? null,
    publicMarketData: read.PUBLIC_MARKET_DATA ?? [],
    publicReadMilliseconds: read.PUBLIC_READ_MILLISECONDS ?? limits.publicReadMilliseconds,
    chainOffers: read.CHAIN_OFFERS ?? [],
    plansFile: pinned(read.PLANS_FILE, read.PLANS_SHA256),
    acpOfferingFile: pinned(read.ACP_OFFERING_FILE, read.ACP_OFFERING_SHA256),
    objectStore: read.OBJECT_STORE_URL
      ? {
          url: read.OBJECT_STORE_URL,
          region: read.OBJECT_STORE_REGION ?? 'auto',
          accessKey: required(read.OBJECT_STORE_ACCESS_KEY, 'OBJECT_STORE_ACCESS_KEY'),
          secretKey: required(read.OBJECT_STORE_SECRET_KEY, 'OBJECT_STORE_SECRET_KEY'),
          lockDays: read.OBJECT_STORE_LOCK_DAYS ?? 0,
        }
      : null,
  }
}

const pinned = (path?: string | null, sha256?: string | null): PinnedFile | null =>
  path && sha256 ? { path, sha256 } : null

/** Keys of a development deployment: made once, readable by their owner only. */
function developmentKeys(dataDirectory: string): { accessToken: Key[]; sealing: Key[] } {
  const file = join(dataDirectory, 'keys.json')
  const fresh = () => `dev:${randomBytes(32).toString('base64')}`
  const text = JSON.stringify({ accessToken: fresh(), sealing: fresh() })
  try {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 })
    // If a server and a worker start at once, the first creates the keys and the second reads them.
    if (!existsSync(file)) writeFileSync(file, text, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!existsSync(file)) throw directoryRefused(error, dataDirectory)
  }
  const stored = parseStoredKeys(readFileSync(file, 'utf8'))
  if (stored) return stored
  throw new ConfigurationError([
    `${file} must hold the keys that the first start created. Restore it; without it, the service cannot decrypt stored secrets`,
  ])
}

function parseStoredKeys(text: string): { accessToken: Key[]; sealing: Key[] } | null {
  try {
    const stored = JSON.parse(text) as { accessToken: unknown; sealing: unknown }
    const accessToken = parseKeys(String(stored.accessToken))
    const sealing = parseKeys(String(stored.sealing))
    return accessToken && sealing ? { accessToken, sealing } : null
  } catch {
    return null
  }
}

/** Converts file system errors of the data directory into configuration errors, if they are. */
export function directoryRefused(error: unknown, dataDirectory: string): unknown {
  const { code: own, cause } = error as { code?: string; cause?: { code?: string } }
  // The database wraps the server error.
  const code = own ?? cause?.code
  if (code === '25006' || code === '53100') {
    const mebibytes = limits.diskReserveBytes / 2 ** 20
    return new ConfigurationError([
      `The disk of DATA_DIR is full: ${dataDirectory} needs ${mebibytes} MiB of free space to start.`,
    ])
  }
  const refusals = ['EEXIST', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENAMETOOLONG']
  return code !== undefined && refusals.includes(code)
    ? new ConfigurationError([
        `DATA_DIR must be ${variables.DATA_DIR.expected}, with write access. The service cannot write to ${dataDirectory} (${code}). Example: DATA_DIR=${variables.DATA_DIR.example}`,
      ])
    : error
}

/** URL of an organization in the console. */
export const organizationUrl = (
  { baseUrl }: Pick<Config, 'baseUrl'>,
  organizationId: string,
): string => `${baseUrl}/o/${organizationId}`
