import { basePath } from '@liquidity-os/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployPairFork } from '../src/outside/chain/testing/pair-fork.ts'
import { hostOf, pairBody, providerBody, startTestChain, type TestChain } from './support/chain.ts'
import {
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from './support/service.ts'
import { until } from './support/until.ts'

let test: TestChain
let service: TestService
let owner: TestMember
beforeAll(async () => {
  test = await startTestChain()
  service = await startTestService({
    WORKER: 'in-process',
    OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl),
  })
  owner = await newOrganization(service)
  await owner.client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
})
afterAll(async () => {
  await service.stop()
  await test.chain.stop()
})

/** The rows of the coverage picture of a venue. */
async function coverageOf(id: string) {
  const answer = await fetch(`${service.baseUrl}${basePath}/pictures/venues/${id}`, {
    headers: {
      cookie: `${service.config.sessionCookie}=${owner.cookie}`,
      'x-service-organization-id': owner.organizationId,
    },
  })
  const { data } = (await answer.json()) as {
    data: { name: string; table: { rows: unknown[][] } }[]
  }
  expect(data.map(({ name }) => name)).toEqual(['venue-coverage'])
  return data[0]!.table.rows
}

describe('a fork of a pair', () => {
  it('is proved with the fee of its profile, drawn as such, and says that nobody knows its code', async () => {
    const [base, quote] = test.markets.tokens
    const fork = await deployPairFork(test.chain, [base, quote], 10n ** 20n)
    for (let swap = 1n; swap <= 4n; swap += 1n) await fork.sell(swap * 10n ** 17n)
    await test.chain.mine(70)
    const { address } = fork.market
    const claim = { address: address as string, factory: fork.factory as string, feePips: 2000 }
    const created = await owner.client.createVenues({
      body: { ...pairBody(test, claim), status: 'VALIDATED' } as never,
    })
    const { id } = created.body.data
    expect(await coverageOf(id)).toEqual([])
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
    const [row, ...none] = await coverageOf(id)
    expect(row!.slice(0, 1).concat(row!.slice(3, 5))).toEqual([
      ...['PROVED', range.from.number, range.to.number],
    ])
    expect(none).toEqual([])
  })
})
