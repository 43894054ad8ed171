import type { contract } from '@liquidity-os/contract'
import { errorCatalogue } from '@liquidity-os/contract/outline'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { Failure } from '../../failure.ts'
import { limits } from '../../limits.ts'
import type { ProviderAccess } from '../../services.ts'
import { sql } from '../../store/database/sql.ts'
import type { LearnedLimits, NodeVersion } from '../../store/node-calls/node-calls.ts'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import { ChainError, chainErrorDetails, describeChainFacts } from '../chain/chain-error.ts'
import { type ChainClient, chainClient } from '../chain/client.ts'
import { type AddCredits, DayQuota, type ReadPurpose } from '../chain/day-quota.ts'
import type { FinalityRule } from '../chain/finalized.ts'
import { type PaceClock, RpcPace, systemClock } from '../chain/rpc-pace.ts'
import { nodeKey, openEndpoint, type SealedEndpoint } from './provider-endpoint.ts'
import { providerKind } from './provider-name.ts'
import { secretFor } from './provider-secret.ts'

export type ProviderPayload = Static<typeof contract.Provider>
type NodeLimits = contract.NodeLimits
export type ProviderRecord = VersionedRecord<ProviderPayload>

export interface ChainConfiguration {
  chainId: number
  finality: FinalityRule
  timeoutMilliseconds: number
  limits: NodeLimits
}

/** The record id of a provider, or null. */
export async function findProvider(
  records: TenantRecords,
  providerId: string,
): Promise<string | null> {
  const [rows] = await records.query([
    sql`select record_id from names where organization_id = ${records.organizationId}
      and kind = ${providerKind} and name = ${providerId}`,
  ])
  return rows?.[0]?.record_id ?? null
}

/** How long chain reads wait. */
export interface Patience {
  /** Aborts requests and waits. */
  readonly signal?: AbortSignal | undefined
  /** Total time to wait for a provider that limits its rate. Default: 8 s, as in a request. */
  readonly maximumWaitMs?: number
  /** True if each response of the provider restores `maximumWaitMs`. */
  readonly isWaitRefilled?: boolean
}

/** Patience, and what decides when the credits of a day end the reads. */
export interface ReadTerms extends Patience {
  readonly purpose: ReadPurpose
}

/** Terms of a background job. After a longer wait, it returns to the queue. */
export const jobPatience = (signal: AbortSignal): Patience => ({
  signal,
  maximumWaitMs: limits.chainJobWaitMilliseconds,
  isWaitRefilled: true,
})

export interface ChainProvider {
  record: ProviderRecord
  client: ChainClient
  configuration: ChainConfiguration
}

/**
 * The named provider first, then every other active one of the same chain, for a quorum.
 *
 * @param patience end of their requests, and how long these wait
 * @throws Failure LIQUIDITY_PROVIDER_UNKNOWN
 */
export async function chainProviders(
  records: TenantRecords,
  services: ProviderAccess,
  providerId: string,
  chainId: number,
  patience: Patience = {},
): Promise<[ChainProvider, ...ChainProvider[]]> {
  const found = await activeProviders(records, chainId)
  const named = found.find(({ payload }) => payload.providerId === providerId)
  if (!named) {
    throw new Failure('LIQUIDITY_PROVIDER_UNKNOWN', {
      fieldErrors: {
        'payload.read.providerId': [
          `must name an active CHAIN_RPC provider of chain ${chainId}, got ${providerId}`,
        ],
      },
    })
  }
  const others = found.filter((record) => record.id !== named.id)
  const { purpose } = records
  return openAll([named, ...others], services, { ...patience, purpose })
}

/**
 * All active providers of a chain, oldest first, if the request names no provider. They are read as
 * a quorum.
 *
 * @param field request field that names the chain
 * @param patience end of their requests, and how long these wait
 * @throws Failure LIQUIDITY_PROVIDER_UNKNOWN if the chain has no provider
 */
export async function anyChainProviders(
  records: TenantRecords,
  services: ProviderAccess,
  chainId: number,
  field = 'payload.pair.chainId',
  patience: Patience = {},
): Promise<[ChainProvider, ...ChainProvider[]]> {
  const found = await activeProviders(records, chainId)
  if (found.length === 0) {
    const message = `must be on a chain with an active CHAIN_RPC provider in this organization, got chain ${chainId}`
    throw new Failure('LIQUIDITY_PROVIDER_UNKNOWN', { fieldErrors: { [field]: [message] } })
  }
  return openAll(found, services, { ...patience, purpose: records.purpose })
}

/**
 * The given provider and all other active ones of its chain; null if the given one is not active.
 */
