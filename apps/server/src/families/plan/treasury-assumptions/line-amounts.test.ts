import { growthAt } from '@liquidity-os/engine/treasury'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lineAmounts } from './line-amounts.ts'
import { line } from './testing/sets.ts'

const horizon = { startMonth: '2026-01', horizonMonths: 36 }

it('grow from one year of the horizon to the next, inflows rounded down and outflows up', () => {
  const growing = { amount: '1001', growthAnnualPips: 50_000 } as const
  const paid = lineAmounts(line(growing), horizon)
  const received = lineAmounts(line({ ...growing, direction: 'INFLOW' }), horizon)
  // 1001 · 1.05 = 1051.05 and 1001 · 1.1025 = 1103.6025
  expect([paid[0], paid[11], paid[12], paid[23], paid[24], paid[35]]).toEqual([
    ...[1001n, 1001n, 1052n, 1052n, 1104n, 1104n],
  ])
  expect([received[0], received[12], received[24]]).toEqual([1001n, 1051n, 1103n])
})

it('are rounded once a month and never by more than an atom', () => {
  const cases = fc.tuple(
    fc.bigInt(0n, 10n ** 30n),
    fc.integer({ min: -500_000, max: 2_000_000 }),
    fc.constantFrom('INFLOW' as const, 'OUTFLOW' as const),
    fc.constantFrom('WEEK' as const, 'MONTH' as const),
  )
  fc.assert(
    fc.property(cases, ([amount, growthAnnualPips, direction, every]) => {
      const schedule = { kind: 'RECURRING', firstAt: '2026-01-01T00:00:00Z', every } as const
      const request = line({ amount: `${amount}`, growthAnnualPips, direction, schedule })
      const plain = lineAmounts({ ...request, growthAnnualPips: 0 }, horizon)
      for (const [month, atoms] of lineAmounts(request, horizon).entries()) {
        const { numerator, denominator } = growthAt(growthAnnualPips, month)
        const error = atoms * denominator - plain[month]! * numerator
        const isAgainst = direction === 'OUTFLOW' ? error >= 0n : error <= 0n
        expect(isAgainst).toBe(true)
        expect(error < denominator && error > -denominator).toBe(true)
      }
    }),
  )
})
