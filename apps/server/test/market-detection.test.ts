import { afterEach, describe, expect } from 'vitest'
import { type Behaviour, honest } from '../src/integrations/chain/testing/provider-proxy.ts'
import { hostOf, providerBody, type TestChain, validatedPool } from './support/chain.ts'
import { proxied, test } from './support/fixtures.ts'
import { newMember, newOrganization, type TestMember, type TestService } from './support/service.ts'

let behave: Behaviour = honest
const it = test
  .extend(
    'proxy',
    { scope: 'file' },
    proxied((call, forward) => behave(call, forward)),
  )
  .extend('settings', { scope: 'file' }, ({ testChain, proxy }) => ({
    OUTBOUND_ALLOW: hostOf(testChain.chain.rpcUrl, proxy.url),
  }))

afterEach(() => {
  behave = honest
})

const detected = async ({ client }: TestMember, address: string, chainId = 31_337) =>
  (await client.detectMarkets({ query: { chainId, address } as never })).body.data

/** An organization with a provider of which only the address was said. */
async function withProvider(
  service: TestService,
  testChain: TestChain,
  endpoint = testChain.chain.rpcUrl,
): Promise<TestMember> {
  const owner = await newOrganization(service)
  const { payload, reason } = providerBody(endpoint)
  const body = { payload: { ...payload, configuration: {} }, reason }
  const { data } = (await owner.client.putOperatingSystemProvider({ body: body as never })).body
  expect(data.payload.configuration).toEqual({ chainId: 31_337 })
  return owner
}

describe('an address', () => {
  it('of a pool returns a venue profile that validates unchanged', async ({
    service,
    testChain,
  }) => {
    const owner = await withProvider(service, testChain)
    const found = await detected(owner, testChain.markets.pool.address)
    expect(found).toMatchObject({ is: 'MARKET', token: null, limitations: [] })
    const [market] = found.markets
    expect(market).toMatchObject({ kind: 'UNISWAP_V3', venueId: null, missing: [] })
    expect(market!.profile).toMatchObject({
      feePips: 3000,
      tickSpacing: 60,
      factory: testChain.chain.contracts.uniswapV3Factory,
      read: { providerId: 'local-chain', finality: 'finalized' },
    })
    const { startBlock } = market!.profile!.read
    const code = (blockNumber: number) =>
      testChain.chain.publicClient.getCode({
        address: testChain.markets.pool.address,
        blockNumber: BigInt(blockNumber),
      })
    expect([await code(startBlock - 1), (await code(startBlock))?.length]).toEqual([
      undefined,
      expect.any(Number),
    ])
    const made = await owner.client.createVenues({
      body: {
        payload: market!.profile,
        status: 'VALIDATED',
        reason: 'For the test',
      } as never,
    })
    expect(made.body.data.status).toBe('VALIDATED')
    const again = await detected(owner, testChain.markets.pool.address)
    expect(again.markets[0]!.venueId).toBe(made.body.data.id)
  })

  it('of a pair gives one too, and of a token every market that the factories made of it', async ({
    service,
    testChain,
  }) => {
    const owner = await withProvider(service, testChain)
    const [base, quote] = testChain.markets.tokens
    const pair = await detected(owner, testChain.markets.pair.address)
    const { profile } = pair.markets[0]!
    expect(profile).toMatchObject({ kind: 'UNISWAP_V2', pair: { base, quote } })
    // The factories of this chain are known by the venues that there are.
    for (const payload of [
      profile,
      (await detected(owner, testChain.markets.pool.address)).markets[0]!.profile,
    ]) {
      const body = { payload, reason: 'For the test' } as never
      await owner.client.createVenues({ body })
    }
    const token = await detected(owner, quote)
    expect(token).toMatchObject({ is: 'TOKEN', token: { address: quote, decimals: 18 } })
    expect(token.markets.map(({ address }) => address).toSorted()).toEqual(
      [testChain.markets.pool.address, testChain.markets.pair.address].toSorted(),
    )
    const held = token.markets.map(({ heldOfBase }) => BigInt(heldOfBase!))
    expect(held).toEqual(held.toSorted((a, b) => (a < b ? 1 : -1)))
    // What is asked about is the base.
    expect(token.markets.map((market) => market.profile!.pair.base)).toEqual([quote, quote])
  })

  it('reports the type of any other address', async ({ service, testChain }) => {
    const owner = await withProvider(service, testChain)
    const factory = await detected(owner, testChain.chain.contracts.uniswapV3Factory)
    expect(factory).toMatchObject({ is: 'CONTRACT', markets: [] })
    const nothingFound = await detected(owner, '0x000000000000000000000000000000000000dEaD')
    expect(nothingFound).toMatchObject({ is: 'NOTHING', markets: [] })
  })
})

describe('a provider that does not remember', () => {
  it('has the market begin now, and says so', async ({ service, testChain, proxy }) => {
    const owner = await withProvider(service, testChain, proxy.url)
    behave = async (call, forward) =>
      call.method === 'eth_getCode' && typeof call.params[1] === 'string'
        ? { error: { code: -32_000, message: 'missing trie node' } }
        : forward()
    const found = await detected(owner, testChain.markets.pool.address)
    expect(found.limitations).toEqual(['NO_STATE_BEFORE_HEAD'])
    expect(found.markets[0]!.profile!.read.startBlock).toBe(found.block.number)
  })

  it('and searches no logs finds no markets of a token, and says so', async ({
    service,
    testChain,
    proxy,
  }) => {
    const owner = await newOrganization(service)
    await validatedPool(owner, testChain, proxy.url)
    behave = async (call, forward) =>
      call.method === 'eth_getLogs'
        ? { error: { code: -32_005, message: 'query exceeds max block range' } }
        : forward()
    const found = await detected(owner, testChain.markets.tokens[0])
    expect(found).toMatchObject({ is: 'TOKEN', markets: [], limitations: ['POOLS_NOT_SEARCHED'] })
  })
})

it('is for who may prepare, on a chain that has a provider', async ({ service, testChain }) => {
  const owner = await withProvider(service, testChain)
  const viewer = await newMember(service, owner.organizationId, 'VIEWER')
  await expect(detected(viewer, testChain.markets.pool.address)).rejects.toMatchObject({
    status: 403,
  })
  const elsewhere = detected(owner, testChain.markets.pool.address, 5)
  await expect(elsewhere).rejects.toMatchObject({
    status: 404,
    code: 'LIQUIDITY_PROVIDER_UNKNOWN',
    body: { error: { fieldErrors: { 'query.chainId': [expect.stringContaining('got chain 5')] } } },
  })
  await expect(detected(owner, '0x12')).rejects.toMatchObject({ status: 400 })
})
