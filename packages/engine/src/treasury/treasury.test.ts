import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { impactPips, type Sale, sellFor } from './convert.ts'
import { treasuryCourse } from './course.ts'
import { flowAmounts } from './flow-amounts.ts'
import { lineSensitivity } from './line-sensitivity.ts'
import { pricesAlong } from './price-path.ts'
import {
  monthlyFlows,
  policyLevel,
  probabilityOf,
  projectScenario,
  scenarioPrices,
} from './projection.ts'
import { projectionWork } from './projection-work.ts'
import { runwayOf } from './runway.ts'
import {
  ONE_X36,
  type PricePath,
  type ProjectedAsset,
  type ProjectedFlow,
  type ProjectedHolding,
  type ProjectedScenario,
  type Tier,
  type TreasuryTerms,
} from './terms.ts'
import { treasuryPaths } from './treasury-paths.ts'

const usd: ProjectedAsset = { assetKey: 'iso4217:USD', priceX36: ONE_X36, tier: 0, market: null }
const asset = (tier: Tier, price: bigint | null, more: object = {}): ProjectedAsset => ({
  assetKey: `T${tier}`,
  priceX36: price === null ? null : price * ONE_X36,
  tier,
  market: null,
  ...more,
})
const holding = (
  place: number,
  tier: Tier,
  opening: bigint,
  more: object = {},
): ProjectedHolding => ({
  asset: place,
  tier,
  isDirect: true,
  opening,
  returns: [],
  ...more,
})
const months = 12
const monthly = (amount: bigint) => Array.from({ length: months }, () => amount)
const flow = (more: Partial<ProjectedFlow> = {}): ProjectedFlow => ({
  id: 'payroll',
  asset: 0,
  direction: 'OUTFLOW',
  certainty: 'COMMITTED',
  growthAnnualPips: 0,
  isAssumed: true,
  due: monthly(300_000n),
  dueAt: Array.from({ length: months }, (_, month) => month),
  ...more,
})
const base = (assets: number, more: Partial<ProjectedScenario> = {}): ProjectedScenario => ({
  scenarioId: 'base',
  inflowMultiplierPips: 1_000_000,
  outflowMultiplierPips: 1_000_000,
  paths: Array.from({ length: assets }, () => ({ kind: 'HOLD' })),
  inflowDelayMonths: 0,
  ...more,
})
const terms = (more: Partial<TreasuryTerms> = {}): TreasuryTerms => ({
  months,
  elapsed: 0,
  firstMonthX3: 1000,
  assets: [usd],
  holdings: [holding(0, 0, 1_000_000n)],
  flows: [flow()],
  haircutPips: [0, 20_000, 400_000, 700_000, 1_000_000],
  conversionOrder: [1, 2, 3],
  ownToken: null,
  minimumCashQuote: 0n,
  ...more,
})

describe('a first month that has begun', () => {
  const paid = (paid: bigint, due: bigint) => ({ paid, due })

  it.each([
    ['that lasts counts as what is left of it', [paid(1n, 1n), paid(1n, 2n)], 666],
    ['that does not last counts as the paid share of what is left', [paid(1n, 2n)], 83],
    ['shortens the horizon', [paid(1n, 1n), paid(1n, 1n)], 1166],
  ] as const)('%s', (_, shares, months) => {
    expect(runwayOf(shares, 166).monthsX3).toBe(months)
  })
})

