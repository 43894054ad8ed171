import { expect, it } from 'vitest'
import { returnsByMonth } from './projected-terms.ts'

const at = (text: string) => Date.parse(text)

it('sums what becomes free by month, and leaves out what does after the horizon', () => {
  const set = { startMonth: '2026-11', horizonMonths: 3 }
  const returns = [
    { at: at('2026-10-31T23:59:59Z'), quantity: 1n },
    { at: at('2026-11-30T23:59:59Z'), quantity: 2n },
    { at: at('2027-01-01T00:00:00Z'), quantity: 4n },
    { at: at('2027-01-31T23:59:59Z'), quantity: 8n },
    { at: at('2027-02-01T00:00:00Z'), quantity: 16n },
    { at: at('9999-12-31T23:59:59Z'), quantity: 32n },
  ]
  expect(returnsByMonth(set, returns)).toEqual([
    { month: 0, quantity: 3n },
    { month: 2, quantity: 12n },
  ])
})
