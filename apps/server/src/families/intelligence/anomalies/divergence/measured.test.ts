import { expect, it } from 'vitest'
import { measure } from './measured.ts'
import type { RealizedArm } from './realize-moment-task.ts'

/** Paths on which every figure runs evenly from 0 to 200. */
const spread = Float64Array.from({ length: 201 }, (_, path) => path)
const simulated = {
  netVsHold: spread,
  fees: spread,
  depth: spread,
  baseSharePips: spread,
  volume: spread,
}

function metricFor(...fees: bigint[]) {
  const models = fees.map((earned, index) => ({
    flowModel: index === 0 ? 'INELASTIC_INPUT' : 'PRICE_SETTING',
    netVsHold: 100n,
    fees: earned,
    depth: 100n,
    baseSharePips: 100n,
    course: [],
  })) as unknown as RealizedArm[]
  const realized = {
    missing: null,
    models,
    swaps: 0,
    volumeQuote: 100n,
    annualVolatility: 1,
    otherLiquidity: null,
  } as unknown as Parameters<typeof measure>[1]
  const terms = { begun: 0, moment: 600, fan: [], worth: 1000n, assumedVolatility: 1, others: '' }
  return measure(simulated, realized, terms).metrics.find(({ metric }) => metric === 'FEES')!
}

it('judges a figure by the model of the flow under which it is nearer to the middle of the paths', () => {
  const far = { flowModel: 'PRICE_SETTING', value: 10_000n }
  const found = metricFor(110n, 10_000n)
  expect(found.value).toBe(110n)
  expect(found.byModel).toContainEqual(far)
  expect(found.verdict.severity).toBeNull()
  expect(metricFor(10_000n, 110n).value).toBe(110n)
  expect(metricFor(-10_000n, 90n).value).toBe(90n)
})

it('finds values far from the median under both', () => {
  const found = metricFor(20_000n, 10_000n)
  expect(found.value).toBe(10_000n)
  expect(found.verdict.severity).toBe('CRITICAL')
})