describe('a runway', () => {
  it('of a million against 300,000 a month is 3.333 months', () => {
    const { runway, months: course, depletionMonth, trough } = projectScenario(terms(), base(1))
    expect(runway.cash.gross).toEqual({ monthsX3: 3333, beyondHorizon: false })
    expect(runway.withOwnToken).toBeNull()
    expect([depletionMonth, trough]).toEqual([3, { month: 3, cashQuote: 0n }])
    expect(course[3]).toMatchObject({
      paidQuote: 100_000n,
      unmetQuote: 200_000n,
      dueQuote: 300_000n,
    })
    expect(course[4]).toMatchObject({ arrearsQuote: 200_000n, unmetQuote: 500_000n })
  })

  it('beyond the horizon is the horizon, and says so', () => {
    const rich = terms({ holdings: [holding(0, 0, 10n ** 12n)] })
    expect(projectScenario(rich, base(1)).runway.cash.net).toEqual({
      monthsX3: 12_000,
      beyondHorizon: true,
    })
  })

  it('looks at what is COMMITTED, which is paid first whatever is due first', () => {
    const early = flow({ id: 'grants', certainty: 'EXPECTED', dueAt: monthly(0n).map(() => -1) })
    const { months: course, runway } = projectScenario(terms({ flows: [early, flow()] }), base(1))
    expect(runway.cash.gross.monthsX3).toBe(2000)
    expect(course[1]).toMatchObject({
      unmetQuote: 200_000n,
      committedPaid: { paid: 300_000n * ONE_X36 },
    })
  })

  it('counts arrears in the share that was paid', () => {
    const due = [600_000n, 800_000n, ...monthly(0n).slice(2)]
    const { runway } = projectScenario(terms({ flows: [flow({ due })] }), base(1))
    expect(runway.cash.gross.monthsX3).toBe(1500)
  })

  it('in the gross view knows committed inflow only, in the net view the rest by its chance', () => {
    const income = (certainty: ProjectedFlow['certainty'], more: object = {}) =>
      flow({ id: certainty, direction: 'INFLOW', certainty, due: monthly(150_000n), ...more })
    const one = (income: ProjectedFlow) =>
      projectScenario(terms({ flows: [flow(), income] }), base(1)).runway.cash
    expect(one(income('COMMITTED')).gross.monthsX3).toBe(6833)
    expect(one(income('EXPECTED'))).toMatchObject({
      gross: { monthsX3: 3333 },
      net: { monthsX3: 6833 },
    })
    expect(one(income('UNCERTAIN', { probabilityPips: 500_000 })).net.monthsX3).toBe(4583)
  })

  it('at the three levels sells what each may sell, the own token within its bounds only', () => {
    const market = { dailyVolume: 1000n, dailyVolatilityPips: 0n }
    const all = {
      assets: [usd, asset(2, 10n), asset(4, 1n, { market })],
      holdings: [holding(0, 0, 300_000n), holding(1, 2, 50_000n), holding(2, 4, 10n ** 9n)],
    }
    const none = projectScenario(terms(all), base(3)).runway
    expect([none.cash.gross.monthsX3, none.liquid.gross.monthsX3]).toEqual([1000, 2000])
    const ownToken = { maximumParticipationPips: 1_000_000, floorPriceX36: 0n }
    const order = [1, 2, 3, 4] as const
    const sold = projectScenario(terms({ ...all, ownToken, conversionOrder: order }), base(3))
    // Thirty days of a thousand at one are a tenth of what is owed.
    expect(sold.runway.withOwnToken!.gross.monthsX3).toBe(2100)
    expect(sold.runway.liquid.gross.monthsX3).toBe(2000)
    const floor = { ...ownToken, floorPriceX36: 2n * ONE_X36 }
    const kept = projectScenario(
      terms({ ...all, ownToken: floor, conversionOrder: order }),
      base(3),
    )
    expect(kept.runway.withOwnToken!.gross.monthsX3).toBe(2000)
  })

  it('is longer by what each line does to it', () => {
    expect(lineSensitivity(terms(), base(1))).toEqual([
      { id: 'payroll', moreX3: -556, lessX3: 833 },
    ])
  })
})

