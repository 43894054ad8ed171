import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { contract } from '@liquidity-os/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { studyRecording } from '../../../cli/study/run-study.ts'
import type { StudyFile } from '../../../cli/study/study-file.ts'
import { armResultOf, type EngineStudy } from './replay/replay-arms.ts'
import { priceX18 } from './study-hashes.ts'
import { type EvaluatedStudy, readStudyVerdict } from './study-verdict.ts'
import { vsHodlCourse } from './vs-hodl-course.ts'

type Spec = contract.StudySpec
type Result = contract.StudyResult
type Sample = Parameters<typeof vsHodlCourse>[2][number]

const launch = fileURLToPath(
  new URL('../../../../../../datasets/v3-ens-weth-from-init', import.meta.url),
)
const e18 = 10n ** 18n

/** Demo question: 10,000 ENS and 100 WETH, in four ways. */
const request = {
  name: 'Which range would have delivered depth in the launch',
  base: 1,
  symbols: { base: 'ENS', quote: 'WETH' },
  decimals: { base: 18, quote: 18 },
  arms: [
    { armId: 'hold', label: 'Hold', position: { kind: 'HOLD' } },
    { armId: 'full-range', label: 'Full range', position: { kind: 'FULL_RANGE' } },
    {
      armId: 'wide',
      label: '−50 % to +100 %',
      position: { kind: 'RANGE', lowerPips: 500_000, upperPips: 1_000_000 },
    },
    {
      armId: 'narrow',
      label: '−20 % to +25 %',
      position: { kind: 'RANGE', lowerPips: 200_000, upperPips: 250_000 },
    },
  ],
  capital: {
    base: `${10_000n * e18}`,
    quote: `${100n * e18}`,
    normalization: 'EQUAL_VALUE',
  },
  sampleSeconds: 60,
} satisfies StudyFile

type ComputedArm = EngineStudy['arms'][number] & {
  readonly results: readonly { readonly series: readonly Sample[] }[]
}
type Computed = Omit<EngineStudy, 'arms'> & { readonly arms: readonly ComputedArm[] }

let computed: Computed
let study: EvaluatedStudy
beforeAll(async () => {
  const { study: recorded } = await studyRecording({ folder: join(launch) }, request, () => {})
  computed = recorded as unknown as Computed
  study = evaluated(resultOf(computed))
})

const exact = (price: { num: string; den: string } | null) =>
  price && { num: BigInt(price.num), den: BigInt(price.den) }

const spec = {
  kind: 'REPLAY',
  arms: request.arms,
  capital: request.capital,

  pair: { base: '0xc', quote: '0xb' },
  window: { fromBlock: 13_578_816, toBlock: 13_578_999 },
} as unknown as Spec

const pricesOf = ({ startPrice, endPrice }: Computed) => {
  const [start, end] = [exact(startPrice), exact(endPrice)]
  return start && end ? { start, end } : null
}

function resultOf(of: Computed): Result {
  return {
    state: of.state,
    reasons: of.reasons,
    search: null,
    paths: null,
    comparisons: [],
    course: { fromTime: of.window.fromTime ?? 0, toTime: of.window.toTime ?? 0 },
    startPriceX18: priceX18(exact(of.startPrice)),
    endPriceX18: priceX18(exact(of.endPrice)),
    arms: of.arms.flatMap(({ armId, results }) =>
      results.map((one) => armResultOf(armId, one, spec, { worth: 1n, prices: pricesOf(of) })),
    ),
  } as unknown as Result
}

const evaluated = (result: Result | null, status = 'COMPLETED', of = spec): EvaluatedStudy => ({
  id: 'study_0198f0f0c0de7000800000000000a001',
  resourceVersion: `0x${'1'.repeat(64)}`,
  status,
  payload: { spec: of, result },
})

const armOf = (armId: string) => {
  const arm = readStudyVerdict(study).arms.find((one) => one.armId === armId)
  if (!arm) throw new Error(`No arm ${armId}.`)
  return arm
}

