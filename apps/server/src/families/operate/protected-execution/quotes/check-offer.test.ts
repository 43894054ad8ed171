import { expect, it } from 'vitest'
import { daySeconds } from '../../../../units.ts'
import { type Checking, movingChecks } from './check-offer.ts'
import type { Offer } from './offer.ts'

const [validFrom, validUntil] = [1_000, 2_000]

/** Outcome of the check of the window, of a quote whose other fields hold. */
function outcomeAt(now: number, until = validUntil): string | undefined {
  const offer = {
    validFrom,
    validUntil: until,
    orderUid: null,
    sellAmount: 1n,
    buyAmount: 1n,
    minimumFill: 1n,
  } as Offer
  const checking = {
    now,
    nonceHolder: null,
    promised: 0n,
    referenceX36: null,
    request: { side: 'SELL' },
    facts: { signatureFault: null, balance: 1n, allowance: 1n, filled: null },
    band: { minX18: null, maxX18: null },
  } as unknown as Checking
  return movingChecks(offer, checking).find(({ code }) => code === 'WINDOW')?.outcome
}

it('accepts a quote from validFrom until before validUntil', () => {
  expect([999, 1_000, 1_999, 2_000].map((now) => outcomeAt(now))).toEqual([
    ...['FAIL', 'PASS', 'PASS', 'FAIL'],
  ])
})

it('rejects a quote that ends more than a day from now', () => {
  const now = validFrom
  expect([0, 1].map((more) => outcomeAt(now, now + daySeconds + more))).toEqual(['PASS', 'FAIL'])
})
