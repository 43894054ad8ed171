import { contract } from '@liquidity-os/contract'
import { type Address, getAddress } from 'viem'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { inSlices } from '../../../integrations/chain/contract-call.ts'
import {
  type DetectedMarket,
  type DetectedToken,
  detect,
  firstBlockOf,
  poolsOf,
  readHeld,
  readTokens,
} from '../../../integrations/chain/detect-market.ts'
import { agreeOnHead } from '../../../integrations/chain/finalized.ts'
import type { Header } from '../../../integrations/chain/header.ts'
import { factoryOf, requiredFactory } from '../../../integrations/chain/known-factories.ts'
import { isWrappedNative } from '../../../integrations/chain/wrapped-native.ts'
import {
  anyChainProviders,
  type ChainProvider,
  chainFailure,
} from '../../../integrations/providers/chain-providers.ts'
import { limits } from '../../../limits.ts'
import { proposeProfile } from './propose-profile.ts'

type Request = HandlerRequest<typeof contract.detectMarkets>

/** A chain client pinned to one block. */
interface Chain {
  readonly chainId: number
  readonly provider: ChainProvider
  readonly head: Header
  readonly venues: readonly Known[]
  readonly limitations: Set<string>
}

/** A venue of the organization on the chain. */
interface Known {
  readonly id: string
  readonly kind: string
  readonly address: Address
  /** Null for a StableSwap pool, which has no factory to query. */
  readonly factory: Address | null
}

export default handle(contract.detectMarkets, async (request): Promise<Outcome> => {
  const { query, records, services } = request
  const { chainId } = query
  const address = getAddress(query.address)
  const providers = await anyChainProviders(records, services, chainId, 'query.chainId')
  const [provider] = providers
  try {
    const { finality } = provider.configuration
    const { head } = await agreeOnHead(
      providers.map(({ client }) => client),
      finality,
    )
    const venues = await venuesOf(request)
    const chain: Chain = { chainId, provider, head, venues, limitations: new Set() }
    const detected = await detect(provider.client, head, address)
    const markets =
      detected.is === 'MARKET'
        ? await described(chain, [detected.market], null)
        : detected.is === 'TOKEN'
          ? await marketsOf(chain, detected.token)
          : []
    return {
      data: {
        block: {
          chainId,
          number: head.number,
          hash: head.hash,
          timestamp: new Date(head.timestamp * 1000).toISOString(),
        },
        address,
        is: detected.is,
        token: detected.is === 'TOKEN' ? detected.token : null,
        markets,
        limitations: [...chain.limitations].sort(),
      },
    }
  } catch (error) {
    throw chainFailure(error)
  }
})

async function venuesOf({ records, query }: Request): Promise<Known[]> {
  const found = await records.find<contract.VenueProfile>('VenueProfile', {
    exceptStatus: ['REVOKED'],
  })
  return found
    .filter(({ payload }) => payload.pair.chainId === query.chainId)
    .map(({ id, payload }) => ({
      id,
      kind: payload.kind,
      address: getAddress(payload.address),
      factory: factoryOf(payload) as Address | null,
    }))
}

/** Markets of a token created by known factories, largest token balance first. */
async function marketsOf(chain: Chain, token: DetectedToken) {
  const { client } = chain.provider
  const pools = new Set<Address>()
  for (const kind of ['UNISWAP_V3', 'UNISWAP_V2'] as const) {
    const own = chain.venues
      .filter((venue) => venue.kind === kind)
      .flatMap(({ factory }) => factory ?? [])
    for (const factory of new Set([getAddress(requiredFactory({ kind, pair: chain })), ...own])) {
      const terms = { kind, factory, token: token.address }
      const found = await poolsOf(client, chain.head.number, terms)
      if (found === null) chain.limitations.add('POOLS_NOT_SEARCHED')
      for (const pool of found ?? []) pools.add(pool)
    }
  }
  const holders = [...pools]
  const held = await readHeld(client, chain.head, { token: token.address, holders })
  const deepest = holders
    .map((address, index) => ({ address, held: held[index] ?? 0n }))
    .sort((a, b) => (a.held === b.held ? 0 : a.held < b.held ? 1 : -1))
  if (deepest.length > limits.detectedMarkets) chain.limitations.add('MORE_MARKETS')
  const markets = await inSlices(
    deepest.slice(0, limits.detectedMarkets),
    limits.detectedAtOnce,
    async ({ address }) => detect(client, chain.head, address),
  )
  const found = markets.flatMap((one) => (one.is === 'MARKET' ? [one.market] : []))
  return described(chain, found, token.address)
}

/** @param base the requested token; null if the request is for a market */
async function described(
  chain: Chain,
  markets: readonly DetectedMarket[],
  base: Address | null,
): Promise<contract.MarketDetection['markets']> {
  const { provider, head, chainId } = chain
  const named = [...new Set(markets.flatMap(({ tokens }) => tokens))]
  const tokens = new Map(
    (await readTokens(provider.client, head, named)).map((token) => [token.address, token]),
  )
  return inSlices(markets, limits.detectedAtOnce, async (market) => {
    const { address, kind, factory } = market
    const [first, second] = await inOrder(chain, market, base)
    const [held] = await readHeld(provider.client, head, { token: first, holders: [address] })
    const began = await firstBlockOf(provider.client, address, head)
    if (began === null) chain.limitations.add('NO_STATE_BEFORE_HEAD')
    const tokenAt = (one: Address) => tokens.get(getAddress(one)) as DetectedToken
    const proposal = proposeProfile({
      market,
      chainId,
      base: tokenAt(first),
      quote: tokenAt(second),
      providerId: provider.record.payload.providerId,
      finality: provider.configuration.finality,
      startBlock: began ?? head.number,
    })
    return {
      kind,
      address,
      factory,
      tokens: market.tokens.map(tokenAt),
      heldOfBase: held === null || held === undefined ? null : held.toString(),
      venueId: chain.venues.find((venue) => venue.address === address)?.id ?? null,
      ...proposal,
    }
  })
}

/**
 * Order of base and quote. A requested token is the base; otherwise the wrapped native asset is the
 * quote.
 */
async function inOrder(
  { provider, head, chainId }: Chain,
  { tokens }: DetectedMarket,
  base: Address | null,
): Promise<[Address, Address]> {
  // The cast is safe: a pool has at least two tokens, and a coin includes its pool.
  const [first, second] = tokens as [Address, Address]
  if (base !== null) return getAddress(second) === base ? [second, first] : [first, second]
  const isNative = await isWrappedNative(provider.client, head, chainId, first)
  return isNative ? [second, first] : [first, second]
}
