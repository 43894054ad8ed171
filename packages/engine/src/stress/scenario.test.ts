import { describe, expect, it } from 'vitest'
import { newPool } from '../../test/monte-carlo-market.ts'
import { DEFAULT_HAIRCUT_PIPS } from './coverage.ts'
import { type Leg, type LegObservations, markLegs, scaleLegs, stressBetas } from './legs.ts'
import { type ExitVenue, poolExit } from './pool-exit.ts'
import {
  runScenario,
  type StressBooks,
  type StressHolding,
  type StressMarket,
} from './run-scenario.ts'

const X18 = 10n ** 18n
const X36 = 10n ** 36n
const observed: LegObservations = {
  betas: { eth: { eth: 1, own: 1.5, stable: 0 } },
  windows: { 'march-2020': { eth: -0.5, stable: 0 }, empty: {} },
  nativeAsset: 'eth',
}
const sale = { participationPips: 100_000, days: 30, y: 1 }

/** Amounts with nine places, so that a pip of them is whole. */
const cash = holding({ assetId: 'cash', tier: 0, quantity: 1_000_000n * 10n ** 9n, isQuote: true })
const stable = holding({
  assetId: 'stable',
  tier: 1,
  quantity: 3_000_000n * 10n ** 9n,
  container: 'custodian',
})
const own = holding({
  assetId: 'own',
  tier: 3,
  quantity: 5_000_000n * 10n ** 9n,
  priceX36: 2n * X36,
})
const volume = (daily: bigint, volatility: number): StressMarket => ({
  volume: { daily, volatility },
  venues: [],
})
const books: StressBooks = {
  holdings: [cash, stable, own],
  markets: new Map([
    ['stable', volume(10n ** 17n, 0)],
    ['own', volume(10n ** 15n, 0.05)],
  ]),
  obligations: [
    { kind: 'SALARY', dueDays: 30, quote: 400_000n * 10n ** 9n },
    { kind: 'GRANT', dueDays: 90, quote: 800_000n * 10n ** 9n },
  ],
  inflows: [{ quote: 100_000n * 10n ** 9n }],
  countsOwnToken: false,
  haircutPips: DEFAULT_HAIRCUT_PIPS,
}

function holding(
  change: Partial<StressHolding> & Pick<StressHolding, 'assetId' | 'tier' | 'quantity'>,
): StressHolding {
  return { priceX36: X36, container: 'wallet', lockedDays: 0, ...change }
}

function priceOf(assetId: string, legs: Leg[]) {
  return markLegs(books.holdings, legs, observed).find((price) => price.assetId === assetId)!
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
    expect(Number(marked.priceX36) / 1e36).toBeCloseTo(expected, 12)
    expect(marked.flags).toEqual(['PROXY_SERIES'])
    expect(marked.steps[1]!.priceX36).toBe((9n * X36) / 10n)
  })

  it('names what it cannot apply, and leaves the price there as it was', () => {
    const legs: Leg[] = [
      { kind: 'CORRELATED', factor: 'gold', movePips: -1 },
      { kind: 'HISTORICAL', window: 'empty' },
    ]
    expect(priceOf('own', legs)).toMatchObject({
      priceX36: 2n * X36,
      gaps: [
        { leg: 0, code: 'NO_BETA' },
        { leg: 1, code: 'NO_RETURNS' },
      ],
    })
  })

  it('takes no price below zero, and remembers what a peg comes back to', () => {
    expect(
      priceOf('own', [{ kind: 'CORRELATED', factor: 'eth', movePips: -900_000 }]).priceX36,
    ).toBe(0n)
    const depeg: Leg = {
      kind: 'DEPEG',
      asset: 'stable',
      pricePips: 880_000,
      days: 3,
      recoveryPips: 990_000,
    }
    expect(priceOf('stable', [depeg])).toMatchObject({
      priceX36: (88n * X36) / 100n,
      recovery: { fromDay: 3, priceX36: (99n * X36) / 100n },
    })
    expect(priceOf('own', [depeg]).recovery).toBeNull()
  })

  it('lifts correlations of crypto to crypto to the floor, and no others', () => {
    const daily = (moves: number[]) => new Map(moves.map((move, day) => [day, move]))
    const assets = [
      { assetId: 'eth', isCrypto: true, returns: daily([0.02, -0.01, 0.03]) },
      { assetId: 'own', isCrypto: true, returns: daily([-0.01, 0.02, 0.01]) },
      { assetId: 'stable', isCrypto: false, returns: daily([0, 0.001, 0]) },
    ]
    const [plain, floored] = [stressBetas(assets, -1, 3), stressBetas(assets, 0.8, 3)]
    expect(floored.eth!.own).toBeGreaterThan(plain.eth!.own!)
    expect(floored.eth!.stable).toBe(plain.eth!.stable)
    // β_xy·β_yx is the squared correlation.
    expect(floored.eth!.own! * floored.own!.eth!).toBeCloseTo(0.64, 12)
  })

  it('lets an asset with a short history shorten no other, and tells nothing of too few days', () => {
    const daily = (from: number, moves: number[]) =>
      new Map(moves.map((move, day) => [from + day, move]))
    const eth = { assetId: 'eth', isCrypto: true, returns: daily(0, [0.02, -0.01, 0.03, 0.01]) }
    const btc = { assetId: 'btc', isCrypto: true, returns: daily(0, [0.01, -0.01, 0.02, 0.02]) }
    const young = { assetId: 'young', isCrypto: true, returns: daily(3, [0.09, 0.1]) }
    const two = stressBetas([eth, btc], -1, 4)
    expect(stressBetas([eth, btc, young], -1, 4)).toEqual({ ...two, young: { young: 1 } })
    expect(stressBetas([eth, btc, young], -1, 1).eth!.young).toBeCloseTo(9, 9)
  })
})

