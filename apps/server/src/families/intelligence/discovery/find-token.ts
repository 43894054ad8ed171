import type { contract, FieldErrors } from '@liquidity-os/contract'
import type { Address } from 'viem'
import type { PublicChainAccess, Services } from '../../../services.ts'
import { catalogue } from './catalogue/catalogue.ts'
import { findDiscovered } from './discovered-tokens.ts'
import { identify } from './identify.ts'
import { publicReader, ReadingError } from './reading/public-reader.ts'
import type { ProjectReading } from './reading/read-project.ts'
import type { PublicChain } from './reading/registry.ts'

/** Reads public chains, and the tokens that providers of the deployment list. */
export type TokenLookup = PublicChainAccess & Pick<Services, 'database'>

export type Found =
  | { readonly reading: ProjectReading; readonly chain: PublicChain; readonly faults: null }
  | { readonly faults: FieldErrors }

/** A valid identifier, or its errors. Checked before any chain request. */
export type Meant =
  | { readonly chains: readonly PublicChain[]; readonly address: Address; readonly faults: null }
  | { readonly faults: FieldErrors }

/** True if the deployment has no public chains, so that public reads are impossible. */
export const readsNoChain = async (services: PublicChainAccess): Promise<boolean> =>
  (await publicReader(services).chains()).size === 0

/**
 * Resolves an identifier to an address and candidate chains, without chain requests.
 *
 * @param prefix of the names of fields
 * @throws ReadingError UNAVAILABLE if the deployment has no public chains
 */
export async function meantBy(
  services: TokenLookup,
  identifier: contract.PublicIdentifier,
  prefix = '',
): Promise<Meant> {
  const { marketId } = identifier
  const isOutside = marketId !== undefined && !catalogue().byId.has(marketId)
  const discovered = isOutside ? await findDiscovered(services, marketId) : null
  const { token, faults } = identify(identifier, prefix, discovered)
  if (faults) return { faults }
  const chains = await publicReader(services).chains()
  if (chains.size === 0) throw new ReadingError('UNAVAILABLE', null)
  const { chainId, address } = token
  if (chainId === null) return { chains: [...chains.values()], address, faults: null }
  const chain = chains.get(chainId)
  if (chain) return { chains: [chain], address, faults: null }
  const member = identifier.marketId ? 'marketId' : identifier.query ? 'query' : 'chainId'
  const known = [...chains.keys()].join(', ')
  const message = `must be on a chain that this deployment reads (${known}), got chain ${chainId}`
  return { faults: { [prefix + member]: [message] } }
}

/**
 * Reads the token of an identifier. A pool in `query` stands for its token that is not a quote asset
 * of the chain.
 *
 * @throws ReadingError if no answer is available
 */
export async function findToken(
  services: TokenLookup,
  identifier: contract.PublicIdentifier,
  prefix = '',
): Promise<Found> {
  const meant = await meantBy(services, identifier, prefix)
  if (meant.faults) return meant
  const { chains, address } = meant
  const member = identifier.address ? 'address' : identifier.marketId ? 'marketId' : 'query'
  const refuse = (message: string): Found => ({ faults: { [prefix + member]: [message] } })
  const reader = publicReader(services)
  const having =
    chains.length === 1
      ? chains
      : (
          await Promise.all(
            chains.map(async (chain) => ((await reader.hasCode(chain, address)) ? [chain] : [])),
          )
        ).flat()
  const [chain, ...others] = having
  if (chain === undefined) {
    const ids = chains.map(({ chainId }) => chainId).join(', ')
    return refuse(`must be a token, got ${address}, which has no code on ${ids}`)
  }
  if (others.length > 0) {
    const ids = having.map(({ chainId }) => chainId).join(', ')
    return refuse(`must name one chain, got ${address}, which has code on ${ids}`)
  }
  const reading = await reader.read(chain, address)
  if (reading) return { reading, chain, faults: null }
  // Only a pasted text can mean a pool; `address` is a token.
  const tokens = identifier.query ? await reader.tokensOfPool(chain, address) : null
  if (tokens === null) {
    return refuse(
      `must be a token, got ${address}, which has no code or no decimals on ${chain.chainId}`,
    )
  }
  const [base, ...more] = tokens.filter((token) => !chain.quotes.includes(token))
  const ofPool = base && more.length === 0 ? await reader.read(chain, base) : null
  return ofPool
    ? { reading: ofPool, chain, faults: null }
    : refuse(`must be a token, got the pool ${address} of the tokens ${tokens.join(' and ')}`)
}
