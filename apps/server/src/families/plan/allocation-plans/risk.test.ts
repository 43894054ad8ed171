import { tailCut } from '@liquidity-os/engine/optimization'
import { describe, expect, it } from 'vitest'
import type { StudySpec } from '../../simulate/studies/validate-spec.ts'
import type { AllocationInput } from './allocation-input.ts'
import { computePlan } from './compute-plan.ts'
import { figuresOf } from './plan-payload.ts'
import {
  around,
  curve,
  e18,
  input,
  option,
  pair,
  pool,
  type RequestedAllocation,
  venue,
} from './testing/inputs.ts'

const spec = {
  schemaVersion: 'simulation-study-v1',
  name: 'Risk of the plan',
  kind: 'MONTE_CARLO',
  pair,
  market: { venue: { id: 'venue_a', resourceVersion: `0x${'1'.repeat(64)}` } },
  horizonSeconds: 604_800,
  stepSeconds: 3600,
  arms: [{ armId: 'hold', label: 'Hold', position: { kind: 'HOLD' } }],
  capital: { base: '1', quote: '1', normalization: 'AS_GIVEN' },
  price: { kind: 'GBM', annualVolatilityPips: 900_000 },
  tradeSizesQuote: ['1'],
  costs: { gas: { constantWei: '20000000000' }, nativePriceX18: `${10n ** 18n}` },
} as StudySpec

const study = { spec, calibration: null, paths: 400 }
const risk = (maxCvarQuote: string) => ({
  study: { id: 'study_a', resourceVersion: `0x${'2'.repeat(64)}` },
  maxCvarQuote,
})

/**
 * Two options only, so that all allocations can be tried: a narrow range, cheap and with a heavy tail, and a
 * whole curve. There are 6,636 within a fifth of the price already.
 */
function two(maxCvarQuote: string): RequestedAllocation {
  const request = input({
    options: [option('narrow', 'a', around(60_000)), option('whole', 'c', { kind: 'FULL_RANGE' })],
    targets: [{ bandPips: 200_000, side: 'BUY', minQuote: e18(7100) }],
    limits: { perOptionPips: 1_000_000, perVenuePips: 1_000_000, perChainPips: 1_000_000 },
    risk: risk(maxCvarQuote),
  })
  return { ...request, risk: study } as RequestedAllocation
}

const figures = async (requested: AllocationInput) => {
  const computed = await computePlan(requested)
  return { computed, ...figuresOf(computed, requested, 0).figures }
}

describe('a limit on the tail of the losses', () => {
  it('is kept, and costs what trying every allocation says it must', async () => {
    const free = await figures(two(e18(10_000)))
    expect(free.state).toBe('COMPLETED')
    expect(free.expected.cvar).not.toBeNull()
    const limit = (BigInt(free.expected.cvar!) * 95n) / 100n
    const held = await figures(two(`${limit}`))
    expect(held.state).toBe('COMPLETED')
    expect(BigInt(held.expected.cvar!)).toBeLessThanOrEqual(limit)
    expect(held.solver!.cuts).toBeGreaterThan(0)
    expect(BigInt(held.capitalQuote)).toBeGreaterThan(BigInt(free.capitalQuote))
    expect(held.shadowPrices.some(({ constraint }) => constraint === 'risk.maxCvarQuote')).toBe(
      true,
    )

    const { terms, outlook, problem } = held.computed
    const losses = outlook.map((one) => one.losses!)
    const [narrow, whole] = terms.options
    const [target] = terms.targets
    const needed = target!.wanted - target!.present
    let best = Number.POSITIVE_INFINITY
    for (let step = 0; step <= 10_000; step += 1) {
      // The narrow range alone would take 45 units.
      const x = (step / 10_000) * 50
      const y = Math.max(0, (needed - narrow!.depth[0]! * x) / whole!.depth[0]!)
      if (x + y >= best) continue
      if (tailCut(losses, [x, y], 950_000).cvar <= Number(limit) / problem.unit) best = x + y
    }
    const capital = Number(held.capitalQuote) / problem.unit
    expect(capital).toBeLessThanOrEqual(best * (1 + 1e-6))
    expect(capital).toBeGreaterThanOrEqual(best * 0.999)
  })

  it('without a feasible allocation, names the limit that would be enough', async () => {
    const request = two(e18(0.001))
    const refused = await figures(request)
    expect(refused.reasons).toContain('TARGETS_NOT_MET')
    expect(refused.infeasibility!.constraints).toContain('risk.maxCvarQuote')
    const raised = refused.infeasibility!.relaxation.find(
      ({ constraint }) => constraint === 'risk.maxCvarQuote',
    )
    expect(refused.infeasibility!.relaxation).toHaveLength(1)
    expect((await figures(two(raised!.to))).state).toBe('COMPLETED')
  })

  it.each(['0', '1', '1000000', e18(0.000001), e18(0.00001), e18(0.1), e18(1), e18(50)])(
    'of %s is kept whatever its size',
    async (limit) => {
      const { expected } = await figures(two(limit))
      expect(BigInt(expected.cvar!)).toBeLessThanOrEqual(BigInt(limit))
      // Another market, in which the relaxation wants a little of everything.
      const request = two(limit)
      request.request.targets.push({ bandPips: 20_000, side: 'SELL', minQuote: e18(5000) })
      const other = await figures(request)
      expect(BigInt(other.expected.cvar!)).toBeLessThanOrEqual(BigInt(limit))
    },
  )

  it('is met on the same paths in each repetition', async () => {
    const [once, again] = [await figures(two(e18(10_000))), await figures(two(e18(10_000)))]
    expect(once.expected).toEqual(again.expected)
    expect(once.solver).toEqual(again.solver)
  })
})

