import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Q96, type Rat } from '../arithmetic/integer.ts'
import { X36 } from '../numerics/fixed-point.ts'
import { priceWithoutTrades, sellFromBootstrappingPool } from './bootstrapping-pool.ts'
import { type ClearingAuction, clearAuction } from './continuous-clearing-auction.ts'
import { criticalChain, type PlannedStep, TimelineError, timedSteps } from './critical-path.ts'
import { type Bid, drawDemand, isAtMost, type Sale } from './demand.ts'
import { dutchPrice, sellAtFixedPrice, sellByDutchAuction } from './posted-price.ts'
import { sellFromPool } from './seeded-pool.ts'

const e18 = 10n ** 18n
const price = (num: bigint | number, den: bigint | number = 1): Rat => ({
  num: BigInt(num),
  den: BigInt(den),
})
const bid = (budget: bigint, maximum: Rat, atSeconds = 0): Bid => ({
  budget,
  maximumPrice: maximum,
  atSeconds,
})
/** A price to nine places: rates of bids are rounded down in the 96th bit. */
const near = ({ num, den }: Rat) => Number((Number(num) / Number(den)).toFixed(9))
const anyBid = fc
  .tuple(
    fc.bigInt(1n, 10n ** 21n),
    fc.integer({ min: 1, max: 400 }),
    fc.integer({ min: 0, max: 99 }),
  )
  .map(([budget, cents, at]) => bid(budget, price(cents, 100), at))
const anyBids = fc.array(anyBid, { maxLength: 12 })

const fixed = { price: price(2), tokens: 100n, cap: 150n }
const dutch = {
  startPrice: price(4),
  endPrice: price(1),
  epochSeconds: 10,
  durationSeconds: 40,
  tokens: 100n,
  minimumProceeds: 50n,
  maximumProceeds: 300n,
}
const auction: ClearingAuction = {
  tokens: 1_000n,
  blocks: 100,
  steps: [{ mps: 100_000, blocks: 100 }],
  blockSeconds: 1,
  floorPriceX96: Q96,
  tickSpacing: Q96 / 128n,
  requiredCurrencyRaised: 0n,
}
const bootstrap = {
  startAt: 0,
  endAt: 99,
  token: 10_000_000n * e18,
  quote: 250_000n * e18,
  startWeightPips: 900_000,
  endWeightPips: 200_000,
  feePips: 3_000,
}
const pool = {
  price: price(1),
  feePips: 3_000,
  bands: [{ lowerRootX36: 0n, upperRootX36: null, liquidity: 1_000n * e18 }],
}

const mechanisms: readonly [string, (bids: readonly Bid[]) => Sale, bigint][] = [
  [
    'a fixed price',
    (bids) => sellAtFixedPrice({ ...fixed, tokens: 10n ** 20n, cap: 10n ** 20n }, bids),
    10n ** 20n,
  ],
  [
    'a Dutch auction',
    (bids) =>
      sellByDutchAuction(
        { ...dutch, tokens: 10n ** 20n, durationSeconds: 100, maximumProceeds: 10n ** 21n },
        bids,
      ),
    10n ** 20n,
  ],
  [
    'a clearing auction',
    (bids) => clearAuction({ ...auction, tokens: 10n ** 20n }, bids),
    10n ** 20n,
  ],
  [
    'a bootstrapping pool',
    (bids) => sellFromBootstrappingPool(bootstrap, bids, 8),
    bootstrap.token,
  ],
  ['a seeded pool', (bids) => sellFromPool(pool, bids), 1_000n * e18],
]

