import { expect, it } from 'vitest'
import { judge, median } from './benchmark.ts'

it('takes the middle of the paired ratios, not the ratio of the middles', () => {
  const rounds = [
    { product: 10, peer: 5 },
    { product: 90, peer: 30 },
    { product: 40, peer: 10 },
  ]
  const comparison = { name: 'x', of: 'product', to: 'peer', mark: { atLeast: 3 } }
  expect(judge(comparison, rounds)).toMatchObject({ median: 3, lowest: 2, highest: 4, isMet: true })
})

it('prints a miss as a miss, in both directions', () => {
  const rounds = [{ p99: 120 }, { p99: 80 }]
  expect(judge({ name: 'x', of: 'p99', mark: { atMost: 99 } }, rounds).isMet).toBe(false)
  expect(judge({ name: 'x', of: 'p99', mark: { atLeast: 101 } }, rounds).isMet).toBe(false)
  expect(judge({ name: 'x', of: 'p99', mark: null }, rounds).isMet).toBeNull()
})

it('finds the median of odd and even numbers of values', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 3, 2])).toBe(2.5)
})
