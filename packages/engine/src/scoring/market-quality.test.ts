import { expect, test } from 'vitest'
import { pathStream } from '../random/streams.ts'
import { scoreOnAnchors } from './anchors.ts'
import { type MarketFeatures, scoreInterval, scoreMarket } from './market-quality.ts'
import { type ComponentCode, MQS_1 } from './weight-set-mqs-1.ts'

const measured = (raw: number | null) => ({
  raw,
  samples: 2016,
  coveragePips: 1_000_000,
  method: 'EXACT',
})

function market(change: Partial<Record<ComponentCode, number | null>> = {}): MarketFeatures {
  const best: Record<ComponentCode, number | null> = {
    DEPTH: 50_000_000,
    EXECUTION_COST: 1_000,
    SPREAD: 500,
    RESILIENCE: 60,
    CONTINUITY: 999_000,
    BALANCE: 900_000,
    CONCENTRATION: 800_000,
    FLOW_INTEGRITY: 990_000,
    PRICE_INTEGRITY: 1_000,
    ...change,
  }
  const components = Object.fromEntries(
    Object.entries(best).map(([code, raw]) => [code, measured(raw)]),
  ) as unknown as MarketFeatures['components']
  return {
    components,
    samplesPresent: 2016,
    samplesExpected: 2016,
    dataAgeSeconds: 60,
    trades: 1000,
    priceSources: 2,
    sourceDeviationPips: 0,
    thinnerDepthAtEnd: 1n,
    hasCriticalAnomaly: false,
  }
}

test('the weights sum to a million and a perfect market scores it', () => {
  expect(MQS_1.reduce((sum, { weightPips }) => sum + weightPips, 0)).toBe(1_000_000)
  expect(scoreMarket(market())).toMatchObject({
    state: 'COMPLETED',
    scorePips: 1_000_000,
    grade: 'A',
    confidencePips: 1_000_000,
    caps: [],
    reasons: [],
  })
})

test('sub-scores meet their anchors, go straight between them and stay at the ends', () => {
  for (const definition of MQS_1) {
    for (const [raw, pips] of definition.anchors) {
      expect(scoreOnAnchors(raw, definition)).toBe(pips)
    }
  }
  const component = (code: ComponentCode) => MQS_1.find((c) => c.code === code)!
  expect(scoreOnAnchors(2_000, component('EXECUTION_COST'))).toBe(925_000)
  expect(scoreOnAnchors(0, component('EXECUTION_COST'))).toBe(1_000_000)
  expect(scoreOnAnchors(200_000, component('EXECUTION_COST'))).toBe(0)
  // Half of the way from 0.5 to 2 in the logarithm is 1.
  expect(scoreOnAnchors(1_000_000, component('DEPTH'))).toBe(175_000)
})

test('contributions sum to the score', () => {
  const result = scoreMarket(market({ DEPTH: 7_000_000, EXECUTION_COST: 6_500, SPREAD: 6_000 }))
  const sum = result.components.reduce((total, c) => total + c.contributionPips, 0)
  expect(result.scorePips).toBe(sum)
  expect(result.components.find(({ code }) => code === 'SPREAD')).toMatchObject({
    raw: '6000',
    subScorePips: 500_000,
    contributionPips: 50_000,
  })
})

test('caps bind and are named; one that does not bind is not', () => {
  expect(scoreMarket({ ...market(), thinnerDepthAtEnd: 0n })).toMatchObject({
    scorePips: 200_000,
    grade: 'E',
    caps: ['ONE_SIDED_DEPTH'],
  })
  expect(scoreMarket(market({ CONTINUITY: 910_000 }))).toMatchObject({
    scorePips: 400_000,
    caps: ['LOW_CONTINUITY'],
  })
  // A sub-score of 200,000 is not capped, one of 199,993 is.
  expect(scoreMarket(market({ CONTINUITY: 930_000 }))).toMatchObject({
    scorePips: 900_000,
    caps: [],
  })
  expect(scoreMarket(market({ CONTINUITY: 929_999 }))).toMatchObject({
    scorePips: 400_000,
    caps: ['LOW_CONTINUITY'],
  })
  expect(scoreMarket({ ...market({ CONTINUITY: 0 }), hasCriticalAnomaly: true })).toMatchObject({
    scorePips: 400_000,
    caps: ['LOW_CONTINUITY', 'CRITICAL_ANOMALY'],
  })
  expect(scoreMarket(market({ CONTINUITY: 0, RESILIENCE: null })).indicativeScorePips).toBe(400_000)
  expect(scoreMarket({ ...market(), hasCriticalAnomaly: true }).scorePips).toBe(500_000)
  const poor = market({ DEPTH: 0, EXECUTION_COST: 100_000, SPREAD: 50_000, RESILIENCE: 86_400 })
  expect(scoreMarket({ ...poor, hasCriticalAnomaly: true }).caps).toEqual([])
})

