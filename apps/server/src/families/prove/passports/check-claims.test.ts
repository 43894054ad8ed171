import type { contract } from '@liquidity-os/contract'
import { printSeconds } from '@liquidity-os/evidence'
import { expect, it } from 'vitest'
import { Failure } from '../../../failure.ts'
import { requireFresh } from './check-claims.ts'
import type { PassportSources } from './sources.ts'

const now = Date.parse('2026-01-05T12:00:00Z') / 1000
const hourSeconds = 3600

/** The fields that are refused of a passport generated at one time, from a vault that was read at another. */
function refusedFields(generatedAt: number, readAt = now - 1000): string[] {
  const payload = {
    generatedAt: printSeconds(generatedAt),
    validUntil: printSeconds(now + hourSeconds),
    disclosure: { showPolicyLimits: false },
  } as contract.LiquidityPassport
  const sources = {
    score: null,
    reconciliation: null,
    proof: null,
    policy: null,
    brand: null,
    vault: { payload: { snapshot: { timestamp: printSeconds(readAt) } } },
  } as unknown as PassportSources
  try {
    requireFresh(payload, sources, now * 1000)
    return []
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return Object.keys(error.detail.fieldErrors ?? {})
  }
}

it('accepts generatedAt from 600 s before to 60 s after now', () => {
  expect(refusedFields(now - 600)).toEqual([])
  expect(refusedFields(now + 60)).toEqual([])
  expect(refusedFields(now - 601)).toEqual(['payload.generatedAt'])
  expect(refusedFields(now + 61)).toEqual(['payload.generatedAt'])
})

it('accepts a vault that was read at most an hour before generatedAt, and never after it', () => {
  expect(refusedFields(now, now - hourSeconds)).toEqual([])
  expect(refusedFields(now, now)).toEqual([])
  expect(refusedFields(now, now - hourSeconds - 1)).toEqual(['payload.sourceBindings.vault'])
  expect(refusedFields(now, now + 1)).toEqual(['payload.sourceBindings.vault'])
})