export async function openChain(
  records: TenantRecords,
  services: ProviderAccess,
  providerId: string,
  patience: Patience = {},
): Promise<[ChainProvider, ...ChainProvider[]] | null> {
  const id = await findProvider(records, providerId)
  const named = id && (await records.current<ProviderPayload>('Provider', id))
  const configuration = named && configurationOf(named.record.payload)
  if (!configuration || named.record.status !== 'ACTIVE') return null
  return chainProviders(records, services, providerId, configuration.chainId, patience)
}

async function activeProviders(records: TenantRecords, chainId: number): Promise<ProviderRecord[]> {
  const active = await records.find<ProviderPayload>('Provider', {
    status: ['ACTIVE'],
    order: 'OLDEST',
  })
  return active.filter(
    ({ payload }) => payload.kind === 'CHAIN_RPC' && configurationOf(payload)?.chainId === chainId,
  )
}

async function openAll(
  found: readonly ProviderRecord[],
  services: ProviderAccess,
  terms: ReadTerms,
): Promise<[ChainProvider, ...ChainProvider[]]> {
  const [first, ...rest] = await Promise.all(
    oncePerNode(found, services).map((record) => openProvider(record, services, terms)),
  )
  // Both callers have found at least one.
  return [first as ChainProvider, ...rest]
}

/** Records of one endpoint are one node, so that a node cannot confirm itself. The first remains. */
function oncePerNode(
  found: readonly ProviderRecord[],
  { sealing }: ProviderAccess,
): ProviderRecord[] {
  const seen = new Set<string>()
  return found.filter(({ payload, organizationId }) => {
    const key = nodeKey(openEndpoint(payload, organizationId, sealing))
    return !seen.has(key) && seen.add(key)
  })
}

/**
 * The oldest provider of an endpoint and a chain that is not revoked, or null. Endpoints are
 * compared opened, and never returned.
 */
export async function findProviderOfNode(
  records: TenantRecords,
  { sealing }: ProviderAccess,
  { chainId, ...endpoint }: SealedEndpoint & { readonly chainId: number | undefined },
): Promise<ProviderRecord | null> {
  const { organizationId } = records
  const key = nodeKey(openEndpoint(endpoint, organizationId, sealing))
  const found = await records.find<ProviderPayload>('Provider', {
    status: ['ACTIVE', 'PAUSED'],
    order: 'OLDEST',
  })
  return found.find(({ payload }) => isNode(payload) && isSameChain(payload)) ?? null

  function isNode(payload: ProviderPayload): boolean {
    if (payload.kind !== 'CHAIN_RPC') return false
    try {
      return nodeKey(openEndpoint(payload, organizationId, sealing)) === key
    } catch (error) {
      // Without its key, an earlier endpoint cannot be compared, nor read.
      if (error instanceof Failure) return false
      throw error
    }
  }
  // A paused provider may have no known chain.
  function isSameChain({ configuration }: ProviderPayload): boolean {
    return [configuration.chainId, chainId].includes(undefined) || configuration.chainId === chainId
  }
}

/** Creates the client of a provider; sends no request. */
export async function openProvider(
  record: ProviderRecord,
  services: ProviderAccess,
  terms: ReadTerms,
): Promise<ChainProvider> {
  const configuration = configurationOf(record.payload)
  if (!configuration) throw new Error(`${record.id} is not an RPC provider.`)
  const { organizationId, id: recordId, resourceVersion } = record
  const version = { organizationId, recordId, resourceVersion }
  const place = { organizationId, version, ...terms }
  const client = await clientOf(record.payload, configuration, services, place)
  return { record, configuration, client }
}

/**
 * Client for an endpoint, with its secret if the reference names one; the signal aborts its
 * requests.
 */
export async function clientOf(
  payload: SealedEndpoint & Pick<ProviderPayload, 'credentialReference' | 'providerId'>,
  configuration: ChainConfiguration,
  services: ProviderAccess,
  {
    organizationId,
    version,
    signal,
    maximumWaitMs = limits.chainWaitMilliseconds,
    isWaitRefilled = false,
    purpose,
  }: { organizationId: string; version?: NodeVersion } & ReadTerms,
): Promise<ChainClient> {
  const outbound = await services.outbound()
  const endpoint = openEndpoint(payload, organizationId, services.sealing)
  const { hostname, host } = new URL(endpoint)
  const place = { organizationId, host: hostname }
  const secret = secretFor(payload.credentialReference, place, services.sealing)
  const { nodeCalls } = services
  const configured = configuration.limits
  const pace = await paceOf({ organizationId, endpoint, version, configured }, nodeCalls)
  return chainClient({
    endpoint,
    chainId: configuration.chainId,
    provider: { providerId: payload.providerId, host },
    secrets: secret === null ? [] : [secret],
    timeoutMs: configuration.timeoutMilliseconds,
    maximumAnswerBytes: limits.outboundAnswerBytes,
    pace,
    ...(version && {
      count: (calls, size) => nodeCalls.count(version, calls, size),
      onError: ({ facts }) =>
        nodeCalls.setError(version, chainErrorDetails(facts, pace.clock.now())),
    }),
    maximumWaitMs,
    isWaitRefilled,
    purpose,
    signal,
    fetch: endedBy(
      signal,
      secret === null ? outbound.fetch : withAuthorization(outbound.fetch, secret),
    ),
  })
}

