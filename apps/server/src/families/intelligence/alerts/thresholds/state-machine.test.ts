import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  comparators,
  type Firing,
  followThreshold,
  initialState,
  type Run,
  type ThresholdTerms,
} from './state-machine.ts'

const step = 60
const terms = (changed: Partial<ThresholdTerms> = {}): ThresholdTerms => ({
  comparator: 'LT',
  value: 50n,
  forSeconds: 120,
  resolveSeconds: 60,
  stepSeconds: step,
  ...changed,
})

/** One run per value, a minute each. */
const minutes = (values: readonly (number | null)[], first = step): Run[] =>
  values.map((value, index) => {
    const at = first + index * step
    return { from: at, to: at, value: value === null ? null : BigInt(value) }
  })

const isTrue = (value: bigint, { comparator, value: limit }: ThresholdTerms) =>
  ({ LT: value < limit, LTE: value <= limit, GT: value > limit, GTE: value >= limit })[comparator]

/** Looks back from each sample, and remembers nothing but the open firing. */
function naiveFirings(samples: readonly Run[], request: ThresholdTerms): Firing[] {
  const firings: Firing[] = []
  let open: { index: number; since: number } | null = null
  for (let index = 0; index < samples.length; index += 1) {
    const streakOf = (wanted: boolean, first: number) => {
      let start = index
      while (
        start >= first &&
        samples[start]!.value !== null &&
        isTrue(samples[start]!.value!, request) === wanted
      ) {
        start -= 1
      }
      return start === index ? null : start + 1
    }
    const at = samples[index]!.from
    if (open === null) {
      const since = streakOf(true, 0)
      if (since !== null && at - samples[since]!.from >= request.forSeconds) open = { index, since }
      continue
    }
    const since = streakOf(false, open.index)
    if (since === null || at - samples[since]!.from < request.resolveSeconds) continue
    firings.push(firingOf(samples, open, at, index, request))
    open = null
  }
  if (open) firings.push(firingOf(samples, open, null, samples.length, request))
  return firings
}

function firingOf(
  samples: readonly Run[],
  { index, since }: { index: number; since: number },
  to: number | null,
  end: number,
  request: ThresholdTerms,
): Firing {
  const values = samples
    .slice(since, end)
    .flatMap(({ value }) => (value !== null && isTrue(value, request) ? [value] : []))
    .sort((a, b) => (a < b ? -1 : 1))
  const extreme = request.comparator.startsWith('L') ? values[0]! : values.at(-1)!
  return { from: samples[index]!.from, to, extreme }
}

describe('a threshold', () => {
  it('is PENDING with the first true sample, fires after its time and resolves after another', () => {
    const states = [60, 49, 48, 47, 55, 55].map(
      (_, index, all) =>
        followThreshold(initialState(0), minutes(all.slice(0, index + 1)), terms()).state.phase,
    )
    expect(states).toEqual(['OK', 'PENDING', 'PENDING', 'FIRING', 'FIRING', 'OK'])
    const { firings } = followThreshold(initialState(0), minutes([60, 49, 48, 47, 55, 55]), terms())
    expect(firings).toEqual([{ from: 240, to: 360, extreme: 47n }])
  })

  it('neither fires nor resolves in a gap, and starts its times again', () => {
    const gap = minutes([49, 49, null, 49, 49])
    expect(followThreshold(initialState(0), gap, terms()).state).toMatchObject({
      phase: 'PENDING',
      trueSince: 240,
    })
    const firing = followThreshold(initialState(0), minutes([49, 49, 49]), terms()).state
    const after = followThreshold(firing, minutes([55, null, 55], 240), terms())
    expect(after.state).toMatchObject({ phase: 'FIRING', falseSince: 360, value: 55n })
    expect(after.firings).toEqual([{ from: 180, to: null, extreme: 49n }])
  })

  it('fires and resolves within one long run', () => {
    const low: Run = { from: 60, to: 6000, value: 1n }
    const high: Run = { from: 6060, to: 12_000, value: 90n }
    expect(
      followThreshold(initialState(0), [low, high], terms({ forSeconds: 90 })).firings,
    ).toEqual([{ from: 180, to: 6120, extreme: 1n }])
  })

  it('agrees with a naive evaluator, in any division into runs and evaluations', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            value: fc.option(fc.integer({ min: 46, max: 54 }), { freq: 5 }),
            length: fc.integer({ min: 1, max: 6 }),
            isCut: fc.boolean(),
          }),
          { maxLength: 40 },
        ),
        fc.constantFrom(...comparators),
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 0, max: 400 }),
        (parts, comparator, forSeconds, resolveSeconds) => {
          const request = terms({ comparator, forSeconds, resolveSeconds })
          const naive: Run[] = []
          let state = initialState(0)
          const ended: Firing[] = []
          let open: Firing | undefined
          let waiting: Run[] = []
          let at = step
          for (const { value, length, isCut } of parts) {
            const to = at + (length - 1) * step
            const run = { from: at, to, value: value === null ? null : BigInt(value) }
            for (let one = at; one <= to; one += step) naive.push({ ...run, from: one, to: one })
            waiting.push(run)
            at = to + step
            if (!isCut) continue
            const { state: next, firings } = followThreshold(state, waiting, request)
            ended.push(...firings.filter((one) => one.to !== null))
            ;[state, waiting, open] = [next, [], firings.find((one) => one.to === null)]
          }
          const last = followThreshold(state, waiting, request)
          ended.push(...last.firings.filter((one) => one.to !== null))
          open = last.firings.find((one) => one.to === null)
          expect(open ? [...ended, open] : ended).toEqual(naiveFirings(naive, request))
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
