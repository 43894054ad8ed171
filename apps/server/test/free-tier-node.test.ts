// @module-tag long
// @covers apps/server/src/integrations/chain/rpc-transport.ts apps/server/src/integrations/chain/rpc-pace.ts apps/server/src/integrations/chain/rpc-refusals.ts

import { afterAll, describe, expect } from 'vitest'
import {
  type HttpAnswer,
  honest,
  type ProviderProxy,
  startProviderProxy,
} from '../src/integrations/chain/testing/provider-proxy.ts'
import { validatedPool } from './support/chain.ts'
import { catchUp } from './support/custody.ts'
import { test } from './support/fixtures.ts'
import { indexTo } from './support/scoring.ts'
import { newOrganization } from './support/service.ts'

const refused = (status: number, error: object, headers = {}): HttpAnswer => ({
  status,
  headers,
  body: { jsonrpc: '2.0', id: null, error },
})

/**
 * A free key: batches of at most 3 calls, every 8th request refused by the rate, and at most 50
 * blocks of logs.
 */
const startFreeTier = (upstream: string) => {
  let requests = 0
  return startProviderProxy(upstream, honest, (envelopes) => {
    requests += 1
    if (requests % 8 === 0) {
      const error = { code: -32005, message: 'request rate limited' }
      return refused(429, error, { 'retry-after': '0' })
    }
    if (envelopes.length > 3) {
      const message = 'Batch of more than 3 requests are not allowed on free tier'
      return refused(500, { code: 31, message })
    }
    const isWide = envelopes.some(({ method, params }) => {
      const { fromBlock = '0x0', toBlock = '0x0' } = (params[0] ?? {}) as Record<string, string>
      return method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) + 1 > 50
    })
    const data = { payload: 'range 9009594 is bigger than range limit 50' }
    return isWide ? refused(400, { code: -32602, message: 'invalid params', data }) : null
  })
}

const proxies: ProviderProxy[] = []
afterAll(() => Promise.all(proxies.map((proxy) => proxy.stop())))

const it = test
  .extend('freeTier', { scope: 'file' }, async ({ testChain }) => {
    const proxy = await startFreeTier(testChain.chain.rpcUrl)
    proxies.push(proxy)
    return proxy
  })
  .extend('exhausted', { scope: 'file' }, async ({ testChain }) => {
    let isOpen = true
    const proxy = await startProviderProxy(testChain.chain.rpcUrl, honest, () =>
      isOpen
        ? null
        : refused(
            429,
            { code: -32005, message: 'daily request count exceeded' },
            { 'retry-after': '3600' },
          ),
    )
    proxies.push(proxy)
    return {
      ...proxy,
      close: () => {
        isOpen = false
      },
    }
  })
  .extend('settings', { scope: 'file' }, ({ testChain, freeTier, exhausted }) => ({
    OUTBOUND_ALLOW: [testChain.chain.rpcUrl, freeTier.url, exhausted.url]
      .map((url) => new URL(url).host)
      .join(','),
  }))
  .extend('runsJobs', { scope: 'file' }, () => true)

const observationOf = async (owner: Awaited<ReturnType<typeof newOrganization>>) => {
  const { body } = await owner.client.listVenueObservations()
  const [observation] = body.data
  if (!observation) throw new Error('The venue has no observation.')
  const { payload } = observation
  const { range, start, state, events, counts, gaps } = payload
  return { range, start, state, events, counts, gaps }
}

describe('a venue behind a free key', () => {
  it('is indexed at the first attempt, with the observation of an unlimited node', async ({
    service,
    testChain,
    freeTier,
    owner,
  }) => {
    await catchUp(testChain.chain, service)
    const direct = await validatedPool(owner, testChain)
    await indexTo(owner, direct.id)
    const limited = await newOrganization(service)
    const venue = await validatedPool(limited, testChain, freeTier.url)
    await indexTo(limited, venue.id)
    const [job] = (await limited.client.listOperatingSystemJobs()).body.data.filter(
      ({ kind }) => kind === 'VENUE_INDEX',
    )
    expect([job?.status, job?.attempts]).toEqual(['COMPLETED', 1])
    expect(await observationOf(limited)).toEqual(await observationOf(owner))
  })

  it('reports method, cause and status once the quota is used up', async ({
    service,
    testChain,
    exhausted,
  }) => {
    const member = await newOrganization(service)
    const venue = await validatedPool(member, testChain, exhausted.url)
    exhausted.close()
    const ended = indexTo(member, venue.id)
    await expect(ended).rejects.toThrow(
      /eth_\w+ was refused because of the rate limit or the quota of the provider/,
    )
    const detection = await member.client
      .detectMarkets({ query: { chainId: 31337, address: testChain.markets.pool.address } })
      .then(
        () => null,
        (error: unknown) => error,
      )
    expect(`${detection}`).toMatch(/The provider accepts calls again in \d+ s\./)
  })
})