describe('expected values', () => {
  it('is a band of fees, losses, gas and a distribution of the rest', async () => {
    const request = two(e18(10_000))
    request.venues = [
      venue('a', pool(), { feesQuotePerDay: BigInt(e18(30)) }),
      venue('b', pool(2000, 500)),
      venue('c', curve(), { feesQuotePerDay: BigInt(e18(10)) }),
    ]
    const { expected, solver, state, reasons } = await figures(request)
    expect(state).toBe('COMPLETED')
    expect(reasons).toEqual([])
    expect(solver!.stages.map(({ stage }) => stage)).toEqual(['ATTAINMENT', 'CAPITAL', 'INCOME'])
    expect(BigInt(solver!.gapPips)).toBeLessThanOrEqual(1n)
    const { feesBand, lvr, gas, net, cvar } = expected
    expect(BigInt(feesBand!.low)).toBeGreaterThan(0n)
    expect(BigInt(feesBand!.high)).toBeGreaterThan(BigInt(feesBand!.low))
    // One mint at 20 gwei, a native token of the worth of the quote.
    expect(BigInt(gas!) % 20_000_000_000n).toBe(0n)
    expect(BigInt(gas!)).toBeGreaterThan(0n)
    const mean = BigInt(feesBand!.low) - BigInt(lvr!) - BigInt(gas!)
    const off = mean - BigInt(net!.mean)
    expect(off < 10n ** 9n && off > -(10n ** 9n)).toBe(true)
    expect(net!.n).toBe(400)
    expect(BigInt(cvar!)).toBeGreaterThan(BigInt(lvr!))
  })

  it('uses the freedom of the tolerance for income and nothing else', async () => {
    const request = input({
      options: [option('one', 'a', around(100_000)), option('two', 'a', around(103_000))],
      targets: [{ bandPips: 20_000, side: 'BUY', minQuote: e18(900) }],
      limits: { perOptionPips: 1_000_000, perVenuePips: 1_000_000, perChainPips: 1_000_000 },
      toleranceBps: 1000,
    })
    request.venues = [venue('a', pool(), { feesQuotePerDay: BigInt(e18(50)), volatility: 0.00001 })]
    const { computed, state } = await figures(request)
    expect(state).toBe('COMPLETED')
    if (computed.solution.status !== 'OPTIMAL') throw new Error('It has an optimum.')
    const [, second, third] = computed.solution.stages
    const sum = (stage: typeof second) => stage!.primal.get('x0')! + stage!.primal.get('x1')!
    expect(sum(third)).toBeLessThanOrEqual(sum(second) * 1.1 + 1e-6)
  })
})