interface PaceKey {
  readonly organizationId: string
  readonly endpoint: string
  /** Undefined before the provider is registered. */
  readonly version: NodeVersion | undefined
  readonly configured?: NodeLimits
}

/** Learned limits by provider version and endpoint, least recently used first. */
const paces = new Map<string, Promise<RpcPace>>()

/**
 * The pace of a provider version, which all its clients share. A new process continues with the
 * stored limits; a new version starts without limits.
 */
export function paceOf(
  provider: PaceKey,
  nodeCalls: ProviderAccess['nodeCalls'],
  clock?: PaceClock,
): Promise<RpcPace> {
  const key = paceKey(provider)
  const pace = paces.get(key) ?? openPace(provider, nodeCalls, clock)
  paces.delete(key)
  paces.set(key, pace)
  const [oldest] = paces.keys()
  if (paces.size > limits.chainPaces && oldest !== undefined) paces.delete(oldest)
  return pace
}

/** The pace of a node in this process; null if it was not read. */
export async function readPace(
  { organizationId, id, resourceVersion, payload }: ProviderRecord,
  services: ProviderAccess,
): Promise<RpcPace | null> {
  const endpoint = openEndpoint(payload, organizationId, services.sealing)
  const version = { organizationId, recordId: id, resourceVersion }
  return (await paces.get(paceKey({ organizationId, endpoint, version }))) ?? null
}

const paceKey = ({ organizationId, endpoint, version }: PaceKey) =>
  [organizationId, ...(version ? [version.resourceVersion] : []), endpoint].join(' ')

async function openPace(
  { version, configured = {} }: PaceKey,
  nodeCalls: ProviderAccess['nodeCalls'],
  clock: PaceClock = systemClock,
): Promise<RpcPace> {
  if (version === undefined) return new RpcPace({ configured, clock })
  const { budgets } = nodeCalls
  const { creditsPerDay, credits = {} } = configured
  const add: AddCredits = (day, spent) => budgets.addCredits(version, day, spent)
  const pace = new RpcPace({
    configured,
    clock,
    ...(budgets.isShared && {
      reserve: (milliseconds, now) => budgets.reserve(version, milliseconds, now),
    }),
    ...(creditsPerDay !== undefined && {
      quota: new DayQuota({ creditsPerDay, credits }, add, nodeCalls.now),
    }),
  })
  const report = (learned: LearnedLimits) => nodeCalls.setLimits(version, learned)
  // Without the stored limits the node is read as a new one.
  const stored = await nodeCalls.state(version).catch(() => ({ limits: {} }))
  pace.restore(stored.limits, report)
  return pace
}

function endedBy(signal: AbortSignal | undefined, send: typeof fetch): typeof fetch {
  if (signal === undefined) return send
  return (input, init) => {
    const other = init?.signal
    return send(input, { ...init, signal: other ? AbortSignal.any([other, signal]) : signal })
  }
}

function withAuthorization(send: typeof fetch, secret: string): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('authorization', `Bearer ${secret}`)
    return send(input, { ...init, headers })
  }
}

/** The configuration of a CHAIN_RPC provider, or null when it is not one. */
export function configurationOf(
  payload: Pick<ProviderPayload, 'kind' | 'configuration'>,
): ChainConfiguration | null {
  const { chainId, finality, timeoutMilliseconds, limits: configured } = payload.configuration
  if (payload.kind !== 'CHAIN_RPC' || typeof chainId !== 'number') return null
  return {
    chainId,
    finality: typeof finality === 'number' ? finality : 'finalized',
    timeoutMilliseconds:
      typeof timeoutMilliseconds === 'number'
        ? timeoutMilliseconds
        : limits.providerTimeoutMilliseconds,
    // Validated at registration; earlier versions have none.
    limits: (configured ?? {}) as NodeLimits,
  }
}

/** The failure of a request whose chain read failed; other errors as they are. */
export function chainFailure(error: unknown): unknown {
  if (!(error instanceof ChainError)) return error
  const { facts } = error
  const { retryAfterMs } = facts
  const retry =
    retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }
  const message = `${errorCatalogue[facts.code].message} ${describeChainFacts(facts)}`.trim()
  return new Failure(facts.code, { message, cause: error, ...retry })
}
