import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Metric, relationsOf } from './compare-metrics.ts'

const metrics = (cost: string | null, out: string | null, exposure = '5'): Metric[] => [
  { metricId: 'costQuote', unit: 'QUOTE_ATOMS', better: 'LOWER', value: cost, reason: null },
  { metricId: 'minimumOut', unit: 'ATOMS', better: 'HIGHER', value: out, reason: null },
  ...([
    {
      metricId: 'exposureAfterPips',
      unit: 'PIPS',
      better: 'NEITHER',
      value: exposure,
      reason: null,
    },
  ] as const),
]
const relation = (one: Metric[], other: Metric[]) =>
  relationsOf([
    { id: 'one', metrics: one },
    { id: 'other', metrics: other },
  ])[0]

it('lets one dominate that is at least as good in everything with a direction, and better in something', () => {
  expect(relation(metrics('1', '9'), metrics('2', '9', '0'))).toMatchObject({
    relation: 'DOMINATES',
    betterIn: ['costQuote'],
    worseIn: [],
    notCompared: [],
  })
  expect(relation(metrics('2', '8'), metrics('2', '9'))?.relation).toBe('DOMINATED')
  expect(relation(metrics('1', '8'), metrics('2', '9'))?.relation).toBe('TRADE_OFF')
  // Exposure has no direction, so it decides nothing.
  expect(relation(metrics('1', '9', '1'), metrics('1', '9', '2'))?.relation).toBe('EQUAL')
})

it('lets none dominate where something is known of one of them only', () => {
  expect(relation(metrics('1', null), metrics('2', '9'))).toMatchObject({
    relation: 'TRADE_OFF',
    notCompared: ['minimumOut'],
  })
  expect(relation(metrics('1', null), metrics('2', null))?.relation).toBe('DOMINATES')
  expect(relation(metrics('1', null), metrics('1', '1'))?.relation).toBe('TRADE_OFF')
})

it('compares each pair symmetrically', () => {
  const opposite = { DOMINATES: 'DOMINATED', DOMINATED: 'DOMINATES', EQUAL: 'EQUAL' } as const
  const value = fc.option(fc.bigInt({ min: -5n, max: 5n }).map(String), { nil: null })
  const one = fc.tuple(value, value)
  fc.assert(
    fc.property(one, one, (a, b) => {
      const there = relation(metrics(...a), metrics(...b))!
      const back = relation(metrics(...b), metrics(...a))!
      expect(back.relation).toBe(
        there.relation === 'TRADE_OFF' ? 'TRADE_OFF' : opposite[there.relation],
      )
      expect(back.betterIn).toEqual(there.worseIn)
    }),
  )
})

it('puts every pair in the order in which they are named', () => {
  const all = ['a', 'b', 'c'].map((id) => ({ id, metrics: metrics('1', '1') }))
  expect(relationsOf(all).map(({ first, second }) => `${first}${second}`)).toEqual([
    ...['ab', 'ac', 'bc'],
  ])
})
