import type { Sealing } from '../../access/sealing.ts'
import { Failure } from '../../failure.ts'

export interface SealedEndpoint {
  /** Full URL if it can contain no secret, else scheme and host. */
  readonly endpoint: string | null
  /**
   * The whole URL, encrypted with the deployment key; readable for one organization and one host
   * only.
   */
  readonly sealedEndpoint?: string
}

/** A provider with an HTTP interface. */
export interface FeedHost extends SealedEndpoint {
  /** True if the service reads exchanges by itself, without an endpoint. */
  readonly readsExchanges?: boolean
  readonly credentialReference: string | null
  readonly organizationId: string
}

/** Storage form of a URL: providers put keys into paths and queries, so these are never shown. */
export function sealEndpoint(
  sealing: Sealing,
  organizationId: string,
  endpoint: string | null,
): SealedEndpoint {
  if (endpoint === null) return { endpoint }
  const { origin, pathname, search, host } = new URL(endpoint)
  if (pathname === '/' && search === '') return { endpoint }
  const sealed = sealing.seal(endpoint, placeText(organizationId, host))
  return { endpoint: `${origin}${hidden}`, sealedEndpoint: `sealed:${sealed}` }
}

/** Placeholder for an encrypted path and query. */
const hidden = '/…'

/** True for a redacted URL, which a client may send back after reading it. */
export const isShownOnly = (endpoint: string): boolean => endpoint.endsWith(hidden)

/**
 * The complete URL of a provider.
 *
 * @throws Failure LIQUIDITY_CHAIN_UNAVAILABLE if its sealing key is lost, or if the secret was
 * moved here from another place
 */
export function openEndpoint(
  sealed: SealedEndpoint,
  organizationId: string,
  sealing: Sealing,
): string {
  const { endpoint, sealedEndpoint } = sealed
  if (endpoint === null) throw new Error('A provider without a URL cannot be reached.')
  if (sealedEndpoint === undefined) return endpoint
  try {
    const place = placeText(organizationId, new URL(endpoint).host)
    return sealing.open(sealedEndpoint.slice('sealed:'.length), place)
  } catch (cause) {
    throw new Failure('LIQUIDITY_CHAIN_UNAVAILABLE', {
      message: `The URL of the provider at ${endpoint} is encrypted with a key that this deployment lacks. Register the provider again.`,
      cause,
    })
  }
}

/**
 * Identifies the node behind an opened URL. The same host alone is not the same node, because a
 * path or query often names the chain or the key. For comparison only: it may contain a key.
 */
export const nodeKey = (endpoint: string): string => new URL(endpoint).href

const placeText = (organizationId: string, host: string) => `endpoint|${organizationId}|${host}`
