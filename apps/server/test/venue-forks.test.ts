import { basePath } from '@liquidity-os/contract'
import { describe, expect } from 'vitest'
import { deployPairFork } from '../src/integrations/chain/testing/pair-fork.ts'
import { hostOf, pairBody, providerBody } from './support/chain.ts'
import { test } from './support/fixtures.ts'
import type { TestMember, TestService } from './support/service.ts'
import { until } from './support/until.ts'

const it = test.extend('settings', { scope: 'file' }, ({ testChain }) => ({
  WORKER: 'in-process',
  OUTBOUND_ALLOW: hostOf(testChain.chain.rpcUrl),
}))

it.beforeAll(async ({ testChain, owner }) => {
  await owner.client.putOperatingSystemProvider({ body: providerBody(testChain.chain.rpcUrl) })
})

/** The rows of the coverage picture of a venue. */
async function coverageOf(service: TestService, owner: TestMember, id: string) {
  const answer = await fetch(`${service.baseUrl}${basePath}/pictures/venues/${id}`, {
    headers: {
      cookie: `${service.config.sessionCookie}=${owner.cookie}`,
      'x-service-organization-id': owner.organizationId,
    },
  })
  const { data } = (await answer.json()) as {
    data: { name: string; table: { rows: unknown[][] } }[]
  }
  expect(data.map(({ name }) => name)).toEqual([
    ...['venue-coverage', 'venue-price', 'venue-depth'],
  ])
  return data[0]!.table.rows
}

describe('a fork of a pair', () => {
  it('is proved with the fee of its profile, drawn so, and marks its code as unknown', async ({
    service,
    testChain,
    owner,
  }) => {
    const [base, quote] = testChain.markets.tokens
    const fork = await deployPairFork(testChain.chain, [base, quote], 10n ** 20n)
    for (let swap = 1n; swap <= 4n; swap += 1n) await fork.sell(swap * 10n ** 17n)
    await testChain.chain.mine(70)
    const { address } = fork.market
    const claim = { address: address as string, factory: fork.factory as string, feePips: 2000 }
    const created = await owner.client.createVenues({
      body: { ...pairBody(testChain, claim), status: 'VALIDATED' } as never,
    })
    const { id } = created.body.data
    expect(await coverageOf(service, owner, id)).toEqual([])
    await owner.client.queueVenueIndex({
      params: { id },
      body: { payload: { mode: 'FULL' }, reason: 'For the test' },
    })
    const made = await until('the observation', async () => {
      const [first] = (await owner.client.listVenueObservations()).body.data
      return first ?? null
    })
    expect(made).toMatchObject({ status: 'COMPLETED', payload: { counts: { Swap: 4 } } })
    const { continuity, evidence, range } = made.payload
    expect(continuity).toMatchObject({ proved: true, fidelity: { swaps: { exact: 4 } } })
    expect(evidence.assumptions.map(({ code }) => code)).toContain('UNKNOWN_CODE')
    const [row, ...none] = await coverageOf(service, owner, id)
    expect(row!.slice(0, 1).concat(row!.slice(3, 5))).toEqual([
      ...['PROVED', `${range.from.number}`, `${range.to.number}`],
    ])
    expect(none).toEqual([])
  })
})