test('a washed market that is best in all else earns no A, and nobody is sure of it', () => {
  // Without the caps 950,000 and an A: the component of the flow weighs a twentieth.
  const washed = scoreMarket(market({ FLOW_INTEGRITY: 100_000 }))
  expect(washed.components.reduce((sum, c) => sum + c.contributionPips, 0)).toBe(950_000)
  expect(washed).toMatchObject({
    scorePips: 500_000,
    grade: 'D',
    confidencePips: 500_000,
    caps: ['MANIPULATED_FLOW'],
  })
  const half = scoreMarket(market({ FLOW_INTEGRITY: 900_000 }))
  expect(half).toMatchObject({
    scorePips: 700_000,
    grade: 'B',
    confidencePips: 700_000,
    caps: ['SUSPICIOUS_FLOW'],
  })
  const [suspicious, clean] = [700_001, 900_001].map((raw) =>
    scoreMarket(market({ FLOW_INTEGRITY: raw })),
  )
  expect([suspicious!.caps, clean!.caps, clean!.grade]).toEqual([['SUSPICIOUS_FLOW'], [], 'A'])
})

test('a market that one provider holds is no A, where it is known who provides', () => {
  const held = (raw: number, isWeakMethod: boolean) => {
    const features = market()
    const CONCENTRATION = { ...measured(raw), isWeakMethod, method: 'HHI' }
    return scoreMarket({ ...features, components: { ...features.components, CONCENTRATION } })
  }
  // Without the cap 925,000 and an A. One provider of nine tenths leaves 1 − 0.81 − 0.01.
  expect(held(0, false)).toMatchObject({
    scorePips: 700_000,
    grade: 'B',
    confidencePips: 700_000,
    caps: ['SINGLE_PROVIDER'],
  })
  expect(held(179_999, false).caps).toEqual(['SINGLE_PROVIDER'])
  expect(held(180_000, false)).toMatchObject({ grade: 'A', caps: [] })
  expect(held(0, true)).toMatchObject({ grade: 'A', caps: [] })
})

test('a cap that holds only the confidence is named, too', () => {
  const poor = market({ DEPTH: 0, EXECUTION_COST: 100_000, FLOW_INTEGRITY: 800_000 })
  expect(scoreMarket(poor)).toMatchObject({
    caps: ['SUSPICIOUS_FLOW'],
    confidencePips: 700_000,
  })
})

test('what is missing turns a score into an indication, and what must not be missing into none', () => {
  const partial = scoreMarket(market({ RESILIENCE: null, SPREAD: 6_000 }))
  expect(partial).toMatchObject({ state: 'PARTIAL', scorePips: null, grade: null })
  expect(partial.reasons).toEqual(['MISSING_RESILIENCE'])
  // (875,000 − 50,000) / 0.875
  expect(partial.indicativeScorePips).toBe(942_857)
  for (const code of ['DEPTH', 'EXECUTION_COST'] as const) {
    const refused = scoreMarket(market({ [code]: null }))
    expect(refused).toMatchObject({
      state: 'ABSTAINED',
      scorePips: null,
      indicativeScorePips: null,
      grade: null,
    })
    expect(refused.components).toHaveLength(9)
  }
})

test('with six of ten samples gone nothing is scored', () => {
  const thin = scoreMarket({ ...market(), samplesPresent: 806 })
  expect(thin).toMatchObject({ state: 'ABSTAINED', scorePips: null })
  expect(thin.reasons).toContain('COVERAGE_TOO_LOW')
  const most = scoreMarket({ ...market(), samplesPresent: 1700 })
  expect(most).toMatchObject({ state: 'PARTIAL', reasons: ['COVERAGE_INCOMPLETE'] })
})

test('confidence falls with age, few trades, a single source and disagreement', () => {
  const confidence = (change: Partial<MarketFeatures>) =>
    scoreMarket({ ...market(), ...change }).confidencePips
  expect(confidence({ dataAgeSeconds: 3_600 })).toBe(1_000_000)
  expect(confidence({ dataAgeSeconds: 45_000 })).toBe(500_000)
  expect(confidence({ dataAgeSeconds: 90_000 })).toBe(0)
  expect(confidence({ trades: 100 })).toBe(750_000)
  expect(confidence({ priceSources: 1, sourceDeviationPips: null })).toBe(700_000)
  expect(confidence({ sourceDeviationPips: 5_000 })).toBe(750_000)
  expect(scoreMarket({ ...market(), sourceDeviationPips: 13_000 }).reasons).toEqual([
    'CONFIDENCE_TOO_LOW',
  ])
})

test('a weaker method cannot earn more than half', () => {
  const features = market()
  const weak = {
    ...features,
    components: {
      ...features.components,
      CONCENTRATION: { ...measured(800_000), isWeakMethod: true, method: 'VENUE_HHI' },
    },
  }
  expect(scoreMarket(weak).scorePips).toBe(962_500)
})

test('the interval of a score holds the score of the whole window', () => {
  const hours = Array.from({ length: 168 }, (_, i) => 600_000 + ((i * 37_000) % 90_000))
  const mean = (indices: Uint32Array | number[]) =>
    Array.from(indices, (i) => hours[i]!).reduce((a, b) => a + b, 0) / indices.length
  const stream = pathStream(new Uint8Array(32), 0, 'bootstrap', false)
  const [low, high] = scoreInterval(168, mean, { stream, meanBlock: 6 })
  const whole = mean(hours.map((_, i) => i))
  expect(low).toBeLessThan(whole)
  expect(high).toBeGreaterThan(whole)
  expect(high - low).toBeLessThan(30_000)
})
