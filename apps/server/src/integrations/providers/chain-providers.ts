import type { contract } from '@liquidity-os/contract'
import { errorCatalogue } from '@liquidity-os/contract/outline'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { Failure } from '../../failure.ts'
import { limits } from '../../limits.ts'
import type { ProviderAccess } from '../../services.ts'
import { sql } from '../../store/database/sql.ts'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import { ChainError, describeChainFacts } from '../chain/chain-error.ts'
import { type ChainClient, chainClient } from '../chain/client.ts'
import type { FinalityRule } from '../chain/finalized.ts'
import { RpcPace } from '../chain/rpc-pace.ts'
import { openEndpoint, type SealedEndpoint } from './provider-endpoint.ts'
import { providerKind } from './provider-name.ts'
import { secretFor } from './provider-secret.ts'

export type ProviderPayload = Static<typeof contract.Provider>
export type ProviderRecord = VersionedRecord<ProviderPayload>

export interface ChainConfiguration {
  chainId: number
  finality: FinalityRule
  timeoutMilliseconds: number
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
}

/** Terms of a background job. */
export const jobPatience = (signal: AbortSignal): Patience => ({
  signal,
  maximumWaitMs: limits.chainJobWaitMilliseconds,
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
  return openAll([named, ...others], services, patience)
}

/**
 * All active providers of a chain, oldest first, if the request names no provider. They are read as
 * a quorum.
 *
 * @param field request field that names the chain
 * @throws Failure LIQUIDITY_PROVIDER_UNKNOWN if the chain has no provider
 */
export async function anyChainProviders(
  records: TenantRecords,
  services: ProviderAccess,
  chainId: number,
  field = 'payload.pair.chainId',
): Promise<[ChainProvider, ...ChainProvider[]]> {
  const found = await activeProviders(records, chainId)
  if (found.length === 0) {
    const message = `must be on a chain with an active CHAIN_RPC provider in this organization, got chain ${chainId}`
    throw new Failure('LIQUIDITY_PROVIDER_UNKNOWN', { fieldErrors: { [field]: [message] } })
  }
  return openAll(found, services)
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
  patience: Patience = {},
): Promise<[ChainProvider, ...ChainProvider[]]> {
  const [first, ...rest] = await Promise.all(
    found.map((record) => openProvider(record, services, patience)),
  )
  // Both callers have found at least one.
  return [first as ChainProvider, ...rest]
}

/** Creates the client of a provider; sends no request. */
export async function openProvider(
  record: ProviderRecord,
  services: ProviderAccess,
  patience: Patience = {},
): Promise<ChainProvider> {
  const configuration = configurationOf(record.payload)
  if (!configuration) throw new Error(`${record.id} is not an RPC provider.`)
  const place = { organizationId: record.organizationId, ...patience }
  const client = await clientOf(record.payload, configuration, services, place)
  return { record, configuration, client }
}

/**
 * Client for an endpoint, with its secret if the reference names one; the signal aborts its
 * requests.
 */
export async function clientOf(
  payload: SealedEndpoint & Pick<ProviderPayload, 'credentialReference'>,
  configuration: ChainConfiguration,
  services: ProviderAccess,
  {
    organizationId,
    signal,
    maximumWaitMs = limits.chainWaitMilliseconds,
  }: { organizationId: string } & Patience,
): Promise<ChainClient> {
  const outbound = await services.outbound()
  const endpoint = openEndpoint(payload, organizationId, services.sealing)
  const place = { organizationId, host: new URL(endpoint).hostname }
  const secret = secretFor(payload.credentialReference, place, services.sealing)
  return chainClient({
    endpoint,
    chainId: configuration.chainId,
    timeoutMs: configuration.timeoutMilliseconds,
    maximumAnswerBytes: limits.outboundAnswerBytes,
    pace: paceOf(organizationId, endpoint),
    maximumWaitMs,
    signal,
    fetch: endedBy(
      signal,
      secret === null ? outbound.fetch : withAuthorization(outbound.fetch, secret),
    ),
  })
}

/** Learned limits by organization and endpoint, least recently used first. */
const paces = new Map<string, RpcPace>()

function paceOf(organizationId: string, endpoint: string): RpcPace {
  const key = `${organizationId} ${endpoint}`
  const pace = paces.get(key) ?? new RpcPace()
  paces.delete(key)
  paces.set(key, pace)
  const [oldest] = paces.keys()
  if (paces.size > limits.chainPaces && oldest !== undefined) paces.delete(oldest)
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
  const { chainId, finality, timeoutMilliseconds } = payload.configuration
  if (payload.kind !== 'CHAIN_RPC' || typeof chainId !== 'number') return null
  return {
    chainId,
    finality: typeof finality === 'number' ? finality : 'finalized',
    timeoutMilliseconds:
      typeof timeoutMilliseconds === 'number'
        ? timeoutMilliseconds
        : limits.providerTimeoutMilliseconds,
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
