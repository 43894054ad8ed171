import type { CpmmState } from '@liquidity-os/engine/amm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AllocationInput, AllocationPlan, AllocationRequest } from './allocation-input.ts'
import allocate from './allocation-task.ts'
import { computePlan } from './compute-plan.ts'
import { figuresOf } from './plan-payload.ts'
import { readProblem } from './problem.ts'
import { around, curve, e18, input, option, pair, pool, venue } from './testing/inputs.ts'
import { requireSoundRequest } from './validate-request.ts'
import { verify } from './verify.ts'

type Figures = Omit<AllocationPlan, 'request' | 'validUntil' | 'evidence'>

async function plan(request: AllocationInput): Promise<Figures> {
  const answer = await allocate(request)
  if (!answer.ok) throw new Error(`Refused: ${JSON.stringify(answer)}`)
  return answer.figures
}

const limits = (
  change: Partial<AllocationRequest['limits']> = {},
): AllocationRequest['limits'] => ({
  perOptionPips: 1_000_000,
  perVenuePips: 1_000_000,
  perChainPips: 1_000_000,
  ...change,
})
const buy = (minQuote: string, bandPips = 20_000) => [{ bandPips, side: 'BUY' as const, minQuote }]
const placedIn = ({ allocation }: Figures, optionId: string) =>
  allocation
    .filter((one) => one.optionId === optionId)
    .reduce((sum, { valueQuote }) => sum + BigInt(valueQuote), 0n)
const used = ({ allocation }: Figures) => [...new Set(allocation.map(({ optionId }) => optionId))]

/** The request with a relaxation written into its fields. */
function applied(requested: AllocationInput, { infeasibility }: Figures): AllocationInput {
  const request = structuredClone(requested.request)
  for (const { constraint, to } of infeasibility?.relaxation ?? []) {
    const path = constraint.split('.')
    const last = path.pop()!
    // biome-ignore lint/suspicious/noExplicitAny: a path into any part of the request.
    const parent = path.reduce((node: any, name) => node[name], request)
    parent[last] = typeof parent[last] === 'number' ? Number(to) : to
  }
  return { ...requested, request }
}