describe('a scenario', () => {
  const crash: Leg[] = [
    { kind: 'PRICE', asset: 'own', movePips: -800_000 },
    { kind: 'DEPEG', asset: 'stable', pricePips: 880_000, days: 3, recoveryPips: 1_000_000 },
    { kind: 'FREEZE', containers: ['custodian'], days: 5 },
    { kind: 'OBLIGATION_ACCELERATION', obligationKinds: ['GRANT'], toDays: 10 },
    { kind: 'REVENUE', multiplierPips: 500_000 },
  ]

  it('gives the golden figures of a crash', () => {
    const outcome = runScenario(books, crash, sale, observed)
    // Mark: 1 M + 3 M × 0.88 + 5 M × 0.4. The stable coin thaws after its peg is back and costs nothing to sell.
    // Of the own token 3 M of 5 M sell at 0.4 less 5 % × √0.1.
    const sold = 3_000_000 * 0.4 * (1 - 0.05 * Math.sqrt(0.1))
    expect(outcome.counted.markQuote).toBe(5_640_000n * 10n ** 9n)
    expect(Number(outcome.counted.realisableQuote) / 1e9).toBeCloseTo(4_000_000 + sold, 3)
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
      'RECOVERY',
      'IMPACT',
      'UNSOLD',
    ])
    const sum = outcome.drivers.reduce((total, { lossQuote }) => total + lossQuote, 0n)
    expect(sum).toBe(outcome.counted.lossQuote)
    expect(outcome.drivers[0]!.lossQuote).toBe(8_000_000n * 10n ** 9n)
    expect(JSON.stringify(runScenario(books, crash, sale, observed), text)).toBe(
      JSON.stringify(outcome, text),
    )
  })

  it('sells nothing of what is frozen for the whole time, cash among it', () => {
    const frozen = runScenario(
      { ...books, holdings: [cash, stable] },
      [
        { kind: 'FREEZE', containers: ['wallet'], days: 30 },
        { kind: 'FREEZE', containers: ['custodian'], days: 40 },
      ],
      sale,
      observed,
    )
    expect(frozen).toMatchObject({ counted: { realisableQuote: 0n }, runwayMonthsX3: 0n })
    expect(frozen.unsold.map(({ cause }) => cause)).toEqual(['FROZEN', 'FROZEN'])
    expect(frozen.unsold).toHaveLength(2)
  })

  it('sells in the pools at what they cost, and at more once depth has left', () => {
    const market = newPool({ feePips: 3000, ranges: true })
    const held = holding({ assetId: 'pooled', tier: 3, quantity: 9000n * X18 })
    const pool = { venueId: 'pool', quoteId: 'usd', market, orientation: { base: 0, quote: 1 } }
    // A volume of which the sale is nearly nothing: only the pools cost.
    const huge = { daily: 10n ** 40n, volatility: 0.05 }
    const outcomeOf = (legs: Leg[], venues: ExitVenue[], volume: typeof huge | null) => {
      const markets = new Map([['pooled', { volume, venues }]])
      return runScenario({ ...books, holdings: [held], markets }, legs, sale, observed)
    }
    const pooled = (legs: Leg[], venues = [pool]) =>
      outcomeOf(legs, venues, huge).counted.realisableQuote
    const [calm, thin, elsewhere] = [
      pooled([]),
      pooled([{ kind: 'DEPTH_WITHDRAWAL', removePips: 700_000 }]),
      pooled([{ kind: 'DEPTH_WITHDRAWAL', removePips: 700_000, venueIds: ['other'] }]),
    ]
    // 300 a day of 68,000 of liquidity: the fee and half a per cent.
    expect(Number(calm) / 9e21).toBeGreaterThan(0.98)
    expect(Number(calm) / 9e21).toBeLessThan(0.997)
    // Without a volume nobody knows that the pool refills: the days pay for one sale of all of it.
    const once = outcomeOf([], [pool], null)
    const cost = poolExit([pool], [])!(9000n * X18)
    expect(Number(once.counted.realisableQuote) / 9e21).toBeCloseTo(1 - Number(cost) / 1e18, 9)
    expect(once.counted.realisableQuote).toBeLessThan((calm * 9n) / 10n)
    expect(once.gaps).toEqual([{ assetId: 'pooled', leg: null, code: 'VOLUME_UNAVAILABLE' }])
    expect(thin).toBeLessThan(calm)
    expect(elsewhere).toBe(calm)
    const gone: Leg = { kind: 'DEPTH_WITHDRAWAL', removePips: 1_000_000 }
    expect(outcomeOf([gone], [pool], null).counted.realisableQuote).toBe(0n)
    // Two like pools cost what one of twice the depth does, whatever their quotes are called.
    const two = pooled([], [pool, { ...pool, venueId: 'second' }])
    expect(two).toBeGreaterThan(calm)
    const other = pooled([], [pool, { ...pool, venueId: 'second', quoteId: 'eth' }])
    expect(Number(other) / Number(two)).toBeCloseTo(1, 6)
  })

  it('gives nothing for what has no market, and says so', () => {
    const locked = holding({ assetId: 'locked', tier: 3, quantity: 10n })
    expect(runScenario({ ...books, holdings: [locked] }, [], sale, observed)).toMatchObject({
      counted: { realisableQuote: 0n },
      unsold: [{ assetId: 'locked', quantity: 10n, cause: 'UNSOLD' }],
      gaps: [{ assetId: 'locked', leg: null, code: 'NO_EXIT_LIQUIDITY' }],
    })
  })

  it('keeps the own token apart unless the books say that it counts', () => {
    const token = { ...own, tier: 4 as const }
    const one = { ...books, holdings: [cash, token] }
    const apart = runScenario(one, [], sale, observed)
    expect(apart.counted.markQuote).toBe(1_000_000n * 10n ** 9n)
    expect(apart.apart.markQuote).toBe(10_000_000n * 10n ** 9n)
    const counted = runScenario({ ...one, countsOwnToken: true }, [], sale, observed)
    expect(counted.counted.markQuote).toBe(11_000_000n * 10n ** 9n)
    // Its haircut leaves nothing of it in the stock.
    expect(counted.coverage.stockQuote).toBe(apart.coverage.stockQuote)
    expect(counted.apart.beforeQuote).toBe(0n)
  })

  it('sells what is locked from the day on which it is free, and of the rest says that it was locked', () => {
    const lots = [0, 20, null].map((lockedDays) => ({ ...own, quantity: 10n ** 14n, lockedDays }))
    const { unsold, drivers } = runScenario({ ...books, holdings: lots }, [], sale, observed)
    expect(unsold).toEqual([
      {
        assetId: 'own',
        tier: 3,
        quantity: 10n ** 14n,
        cause: 'LOCKED',
        markQuote: 2n * 10n ** 14n,
      },
    ])
    expect(drivers.map(({ subject }) => subject)).toEqual(['IMPACT', 'LOCKED', 'UNSOLD'])
  })
})

