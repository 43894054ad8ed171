import { describe, expect, it } from 'vitest'
import { newPool } from '../../test/monte-carlo-market.ts'
import { type Leg, type LegObservations, markLegs, stressBetas } from './legs.ts'
import { runScenario, type StressAsset, type StressBooks } from './run-scenario.ts'

const X18 = 10n ** 18n
const observed: LegObservations = {
  betas: { eth: { eth: 1, own: 1.5, stable: 0 } },
  windows: { 'march-2020': { eth: -0.5, stable: 0 }, empty: {} },
  nativeAsset: 'eth',
}
const sale = { participation: 0.1, days: 30, y: 1 }

/** Prices with nine places, so that a pip of them is whole. */
const cash = asset({ assetId: 'cash', tier: 0, quantity: 1_000_000n * 10n ** 9n, isQuote: true })
const stable = asset({
  assetId: 'stable',
  tier: 1,
  quantity: 3_000_000n * 10n ** 9n,
  volume: { daily: 1e17, volatility: 0 },
  container: 'custodian',
})
const own = asset({
  assetId: 'own',
  tier: 3,
  quantity: 5_000_000n * 10n ** 9n,
  priceX18: 2n * X18,
  volume: { daily: 1e15, volatility: 0.05 },
})
const books: StressBooks = {
  assets: [cash, stable, own],
  obligations: [
    { kind: 'SALARY', dueDays: 30, quote: 400_000n * 10n ** 9n },
    { kind: 'GRANT', dueDays: 90, quote: 800_000n * 10n ** 9n },
  ],
  inflowQuote: 100_000n * 10n ** 9n,
}

function asset(change: Partial<StressAsset> & Pick<StressAsset, 'assetId' | 'tier' | 'quantity'>) {
  return { priceX18: X18, container: 'wallet', ...change }
}

function priceOf(assetId: string, legs: Leg[]) {
  return markLegs(books.assets, legs, observed).find((price) => price.assetId === assetId)!
}

describe('marking', () => {
  it('applies kinds in their order, whatever the order of the legs, and multiplies them', () => {
    const legs: Leg[] = [
      { kind: 'HISTORICAL', window: 'march-2020' },
      { kind: 'CORRELATED', factor: 'eth', movePips: -200_000 },
      { kind: 'PRICE', tier: 3, movePips: -100_000 },
      { kind: 'PRICE', asset: 'own', movePips: -500_000 },
    ]
    const marked = priceOf('own', legs)
    expect(marked.steps.map(({ leg }) => leg)).toEqual([2, 3, 1, 0])
    // 2 × 0.9 × 0.5 × (1 − 1.5 × 0.2) × e^(−0.75), by its β on the native coin.
    const expected = 2 * 0.9 * 0.5 * 0.7 * Math.exp(-0.75)
    expect(Number(marked.priceX18) / 1e18).toBeCloseTo(expected, 12)
    expect(marked.flags).toEqual(['PROXY_SERIES'])
    expect(marked.steps[1]!.priceX18).toBe(900_000_000_000_000_000n)
  })

  it('names what it cannot apply, and leaves the price there as it was', () => {
    const legs: Leg[] = [
      { kind: 'CORRELATED', factor: 'gold', movePips: -1 },
      { kind: 'HISTORICAL', window: 'empty' },
    ]
    expect(priceOf('own', legs)).toMatchObject({
      priceX18: 2n * X18,
      gaps: [
        { leg: 0, code: 'NO_BETA' },
        { leg: 1, code: 'NO_RETURNS' },
      ],
    })
  })

  it('takes no price below zero, and remembers what a peg comes back to', () => {
    expect(
      priceOf('own', [{ kind: 'CORRELATED', factor: 'eth', movePips: -900_000 }]).priceX18,
    ).toBe(0n)
    const depeg: Leg = {
      kind: 'DEPEG',
      asset: 'stable',
      pricePips: 880_000,
      days: 3,
      recoveryPips: 990_000,
    }
    expect(priceOf('stable', [depeg])).toMatchObject({
      priceX18: 880_000_000_000_000_000n,
      recovery: { fromDay: 3, priceX18: 990_000_000_000_000_000n },
    })
    expect(priceOf('own', [depeg]).recovery).toBeNull()
  })

  it('lifts correlations of crypto to crypto to the floor, and no others', () => {
    const returns = [
      [0.02, -0.01, 0],
      [-0.01, 0.02, 0.001],
      [0.03, 0.01, 0],
    ]
    const assets = [
      { assetId: 'eth', isCrypto: true },
      { assetId: 'own', isCrypto: true },
      { assetId: 'stable', isCrypto: false },
    ]
    const [plain, floored] = [stressBetas(assets, returns, -1), stressBetas(assets, returns, 0.8)]
    expect(floored.eth!.own).toBeGreaterThan(plain.eth!.own!)
    expect(floored.eth!.stable).toBe(plain.eth!.stable)
    // β_xy·β_yx is the squared correlation.
    expect(floored.eth!.own! * floored.own!.eth!).toBeCloseTo(0.64, 12)
  })
})