describe('an allocation', () => {
  it('meets its targets by exact quotes, is proved, and is the cheapest', async () => {
    const { state, achieved, solver, allocation, infeasibility } = await plan(input())
    expect(state).toBe('COMPLETED')
    expect(achieved.map(({ attainmentPips }) => attainmentPips)).toEqual([1_000_000, 1_000_000])
    expect(solver?.stages.map(({ stage }) => stage)).toEqual(['ATTAINMENT', 'CAPITAL'])
    expect(BigInt(solver!.gapPips)).toBeLessThanOrEqual(1n)
    expect(solver?.stages.every(({ isFeasible }) => isFeasible)).toBe(true)
    expect(infeasibility).toBeNull()
    expect(allocation.reduce((sum, { sharePips }) => sum + sharePips, 0)).toBe(1_000_000)
    // The narrow range is the cheapest up to its cap of 60 %.
    const [first] = allocation
    expect(first?.optionId).toBe('a-narrow')
    expect(first?.sharePips).toBeGreaterThan(599_000)
  })

  it('costs less with no cap than any single option does alone', async () => {
    const free = await plan(input({ limits: limits() }))
    for (const { optionId } of input().request.options) {
      const request = input({ limits: limits() })
      request.request.options = request.request.options.filter((one) => one.optionId === optionId)
      const alone = await plan(request)
      if (alone.state !== 'COMPLETED') continue
      const spare = BigInt(alone.capitalQuote) / 1_000_000n
      expect(BigInt(free.capitalQuote)).toBeLessThanOrEqual(BigInt(alone.capitalQuote) + spare)
    }
  })

  it('keeps the budget of both tokens, and the bound of an option', async () => {
    const request = input({ targets: buy(e18(100_000)), limits: limits() })
    request.request.options[1]!.maxQuote = e18(500)
    const figures = await plan(request)
    const total = (side: 'base' | 'quote') =>
      figures.allocation.reduce((sum, one) => sum + BigInt(one[side]), 0n)
    expect(total('base')).toBeLessThanOrEqual(BigInt(e18(10_000)))
    expect(total('quote')).toBeLessThanOrEqual(BigInt(e18(10_000)))
    expect(placedIn(figures, 'a-narrow')).toBeLessThanOrEqual(BigInt(e18(500)))
    const bounds = figures.shadowPrices.map(({ constraint }) => constraint)
    expect(bounds).toContain('options.a-narrow.maxQuote')
  })

  it('takes back what minting rounds up beyond the budget', () => {
    const names = ['one', 'two', 'three', 'four', 'five']
    const request = input({
      pair: { ...pair, baseDecimals: 0, quoteDecimals: 0 },
      budget: { base: '1000', quote: '1000' },
      options: names.map((name) => option(name, 'a', around(300_000))),
    })
    // Worth 1,999 together: four times 401 and 395, which ask for 201 and 198 of each token.
    const { placements, values } = verify(
      readProblem(request),
      [200.75, 200.75, 200.75, 200.75, 197.75],
    )
    for (const side of ['base', 'quote'] as const) {
      const parts = placements.flat().map((part) => part[side])
      expect(parts.reduce((sum, part) => sum + part, 0n)).toBeLessThanOrEqual(1000n)
    }
    expect(values.every((value) => value > 300n)).toBe(true)
  })

  it('respects the caps per option, venue and chain, and the limits of a venue', async () => {
    const request = input({ limits: limits({ perOptionPips: 400_000, perVenuePips: 500_000 }) })
    const { allocation, capitalQuote } = await plan(request)
    const whole = BigInt(capitalQuote)
    for (const id of ['a', 'b', 'c']) {
      const inVenue = allocation
        .filter(({ venueId }) => venueId === id)
        .reduce((sum, { valueQuote }) => sum + BigInt(valueQuote), 0n)
      expect(Number((inVenue * 1_000_000n) / whole)).toBeLessThanOrEqual(500_001)
    }
    const chained = await plan(
      input({ targets: buy(e18(100_000)), limits: limits({ perChainPips: 100_000 }) }),
    )
    expect(BigInt(chained.capitalQuote)).toBeLessThanOrEqual(BigInt(e18(2000)))
    const narrow = input({ limits: limits() })
    narrow.venues = [venue('a', pool(), { maxCapitalQuote: 10n ** 20n }), ...narrow.venues.slice(1)]
    const capped = await plan(narrow)
    const inA = placedIn(capped, 'a-wide') + placedIn(capped, 'a-narrow')
    expect(inA).toBeLessThanOrEqual(10n ** 20n)
  })

  it('keeps the least position and the number of them, with multipliers all the same', async () => {
    const capped = { perOptionPips: 400_000 }
    const free = await plan(input({ limits: limits(capped) }))
    expect(used(free).length).toBeGreaterThan(2)
    const few = await plan(input({ limits: limits({ perOptionPips: 600_000, maxPositions: 2 }) }))
    expect(few.state).toBe('COMPLETED')
    expect(used(few).length).toBeLessThanOrEqual(2)
    expect(few.shadowPrices.length).toBeGreaterThan(0)
    const large = await plan(input({ limits: limits({ ...capped, minPositionQuote: e18(3000) }) }))
    for (const optionId of used(large)) {
      expect(placedIn(large, optionId)).toBeGreaterThanOrEqual(BigInt(e18(2999.99)))
    }
    expect(BigInt(large.solver!.gapPips)).toBeLessThanOrEqual(1n)
  })

  it('is given up where the search for it takes too long, with no figure of an answer', async () => {
    const request = input({ limits: limits({ perOptionPips: 600_000, maxPositions: 2 }) })
    const late = await computePlan(request, 0)
    expect(late.solution).toEqual({ status: 'TIME_LIMIT' })
    expect([late.verified, late.frontier, late.infeasibility]).toEqual([null, [], null])
    expect(figuresOf(late, request, 1).figures).toMatchObject({
      state: 'PARTIAL',
      reasons: ['TIME_LIMIT'],
      allocation: [],
      achieved: [],
    })
  })

  it('moves at most the turnover of existing positions', async () => {
    const existing = [{ optionId: 'a-narrow', valueQuote: e18(1000) }]
    const request = input({ limits: limits(), existing })
    request.venues = [...request.venues]
    // The existing position is in the pool: lay it there with a plan of its own.
    const laid = input({ limits: limits(), targets: buy(e18(100_000)) })
    laid.request.options = [{ ...laid.request.options[1]!, maxQuote: e18(1000) }]
    laid.request.budget = { base: e18(600), quote: e18(600) }
    const { verified } = await computePlan(laid)
    request.venues = [venue('a', verified!.markets[0]!), ...request.venues.slice(1)]
    const whole = await plan(request)
    expect(whole.state).toBe('COMPLETED')
    request.request.limits = limits({ turnoverQuote: e18(500) })
    const little = await plan(request)
    const moved = request.request.options.reduce((sum, { optionId }) => {
      const before = optionId === 'a-narrow' ? BigInt(e18(1000)) : 0n
      const change = placedIn(little, optionId) - before
      return sum + (change < 0n ? -change : change)
    }, 0n)
    expect(moved).toBeLessThanOrEqual(BigInt(e18(500)) + 10n ** 12n)
    expect(little.reasons).toContain('TARGETS_NOT_MET')
  })

  it('refuses an existing position that the pool does not have', async () => {
    const existing = [{ optionId: 'a-narrow', valueQuote: e18(1000) }]
    expect(await allocate(input({ existing }))).toMatchObject({
      ok: false,
      code: 'LIQUIDITY_ALLOCATION_OPTION_INVALID',
    })
  })

  it('keeps the cost of a trade of a size within its limit', async () => {
    const sizeTargets = [
      { sizeQuote: e18(800), side: 'BUY' as const, maxSlippagePips: 12_000 },
      { sizeQuote: e18(800), side: 'SELL' as const, maxSlippagePips: 12_000 },
    ]
    const { state, achieved, solver } = await plan(
      input({ sizeTargets, targets: buy(e18(1)), limits: limits() }),
    )
    expect(state).toBe('COMPLETED')
    for (const { slippagePips } of achieved.slice(1)) {
      expect(slippagePips).toBeLessThanOrEqual(12_050)
      expect(slippagePips).toBeGreaterThan(10_000)
    }
    expect(solver?.rounds).toBeLessThanOrEqual(6)
  })

  /** A trade of 10 that is to cost at most a limit, with one option in the venue that is named first. */
  const sized = (
    maxSlippagePips: number,
    venues: AllocationInput['venues'],
    side: 'BUY' | 'SELL' = 'BUY',
    sizeQuote = e18(10),
  ) => ({
    ...input({
      options: [option('own', venues[0]!.id, around(300_000))],
      targets: [{ bandPips: 20_000, side, minQuote: '1' }],
      sizeTargets: [{ sizeQuote, side, maxSlippagePips }],
      limits: limits(),
    }),
    venues: [...venues],
  })
  const cheap = () => venue('cheap', pool(2000, 500))
  const deepAndDear = () => venue('dear', pool(10_000, 10_000))
  /** The same token a tenth dearer. */
  const elsewhere = () => {
    const [a, b] = [BigInt(e18(3000)), BigInt(e18(3300))]
    const reserves = { reserve0: a, reserve1: b, balance0: a, balance1: b, totalSupply: a }
    return venue('elsewhere', { ...(curve() as CpmmState), ...reserves })
  }

  it('needs no capital for a size that costs less than its limit today, whatever fees and prices are', async () => {
    for (const [limit, venues, side] of [
      [3000, [cheap(), deepAndDear()], 'BUY'],
      [3000, [cheap(), deepAndDear()], 'SELL'],
      [9000, [cheap(), deepAndDear()], 'BUY'],
      [5000, [cheap(), elsewhere()], 'BUY'],
      [5000, [deepAndDear(), cheap()], 'BUY'],
    ] as const) {
      const found = await plan(sized(limit, venues, side))
      expect(found.state).toBe('COMPLETED')
      expect(BigInt(found.capitalQuote)).toBeLessThan(BigInt(e18(0.001)))
      const [, size] = found.achieved
      expect(BigInt(size!.beforeQuote)).toBeGreaterThanOrEqual(BigInt(e18(10)))
      expect(size!.slippagePips).toBeLessThanOrEqual(limit)
    }
  })

  it('buys a larger size where it is cheapest, at what routing finds it to cost', async () => {
    for (const [venues, side] of [
      [[cheap(), deepAndDear()], 'BUY'],
      [[cheap(), deepAndDear()], 'SELL'],
      [[deepAndDear(), cheap()], 'BUY'],
      [[deepAndDear(), cheap()], 'SELL'],
      // Where the token is cheaper it is bought; nobody sells it there.
      [[cheap(), elsewhere()], 'BUY'],
    ] as const) {
      const limit = 12_000
      const today = await plan(sized(limit, venues, side))
      const twice = `${2n * BigInt(today.achieved[1]!.beforeQuote)}`
      const request = sized(limit, venues, side, twice)
      request.request.budget = { base: e18(200_000), quote: e18(200_000) }
      const found = await plan(request)
      expect(found.state, JSON.stringify(found.reasons)).toBe('COMPLETED')
      const { slippagePips } = found.achieved[1]!
      expect(slippagePips).toBeLessThanOrEqual(limit + limit / 100)
      expect(slippagePips).toBeGreaterThan(limit - limit / 50)
    }
  })

  it('verifies a size over options of several fees within its rounds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 20, max: 4000 }),
        fc.integer({ min: 4000, max: 60_000 }),
        fc.constantFrom('BUY' as const, 'SELL' as const),
        async (size, maxSlippagePips, side) => {
          const request = input({
            targets: [{ bandPips: 20_000, side, minQuote: '1' }],
            sizeTargets: [{ sizeQuote: e18(size), side, maxSlippagePips }],
            limits: limits(),
          })
          request.request.options.push(option('d-wide', 'd', around(300_000)))
          request.venues.push(venue('d', pool(3000, 10_000)))
          const { reasons, achieved } = await plan(request)
          expect(reasons).not.toContain('VERIFICATION_TOLERANCE')
          if (reasons.includes('TARGETS_NOT_MET')) return
          expect(achieved[1]!.slippagePips).toBeLessThanOrEqual(maxSlippagePips * 1.01)
        },
      ),
      { numRuns: 25, examples: [[182, 4000, 'BUY'] as const, [190, 4000, 'BUY'] as const] },
    )
  })

  it('refuses a slippage below the fee, a range off the ticks and a range in a pair', async () => {
    const low = [{ sizeQuote: e18(1), side: 'BUY' as const, maxSlippagePips: 100 }]
    expect(await allocate(input({ sizeTargets: low }))).toMatchObject({
      code: 'LIQUIDITY_ALLOCATION_TARGET_INVALID',
      fieldErrors: { 'payload.sizeTargets.0.maxSlippagePips': [expect.any(String)] },
    })
    for (const wrong of [
      option('off', 'a', { kind: 'TICKS', lower: -61, upper: 60 }),
      option('pair', 'c', around(10_000)),
      option('blind', 'a', {
        kind: 'VOL_SCALED',
        kMilli: 2000,
        horizonSeconds: 3600,
        volWindowSeconds: 3600,
      }),
    ]) {
      expect(await allocate(input({ options: [wrong] }))).toMatchObject({
        code: 'LIQUIDITY_ALLOCATION_OPTION_INVALID',
        fieldErrors: { 'payload.options.0.template': [expect.any(String)] },
      })
    }
  })

  it('places a range like a position and a strategy, and reports its bounds in ticks and prices', async () => {
    const half = option('half', 'a', { kind: 'RANGE', lowerPips: 500_000, upperPips: 1_000_000 })
    const { allocation } = await plan(
      input({
        options: [half],
        targets: [{ bandPips: 20_000, side: 'SELL', minQuote: e18(1000) }],
        limits: limits(),
      }),
    )
    expect(allocation).toMatchObject([
      {
        tickLower: -6960,
        tickUpper: 6960,
        lowerPriceX36: expect.stringMatching(/^4985\d{32}$/),
        upperPriceX36: expect.stringMatching(/^20056\d{32}$/),
      },
    ])
  })

  it('refuses a range that would reach down by the whole price, at its field', () => {
    const { request } = input({
      options: [option('low', 'a', { kind: 'RANGE', lowerPips: 1_000_000, upperPips: 1 })],
    })
    expect(() => requireSoundRequest(request)).toThrow(
      expect.objectContaining({
        code: 'LIQUIDITY_ALLOCATION_OPTION_INVALID',
        detail: {
          fieldErrors: { 'payload.options.0.template.lowerPips': [expect.any(String)] },
        },
      }),
    )
  })

  it('gives a ladder one position a rung', async () => {
    const ladder = option('rungs', 'a', {
      kind: 'LADDER',
      side: 'QUOTE',
      count: 3,
      firstOffsetPips: 1000,
      widthPips: 6000,
      growthPips: 0,
    })
    const { allocation } = await plan(
      input({
        options: [ladder],
        targets: [{ bandPips: 20_000, side: 'SELL', minQuote: e18(1000) }],
        limits: limits(),
      }),
    )
    expect(allocation).toHaveLength(3)
    expect(allocation.map(({ sharePips }) => sharePips)).toEqual([333_334, 333_333, 333_333])
    for (const { base } of allocation) expect(base).toBe('0')
  })
})

