import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { describe, expect, it } from 'vitest'
import { type AdmissionFacts, gatesOf, type StudyEvidence } from './admission-gates.ts'

type StudyPayload = Static<typeof contract.SimulationStudy>
type Kind = StudyPayload['spec']['kind']

const now = Date.parse('2026-01-08T00:00:00Z')

/** As much of a study as gates look at. */
function evidence(
  kind: Kind,
  {
    es95 = '0',
    failure = [0, 40_000],
    shares = [0],
    capital = { base: '100', quote: '200' },
    own = '50',
    other = '50',
    verdict = 'INDISTINGUISHABLE',
    ownFirst = true,
  }: {
    es95?: string
    failure?: [number, number] | null
    shares?: number[]
    capital?: { base: string; quote: string }
    own?: string
    other?: string
    verdict?: string
    ownFirst?: boolean
  } = {},
): StudyEvidence {
  const depthOf = (medianQuote: string) => [{ bandPips: 20_000, medianQuote }]
  const simulated = {
    armId: 'own',
    failure: { any: failure && { ci95Pips: failure } },
    risk: { netVsHold: { es95 } },
    depth: depthOf(own),
  }
  const replayed = {
    armId: 'own',
    failure: shares.map((timeSharePips) => ({ rule: { kind: 'DEPTH_BELOW' }, timeSharePips })),
  }
  const benchmark = { armId: 'benchmark-full-range', depth: depthOf(other) }
  const [a, b] = ownFirst ? ['own', benchmark.armId] : [benchmark.armId, 'own']
  return {
    armIds: ['own'],
    study: {
      id: `study_${kind}`,
      status: 'COMPLETED',
      createdAt: new Date(now - 1000).toISOString(),
      payload: {
        spec: { kind, capital },
        result: {
          parity: { verdict: 'VERIFIED' },
          // Two quote atoms for one base atom.
          startPriceX18: `${2n * 10n ** 18n}`,
          arms: kind === 'REPLAY' ? [replayed] : [simulated, benchmark],
          comparisons: kind === 'REPLAY' ? [] : [{ a, b, verdict }],
          overfitting: null,
        },
      },
    },
  } as unknown as StudyEvidence
}

const facts = (change: Partial<AdmissionFacts> = {}): AdmissionFacts => ({
  status: 'VALIDATED',
  capital: { maxBase: '100', maxQuote: '200' },
  isSeeded: false,
  packageRevoked: false,
  studies: [evidence('REPLAY'), evidence('MONTE_CARLO')],
  limits: { maxFailurePips: 50_000, maxEs95LossPips: 10_000, minDepthTimeSharePips: 900_000 },
  criticalAnomalies: 0,
  pausingAnomalies: 0,
  divergedStudies: 0,
  now,
  ...change,
})

const gate = (name: string, change: Partial<AdmissionFacts> = {}) => {
  const { ok, observed, limit } = gatesOf(facts(change)).find((one) => one.gate === name)!
  return { ok, observed, limit }
}

const withPaths = (...changes: Parameters<typeof evidence>[1][]) => ({
  studies: [evidence('REPLAY'), ...changes.map((change) => evidence('MONTE_CARLO', change))],
})

describe('gates', () => {
  it('are all passed by studies that are good enough', () => {
    expect(gatesOf(facts()).filter(({ ok }) => !ok)).toEqual([])
  })

  it('of nothing are not passed', () => {
    const bare = { armIds: [], study: { ...evidence('REPLAY').study, status: 'FAILED' } }
    const failed = gatesOf(facts({ studies: [bare] })).filter(({ ok }) => !ok)
    expect(failed.map((one) => [one.gate, one.observed])).toEqual([
      ['REPLAY_STUDIES', '0'],
      ['MONTE_CARLO_STUDIES', '0'],
      ['UNUSABLE_STUDIES', '1'],
      ['FAILURE_PROBABILITY', null],
      ['EXPECTED_SHORTFALL', null],
      ['DEPTH_TIME_SHARE', null],
      ['DOMINATED_BY_FULL_RANGE', null],
      ['CAPITAL_STUDIED', null],
    ])
  })
})

