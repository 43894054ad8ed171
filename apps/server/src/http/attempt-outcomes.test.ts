import { canonicalize } from '@liquidity-os/evidence'
import { expect, it } from 'vitest'
import { blame } from './attempt-outcomes.ts'
import { failureOf } from './failure-of.ts'

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('It did not throw.')
}

it('blames a fraction on the request only if the request holds it', () => {
  const computed = thrownBy(() => canonicalize({ rows: [[0.5]] }))
  const ours = failureOf(blame(computed, { paths: 500 }), false)
  expect([ours.status, ours.code]).toEqual([500, 'LIQUIDITY_INTERNAL_ERROR'])
  const theirs = failureOf(blame(computed, { payload: { free: 0.5 } }), false)
  expect([theirs.status, theirs.code]).toEqual([400, 'LIQUIDITY_INVALID_REQUEST'])
  expect(Object.keys(theirs.detail.fieldErrors ?? {})).toEqual(['payload.free'])
  const other = new Error('Another fault')
  expect(blame(other, { free: 0.5 })).toBe(other)
})