describe('the verdict of the demo', () => {
  /*
   * By hand: 10,000 ENS at 0.002462573 and 100 WETH are 124.6257 WETH. The full range begins with half of that in each token,
   * 62.3129 WETH and 25,303.97 ENS. HODL of these at the last price, 0.003642058, is 62.3129 + 92.1585 = 154.4714 WETH. The
   * position ends with 153.2169, so it lost 1.2545 WETH, 1.0 % of 124.6257. Hold of the capital as given is no measure of it: it
   * has 15,304 ENS less in a market that rose by 48 %.
   */
  it('compares each position with HODL of its own starting inventory, in atoms', () => {
    const found = ['full-range', 'wide', 'narrow'].map((armId) => armOf(armId).netVsHodlQuote)
    expect(found).toEqual([
      { low: '-1254465805912750397', high: '-1227594315387168396' },
      { low: '-4933169914236204015', high: '-4846668350084034460' },
      { low: '-20441160613785987688', high: '-20399108852891454526' },
    ])
  })

  it('is the end value of the positions and their inventories', () => {
    const end = exact(computed.endPrice)
    if (!end) throw new Error('The study has no price.')
    const worth = ({ base, quote }: { base: bigint; quote: bigint }) =>
      (base * end.num) / end.den + quote
    const sum = (a: { base: string; quote: string }, b: { base: string; quote: string }) => ({
      base: BigInt(a.base) + BigInt(b.base),
      quote: BigInt(a.quote) + BigInt(b.quote),
    })
    for (const arm of resultOf(computed).arms) {
      if (!('flowModel' in arm) || !arm.position) continue
      const own = sum(arm.position.deposited, arm.position.idle)
      const difference = worth(sum(arm.end, arm.fees)) - worth(own)
      const run = armOf(arm.armId).runs.find(({ flowModel }) => flowModel === arm.flowModel)
      // Each value is cut to an atom by itself.
      expect(Math.abs(Number(difference - BigInt(run?.netVsHodlQuote ?? '0')))).toBeLessThan(8)
    }
  })

  it('says in one sentence that providing liquidity lost, and why', () => {
    const { code, sentence, windowSeconds, inventory } = readStudyVerdict(study)
    expect(code).toBe('ALL_BELOW_HODL')
    expect(sentence).toBe(
      'All 3 positions lost vs HODL of the same starting inventory. “Full range” lost least: −1.0 % of the capital. Its fees covered 57 to 58 % of its impermanent loss. Replay of 12 minutes: one history, so no claim of significance.',
    )
    expect([windowSeconds, inventory.valueQuote]).toEqual([774, '124625730586054790000'])
  })

  it('refers percent to the capital at the start price', () => {
    const pips = ['full-range', 'wide', 'narrow'].map((armId) => armOf(armId).netVsHodlPips.low)
    expect(pips).toEqual([-10065, -39583, -164020])
  })

  it('takes the capital as sealed by the study, for a token with more than 18 significant digits', () => {
    // 10^27 atoms at 10^-19 quote atoms each are 10^8; cut to 18 digits the price is 0.
    const cheap = { ...spec, capital: { ...request.capital, base: `${10n ** 27n}`, quote: '0' } }
    const known = { ...resultOf(computed), startPriceX18: '0', startValueQuote: '100000000' }
    const { inventory, withheld } = readStudyVerdict(evaluated(known, 'COMPLETED', cheap as never))
    expect([inventory.valueQuote, withheld]).toEqual(['100000000', null])
  })

  it('annualizes nothing below 7 days', () => {
    expect(armOf('full-range')).toMatchObject({ vsHodlAprPips: null, feeAprPips: null })
  })

  it('keeps what only holds as a reference', () => {
    const zero = { low: '0', high: '0' }
    expect(armOf('hold')).toMatchObject({ isBenchmark: true, netVsHodlQuote: zero })
  })

  it('begins at zero and ends at the verdict', () => {
    const result = resultOf(computed)
    for (const { armId, results } of computed.arms) {
      for (const { flowModel, series } of results) {
        const arm = result.arms.find(
          (one) => one.armId === armId && 'flowModel' in one && one.flowModel === flowModel,
        ) as contract.ArmResult
        const course = vsHodlCourse(arm, { spec, result }, series)
        const run = armOf(armId).runs.find((one) => one.flowModel === flowModel)
        const miss = BigInt(run?.netVsHodlQuote ?? '0') - (course.at(-1)?.netVsHodl ?? 0n)
        expect([course[0]?.netVsHodl, course[0]?.netVsHold]).toEqual([0n, 0n])
        // The price of a sample has 18 digits, that of the verdict all.
        expect(miss < 1_000_000n && miss > -1_000_000n).toBe(true)
      }
    }
  })

  it('finds the inventory of a candidate with several positions from its inventory effect', () => {
    const result = resultOf(computed)
    const arm = result.arms.find(({ armId }) => armId === 'wide') as contract.ArmResult
    const series = computed.arms.find(({ armId }) => armId === 'wide')?.results[0]?.series
    const of = { spec, result }
    const known = vsHodlCourse(arm, of, series ?? [])
    const found = vsHodlCourse({ ...arm, position: null }, of, series ?? [])
    expect(known.length).toBeGreaterThan(10)
    for (const [index, { netVsHodl }] of known.entries()) {
      const miss = (netVsHodl ?? 0n) - (found[index]?.netVsHodl ?? 0n)
      expect(miss < 10n ** 9n && miss > -(10n ** 9n)).toBe(true)
    }
  })
})