describe('the shortfall', () => {
  // The capital is worth 100 · 2 + 200 = 400 quote atoms, so one atom is 2,500 pips.
  it('is a loss in pips of the capital, rounded up', () => {
    expect(gate('EXPECTED_SHORTFALL', withPaths({ es95: '-4' }))).toMatchObject({
      ok: true,
      observed: '10000',
    })
    expect(gate('EXPECTED_SHORTFALL', withPaths({ es95: '-5' }))).toMatchObject({ ok: false })
    const capital = { base: '1', quote: '1' }
    // A third is 333,333 pips and a part, which counts as one.
    expect(gate('EXPECTED_SHORTFALL', withPaths({ es95: '-1', capital })).observed).toBe('333334')
  })

  it('of a gain is none, and the worst of several studies counts', () => {
    expect(gate('EXPECTED_SHORTFALL', withPaths({ es95: '7' })).observed).toBe('0')
    expect(gate('EXPECTED_SHORTFALL', withPaths({ es95: '-1' }, { es95: '-3' })).observed).toBe(
      '7500',
    )
  })
})

describe('failure', () => {
  it('is the highest upper bound; one inconclusive study leaves it unknown', () => {
    expect(
      gate('FAILURE_PROBABILITY', withPaths({ failure: [0, 1] }, { failure: [0, 50_000] })),
    ).toEqual({ ok: true, observed: '50000', limit: '50000' })
    expect(gate('FAILURE_PROBABILITY', withPaths({ failure: [0, 50_001] })).ok).toBe(false)
    expect(gate('FAILURE_PROBABILITY', withPaths({}, { failure: null }))).toMatchObject({
      ok: false,
      observed: null,
    })
  })
})

describe('depth over time', () => {
  const replays = (...shares: number[][]) => ({
    studies: [...shares.map((of) => evidence('REPLAY', { shares: of })), evidence('MONTE_CARLO')],
  })
  it('is the lowest share of time of any rule in any replay', () => {
    expect(gate('DEPTH_TIME_SHARE', replays([0, 100_000], [50_000]))).toEqual({
      ok: true,
      observed: '900000',
      limit: '900000',
    })
    expect(gate('DEPTH_TIME_SHARE', replays([100_001])).ok).toBe(false)
    expect(gate('DEPTH_TIME_SHARE', replays([0], [])).observed).toBeNull()
  })
})

describe('domination', () => {
  const name = 'DOMINATED_BY_FULL_RANGE'
  it('is to be worse in both, whichever of the two is named first', () => {
    for (const ownFirst of [true, false]) {
      const lost = { verdict: ownFirst ? 'B' : 'A', ownFirst }
      const won = { verdict: ownFirst ? 'A' : 'B', ownFirst }
      expect(gate(name, withPaths({ ...lost, own: '49' }))).toMatchObject({ ok: false })
      expect(gate(name, withPaths({ ...lost, own: '50' })).ok).toBe(true)
      expect(gate(name, withPaths({ ...won, own: '1' })).ok).toBe(true)
    }
    expect(gate(name, withPaths({ own: '1' })).ok).toBe(true)
  })

  it('in one study of several is one too many', () => {
    const dominated = { verdict: 'B', own: '1' }
    expect(gate(name, withPaths({}, dominated)).observed).toBe('1')
  })
})

describe('the capital', () => {
  it('is compared by worth, in the study that covers least of it', () => {
    const half = { capital: { base: '0', quote: '200' } }
    expect(gate('CAPITAL_STUDIED', withPaths({}, half))).toEqual({
      ok: false,
      observed: '200',
      limit: '400',
    })
    // All of it in quote is worth as much.
    const same = { capital: { base: '0', quote: '400' } }
    expect(gate('CAPITAL_STUDIED', withPaths(same)).ok).toBe(true)
  })
})

describe('the age', () => {
  it('is rounded up to seconds', () => {
    const at = (milliseconds: number) => gate('STUDY_AGE', { now: now - 1000 + milliseconds })
    expect(at(604_800_000)).toMatchObject({ ok: true, observed: '604800' })
    expect(at(604_800_001)).toMatchObject({ ok: false, observed: '604801' })
  })
})