describe('binding constraints', () => {
  it('of targets beyond the budget names changes that meet them', async () => {
    for (const change of [
      { targets: buy(e18(100_000)) },
      { targets: buy(e18(20_000), 200_000), limits: limits({ perVenuePips: 300_000 }) },
      { targets: buy(e18(1700)), budget: { base: e18(100), quote: e18(100) } },
      { limits: limits({ perOptionPips: 100_000, perVenuePips: 200_000 }) },
      { limits: limits({ perChainPips: 10_000 }) },
      { limits: limits({ turnoverQuote: e18(100) }) },
      {
        limits: limits({ maxPositions: 1, perOptionPips: 500_000 }),
        targets: buy(e18(1700)),
      },
      {
        sizeTargets: [{ sizeQuote: e18(50_000), side: 'SELL' as const, maxSlippagePips: 20_000 }],
      },
    ]) {
      const request = input(change)
      const refused = await plan(request)
      expect(refused.state).toBe('PARTIAL')
      expect(refused.reasons).toContain('TARGETS_NOT_MET')
      expect(refused.infeasibility!.relaxation.length).toBeGreaterThan(0)
      const again = await plan(applied(request, refused))
      expect(again.reasons, JSON.stringify(refused.infeasibility)).not.toContain('TARGETS_NOT_MET')
      expect(again.state).toBe('COMPLETED')
    }
  })

  it('of an impossible allocation is INFEASIBLE, with changes that make one possible', async () => {
    const laid = input({ limits: limits(), targets: buy(e18(100_000)) })
    laid.request.options = [{ ...laid.request.options[1]!, maxQuote: e18(1000) }]
    laid.request.budget = { base: e18(600), quote: e18(600) }
    const { verified } = await computePlan(laid)
    const request = input({
      existing: [{ optionId: 'a-narrow', valueQuote: e18(1000) }],
      // All of it stands in one option, which may have half, and little may be moved.
      limits: limits({ perOptionPips: 500_000, turnoverQuote: e18(10) }),
    })
    request.venues = [venue('a', verified!.markets[0]!), ...request.venues.slice(1)]
    const refused = await plan(request)
    expect(refused).toMatchObject({
      state: 'ABSTAINED',
      reasons: ['INFEASIBLE'],
      allocation: [],
      solver: null,
    })
    const again = await plan(applied(request, refused))
    expect(again.state).not.toBe('ABSTAINED')
  })
})

