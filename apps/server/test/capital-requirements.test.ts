import { type contract, permissionsOf, roles } from '@liquidity-os/contract'
import { getAmountOut, UNISWAP_V2_FEE } from '@liquidity-os/engine/amm'
import type { VersionedRecord } from '@liquidity-os/evidence'
import {
  erc20Abi,
  type Localchain,
  startLocalchain,
  v2PairAbi,
  v3PoolAbi,
} from '@liquidity-os/localchain'
import type { Address } from 'viem'
import { describe, expect } from 'vitest'
import { deployMarkets, type Markets, poolFee } from '../src/integrations/chain/testing/markets.ts'
import { started, test } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { newMember, newOrganization, type TestMember } from './support/service.ts'

type Study = VersionedRecord<contract.CapitalRequirementStudy>
type Input = contract.CapitalRequirementInput

const it = test
  .extend('chain', { scope: 'file' }, started(startLocalchain))
  .extend('markets', { scope: 'file' }, ({ chain }) => deployMarkets(chain))

const reason = 'For the test'
const e18 = 10n ** 18n
const keyOf = (address: string) => `eip155:31337/erc20:${address.toLowerCase()}`
const whole = {
  shapeId: 'whole',
  sharePips: 1_000_000,
  feePips: 3_000,
  shape: { kind: 'V2' as const },
}

/** The published depth: 100,000 at two per cent on both sides, at a price of two. */
const published = (change: Partial<Input> = {}): Input => ({
  label: 'Two per cent',
  token: keyOf(`0x${'1'.repeat(40)}`),
  quote: keyOf(`0x${'2'.repeat(40)}`),
  reference: { kind: 'DECLARED', priceX18: `${2n * e18}` },
  targets: [{ side: 'BOTH', movePips: 20_000, depthQuote: `${100_000n * e18}` }],
  shapes: [whole],
  volatility: { kind: 'DECLARED', annualPips: 800_000 },
  ...change,
})
const compute = (owner: TestMember, payload: object, by = owner) =>
  callOperation<Study>(by, 'createCapitalRequirements', { body: { payload, reason } })
const made = async (owner: TestMember, change: Partial<Input> = {}) => {
  const { data, status, fieldErrors } = await compute(owner, published(change))
  expect([status, fieldErrors]).toEqual([201, {}])
  return data.payload
}
const units = (atoms: string | null | undefined, digits = 3) =>
  (Number(BigInt(atoms ?? '0') / 10n ** 9n) / 1e9).toFixed(digits)

describe('the time between blocks', () => {
  it('is published for a chain, and otherwise requested instead of assumed', async ({ owner }) => {
    const on = (chainId: number) => ({
      token: `eip155:${chainId}/erc20:0x${'1'.repeat(40)}`,
      quote: `eip155:${chainId}/erc20:0x${'2'.repeat(40)}`,
    })
    const base = await made(owner, on(8453))
    expect(base.blockTime).toEqual({ milliseconds: 2000, source: 'CHAIN' })
    expect(base.perShape[0]?.lvrWithFeesAnnualQuote).not.toBeNull()
    const unknown = await made(owner, on(137))
    expect(unknown.blockTime).toBeNull()
    expect(unknown.perShape[0]?.lvrAnnualQuote).not.toBeNull()
    expect(unknown.perShape[0]?.lvrWithFeesAnnualQuote).toBeNull()
    expect(unknown.computation.gaps.map(({ code }) => code)).toEqual(['BLOCK_TIME_UNKNOWN'])
  })
})