describe('a severity', () => {
  const legs: Leg[] = [
    { kind: 'PRICE', asset: 'own', movePips: -400_000 },
    { kind: 'DEPEG', asset: 'stable', pricePips: 880_000, days: 3, recoveryPips: 1_000_000 },
    { kind: 'HISTORICAL', window: 'march-2020' },
    { kind: 'DEPTH_WITHDRAWAL', removePips: 700_000 },
    { kind: 'FREEZE', containers: ['custodian'], days: 5 },
    { kind: 'OBLIGATION_ACCELERATION', obligationKinds: ['GRANT'], toDays: 10 },
    { kind: 'REVENUE', multiplierPips: 500_000 },
  ]

  it('of one is the scenario, of none no scenario, and never makes a share of more than all', () => {
    const run = (some: readonly Leg[]) => runScenario(books, some, sale, observed)
    expect(run(scaleLegs(legs, 1))).toEqual(run(legs))
    const { drivers: _, flags: __, ...calm } = run(scaleLegs(legs, 0))
    const { drivers: ___, flags: ____, ...none } = run([])
    expect(calm).toEqual(none)
    expect(scaleLegs(legs, 3)).toMatchObject([
      { movePips: -1_000_000 },
      { pricePips: 640_000 },
      { times: 3 },
      { removePips: 1_000_000 },
      { days: 15 },
      { sharePips: 1_000_000 },
      { multiplierPips: 0 },
    ])
    expect(() => scaleLegs(legs, -1)).toThrow(RangeError)
  })

  it('that is higher leaves less', () => {
    const left = [0, 0.5, 1, 1.5, 2, 3].map((severity) => {
      const { counted } = runScenario(books, scaleLegs(legs, severity), sale, observed)
      return counted.realisableQuote
    })
    expect(left.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0))).toEqual(left)
  })
})

const text = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
