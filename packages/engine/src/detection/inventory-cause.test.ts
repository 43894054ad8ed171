import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newPool } from '../../test/monte-carlo-market.ts'
import { ClmmSession } from '../montecarlo/clmm-session.ts'
import { type PositionSegment, splitInventoryChange } from './inventory-cause.ts'

const one = 10n ** 18n
type Step =
  | { kind: 'TRADE' | 'OWN_SWAP'; buysBase: boolean; amount: bigint }
  | { kind: 'ADD' | 'REMOVE' }
  | { kind: 'TRANSFER'; amount: bigint }

/** An issuer with one position in a real pool; its books are kept beside what it really holds. */
function keepBooks(steps: readonly Step[], base: 0 | 1) {
  const session = new ClmmSession(newPool({ feePips: 3000, ranges: true }), {
    base,
    quote: 1 - base,
  })
  const range = { tickLower: -1200, tickUpper: 1200 }
  const place = () => ({ sqrtPriceX96: session.pool.sqrtPriceX96, tick: session.pool.tick })
  const segments: PositionSegment[] = []
  let wallet = 1000n * one - session.open('own', range, 100n * one).base
  let [liquidity, from] = [100n * one, place()]
  let [swapped, transferred, fees] = [0n, 0n, 0n]
  const before = wallet + session.principal('own').base
  const close = () => {
    segments.push({ ...range, liquidity, from, to: place() })
    const { paidOut } = session.settleFees('own')
    wallet += paidOut.base
    fees += paidOut.base
  }
  for (const step of steps) {
    switch (step.kind) {
      case 'TRANSFER':
        wallet += step.amount
        transferred += step.amount
        break
      case 'TRADE':
      case 'OWN_SWAP': {
        const plan = session.planInput(step.buysBase, step.amount)
        if (plan === null) break
        session.carryOut(plan)
        if (step.kind === 'TRADE') break
        const bought = plan.buysBase ? plan.amountOut : -plan.amountIn
        wallet += bought
        swapped += bought
        break
      }
      default: {
        close()
        const part = liquidity / 3n
        wallet += step.kind === 'ADD' ? -session.open('own', range, part).base : 0n
        wallet += step.kind === 'REMOVE' ? session.close('own', part).base : 0n
        liquidity += step.kind === 'ADD' ? part : -part
        from = place()
      }
    }
  }
  close()
  const after = wallet + session.principal('own').base
  return { base, before, after, segments, swapped, transferred, fees }
}

const amount = fc.bigInt(1n, 100n * one)
const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom('TRADE' as const, 'OWN_SWAP' as const),
      buysBase: fc.boolean(),
      amount,
    }),
    fc.record({ kind: fc.constantFrom('ADD' as const, 'REMOVE' as const) }),
    fc.record({ kind: fc.constant('TRANSFER' as const), amount: fc.bigInt(-one, one) }),
  ),
  { maxLength: 12 },
)

test('four causes sum to the change of any inventory to the atom, with nothing unexplained', () => {
  fc.assert(
    fc.property(steps, fc.constantFrom(0 as const, 1 as const), (course, base) => {
      const books = keepBooks(course, base)
      const cause = splitInventoryChange(books)
      expect(cause.unexplained).toBe(0n)
      expect(cause.curve + cause.rebalance + cause.transfer + cause.fees).toBe(cause.change)
      expect(cause).toMatchObject({ rebalance: books.swapped, transfer: books.transferred })
    }),
    { numRuns: 150 },
  )
})

test('a sale by others leaves base on the curve and in the fees', () => {
  const sale: Step = { kind: 'TRADE', buysBase: false, amount: 50n * one }
  const fallen = splitInventoryChange(keepBooks([sale], 0))
  expect(fallen.curve).toBeGreaterThan(0n)
  expect(fallen.fees).toBeGreaterThan(0n)
  expect(fallen).toMatchObject({ rebalance: 0n, transfer: 0n })
})

test('what the books do not hold is unexplained, and still the parts sum to the change', () => {
  const books = keepBooks([{ kind: 'TRANSFER', amount: one }], 0)
  const cause = splitInventoryChange({ ...books, transferred: 0n })
  expect(cause).toMatchObject({ curve: 0n, transfer: 0n, unexplained: one, change: one })
})