describe('the published depth', () => {
  it('requires the confirmations of the page; its record is read and listed', async ({ owner }) => {
    const { data } = await compute(owner, published())
    const { perShape, base, floor, computation, targets } = data.payload
    expect(units(perShape[0]?.liquidity)).toBe('7106248.120')
    expect([units(base?.quote), units(base?.token)]).toEqual(['10049752.469', '5024876.235'])
    expect([units(floor?.quote), units(floor?.token)]).toEqual(['100000.000', '49507.377'])
    expect(targets.map(({ side, existingQuote }) => [side, existingQuote])).toEqual([
      ['BUY', '0'],
      ['SELL', '0'],
    ])
    expect([data.status, computation.completeness]).toEqual(['COMPLETED', 'COMPLETED'])
    expect(computation.limitations).toContain('PRICE_DECLARED')
    expect(computation.executionAuthorityGranted).toBe(false)
    const read = await owner.client.getCapitalRequirements({ params: { id: data.id } })
    expect(read.body.data).toEqual(data)
    const listed = await owner.client.listCapitalRequirements()
    expect(listed.body.data.some(({ id }) => id === data.id)).toBe(true)
  })

  it('is previewed as it would be kept, with the same refusals, and nothing is kept', async ({
    service,
    owner,
  }) => {
    const lister = await newOrganization(service)
    const preview = (payload: object) =>
      callOperation<contract.CapitalRequirementStudy>(lister, 'previewCapitalRequirements', {
        body: { payload },
      })
    const { status, data } = await preview(published())
    const kept = await made(owner)
    const figures = ({ computation, ...others }: contract.CapitalRequirementStudy) => ({
      ...others,
      gaps: computation.gaps,
    })
    expect([status, figures(data)]).toEqual([200, figures(kept)])
    expect((await lister.client.listCapitalRequirements()).body.data).toEqual([])
    const narrow = {
      kind: 'V3_RANGE',
      lowerMovePips: 10_000,
      upperMovePips: 250_000,
      tickSpacing: 60,
    } as const
    const refused = published({ shapes: [{ ...whole, shape: narrow }] })
    const [previewed, response] = [await preview(refused), await compute(owner, refused)]
    expect([previewed.status, previewed.code]).toEqual([
      422,
      'LIQUIDITY_CAPITAL_RANGE_NARROWER_THAN_TARGET',
    ])
    expect(previewed.fieldErrors).toEqual(response.fieldErrors)
  })

  it('costs a range a ninth, a weighted pool its weights, and reports the loss by volatility', async ({
    owner,
  }) => {
    const share = (
      shapeId: string,
      shape: Input['shapes'][number]['shape'],
      sharePips: number,
    ) => ({
      shapeId,
      sharePips,
      feePips: 3_000,
      shape,
    })
    const range = {
      kind: 'V3_RANGE',
      lowerMovePips: 200_000,
      upperMovePips: 250_000,
      tickSpacing: 1,
    } as const
    const [ranged] = (await made(owner, { shapes: [share('range', range, 1_000_000)] })).perShape
    // The edges are rounded outwards to ticks of a hundredth of a per cent.
    expect(Number(ranged?.efficiencyPips) / 1e6).toBeCloseTo(9.4721, 1)
    expect(Number(ranged?.rangeSurvivalPips) / 1e6).toBeGreaterThan(0.3)
    const weights = { kind: 'WEIGHTED', tokenWeightPips: 800_000 } as const
    const [weighted] = (await made(owner, { shapes: [share('weighted', weights, 1_000_000)] }))
      .perShape
    expect([units(weighted?.quote), units(weighted?.token)]).toEqual([
      '6262425.741',
      '12524851.482',
    ])
    const [curve] = (await made(owner, { blockTimeSeconds: 12 })).perShape
    expect(Number(curve?.lvrAnnualQuote) / Number(curve?.valueQuote)).toBeCloseTo(0.08, 6)
    const left = Number(curve?.lvrWithFeesAnnualQuote) / Number(curve?.lvrAnnualQuote)
    expect(left).toBeCloseTo(0.087456, 6)
    // 1/(1 + 1.7164·0.003/(0.8·√(2 s of a year)))
    const fast = await made(owner, { blockTimeSeconds: 2 })
    const [at2] = fast.perShape
    expect(Number(at2?.lvrWithFeesAnnualQuote) / Number(at2?.lvrAnnualQuote)).toBeCloseTo(
      0.037653,
      5,
    )
    expect(fast.blockTime).toEqual({ milliseconds: 2000, source: 'DECLARED' })
    const both = await made(owner, {
      shapes: [share('one', { kind: 'V2' }, 600_000), share('two', range, 400_000)],
    })
    const sum = both.perShape.reduce((all, { quote }) => all + BigInt(quote), 0n)
    expect(both.base?.quote).toBe(`${sum}`)
  })

  it('gives every shape at least its part of every target, and never reports more than it has', async ({
    owner,
  }) => {
    const shapes: Input['shapes'] = (
      [
        { kind: 'V2' },
        { kind: 'V3_RANGE', lowerMovePips: 300_000, upperMovePips: 400_000, tickSpacing: 60 },
        {
          kind: 'V3_LADDER',
          bands: [
            { fromMovePips: -100_000, toMovePips: 100_000, weightPips: 700_000 },
            { fromMovePips: -300_000, toMovePips: 300_000, weightPips: 300_000 },
          ],
          tickSpacing: 60,
        },
        { kind: 'V3_TARGET_LADDER', tickSpacing: 10 },
        { kind: 'WEIGHTED', tokenWeightPips: 300_000 },
        { kind: 'STABLESWAP', amplification: 100 },
        { kind: 'ORDER_BOOK', inventoryMultiplePips: 3_000_000 },
      ] as Input['shapes'][number]['shape'][]
    ).map((shape, index) => ({
      shapeId: `shape-${index}`,
      feePips: 3_000,
      shape,
      sharePips: index === 0 ? 400_000 : 100_000,
    }))
    const study = await made(owner, {
      shapes,
      blockTimeSeconds: 12,
      targets: [
        { side: 'BUY', movePips: 20_000, depthQuote: '100000000001' },
        { side: 'SELL', movePips: 50_000, depthQuote: '300000000007' },
      ],
      slippageTargets: [{ tradeQuote: '50000000000', side: 'SELL', maximumAveragePips: 10_000 }],
    })
    for (const [itemIndex, { achieved, sqrtPriceX96 }] of study.perShape.entries()) {
      const share = BigInt(shapes[itemIndex]!.sharePips)
      for (const [index, { depthQuote }] of achieved.entries()) {
        const request = (BigInt(study.targets[index]!.grossQuote) * share) / 1_000_000n
        // Rounding down what was rounded up may lose an atom.
        expect(BigInt(depthQuote) + 1n, `${itemIndex} ${index}`).toBeGreaterThanOrEqual(request)
      }
      expect(sqrtPriceX96 === null).toBe(!('tickSpacing' in shapes[itemIndex]!.shape))
    }
    expect(study.curve).toHaveLength(81)
    // A trade of L√p·1 % moves the price by 1.99 %.
    expect(study.targets[2]).toMatchObject({ side: 'SELL', movePips: 19_900 })
    expect(study.computation.gaps.map(({ code, subject }) => [code, subject])).toEqual([
      ['BUFFER_BOUNDED', 'shape-5'],
      ['BUFFER_BOUNDED', 'shape-6'],
    ])
  })

  it('reports the depth of a budget, the outflow, and the effect of a horizon', async ({
    owner,
  }) => {
    const study = await made(owner, {
      budget: { token: `${10n * 5_024_877n * e18}`, quote: `${5_024_876n * e18}` },
      flow: { dailyVolumeQuote: `${10_000_000n * e18}`, netSellSharePips: 100_000 },
      horizonDays: 10,
    })
    expect(study.budgetSolve?.bindingSide).toBe('QUOTE')
    expect(Number(study.budgetSolve?.scaleX18) / 1e18).toBeCloseTo(0.5, 6)
    expect(study.buffer?.flowQuote).toBe(`${10_000_000n * e18}`)
    expect(study.buffer?.quote).toBe(study.buffer?.flowQuote)
    // R = Q(1 − e^(−qσ√T/2)) with q 1.96324.
    const move = Math.exp((-1.96324 * 0.8 * Math.sqrt(10 / 365)) / 2)
    expect(Number(study.buffer?.priceQuote) / Number(study.base?.quote)).toBeCloseTo(1 - move, 5)
    expect(BigInt(study.total?.quote ?? 0)).toBe(
      BigInt(study.base?.quote ?? 0) + BigInt(study.buffer?.quote ?? 0),
    )
  })
})

