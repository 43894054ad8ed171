import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agreementOf, determineCauses, type Sides } from './causes.ts'

const sides = (change: Partial<Sides> = {}): Sides => ({
  ledger: 100n,
  isRecorded: true,
  lastObserved: 100n,
  chain: 100n,
  flows: null,
  residualClass: 'NONE',
  statements: [],
  ...change,
})
const flows = (inflow: bigint, outflow: bigint, residual = 0n) => ({ inflow, outflow, residual })
const stated = (quantity: bigint, isLive = true, movedSince: bigint | null = 0n) => ({
  quantity,
  isLive,
  movedSince,
})

describe('a difference', () => {
  it.each([
    ['AGREED', 2, sides()],
    ['AGREED', 3, sides({ statements: [stated(100n)] })],
    ['UNREADABLE', 1, sides({ chain: 'UNREADABLE' })],
    ['SINGLE_SIDED', 1, sides({ chain: null })],
    ['DUPLICATE_CLAIM', 2, sides({ ledger: 110n })],
    ['MISSING_LEDGER', 2, sides({ ledger: 0n, isRecorded: false, lastObserved: null, chain: 5n })],
    ['MISSING_LEDGER', 2, sides({ ledger: 60n, lastObserved: 100n })],
    ['MISSING_CHAIN', 2, sides({ chain: 0n })],
    ['LEDGER_STALE', 2, sides({ chain: 0n, flows: flows(0n, 100n) })],
    ['LEDGER_STALE', 2, sides({ chain: 60n, flows: flows(0n, 40n) })],
    // What went explains the container and not the entries, which stood for less of it.
    ['UNEXPLAINED', 2, sides({ ledger: 70n, chain: 60n, flows: flows(0n, 40n) })],
    ['MISSING_CHAIN', 2, sides({ ledger: 70n, chain: 0n, flows: flows(0n, 100n) })],
    ['CUSTODY_CONFLICT', 3, sides({ statements: [stated(100n), stated(90n)] })],
    ['CUSTODY_EXPIRED', 2, sides({ chain: 90n, statements: [stated(100n, false)] })],
    [
      'CUSTODY_STALE',
      3,
      sides({ ledger: 60n, lastObserved: 60n, chain: 60n, statements: [stated(100n, true, -40n)] }),
    ],
    ['CUSTODY_DIFFERS', 3, sides({ statements: [stated(99n)] })],
    ['CUSTODY_DIFFERS', 2, sides({ chain: null, statements: [stated(99n, true, null)] })],
    ['AGREED', 2, sides({ chain: null, statements: [stated(100n, true, null)] })],
    [
      'REBASE_OR_FEE',
      2,
      sides({ chain: 110n, flows: flows(0n, 0n, 10n), residualClass: 'REBASE_OR_FEE' }),
    ],
    [
      'UNEXPLAINED',
      2,
      sides({ chain: 90n, flows: flows(0n, 0n, -10n), residualClass: 'UNEXPLAINED' }),
    ],
  ] as const)('of the kind %s is told, over %i sides', (cause, count, known) => {
    const result = determineCauses(known)
    expect([result.cause, result.sides]).toEqual([cause, count])
  })

  it('keeps the other causes that hold', () => {
    const known = sides({ chain: 60n, flows: flows(0n, 40n), statements: [stated(100n, false)] })
    expect(determineCauses(known)).toMatchObject({
      cause: 'CUSTODY_EXPIRED',
      alsoHolds: ['LEDGER_STALE'],
    })
  })

  it('is agreed exactly where every side that is present is the same and there are two', () => {
    const amount = fc.bigInt(0n, 3n)
    const any = fc.record({
      ledger: amount,
      isRecorded: fc.boolean(),
      lastObserved: fc.option(amount),
      chain: fc.oneof(amount, fc.constant(null), fc.constant('UNREADABLE' as const)),
      flows: fc.option(fc.record({ inflow: amount, outflow: amount, residual: amount })),
      residualClass: fc.constantFrom(
        'NONE' as const,
        'REBASE_OR_FEE' as const,
        'UNEXPLAINED' as const,
      ),
      statements: fc.array(
        fc.record({ quantity: amount, isLive: fc.boolean(), movedSince: fc.option(amount) }),
        { maxLength: 3 },
      ),
    })
    fc.assert(
      fc.property(any, (known) => {
        const { cause, alsoHolds } = determineCauses(known)
        const live = known.statements.filter(({ isLive }) => isLive).map(({ quantity }) => quantity)
        const chain = typeof known.chain === 'bigint' ? [known.chain] : []
        const ledger = known.isRecorded || chain.length > 0 ? [known.ledger] : []
        const all = [...ledger, ...chain, ...live]
        expect(cause === 'AGREED').toBe(all.length > 1 && new Set(all).size === 1)
        expect(alsoHolds).not.toContain(cause)
      }),
      { numRuns: 2000 },
    )
  })
})

it('a reconciliation with a line that is not whole is incomplete, whatever the others are', () => {
  expect(agreementOf([])).toBe('AGREED')
  expect(agreementOf(['AGREED', 'UNEXPLAINED'])).toBe('DIFFERENCES')
  expect(agreementOf(['AGREED', 'UNEXPLAINED', 'SINGLE_SIDED'])).toBe('INCOMPLETE')
})