describe('the sensitivity of lines', () => {
  const alternating = (count: number) =>
    Array.from({ length: count }, (_, place) =>
      flow({
        id: `${place}`,
        asset: place % 2,
        due: monthly(1000n + BigInt(place)),
        dueAt: monthly(0n).map((_, month) => 100 * month + place),
      }),
    )
  const two = {
    assets: [usd, asset(2, 10n)],
    holdings: [holding(0, 0, 10n ** 6n), holding(1, 2, 10n ** 5n)],
  }

  it('is that of the lines themselves, one by one, in every world', () => {
    fc.assert(
      fc.property(worlds, ([one, scenario]) => {
        const net = (changed: string, factor: bigint) => {
          const flows = monthlyFlows(one, scenario, 'net', (each) =>
            each.id === changed ? (probabilityOf(each) * factor) / 1_000_000n : probabilityOf(each),
          )
          const prices = scenarioPrices(one, scenario)
          const course = treasuryCourse(one, flows, prices, policyLevel(one))
          return runwayOf(
            course.map(({ committedPaid }) => committedPaid),
            1000,
          ).monthsX3
        }
        const base = net('', 1_000_000n)
        for (const { id, moreX3, lessX3 } of lineSensitivity(one, scenario)) {
          // In each of the two runways, grouped sales are rounded once and single sales each.
          expect(Math.abs(moreX3 - net(id, 1_200_000n) + base)).toBeLessThanOrEqual(2)
          expect(Math.abs(lessX3 - net(id, 800_000n) + base)).toBeLessThanOrEqual(2)
        }
      }),
      { numRuns: 10 },
    )
  })

  it('reads each line as often as there are lines to be varied in it: not once for every other', () => {
    const reads = (count: number) => {
      let sum = 0
      const flows = alternating(count).map((one) => ({
        ...one,
        get due() {
          sum += 1
          return one.due
        },
      }))
      lineSensitivity(terms({ ...two, flows }), base(2))
      return sum
    }
    expect(reads(80)).toBe(2 * reads(40))
  })

  it('is counted before it is made', () => {
    const one = terms({ ...two, flows: alternating(6) })
    // Twelve months of six payments and two holdings: seven courses of the scenario, twelve of lines.
    expect(projectionWork(one, base(2), 1)).toEqual({
      steps: 7 * 12 * (6 + 2) + 12 * 12 * (6 + 2),
      stepsOfPath: 3 * 12 * (6 + 2),
    })
    const neighbours = alternating(6).map((each) => ({ ...each, asset: 0 }))
    expect(projectionWork(terms({ ...two, flows: neighbours }), base(2), 1)).toEqual({
      steps: 7 * 12 * (6 + 2) + 12 * 12 * (1 + 2),
      stepsOfPath: 3 * 12 * (1 + 2),
    })
  })
})

describe('amounts and prices', () => {
  it('are rounded once and against the treasury, grown by the year and delayed', () => {
    const due = Array.from({ length: 25 }, () => 7n)
    const grown = { due, growthAnnualPips: 100_000, dueAt: due.map(() => 0) }
    const plain = base(1, { inflowDelayMonths: 1, inflowMultiplierPips: 500_000 })
    const out = flowAmounts(flow(grown), plain)
    expect([out[0], out[12], out[24]]).toEqual([7n, 8n, 9n])
    const come = flowAmounts(flow({ ...grown, direction: 'INFLOW' }), plain)
    expect([come[0], come[1], come[13]]).toEqual([0n, 3n, 3n])
    const owed = flowAmounts(flow({ ...grown, isAssumed: false, direction: 'INFLOW' }), plain)
    expect(owed[0]).toBe(7n)
  })

  it('move along each kind of path', () => {
    const along = (path: PricePath) => pricesAlong(1000n, path, 4)
    expect(along({ kind: 'HOLD' })).toEqual([1000n, 1000n, 1000n, 1000n])
    expect(along({ kind: 'STEP', month: 2, movePips: -500_000 })).toEqual([
      1000n,
      1000n,
      500n,
      500n,
    ])
    expect(along({ kind: 'LINEAR', movePips: -1_000_000 })).toEqual([750n, 500n, 250n, 0n])
    expect(along({ kind: 'PATH', movesPips: [1, -1, 0, 1000] })).toEqual([
      1000n,
      999n,
      1000n,
      1001n,
    ])
    expect(() => along({ kind: 'PATH', movesPips: [1] })).toThrow(RangeError)
  })

  it('of a sale are what the square-root law says where that is dearer', () => {
    const market = { dailyVolume: 2_000_000n, dailyVolatilityPips: 50_000n }
    // 5 % · √(15 M / 60 M) = 2.5 %
    expect(impactPips(15_000_000n, market)).toBe(25_000n)
    const sale: Sale = {
      available: 10n ** 9n,
      priceX36: ONE_X36,
      haircutPips: 1000n,
      market,
      soldBefore: 0n,
    }
    const { sold, received } = sellFor(14_000_000n, ONE_X36, sale)
    expect(received).toBe(14_000_000n)
    expect((sold * (1_000_000n - impactPips(sold, market))) / 1_000_000n).toBe(14_000_000n)
  })
})