describe.each(mechanisms)('%s', (_name, sell, tokens) => {
  it('never sells more than it has, takes more than is bid, or sells below what was paid for it', () => {
    fc.assert(
      fc.property(anyBids, (bids) => {
        const sale = sell(bids)
        const budgets = bids.reduce((sum, { budget }) => sum + budget, 0n)
        expect(sale.sold).toBeLessThanOrEqual(tokens)
        // A payment is rounded up by at most an atom for each bid and stretch.
        expect(sale.raised).toBeLessThanOrEqual(budgets + 400n)
        expect(sale.filled).toBeLessThanOrEqual(bids.length)
        const highest = bids.reduce(
          (most, { maximumPrice }) => (isAtMost(most, maximumPrice) ? maximumPrice : most),
          price(0),
        )
        // Nobody pays more than the highest limit, but for the fee and the roundings.
        const slack = sale.raised / 100n + 1_000n
        expect(sale.raised * highest.den).toBeLessThanOrEqual(
          sale.sold * highest.num + slack * highest.den + 1_000n * highest.num,
        )
        for (const [place, point] of sale.path.slice(1).entries()) {
          expect(point.sold).toBeGreaterThanOrEqual(sale.path[place]!.sold)
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe('a fixed price', () => {
  it('serves who comes first until tokens or cap are gone', () => {
    const sale = sellAtFixedPrice(fixed, [
      bid(101n, price(3), 5),
      bid(60n, price(2), 1),
      bid(1_000n, price(1), 0),
    ])
    // 30 tokens for 60, then 45 for the 90 that the cap leaves.
    expect([sale.sold, sale.raised, sale.filled]).toEqual([75n, 150n, 2])
  })
})

describe('a Dutch auction', () => {
  it('falls in a straight line from its first epoch to its last', () => {
    const told = [0, 1, 2, 3, 9].map((epoch) => {
      const { num, den } = dutchPrice(dutch, epoch)
      return Number(num) / Number(den)
    })
    expect(told).toEqual([4, 3, 2, 1, 1])
  })

  it('sells to each when the price reaches the limit, and pays back below its minimum', () => {
    const sale = sellByDutchAuction(dutch, [
      bid(30n, price(3)),
      bid(10n, price(1)),
      bid(40n, price(9), 25),
    ])
    expect(sale.path.map(({ sold }) => sold)).toEqual([0n, 10n, 30n, 40n])
    expect([sale.raised, sale.isSuccessful]).toEqual([80n, true])
    expect(sellByDutchAuction(dutch, [bid(30n, price(3))]).isSuccessful).toBe(false)
    expect(() => sellByDutchAuction({ ...dutch, endPrice: price(5) }, [])).toThrow('rising price')
  })
})

describe('a clearing auction', () => {
  it('clears at what is spent over what is sold', () => {
    // 3000 for 1000 tokens: 3 each.
    const sale = clearAuction(auction, [bid(1_000n, price(9)), bid(2_000n, price(5))])
    expect(near(sale.path.at(-1)!.price)).toBe(3)
    expect([sale.sold, sale.raised]).toEqual([333n + 666n, 3_000n])
  })

  it('clears at the limit of those who share what others leave', () => {
    // Those at 2 bring 3000, those above 1000: at 2 the supply is worth 2000, so they get 1000 of it.
    const sale = clearAuction(auction, [bid(1_000n, price(9)), bid(3_000n, price(2))])
    expect(sale.path.at(-1)!.price).toEqual({ num: 2n * Q96, den: Q96 })
    expect([sale.sold, sale.raised]).toEqual([998n, 2_000n])
  })

  it('sells at the floor what is spent there and keeps the rest', () => {
    const sale = clearAuction(auction, [bid(400n, price(9)), bid(9_000n, price(99, 100))])
    expect([sale.sold, sale.raised, sale.filled]).toEqual([399n, 400n, 1])
  })

  it('lets a late bid spread over what is left, and drops who is outbid', () => {
    const sale = clearAuction(auction, [bid(1_000n, price(3, 2)), bid(2_000n, price(9), 50)])
    const prices = sale.path.map(({ price: at }) => near(at))
    // Alone it pays one for each; then 4 are spent for each, and it is out.
    expect(prices).toEqual([1, 4])
    expect(sale.raised).toBe(500n + 2_000n)
  })

  it('releases its supply by its steps, whole, or is refused', () => {
    const steps = [
      { mps: 50_000, blocks: 60 },
      { mps: 175_000, blocks: 40 },
    ]
    expect(clearAuction({ ...auction, steps }, [bid(1_000n, price(9))]).sold).toBeGreaterThan(990n)
    expect(() => clearAuction({ ...auction, blocks: 99 }, [])).toThrow('expected 99')
  })

  it('graduates only with what it asks for', () => {
    const asking = { ...auction, requiredCurrencyRaised: 1_001n }
    expect(clearAuction(asking, [bid(1_000n, price(9))]).isSuccessful).toBe(false)
  })
})

describe('a bootstrapping pool', () => {
  it('has the prices of the published case while nobody trades', () => {
    const told = sellFromBootstrappingPool(bootstrap, [], 5).path.map(
      ({ price: { num, den } }) => Number((num * 10n ** 8n) / den) / 1e8,
    )
    const [first, , , , last] = told
    expect([first, last]).toEqual([0.225, 0.00625])
    const quarter = priceWithoutTrades({ ...bootstrap, endAt: 100 }, 25)
    expect(Number(quarter.num) / Number(quarter.den)).toBeCloseTo(0.06591, 5)
  })

  it('is bought up to a limit and no further, and holds it by what comes later', () => {
    const limit = price(1, 10)
    const sale = sellFromBootstrappingPool(
      { ...bootstrap, feePips: 0 },
      [bid(10n ** 24n, limit)],
      12,
    )
    for (const { price: at } of sale.path.slice(6)) {
      expect(Number(at.num) / Number(at.den)).toBeCloseTo(0.1, 9)
      expect(at.num * limit.den).toBeLessThanOrEqual(limit.num * at.den + at.den / 10n ** 12n)
    }
    expect(sale.raised).toBeGreaterThan(0n)
  })
})

describe('a seeded pool', () => {
  it('gives what a constant product gives', () => {
    const sale = sellFromPool({ ...pool, feePips: 0 }, [bid(1_000n * e18, price(100))])
    // Twice the quote halves the tokens.
    expect([sale.sold, sale.raised]).toEqual([500n * e18, 1_000n * e18])
    expect(sale.path.at(-1)!.price).toEqual({ num: 4n * X36 * X36, den: X36 * X36 })
  })

  it('stops at a limit, and where its last band ends', () => {
    const limited = sellFromPool({ ...pool, feePips: 0 }, [bid(10n ** 24n, price(4))])
    expect(limited.raised).toBe(1_000n * e18)
    const bands = [{ lowerRootX36: 0n, upperRootX36: 2n * X36, liquidity: 1_000n * e18 }]
    expect(sellFromPool({ ...pool, bands, feePips: 0 }, [bid(10n ** 24n, price(99))]).raised).toBe(
      1_000n * e18,
    )
  })
})

describe('a drawn demand', () => {
  const terms = {
    seed: new Uint8Array(32).fill(7),
    bidders: 50,
    totalBudget: 10n ** 24n,
    medianPrice: price(2),
    spreadPips: 300_000,
    windowSeconds: 86_400,
  }

  it('is the same for a seed, spends what it has and comes in order', () => {
    const bids = drawDemand(terms)
    expect(bids).toEqual(drawDemand(terms))
    expect(bids).not.toEqual(drawDemand({ ...terms, seed: new Uint8Array(32) }))
    const spent = bids.reduce((sum, { budget }) => sum + budget, 0n)
    expect(10n ** 24n - spent).toBeLessThan(50n)
    expect(bids.map(({ atSeconds }) => atSeconds)).toEqual(
      bids.map(({ atSeconds }) => atSeconds).sort((a, b) => a - b),
    )
    const above = bids.filter(({ maximumPrice: { num, den } }) => num > 2n * den).length
    expect(above).toBeGreaterThan(15)
    expect(above).toBeLessThan(35)
    expect(() => drawDemand({ ...terms, bidders: 501 })).toThrow('501')
  })
})

describe('a timeline', () => {
  const step = (
    key: string,
    plannedAt: number,
    dependsOn: string[] = [],
    more: Partial<PlannedStep> = {},
  ) => ({
    key,
    plannedAt,
    durationSeconds: 10,
    dependsOn,
    doneAt: null,
    isAppointment: true,
    ...more,
  })

  it('knows what may wait and what may not', () => {
    const steps = [
      step('a', 0),
      step('b', 0, [], { durationSeconds: 4 }),
      step('c', 10, ['b', 'a']),
    ]
    const told = timedSteps(steps, 0)
    expect(told.map(({ key, slackSeconds }) => [key, slackSeconds])).toEqual([
      ['a', 0],
      ['b', 6],
      ['c', 0],
    ])
    expect(criticalChain(steps, told, 'c')).toEqual(['a', 'c'])
  })

  it('lets work begin as soon as it can, and an appointment at its time', () => {
    const steps = [step('work', 50, [], { isAppointment: false }), step('meeting', 100, ['work'])]
    const told = timedSteps(steps, 0)
    expect(told.map(({ earliestStart, slackSeconds }) => [earliestStart, slackSeconds])).toEqual([
      [0, 90],
      [100, 0],
    ])
  })

  it('moves what follows when something is late, and not when it was done', () => {
    const late = timedSteps([step('a', 0), step('b', 10, ['a'])], 100)
    expect(late.map(({ earliestStart }) => earliestStart)).toEqual([100, 110])
    const done = timedSteps([step('a', 0, [], { doneAt: 5 }), step('b', 10, ['a'])], 7)
    expect(done.map(({ earliestStart }) => earliestStart)).toEqual([5, 10])
    const steps = [step('a', 0, [], { doneAt: 5 }), step('b', 10, ['a'])]
    expect(criticalChain(steps, done, 'b')).toEqual(['b'])
    expect(criticalChain(steps, done, 'a')).toEqual([])
  })

  it('tells a ring and a step that is not there', () => {
    const ring = () =>
      timedSteps([step('a', 0, ['c']), step('b', 0, ['a']), step('c', 0, ['b'])], 0)
    expect(ring).toThrow(TimelineError)
    expect(ring).toThrow('a cycle of steps: a → c → b → a')
    expect(() => timedSteps([step('a', 0, ['x'])], 0)).toThrow('an unknown step: a → x')
  })

  it('has slack at nothing below zero, and begins nothing before what it waits for', () => {
    const graph = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.array(fc.nat(), { maxLength: 3 })), {
        minLength: 1,
        maxLength: 20,
      })
      .map((all) =>
        all.map(([at, deps], place) =>
          step(
            `s${place}`,
            at,
            place === 0 ? [] : [...new Set(deps.map((one) => `s${one % place}`))],
          ),
        ),
      )
    fc.assert(
      fc.property(graph, fc.integer({ min: 0, max: 60 }), (steps, now) => {
        const told = timedSteps(steps, now)
        expect(told.every(({ slackSeconds }) => slackSeconds >= 0)).toBe(true)
        for (const { key, dependsOn } of steps) {
          const own = told.find((one) => one.key === key)!
          for (const before of dependsOn) {
            expect(told.find((one) => one.key === before)!.earliestFinish).toBeLessThanOrEqual(
              own.earliestStart,
            )
          }
        }
      }),
      { numRuns: 50 },
    )
  })
})