describe('a verdict', () => {
  /** A replay whose positions came to so much against HODL, quote atoms of a capital of 1,000,000. */
  const outcome = (of: Record<string, readonly [bigint, bigint]>, more: Partial<Result> = {}) => {
    const models = ['INELASTIC_INPUT', 'PRICE_SETTING']
    const arms = Object.entries(of).flatMap(([armId, nets]) =>
      nets.map((net, index) => ({
        armId,
        flowModel: models[index],
        timeInRangePips: null,
        depth: [],
        risk: { maxDrawdown: { quote: '0', pips: 0 } },
        waterfallHolder: {
          hold: '500',
          exposureDrift: '70',
          net: `${net + 570n}`,
          fees: `${net}`,
          divergenceLoss: '0',
          gas: '0',
          rebalanceCost: '0',
          rewards: '0',
          rounding: '0',
        },
      })),
    )
    const own = Object.keys(of).map((armId) => ({
      armId,
      label: armId.toUpperCase(),
      position: { kind: 'FULL_RANGE' },
    }))
    const asking = { ...spec, arms: own, capital: { ...spec.capital, base: '0', quote: '1000000' } }
    const result = { ...resultOf(computed), arms, ...more } as unknown as Result
    return readStudyVerdict(evaluated(result, 'COMPLETED', asking as unknown as Spec))
  }

  it.each([
    ['ONE_BEST', { a: [5_000n, 6_000n], b: [-9n, 4_999n] }, '“A” did best: +0.5 to +0.6 %'],
    ['BEST_TIED', { a: [5_000n, 6_000n], b: [-9n, 5_000n] }, '“A” gained +0.5 to +0.6 %'],
    ['NO_CLEAR_DIFFERENCE', { a: [0n, 6_000n], b: [-9n, -8n] }, '“A” ranks first: 0 to +0.6 %'],
    ['ALL_BELOW_HODL', { b: [-9n, -8n], a: [-9n, -8n] }, '“A” lost least: −0.0009 to −0.0008 %'],
    ['ALL_BELOW_HODL', { a: [-9n, -1n] }, '“A” lost vs HODL of its starting inventory'],
  ] as const)('is %s by the range over both flow models', (code, nets, words) => {
    const verdict = outcome(nets)
    expect(verdict.code).toBe(code)
    expect(verdict.sentence).toContain(words)
    if (code !== 'ONE_BEST') expect(verdict.sentence).not.toContain('best')
  })

  it('gives annual rates from 7 days on, and the reason below', () => {
    const days = (count: number) => ({
      course: { fromTime: 0, toTime: count * 86_400 },
    })
    const short = outcome({ a: [1_000n, 2_000n] }, days(6))
    expect(short).toMatchObject({
      annualRatesWithheld: 'WINDOW_BELOW_7_DAYS',
      arms: [{ feeAprPips: null, vsHodlAprPips: null }],
    })
    expect(short.arms[0]?.runs.map(({ feeAprPips }) => feeAprPips)).toEqual([null, null])
    const long = outcome({ a: [1_000n, 2_000n] }, days(73))
    expect(long).toMatchObject({
      annualRatesWithheld: null,
      arms: [
        {
          feesPips: { low: 1_000, high: 2_000 },
          feeAprPips: { low: 5_000, high: 10_000 },
          vsHodlAprPips: { low: 5_000, high: 10_000 },
          runs: [{ feesPips: 1_000, feeAprPips: 5_000 }, { feeAprPips: 10_000 }],
        },
      ],
    })
    expect(outcome({ a: [1n, 1n] }, { course: undefined } as never).annualRatesWithheld).toBe(
      'WINDOW_UNKNOWN',
    )
  })

  it('has the P&L of HODL of the inventories of its positions, without benchmarks', () => {
    const { hodl } = outcome({ a: [1_000n, 2_000n], 'benchmark-rebalancing': [9_000n, 9_000n] })
    expect(hodl).toEqual({
      pnlQuote: { low: '570', high: '570' },
      pnlPips: { low: 570, high: 570 },
    })
    expect(outcome({ 'benchmark-rebalancing': [9_000n, 9_000n] }).hodl).toBeNull()
  })

  it('never names a benchmark', () => {
    const { code, sentence, arms } = outcome({
      a: [-5n, -4n],
      'benchmark-rebalancing': [900n, 900n],
    })
    expect([code, arms.length]).toEqual(['ALL_BELOW_HODL', 2])
    expect(sentence).not.toMatch(/benchmark/i)
  })

  it('says first that it is partial, and withholds figures of a study that abstains', () => {
    const reasons = ['FIDELITY_BELOW_ALL']
    expect(outcome({ a: [1n, 1n] }, { state: 'PARTIAL', reasons }).sentence).toMatch(
      /^Partial \(FIDELITY_BELOW_ALL\)\. “A” gained/,
    )
    const { code, sentence, withheld } = outcome({}, { state: 'ABSTAINED', reasons })
    expect([code, withheld]).toEqual(['NO_VERDICT', 'ABSTAINED'])
    expect(sentence).toBe(
      'Withheld (FIDELITY_BELOW_ALL): the study gives no figures for any candidate.',
    )
  })

  it.each([
    ['NOT_ENDED', null, 'ACTIVE'],
    ['FAILED', null, 'FAILED'],
  ] as const)('is withheld of a study that is %s', (reason, result, status) => {
    expect(readStudyVerdict(evaluated(result, status))).toMatchObject({
      code: 'NO_VERDICT',
      withheld: reason,
      arms: [],
    })
  })

  it('bounds the mean of a simulation by the intervals of its parts', () => {
    const dist = (mean: number, half: number) => ({
      mean: `${mean}`,
      meanCi95: [`${mean - half}`, `${mean + half}`],
      q: { p50: '0' },
    })
    const none = dist(0, 0)
    const simulated = {
      armId: 'a',
      fan: [],
      depth: [],
      timeInRangePips: 900_000,
      risk: { maxDrawdown: none },
      waterfallHolder: {
        hold: dist(500, 40),
        exposureDrift: dist(70, 5),
        fees: dist(3_000, 200),
        divergenceLoss: dist(1_000, 300),
        gas: dist(100, 0),
        rebalanceCost: none,
        rewards: none,
        rounding: none,
      },
    }
    const paths = { run: 400, varies: true } as Result['paths']
    const verdict = outcome({ a: [0n, 0n] }, { arms: [simulated] as never, paths })
    expect(verdict.arms[0]).toMatchObject({
      netVsHodlQuote: { low: '1400', high: '2400' },
      hodlPnlQuote: { low: '525', high: '615' },
      runs: [{ flowModel: null, netVsHodlQuote: '1900', hodlPnlQuote: '570' }],
    })
    expect(verdict.code).toBe('ONE_BEST')

    // Without base in the capital, HODL of the rebalancing portfolio is unknown.
    const { payload } = evaluated(resultOf(computed))
    const benchmark = { ...simulated, armId: 'benchmark-rebalancing' }
    const known = {
      ...payload.result!,
      startValueQuote: '1000000',
      paths,
      arms: [{ ...simulated, armId: 'full-range' }, benchmark] as never,
    }
    const quoteOnly = {
      ...spec,
      kind: 'MONTE_CARLO',
      capital: { ...request.capital, base: '0', quote: '1000000' },
    }
    const { withheld, arms } = readStudyVerdict(evaluated(known, 'COMPLETED', quoteOnly as never))
    expect([withheld, arms.map(({ armId }) => armId)]).toEqual([null, ['full-range']])
  })
})