describe('a price declared in X36', () => {
  it('gives the same study as the same price in X18', async ({ owner }) => {
    const x18 = await made(owner)
    const x36 = await made(owner, {
      reference: { kind: 'DECLARED', priceX36: `${2n * e18 * e18}` },
    })
    expect(x36.priceX36).toBe(x18.priceX36)
    expect([x36.base, x36.floor, x36.perShape]).toEqual([x18.base, x18.floor, x18.perShape])
  })

  it('serves a token whose price has no digits in X18', async ({ owner }) => {
    const { base, computation, priceX36 } = await made(owner, {
      reference: { kind: 'DECLARED', priceX36: '1234567' },
      targets: [{ side: 'BOTH', movePips: 20_000, depthQuote: '1000000000' }],
    })
    expect(priceX36).toBe('1234567')
    // At the price, both sides are worth the same.
    const worth = (BigInt(base!.token) * 1_234_567n) / 10n ** 36n
    expect(Math.abs(Number(worth) / Number(base!.quote) - 1)).toBeLessThan(0.001)
    expect(computation.gaps.map(({ code }) => code)).not.toContain('PRICE_COARSE')
  })
})

describe('on genuine contracts', () => {
  const inPool = (markets: Markets, side: 'BUY' | 'SELL', shape: object): Partial<Input> => ({
    token: keyOf(markets.tokens[0]),
    quote: keyOf(markets.tokens[1]),
    reference: { kind: 'DECLARED', priceX18: `${e18}` },
    targets: [{ side, movePips: 20_000, depthQuote: `${1_000n * e18}` }],
    shapes: [{ shapeId: 'pool', sharePips: 1_000_000, feePips: poolFee, shape: shape as never }],
  })
  const held = (chain: Localchain, token: Address, holder: Address) =>
    chain.publicClient.readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [holder],
    })
  const grossOf = (net: bigint) => (net * 1_000_000n + 996_999n) / 997_000n

  it.for(['BUY', 'SELL'] as const)(
    'a v3 pool takes exactly the amounts, and the depth moves it to the target within a tick: %s',
    async (side, { owner, chain, markets }) => {
      const range = {
        kind: 'V3_RANGE',
        lowerMovePips: 100_000,
        upperMovePips: 100_000,
        tickSpacing: 60,
      }
      const { perShape, base } = await made(owner, inPool(markets, side, range))
      const [shape] = perShape
      const [band] = shape?.bands ?? []
      const before = await chain.testClient.snapshot()
      const { payer } = chain.contracts
      const had = await Promise.all(markets.tokens.map((token) => held(chain, token, payer)))
      await markets.mint(band!.tickLower, band!.tickUpper, BigInt(band!.liquidity))
      const has = await Promise.all(markets.tokens.map((token) => held(chain, token, payer)))
      expect([had[0]! - has[0]!, had[1]! - has[1]!].map(String)).toEqual([base?.token, base?.quote])
      const depth = BigInt(shape?.achieved[0]?.depthQuote ?? 0)
      // Paid gross of the fee in quote for a purchase; for a sale, so many tokens that the quote comes out.
      if (side === 'BUY') await markets.swap(false, grossOf(depth))
      else {
        const root = (value: number) => Math.sqrt(value)
        const net = Number(band!.liquidity) * (1 / root(0.98) - 1)
        await markets.swap(true, grossOf(BigInt(Math.floor(net))))
      }
      const [, tick] = await chain.publicClient.readContract({
        address: markets.pool.address,
        abi: v3PoolAbi,
        functionName: 'slot0',
      })
      const target = Math.log(side === 'BUY' ? 1.02 : 0.98) / Math.log(1.0001)
      expect(Math.abs(tick - Math.floor(target))).toBeLessThanOrEqual(1)
      await chain.testClient.revert({ id: before })
    },
  )

  it('a v2 pair of exactly the amounts moves to the target within a pip, but for the fee that stays in it', async ({
    owner,
    chain,
    markets,
  }) => {
    const { base, perShape } = await made(owner, {
      ...inPool(markets, 'BUY', { kind: 'V2' }),
      token: keyOf(markets.pair.token1),
      quote: keyOf(markets.pair.token0),
    })
    await markets.provide(BigInt(base?.quote ?? 0), BigInt(base?.token ?? 0))
    const depth = BigInt(perShape[0]?.achieved[0]?.depthQuote ?? 0)
    const gross = grossOf(depth)
    const out = getAmountOut(
      gross,
      BigInt(base?.quote ?? 0),
      BigInt(base?.token ?? 0),
      UNISWAP_V2_FEE,
    )
    await markets.trade(gross, out)
    const [quote, token] = await chain.publicClient.readContract({
      address: markets.pair.address,
      abi: v2PairAbi,
      functionName: 'getReserves',
    })
    const priceX6 = ((quote - (gross - depth)) * 1_000_000n) / token
    expect(Math.abs(Number(priceX6) - 1_020_000)).toBeLessThanOrEqual(1)
  })
})

