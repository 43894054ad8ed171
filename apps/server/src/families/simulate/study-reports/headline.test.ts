import { describe, expect, it } from 'vitest'
import { headlineOf } from './headline.ts'
import type { Findings } from './report-input.ts'

const armOf = (armId: string) => ({ armId, label: armId.toUpperCase() })
const arms = ['a', 'b', 'c'].map((armId) => armOf(armId))
type Verdict = 'A' | 'B' | 'INDISTINGUISHABLE'

/** A simulation of three arms with the verdicts of a–b, a–c and b–c. */
function simulated(verdicts: readonly [Verdict, Verdict, Verdict], more: object = {}): Findings {
  const pairs = [
    ['a', 'b'],
    ['a', 'c'],
    ['b', 'c'],
  ]
  return {
    arms,
    replayed: [],
    simulated: arms,
    study: { payload: { spec: { kind: 'MONTE_CARLO' } } },
    result: {
      state: 'COMPLETED',
      reasons: [],
      paths: { run: 400 },
      comparisons: pairs.map(([a, b], index) => ({ a, b, verdict: verdicts[index] })),
      ...more,
    },
  } as unknown as Findings
}

/** A replay with a net for each arm under the first and under the second flow model. */
function replayed(nets: Record<string, [bigint, bigint]>): Findings {
  const models = ['INELASTIC_INPUT', 'PRICE_SETTING']
  return {
    arms,
    simulated: [],
    replayed: Object.entries(nets).flatMap(([armId, pair]) =>
      pair.map((net, index) => ({
        armId,
        flowModel: models[index],
        waterfallHolder: { net: `${net}` },
      })),
    ),
    study: { payload: { spec: { window: { fromBlock: 5, toBlock: 9 } } } },
    result: { state: 'COMPLETED', reasons: [] },
  } as unknown as Findings
}

describe('the headline of a simulation', () => {
  it('names an arm only where it beats every other', () => {
    expect(headlineOf(simulated(['B', 'INDISTINGUISHABLE', 'A']))).toBe(
      'Under the model, “B” has a higher mean net against holding than every other arm on 400 paths (95 %, Holm-adjusted).',
    )
  })

  it.each([
    [
      ['INDISTINGUISHABLE', 'INDISTINGUISHABLE', 'INDISTINGUISHABLE'],
      'no arm can be told from another',
    ],
    [['A', 'INDISTINGUISHABLE', 'A'], '1 of 3 pairs is indistinguishable'],
    [['B', 'B', 'INDISTINGUISHABLE'], '1 of 3 pairs is indistinguishable'],
  ] as const)('names none for %j', (verdicts, words) => {
    const headline = headlineOf(simulated(verdicts as never))
    expect(headline).toContain(words)
    expect(headline).not.toMatch(/best|“/)
  })

  it('never names a benchmark, and says what the winner is beside holding', () => {
    const withHold = (verdict: Verdict): Findings => {
      const findings = simulated(['A', 'A', 'B'])
      const pairs = ['a', 'b', 'c'].map((b) => ({
        a: 'benchmark-hold',
        b,
        verdict: b === 'a' ? verdict : 'A',
      }))
      return {
        ...findings,
        simulated: [...arms, armOf('benchmark-hold')],
        result: { ...findings.result, comparisons: [...findings.result.comparisons, ...pairs] },
      } as unknown as Findings
    }
    const beginning = 'Under the model, “A” has a higher mean net against holding than every other'
    expect(headlineOf(withHold('A'))).toContain(
      `${beginning} arm, and a lower mean net than holding`,
    )
    expect(headlineOf(withHold('B'))).toContain(
      `${beginning} arm, and a higher mean net than holding`,
    )
    expect(headlineOf(withHold('INDISTINGUISHABLE'))).toContain(
      'a mean net that cannot be told from that of holding',
    )
  })

  it('counts no paths where nothing is drawn', () => {
    const told = { paths: { run: 400, varies: false } }
    expect(headlineOf(simulated(['A', 'A', 'B'], told))).toBe(
      'On the one course that is told, “A” has a higher mean net against holding than every other arm.',
    )
  })

  it('holds an arm that is alone against holding', () => {
    const alone = (comparisons: object[]): Findings => {
      const findings = simulated(['A', 'A', 'A'], { comparisons })
      return { ...findings, simulated: findings.simulated.slice(0, 1) }
    }
    expect(headlineOf(alone([]))).toContain('nothing to compare it with')
    expect(headlineOf(alone([{ a: 'a', b: 'benchmark-hold', verdict: 'B' }]))).toBe(
      'Under the model, “A” has a lower mean net than holding on 400 paths (95 %, Holm-adjusted).',
    )
  })

  it('says first that it is partial, and why', () => {
    const partial = { state: 'PARTIAL', reasons: ['PRECISION_NOT_REACHED'] }
    expect(headlineOf(simulated(['A', 'A', 'A'], partial))).toMatch(
      /^Partial \(PRECISION_NOT_REACHED\)\. Under the model/,
    )
  })

  it('has no arm in it where the study abstains', () => {
    const abstained = { state: 'ABSTAINED', reasons: ['FIDELITY_BELOW_ALL'] }
    expect(headlineOf(simulated(['A', 'A', 'A'], abstained))).toBe(
      'The study abstains (FIDELITY_BELOW_ALL): no figure of an arm is given.',
    )
  })
})

describe('the headline of a replay', () => {
  it('tells which arm ended highest, and claims nothing from it', () => {
    expect(headlineOf(replayed({ a: [5n, 6n], b: [9n, 7n], c: [-1n, 0n] }))).toBe(
      'In the replay of blocks 5 to 9 “B” has the highest net result under both flow models; one history, so no claim of significance.',
    )
  })

  it.each([
    ['the flow models disagree', { a: [5n, 8n], b: [9n, 7n] }],
    ['two are equal', { a: [5n, 6n], b: [5n, 6n] }],
  ] as const)('names none where %s', (_why, nets) => {
    const headline = headlineOf(replayed(nets as never))
    expect(headline).toContain('no arm has the highest net result under both flow models')
    expect(headline).not.toMatch(/best|“/)
  })

  it('compares a single arm with nothing but holding', () => {
    expect(headlineOf(replayed({ a: [5n, 6n] }))).toContain('nothing to compare it with')
    expect(headlineOf(replayed({ a: [5n, 6n], 'benchmark-hold': [4n, 4n] }))).toContain(
      '“A” ends above holding; one history',
    )
  })

  it('never names a benchmark, whatever it came to', () => {
    const nets = { a: [5n, 6n], b: [3n, 2n], 'benchmark-rebalancing': [9n, 9n] } as const
    const beside = (hold: [bigint, bigint]) =>
      headlineOf(replayed({ ...nets, 'benchmark-hold': hold } as never))
    const beginning = '“A” has the highest net result under both flow models and ends'
    expect(beside([1n, 1n])).toContain(`${beginning} above holding`)
    expect(beside([7n, 7n])).toContain(`${beginning} below holding`)
    expect(beside([5n, 6n])).toContain(`${beginning} with holding`)
    expect(beside([1n, 7n])).toContain(`${beginning} above holding under one flow model only`)
  })
})
