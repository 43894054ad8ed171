import { type Localchain, type LocalchainOptions, startLocalchain } from '@liquidity-os/localchain'
import { deployMarkets, type Markets } from '../../src/integrations/chain/testing/markets.ts'
import { venueBody } from './bodies.ts'
import type { TestMember } from './service.ts'

export interface TestChain {
  chain: Localchain
  markets: Markets
}

/** A chain with a pool and a pair that have traded, finalized far enough to be read. */
export async function startTestChain(options: LocalchainOptions = {}): Promise<TestChain> {
  const chain = await startLocalchain(options)
  const markets = await deployMarkets(chain)
  await markets.mint(-6000, 6000, 10n ** 20n)
  for (let swap = 0; swap < 12; swap += 1) {
    await markets.swap(swap % 3 === 0, 10n ** 15n)
    if (swap % 4 === 0) await chain.mine(20)
  }
  await markets.burn(-6000, 6000, 10n ** 19n)
  await markets.collect(-6000, 6000)
  await markets.provide(10n ** 18n, 10n ** 18n)
  await markets.trade(10n ** 15n, 10n ** 14n)
  await chain.mine(70)
  return { chain, markets }
}

/** `host:port` of URLs, the format of OUTBOUND_ALLOW for non-public addresses. */
export const hostOf = (...urls: readonly string[]) => urls.map((url) => new URL(url).host).join(',')

export const providerBody = (endpoint: string, providerId = 'local-chain', chainId = 31337) => ({
  payload: {
    providerId,
    kind: 'CHAIN_RPC' as const,
    displayName: 'Local chain',
    endpoint,
    // The chain shares its machine with concurrent tests.
    configuration: { chainId, finality: 'finalized', timeoutMilliseconds: 10_000 },
  },
  reason: 'For the test',
})

/** The pool of a test chain as a venue; `changes` make it another or a wrong one. */
export function poolBody({ chain, markets }: TestChain, changes: object = {}) {
  const [base, quote] = markets.tokens
  const { payload, reason } = venueBody(0)
  return {
    payload: {
      ...payload,
      address: markets.pool.address as string,
      factory: chain.contracts.uniswapV3Factory as string,
      pair: {
        ...payload.pair,
        chainId: chain.chainId,
        base: base as string,
        quote: quote as string,
      },
      ...changes,
    },
    reason,
  }
}

/** The pair of a test chain as a venue. */
export function pairBody(test: TestChain, changes: object = {}) {
  const { payload, reason } = poolBody(test)
  const { tickSpacing: _, ...rest } = payload
  return {
    payload: {
      ...rest,
      kind: 'UNISWAP_V2' as const,
      address: test.markets.pair.address as string,
      factory: test.chain.contracts.uniswapV2Factory as string,
      ...changes,
    },
    reason,
  }
}

/** Registers the chain's provider and a validated venue of its pool. */
export async function validatedPool(
  { client }: Pick<TestMember, 'client'>,
  test: TestChain,
  endpoint = test.chain.rpcUrl,
  changes: object = {},
) {
  await client.putOperatingSystemProvider({
    body: providerBody(endpoint, 'local-chain', test.chain.chainId),
  })
  const request = { ...poolBody(test, changes), status: 'VALIDATED' as const }
  const { body } = await client.createVenues({ body: request })
  return body.data
}