describe('a request that cannot be', () => {
  const refused = async (owner: TestMember, change: object) => {
    const { status, code, fieldErrors } = await compute(owner, { ...published(), ...change })
    return [status, code, Object.keys(fieldErrors)]
  }
  const invalid = 'LIQUIDITY_CAPITAL_REQUEST_INVALID'

  it('for a price in X36 beside one in X18, for none, and above the limit', async ({ owner }) => {
    const both = { priceX18: '5', priceX36: `${5n * e18}` }
    expect(await refused(owner, { reference: { kind: 'DECLARED', ...both } })).toEqual([
      ...[422, invalid],
      ['payload.reference'],
    ])
    expect(await refused(owner, { reference: { kind: 'DECLARED' } })).toEqual([
      ...[422, invalid],
      ['payload.reference'],
    ])
    const large = { kind: 'DECLARED' as const, priceX18: `${10n ** 77n}` }
    expect(await refused(owner, { reference: large })).toEqual([
      ...[422, invalid],
      ['payload.reference.priceX18'],
    ])
  })

  it('names what contradicts what', async ({ owner }) => {
    const { token } = published()
    expect(await refused(owner, { quote: token })).toEqual([422, invalid, ['payload.quote']])
    expect(await refused(owner, { shapes: [{ ...whole, sharePips: 5 }] })).toEqual([
      422,
      invalid,
      ['payload.shapes'],
    ])
    const half = { ...whole, sharePips: 500_000 }
    expect(await refused(owner, { shapes: [half, half] })).toEqual([
      422,
      invalid,
      ['payload.shapes.1.shapeId'],
    ])
    expect(await refused(owner, { reference: { kind: 'DECLARED', priceX18: '0' } })).toEqual([
      ...[422, invalid],
      ['payload.reference.priceX18'],
    ])
    expect(await refused(owner, { volatility: { kind: 'OBSERVED', days: 90 } })).toEqual([
      ...[422, invalid],
      ['payload.volatility.kind'],
    ])
    const range = (shape: object) => ({ shapes: [{ ...whole, shape }] })
    const narrow = {
      kind: 'V3_RANGE',
      lowerMovePips: 10_000,
      upperMovePips: 100_000,
      tickSpacing: 10,
    }
    expect(await refused(owner, range(narrow))).toEqual([
      ...[422, 'LIQUIDITY_CAPITAL_RANGE_NARROWER_THAN_TARGET'],
      ['payload.shapes.0.shape'],
    ])
    expect(
      await refused(owner, {
        ...range({ ...narrow, lowerMovePips: 90_000 }),
        quote: 'iso4217:USD',
      }),
    ).toEqual([...[422, invalid], ['payload.shapes.0.shape.kind']])
    const backwards = { fromMovePips: 10, toMovePips: -10, weightPips: 1 }
    expect(
      await refused(owner, range({ kind: 'V3_LADDER', bands: [backwards], tickSpacing: 1 })),
    ).toEqual([...[422, invalid], ['payload.shapes.0.shape.bands.0.toMovePips']])
  })

  it('names the record that it may not cite', async ({ owner }) => {
    const none = { id: `treasury_entry_${'0'.repeat(32)}`, resourceVersion: `0x${'1'.repeat(64)}` }
    const entry = { resourceType: 'TreasuryBucket', ...none }
    expect(await refused(owner, { ledgerSources: [entry] })).toEqual([
      ...[404, 'LIQUIDITY_SOURCE_UNAVAILABLE'],
      ['payload.ledgerSources.0'],
    ])
    expect(await refused(owner, { ledgerSources: [entry, entry] })).toEqual([
      ...[422, invalid],
      ['payload.ledgerSources.1'],
    ])
    expect(await refused(owner, { existingDepth: { observations: [entry] } })).toEqual([
      ...[422, invalid],
      ['payload.existingDepth.observations.0.resourceType'],
    ])
  })

  it('abstains without a price and is partial without a volatility, and says why', async ({
    owner,
  }) => {
    const oracle = { kind: 'ORACLE', providerId: 'nobody' } as const
    const { data } = await compute(
      owner,
      published({ reference: oracle, volatility: { kind: 'OBSERVED', days: 60 } }),
    )
    expect(data.status).toBe('ABSTAINED')
    expect(data.payload).toMatchObject({ base: null, total: null, perShape: [], curve: [] })
    expect(data.payload.computation.gaps.map(({ code }) => code)).toEqual([
      'PRICE_UNAVAILABLE',
      'VOLATILITY_UNAVAILABLE',
    ])
  })

  it('is not for everyone', async ({ service, owner }) => {
    for (const role of roles) {
      const { status } = await compute(
        owner,
        published(),
        await newMember(service, owner.organizationId, role),
      )
      expect([role, status]).toEqual([role, permissionsOf[role].includes('prepare') ? 201 : 403])
    }
  })
})
