import type { Sealing } from '../../access/sealing.ts'
import { Failure } from '../../failure.ts'

/** How a provider is reached, as its record keeps it. */
export interface KeptEndpoint {
  /** Whole where nothing can hide in it, else scheme and host. */
  readonly endpoint: string | null
  /** The whole address under the deployment's key; opens for one organization and one host only. */
  readonly sealedEndpoint?: string
}

/** A provider that is asked over HTTP. */
export interface FeedHost extends KeptEndpoint {
  readonly credentialReference: string | null
  readonly organizationId: string
}

/** What is kept of an address: providers put keys into paths and queries, so those are never shown. */
export function keptEndpoint(
  sealing: Sealing,
  organizationId: string,
  endpoint: string | null,
): KeptEndpoint {
  if (endpoint === null) return { endpoint }
  const { origin, pathname, search, host } = new URL(endpoint)
  if (pathname === '/' && search === '') return { endpoint }
  const sealed = sealing.seal(endpoint, placeText(organizationId, host))
  return { endpoint: `${origin}${hidden}`, sealedEndpoint: `sealed:${sealed}` }
}

/** Stands for a path and a query that are sealed. */
const hidden = '/…'

/** Whether an address is what is shown of one, which somebody may send back as it was read. */
export const isShownOnly = (endpoint: string): boolean => endpoint.endsWith(hidden)

/**
 * The whole address of a provider.
 *
 * @throws Failure LIQUIDITY_CHAIN_UNAVAILABLE where it is sealed with a key that is lost, or was moved here
 */
export function openEndpoint(kept: KeptEndpoint, organizationId: string, sealing: Sealing): string {
  const { endpoint, sealedEndpoint } = kept
  if (endpoint === null) throw new Error('A provider without an address cannot be reached.')
  if (sealedEndpoint === undefined) return endpoint
  try {
    const place = placeText(organizationId, new URL(endpoint).host)
    return sealing.open(sealedEndpoint.slice('sealed:'.length), place)
  } catch (cause) {
    throw new Failure('LIQUIDITY_CHAIN_UNAVAILABLE', {
      message: `The address of the provider at ${endpoint} is sealed with a key that this deployment does not have: register it again.`,
      cause,
    })
  }
}

const placeText = (organizationId: string, host: string) => `endpoint|${organizationId}|${host}`