describe('a scenario', () => {
  const crash: Leg[] = [
    { kind: 'PRICE', asset: 'own', movePips: -800_000 },
    { kind: 'DEPEG', asset: 'stable', pricePips: 880_000, days: 3, recoveryPips: 1_000_000 },
    { kind: 'FREEZE', container: 'custodian', days: 5 },
    { kind: 'OBLIGATION_ACCELERATION', obligationKinds: ['GRANT'], toDays: 10 },
    { kind: 'REVENUE', multiplierPips: 500_000 },
  ]

  it('gives the golden figures of a crash', () => {
    const outcome = runScenario(books, crash, sale, observed)
    // Mark: 1 M + 3 M × 0.88 + 5 M × 0.4. The stable coin thaws after its peg is back and costs nothing to sell.
    // Of the own token 3 M of 5 M sell at 0.4 less 5 % × √0.1.
    const sold = 3_000_000 * 0.4 * (1 - 0.05 * Math.sqrt(0.1))
    expect(outcome.markQuote).toBe(5_640_000n * 10n ** 9n)
    expect(Number(outcome.realisableQuote) / 1e9).toBeCloseTo(4_000_000 + sold, 3)
    expect(outcome.unsold.map(({ assetId }) => assetId)).toEqual(['own'])
    expect(Number(outcome.unsold[0]!.quantity) / 1e15).toBeCloseTo(2, 9)
    // Outflow 1.2 M, inflow 50 k: net 1.15 M; stock 1 M + 3 M × 0.98 + 30 % of what the token brings.
    expect(outcome.coverage.netOutflowQuote).toBe(1_150_000n * 10n ** 9n)
    const stock = 1_000_000 + 3_000_000 * 0.98 + sold * 0.3
    expect(Number(outcome.coverage.coveragePips) / 1e6).toBeCloseTo(stock / 1_150_000, 5)
    expect(Number(outcome.runwayMonthsX3)).toBe(Math.floor(((4_000_000 + sold) / 1_150_000) * 1000))
    expect(outcome).toMatchObject({ flags: [], gaps: [] })
  })

  it('explains the loss to the atom by its legs, impact and what is not sold', () => {
    const outcome = runScenario(books, crash, sale, observed)
    expect(outcome.drivers.map(({ subject }) => subject)).toEqual([
      '0 PRICE',
      '1 DEPEG',
      'IMPACT',
      'UNSOLD',
    ])
    const sum = outcome.drivers.reduce((total, { lossQuote }) => total + lossQuote, 0n)
    expect(sum).toBe(outcome.lossQuote)
    expect(outcome.drivers[0]!.lossQuote).toBe(8_000_000n * 10n ** 9n)
    expect(JSON.stringify(runScenario(books, crash, sale, observed), text)).toBe(
      JSON.stringify(outcome, text),
    )
  })

  it('sells nothing of what is frozen for the whole time, cash among it', () => {
    const frozen = runScenario(
      { ...books, assets: [cash, stable] },
      [
        { kind: 'FREEZE', container: 'wallet', days: 30 },
        { kind: 'FREEZE', container: 'custodian', days: 40 },
      ],
      sale,
      observed,
    )
    expect(frozen).toMatchObject({ realisableQuote: 0n, runwayMonthsX3: 0n })
    expect(frozen.unsold).toHaveLength(2)
  })

  it('sells in the pools at what they cost, and at more once depth has left', () => {
    const market = newPool({ feePips: 3000, ranges: true })
    const venues = [{ venueId: 'pool', market, orientation: { base: 0, quote: 1 } }]
    const held = asset({ assetId: 'pooled', tier: 3, quantity: 9000n * X18, venues })
    const pooled = (legs: Leg[]) =>
      runScenario({ ...books, assets: [held] }, legs, sale, observed).realisableQuote
    const [calm, thin, elsewhere] = [
      pooled([]),
      pooled([{ kind: 'DEPTH_WITHDRAWAL', removePips: 700_000 }]),
      pooled([{ kind: 'DEPTH_WITHDRAWAL', removePips: 700_000, venueIds: ['other'] }]),
    ]
    // 300 a day of 68,000 of liquidity: the fee and half a per cent.
    expect(Number(calm) / 9e21).toBeGreaterThan(0.98)
    expect(Number(calm) / 9e21).toBeLessThan(0.997)
    expect(thin).toBeLessThan(calm)
    expect(elsewhere).toBe(calm)
    expect(pooled([{ kind: 'DEPTH_WITHDRAWAL', removePips: 1_000_000 }])).toBe(0n)
  })

  it('gives nothing for what has no market, and says so', () => {
    const locked = asset({ assetId: 'locked', tier: 4, quantity: 10n })
    expect(runScenario({ ...books, assets: [locked] }, [], sale, observed)).toMatchObject({
      realisableQuote: 0n,
      unsold: [{ assetId: 'locked', quantity: 10n }],
      gaps: [{ assetId: 'locked', leg: null, code: 'NO_EXIT_LIQUIDITY' }],
    })
  })
})

const text = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
