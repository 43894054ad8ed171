import { expect, it } from 'vitest'
import { type MarketDay, volumeElasticity } from './elasticity.ts'

const days = 28
/** What moves by itself: no two of these repeat each other over four weeks. */
const logDepth = (day: number) => Math.log(1e6) + 0.3 * Math.sin(day * 1.7)
const logVolatility = (day: number) => Math.log(0.02) + 0.4 * Math.cos(day * 2.3)

interface Terms {
  readonly elasticity: number
  readonly volatility: number
  readonly trend: number
  readonly weekend: number
}
const onlyDepth: Terms = { elasticity: 0.5, volatility: 0, trend: 0, weekend: 0 }

/** Days whose volume follows the model without an error. */
function market(
  { elasticity, volatility, trend, weekend }: Terms,
  change: (day: number) => Partial<MarketDay> = () => ({}),
  count = days,
): MarketDay[] {
  return Array.from({ length: count }, (_, day) => {
    const isWeekend = day % 7 > 4
    const logVolume =
      5 +
      elasticity * logDepth(day) +
      volatility * logVolatility(day) +
      trend * (day / count) +
      (isWeekend ? weekend : 0)
    return {
      day,
      isWeekend,
      volume: Math.exp(logVolume),
      depth: Math.exp(logDepth(day)),
      volatility: Math.exp(logVolatility(day)),
      ...change(day),
    }
  })
}

const unidentified = { elasticity: 0, standardError: 0, isIdentified: false }

it('finds the elasticity exactly where volume follows depth, volatility, time and weekends', () => {
  const found = volumeElasticity(
    market({ elasticity: 0.5, volatility: 0.8, trend: -0.6, weekend: 0.3 }),
  )
  expect(found.elasticity).toBeCloseTo(0.5, 9)
  expect(found.standardError).toBeCloseTo(0, 9)
  expect(found).toMatchObject({ observations: days, isIdentified: true })
})

it('stays between zero and 0.95', () => {
  expect(volumeElasticity(market({ ...onlyDepth, elasticity: 1.5 })).elasticity).toBe(0.95)
  expect(volumeElasticity(market({ ...onlyDepth, elasticity: -0.5 })).elasticity).toBe(0)
})

it('needs 14 days', () => {
  expect(volumeElasticity(market(onlyDepth, undefined, 14)).isIdentified).toBe(true)
  expect(volumeElasticity(market(onlyDepth, undefined, 13))).toEqual({
    ...unidentified,
    observations: 13,
  })
})

it('leaves out days without depth or volume, and indices without a day', () => {
  const holes: Record<number, Partial<MarketDay>> = {
    3: { depth: null },
    8: { depth: 0 },
    15: { volume: 0 },
  }
  const all = market(onlyDepth, (day) => holes[day] ?? {})
  const found = volumeElasticity(all)
  expect(found.observations).toBe(days - 3)
  expect(found.elasticity).toBeCloseTo(0.5, 9)
  const indices = [...all.keys(), days, days + 1]
  expect(volumeElasticity(all, indices)).toEqual(found)
})

it('tells nothing of depth that moves by half a percent or less', () => {
  // The standard deviation of ±s is s.
  const moving = (spread: number) =>
    market(onlyDepth, (day) => ({ depth: 1e6 * Math.exp(day % 2 === 0 ? spread : -spread) }))
  expect(volumeElasticity(moving(0.0049))).toEqual({ ...unidentified, observations: days })
  expect(volumeElasticity(moving(0.0051)).isIdentified).toBe(true)
  expect(volumeElasticity(market(onlyDepth, () => ({ depth: 1e6 }))).isIdentified).toBe(false)
})

it('tells nothing of depth that only follows the days', () => {
  const growing = market(onlyDepth, (day) => ({ depth: Math.exp(day / 4) }))
  expect(volumeElasticity(growing)).toEqual({ ...unidentified, observations: days })
})

it.each([
  ['a day without volatility', null],
  ['a day that did not move', 0],
])('does without volatility if there is %s', (_, volatility) => {
  const terms = { ...onlyDepth, volatility: 0.8 }
  const without = volumeElasticity(market(terms, () => ({ volatility: null })))
  expect(without.elasticity).not.toBeCloseTo(0.5, 2)
  const hole = (day: number) => (day === 9 ? { volatility } : {})
  expect(volumeElasticity(market(terms, hole))).toEqual(without)
})

it('leaves out a control that does not vary', () => {
  const even = market(onlyDepth, () => ({ volatility: 1, isWeekend: false }))
  expect(volumeElasticity(even).elasticity).toBeCloseTo(0.5, 9)
})
