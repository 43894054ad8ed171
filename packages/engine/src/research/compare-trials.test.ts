import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareTrials, type TrialTerms } from './compare-trials.ts'
import { divideHalfEven, summarizeTrial } from './summarize-trial.ts'

const terms = (change: Partial<TrialTerms> = {}): TrialTerms => ({
  direction: 'HIGHER',
  minimumEffect: 0n,
  confidencePips: 950_000,
  ...change,
})
const flat = (n: number) => new Array<bigint>(n).fill(0n)
/** Pairs whose means are 90 and 110 in turn: mean 100. */
const hundred = (n: number) => Array.from({ length: n }, (_, i) => (i % 4 < 2 ? 90n : 110n))

describe('one alternative', () => {
  it('has the interval of the paired mean, a pair being one observation', () => {
    const [told] = compareTrials(flat(400), [hundred(400)], terms())
    // 200 pair means of 90 and 110: s² = 20000/199, se = √(s²/200) = 0.70888; z = 1.959964.
    expect(told).toEqual({
      paths: 400,
      observations: 200,
      mean: 100n,
      standardError: 1n,
      low: 99n,
      high: 101n,
      rank: 1,
      confidencePips: 950_000,
      pPips: 0,
      verdict: 'SUPERIOR',
    })
  })

  it('is superior only beyond the minimum effect, and inferior below zero', () => {
    const verdict = (values: bigint[], change: Partial<TrialTerms>) =>
      compareTrials(flat(400), [values], terms(change))[0]!.verdict
    expect(verdict(hundred(400), { minimumEffect: 98n })).toBe('SUPERIOR')
    expect(verdict(hundred(400), { minimumEffect: 99n })).toBe('INDISTINGUISHABLE')
    expect(verdict(hundred(400), { direction: 'LOWER' })).toBe('INFERIOR')
    const less = hundred(400).map((value) => -value)
    expect(verdict(less, { direction: 'LOWER', minimumEffect: 98n })).toBe('SUPERIOR')
    expect(verdict(less, {})).toBe('INFERIOR')
  })

  it('that is the baseline differs by nothing, and by a constant for certain', () => {
    const [same, more] = compareTrials(
      hundred(8),
      [hundred(8), hundred(8).map((v) => v + 1n)],
      terms(),
    )
    expect(same).toMatchObject({ mean: 0n, low: 0n, high: 0n, pPips: 1_000_000, rank: 2 })
    expect(same!.verdict).toBe('INDISTINGUISHABLE')
    expect(more).toMatchObject({ mean: 1n, low: 1n, high: 1n, pPips: 0, verdict: 'SUPERIOR' })
  })
})

describe('several alternatives', () => {
  it('are judged at α/m, α/(m − 1) and α by the order of their p-values', () => {
    const judged = compareTrials(
      flat(400),
      [hundred(400).map((v) => v - 100n), hundred(400), hundred(400).map((v) => v - 99n)],
      terms(),
    )
    expect(judged.map((one) => [one!.rank, one!.confidencePips])).toEqual([
      [3, 950_000],
      [1, 983_333],
      [2, 975_000],
    ])
  })

  it('that have no outcome make no other easier', () => {
    const alone = compareTrials(flat(400), [hundred(400)], terms())[0]!
    const beside = compareTrials(flat(400), [hundred(400), null, null], terms())
    expect(beside.slice(1)).toEqual([null, null])
    expect(beside[0]!.confidencePips).toBe(983_333)
    expect(beside[0]!.high - beside[0]!.low).toBeGreaterThanOrEqual(alone.high - alone.low)
  })

  it('after the first that is not distinguished are not either', () => {
    // Means of 2.1 and 2.05 standard errors: the first fails at 97.5 %, so the second is not looked at at 95 %.
    const shifted = (mean: bigint) => hundred(400).map((value) => (value - 100n) * 1000n + mean)
    const [first, second] = compareTrials(flat(400), [shifted(1489n), shifted(1453n)], terms())
    expect([first!.rank, second!.rank]).toEqual([1, 2])
    expect(first!.verdict).toBe('INDISTINGUISHABLE')
    expect(second!.low).toBeGreaterThan(0n)
    expect(second!.verdict).toBe('INDISTINGUISHABLE')
  })
})

it('turning the metric around turns every verdict around', () => {
  const amounts = fc.array(fc.bigInt(-1000n, 1000n), { minLength: 8, maxLength: 8 })
  fc.assert(
    fc.property(amounts, amounts, fc.bigInt(0n, 50n), (base, other, minimumEffect) => {
      const up = compareTrials(base, [other], terms({ minimumEffect }))[0]!
      const negated = (values: bigint[]) => values.map((value) => -value)
      const down = compareTrials(
        negated(base),
        [negated(other)],
        terms({ minimumEffect, direction: 'LOWER' }),
      )[0]!
      expect(down.verdict).toBe(up.verdict)
      expect([down.low, down.high]).toEqual([-up.high, -up.low])
    }),
  )
})

it('refuses samples that are not paired, and terms that mean nothing', () => {
  expect(() => compareTrials(flat(8), [flat(6)], terms())).toThrow('6 paths, but 8')
  expect(() => compareTrials(flat(2), [flat(2)], terms())).toThrow('2 paths; expected at least 4')
  expect(() => compareTrials(flat(8), [], terms({ minimumEffect: -1n }))).toThrow(
    'negative minimum effect',
  )
  expect(() => compareTrials(flat(8), [], terms({ confidencePips: 1_000_000 }))).toThrow(
    'confidence',
  )
})

it('means are exact where floats are not, and halves go to the even', () => {
  const large = 2n ** 120n
  expect(summarizeTrial([large, large + 2n])).toMatchObject({ paths: 2, mean: large + 1n })
  expect([5n, 7n, -5n, -7n, -3n].map((value) => divideHalfEven(value, 2n))).toEqual([
    ...[2n, 4n, -2n, -4n, -2n],
  ])
  expect(() => summarizeTrial([])).toThrow('without paths')
})