const amounts = fc.bigInt({ min: 0n, max: 10n ** 24n })
const tiers = fc.constantFrom<Tier>(0, 1, 2, 3, 4)
const worlds = fc
  .record({
    prices: fc.array(fc.option(fc.bigInt({ min: 1n, max: 10n ** 40n })), {
      minLength: 1,
      maxLength: 5,
    }),
    tiers: fc.array(tiers, { minLength: 5, maxLength: 5 }),
    openings: fc.array(amounts, { minLength: 5, maxLength: 5 }),
    volumes: fc.array(fc.option(fc.bigInt({ min: 1n, max: 10n ** 22n })), {
      minLength: 5,
      maxLength: 5,
    }),
    flows: fc.array(
      fc.record({
        asset: fc.nat(4),
        isIn: fc.boolean(),
        certainty: fc.constantFrom('COMMITTED', 'EXPECTED', 'UNCERTAIN'),
        due: fc.array(amounts, { minLength: 6, maxLength: 6 }),
        growth: fc.integer({ min: -500_000, max: 2_000_000 }),
      }),
      { maxLength: 6 },
    ),
    move: fc.integer({ min: -1_000_000, max: 2_000_000 }),
    delay: fc.nat(3),
  })
  .map((made): [TreasuryTerms, ProjectedScenario] => {
    const count = made.prices.length
    const assets = made.prices.map((priceX36, place): ProjectedAsset => {
      const dailyVolume = made.volumes[place]
      const market = dailyVolume == null ? null : { dailyVolume, dailyVolatilityPips: 40_000n }
      return { assetKey: `${place}`, priceX36, tier: made.tiers[place]!, market }
    })
    const flows = made.flows.map((one, place) =>
      flow({
        id: `${place}`,
        asset: one.asset % count,
        probabilityPips: 300_000,
        direction: one.isIn ? 'INFLOW' : 'OUTFLOW',
        certainty: one.certainty as 'COMMITTED',
        due: one.due,
        dueAt: one.due.map(() => place),
        growthAnnualPips: one.growth,
      }),
    )
    const order = [1, 2, 3, 4] as const
    const ownToken = { maximumParticipationPips: 500_000, floorPriceX36: 10n ** 30n }
    const holdings = assets.map(({ tier }, place) => holding(place, tier, made.openings[place]!))
    return [
      terms({ months: 6, assets, holdings, flows, conversionOrder: order, ownToken }),
      base(count, {
        paths: assets.map(() => ({ kind: 'LINEAR', movePips: made.move })),
        inflowDelayMonths: made.delay,
      }),
    ]
  })