describe('the frontier and the prices of constraints', () => {
  it('never falls with more capital, and is full where the plan is', async () => {
    const { frontier, capitalQuote } = await plan(input())
    expect(frontier).toHaveLength(21)
    const pips = frontier.map(({ minAttainmentPips }) => minAttainmentPips ?? 0)
    expect(pips).toEqual([...pips].sort((a, b) => a - b))
    const enough = frontier.filter((one) => BigInt(one.capitalQuote) > BigInt(capitalQuote))
    for (const { minAttainmentPips } of enough) expect(minAttainmentPips).toBe(1_000_000)
  })

  it('a price is the cost of a small increase of a target', async () => {
    const request = input({ targets: buy(e18(1700)), limits: limits() })
    const before = await plan(request)
    const price = before.shadowPrices.find(({ constraint }) => constraint === 'targets.0.minQuote')
    const after = await plan(input({ targets: buy(e18(1710)), limits: limits() }))
    const cost = Number(BigInt(after.capitalQuote) - BigInt(before.capitalQuote)) / 10e18
    expect(Number(price?.quotePerUnitX18) / 1e18).toBeCloseTo(cost, 4)
  })
})

describe('the same request', () => {
  it('has the same bytes, but for the time it took', async () => {
    const bytes = async () => {
      const answer = await allocate(input())
      if (!answer.ok) throw new Error('It is sound.')
      return JSON.stringify(answer, (name, value) => (name === 'ms' ? 0 : value))
    }
    expect(await bytes()).toBe(await bytes())
  })

  it('with any targets within reach is met by exact quotes, within its budget', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 500, max: 3000 }),
        fc.integer({ min: 5_000, max: 50_000 }),
        fc.constantFrom('BUY' as const, 'SELL' as const),
        async (wanted, bandPips, side) => {
          const figures = await plan(
            input({ targets: [{ bandPips, side, minQuote: e18(wanted) }], limits: limits() }),
          )
          const [found] = figures.achieved
          if (figures.state === 'COMPLETED') expect(found!.attainmentPips).toBeGreaterThan(998_990)
          else expect(figures.reasons).toContain('TARGETS_NOT_MET')
          expect(BigInt(figures.solver!.gapPips)).toBeLessThanOrEqual(1n)
        },
      ),
      { numRuns: 25, examples: [[182, 4000, 'BUY'] as const, [190, 4000, 'BUY'] as const] },
    )
  })
})

it('amounts out of all proportion are refused or answered, and never break the solver', async () => {
  const amount = fc.constantFrom('1', '1000', e18(0.001), e18(500), e18(20_000), `${10n ** 37n}`)
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(amount, amount, amount, amount, amount, amount),
      async ([base, quote, wanted, maxQuote, min, turnoverQuote]) => {
        const request = input({ budget: { base, quote }, targets: buy(wanted) })
        request.request.options[0]!.maxQuote = maxQuote
        request.request.limits = limits({ minPositionQuote: min, maxPositions: 2, turnoverQuote })
        const answer = await allocate(request)
        expect(answer.ok || answer.code.startsWith('LIQUIDITY_ALLOCATION_')).toBe(true)
      },
    ),
    { numRuns: 60 },
  )
})

it('an empty curve has no other provider: a pair can be entered alone', async () => {
  const request = input({
    options: [option('c-whole', 'c', { kind: 'FULL_RANGE' })],
    limits: limits(),
  })
  request.venues = [venue('c', curve(1000))]
  request.request.targets = buy(e18(20))
  expect((await plan(request)).state).toBe('COMPLETED')
})
