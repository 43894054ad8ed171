import { forwardData, type Market, paymentData, v3PoolAbi } from '@liquidity-os/localchain'
import { encodeFunctionData, type Hex } from 'viem'
import { describe, expect } from 'vitest'
import { startWorkers } from '../src/service.ts'
import {
  pairBody,
  poolBody,
  startTestChain,
  type TestChain,
  validatedPool,
} from './support/chain.ts'
import { chainTest, started } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { indexTo, type VenueRef } from './support/scoring.ts'
import type { TestMember } from './support/service.ts'
import { type Spec, study } from './support/studying.ts'

const ceiling = 1461446703485210103287273052203988822378723970341n

const ref = ({ id, resourceVersion }: VenueRef) => ({ id, resourceVersion })

/** A pool of 0.05 % that is worth more than the one of 0.3 %. */
async function deployCheap({ chain, markets }: TestChain): Promise<Market> {
  const [tokenA, tokenB] = markets.tokens
  const pool = await chain.createV3Pool({ tokenA, tokenB, fee: 500, sqrtPriceX96: 2n ** 96n })
  const { payer } = chain.contracts
  const from = chain.accounts[0]!.address
  const send = (data: Hex) => chain.send({ from, to: payer, data: forwardData(pool.address, data) })
  const payment = paymentData(pool)
  const abi = v3PoolAbi
  const mint = [payer, -6000, 6000, 10n ** 18n, payment] as const
  await send(encodeFunctionData({ abi, functionName: 'mint', args: mint }))
  const swap = [payer, false, 10n ** 16n, ceiling - 1n, payment] as const
  await send(encodeFunctionData({ abi, functionName: 'swap', args: swap }))
  return pool
}

/** A chain with both pools, which have a price from block `begin` on. */
async function startPools() {
  const test = await startTestChain()
  const cheapPool = await deployCheap(test)
  const begin = Number(await test.chain.publicClient.getBlockNumber()) + 1
  await test.markets.swap(true, 10n ** 15n)
  await test.markets.swap(false, 10n ** 15n)
  await test.chain.mine(70)
  return { ...test, cheapPool, begin }
}

const it = chainTest
  .extend('testChain', { scope: 'file' }, started(startPools))
  /** The pool that is judged, a pool of a sixth of its fee, and a pair of the same fee. */
  .extend('scene', { scope: 'file' }, async ({ service, testChain, owner }) => {
    const judged = ref(await validatedPool(owner, testChain))
    const create = async (body: object) => {
      const response = await callOperation<VenueRef>(owner, 'createVenues', {
        body: { ...body, status: 'VALIDATED' },
      })
      expect(response.fieldErrors).toEqual({})
      return ref(response.data)
    }
    const cheap = await create(
      poolBody(testChain, { address: testChain.cheapPool.address, feePips: 500, tickSpacing: 10 }),
    )
    const pair = await create(pairBody(testChain))
    const workers = await startWorkers(service.services)
    for (const { id } of [cheap, pair]) await indexTo(owner, id)
    await indexTo(owner, judged.id, undefined, testChain.begin)
    await workers.stop()
    const [sqrtPriceX96] = await testChain.chain.publicClient.readContract({
      address: testChain.cheapPool.address,
      abi: v3PoolAbi,
      functionName: 'slot0',
    })
    const cheapPriceX18 = (sqrtPriceX96 ** 2n * 10n ** 18n) >> 192n
    const observations = (await owner.client.listVenueObservations()).body.data
    const { id, resourceVersion, payload } = observations.find(
      (one) => one.payload.venue.id === judged.id,
    )!
    const spec = {
      schemaVersion: 'simulation-study-v1',
      name: 'Against another venue',
      kind: 'REPLAY',
      pair: poolBody(testChain).payload.pair,
      market: { venue: judged },
      observations: [{ id, resourceVersion }],
      window: { fromBlock: testChain.begin, toBlock: payload.range.to.number },
      arms: [{ armId: 'all', label: 'All', position: { kind: 'FULL_RANGE' } }],
      capital: { base: `${10n ** 17n}`, quote: `${10n ** 17n}`, normalization: 'EQUAL_VALUE' },
      tradeSizesQuote: [`${10n ** 15n}`],
      sampleSeconds: 60,
    } as Spec
    return { judged, cheap, pair, spec, cheapPriceX18 }
  })

const against = (owner: TestMember, spec: Spec, venue: VenueRef) =>
  study(owner, { ...spec, reference: { kind: 'VENUE', venue } })

describe('the prices of another venue as a reference', () => {
  it('value a replay, are named in the answer and bound by hash', async ({
    owner,
    scene: { cheap, spec, cheapPriceX18 },
  }) => {
    const response = await against(owner, spec, cheap)
    expect([response.status, response.fieldErrors]).toEqual([201, {}])
    const { result } = response.data.payload
    expect([result.startPriceX18, result.endPriceX18]).toEqual([
      `${cheapPriceX18}`,
      `${cheapPriceX18}`,
    ])
    expect(result.evidence.inputs).toContainEqual({
      name: 'reference',
      hash: cheap.resourceVersion,
    })
    const names = result.evidence.inputs.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['reference.observations', 'reference.prices']))
    expect(result.evidence.assumptions).toContainEqual({
      code: 'REFERENCE_PRICE',
      value: `VENUE ${cheap.id}`,
      source: 'DECLARED',
    })
    const inside = await study(owner, spec)
    expect(inside.data.payload.result.endPriceX18).not.toBe(result.endPriceX18)
  })

  it('are refused by name where they are its own, of too large a fee, or not there', async ({
    owner,
    scene: { judged, cheap, pair, spec },
  }) => {
    const own = await against(owner, spec, judged)
    expect([own.status, own.code, own.fieldErrors]).toEqual([
      ...[422, 'LIQUIDITY_STUDY_REFERENCE_REQUIRED'],
      {
        'payload.reference.venue': [`must not be the venue under evaluation, got ${judged.id}`],
      },
    ])
    const dear = await against(owner, spec, pair)
    expect([dear.status, dear.fieldErrors['payload.reference.venue']]).toEqual([
      ...[422, ['must have an error of at most half the fee of 3000 pips, got 3000']],
    ])
    const unknown = await against(owner, spec, { ...cheap, resourceVersion: `0x${'1'.repeat(64)}` })
    expect([unknown.status, unknown.code]).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
    // Paths are calibrated against it too, and no venue against itself.
    const { window: _, sampleSeconds: __, ...rest } = spec as Record<string, unknown>
    const paths = { ...rest, kind: 'MONTE_CARLO', horizonSeconds: 3600, paths: 1000 } as Spec
    const calibrated = await study(owner, {
      ...paths,
      reference: { kind: 'VENUE', venue: judged },
    })
    expect(Object.keys(calibrated.fieldErrors)).toEqual(['payload.reference.venue'])
  })
})