describe('in every world', () => {
  it('closing = opening + in − out + received − sold, and nothing falls below zero', () => {
    fc.assert(
      fc.property(worlds, ([one, scenario]) => {
        const { months: course } = projectScenario(one, scenario)
        for (const [index, { holdings, conversions }] of course.entries()) {
          for (const [place, row] of holdings.entries()) {
            const { opening, inflow, outflow, received, sold, closing } = row
            expect(closing).toBe(opening + inflow - outflow + received - sold)
            expect(closing).toBeGreaterThanOrEqual(0n)
            expect(opening).toBe(
              index > 0
                ? course[index - 1]!.holdings[place]!.closing
                : one.holdings[place]!.opening,
            )
          }
          const total = (of: 'sold' | 'received') =>
            holdings.reduce((sum, row) => sum + row[of], 0n)
          expect(total('sold')).toBe(conversions.reduce((sum, { sold }) => sum + sold, 0n))
          expect(total('received')).toBe(
            conversions.reduce((sum, { received }) => sum + received, 0n),
          )
        }
      }),
    )
  })

  it('no sale brings more than its value, and arrears are what was unmet', () => {
    fc.assert(
      fc.property(worlds, ([one, scenario]) => {
        const { months: course, pricesX36 } = projectScenario(one, scenario)
        for (const [index, { conversions, month }] of course.entries()) {
          for (const { from, to, sold, received } of conversions) {
            const price = (place: number) => pricesX36[month]![one.holdings[place]!.asset]!
            expect(received * price(to)).toBeLessThanOrEqual(sold * price(from))
          }
          const price = pricesX36[month]!
          const isSteady = price.every((each, place) => each === pricesX36[month + 1]?.[place])
          if (isSteady) expect(course[index + 1]!.arrearsQuote).toBe(course[index]!.unmetQuote)
        }
      }),
    )
  })

  it('cash against the same amount every month lasts for their quotient', () => {
    const above = fc.bigInt({ min: 1n, max: 10n ** 24n })
    fc.assert(
      fc.property(above, above, (cash, owed) => {
        const one = terms({
          holdings: [holding(0, 0, cash)],
          flows: [flow({ due: monthly(owed) })],
        })
        const lasts = (cash * 1000n) / owed
        expect(projectScenario(one, base(1)).runway.cash.gross).toEqual({
          monthsX3: lasts < 12_000n ? Number(lasts) : 12_000,
          beyondHorizon: cash >= 12n * owed,
        })
      }),
    )
  })

  it('the share that was paid never passes one', () => {
    fc.assert(
      fc.property(worlds, ([one, scenario]) => {
        for (const { committedPaid } of projectScenario(one, scenario).months) {
          expect(committedPaid.paid).toBeGreaterThanOrEqual(0n)
          expect(committedPaid.paid).toBeLessThanOrEqual(committedPaid.due)
        }
      }),
    )
  })
})

describe('paths', () => {
  const two = terms({
    assets: [usd, asset(2, 10n)],
    holdings: [holding(0, 0, 1_000_000n), holding(1, 2, 500_000n)],
    flows: [
      flow(),
      flow({
        id: 'sale',
        direction: 'INFLOW',
        certainty: 'UNCERTAIN',
        probabilityPips: 500_000,
        due: monthly(100_000n),
      }),
    ],
  })
  const returns = (rows: number) =>
    Array.from({ length: rows }, (_, day) => [((day * 7919) % 101) / 1000 - 0.05])
  const poor = { ...two, holdings: [holding(0, 0, 1_000_000n), holding(1, 2, 0n)] }
  const run = (rows: number, seed = 1, of = two) =>
    treasuryPaths(of, base(2), {
      seed: new Uint8Array(32).fill(seed),
      returns: returns(rows),
      moving: [1],
      paths: 500,
    })

  it('are the same for the same seed and others for another', () => {
    expect(run(300)).toEqual(run(300))
    expect(run(300)).not.toEqual(run(300, 2))
  })

  it('take blocks of observed days, t₄ where they are few, and hold prices without any', () => {
    expect([run(300), run(100), run(10)].map(({ model }) => model)).toEqual([
      ...['BLOCKS', 'STUDENT_T4', 'HOLD'],
    ])
  })

  it('without moves draw only what is uncertain, at its chance', () => {
    const { runwayMonthsX3, unmetByMonthPips, cashFlowAtRiskQuote } = run(10, 1, poor)
    const with_ = (due: bigint) =>
      projectScenario(
        { ...poor, flows: [flow(), flow({ id: 's', direction: 'INFLOW', due: monthly(due) })] },
        base(2),
      ).runway.liquid.gross.monthsX3
    expect([runwayMonthsX3.p05, runwayMonthsX3.p95]).toEqual([with_(0n), with_(100_000n)])
    expect(cashFlowAtRiskQuote[0]).toBe(-900_000n)
    expect(unmetByMonthPips.toSorted((a, b) => a - b)).toEqual(unmetByMonthPips)
    expect(unmetByMonthPips.some((pips) => pips > 440_000 && pips < 560_000)).toBe(true)
  })
})
