import { describe, expect, it } from 'vitest'
import { type CheckResult, parseResult, passportLine } from './passport-check.ts'

const now = Date.parse('2026-11-29T12:00:00Z')
const passport = { state: 'ACTIVE', validUntil: '2026-12-05T12:00:00Z' }
const result: CheckResult = {
  pass: 32,
  fail: 0,
  notChecked: ['B1', 'B5', 'B7', 'B12', 'B15'],
  integrity: 'PASS',
  authority: 'NOT_CHECKED',
  freshness: 'PASS',
  status: 'PASS',
}

describe('the line of a passport', () => {
  it('has state, checks, open subjects and expiry', () => {
    expect(passportLine(passport, result, now)).toBe(
      'Valid · 32 checks passed · issuer key and chain not checked · expires Dec 5, 2026',
    )
    expect(passportLine(passport, null, now)).toBe(
      'Valid · not checked here yet · expires Dec 5, 2026',
    )
  })

  it('warns of a failed check, and of a passport that is over', () => {
    expect(passportLine(passport, { ...result, fail: 1, notChecked: [] }, now)).toBe(
      'Do not rely on it · 1 check failed · 32 checks passed · expires Dec 5, 2026',
    )
    expect(passportLine({ ...passport, state: 'REVOKED' }, null, now)).toMatch(/^Revoked · /)
    expect(passportLine(passport, null, Date.parse(passport.validUntil))).toBe(
      'Expired · not checked here yet · expired Dec 5, 2026',
    )
  })
})

it('accepts only a complete result', () => {
  expect(parseResult({ type: 'result', ...result })).toMatchObject(result)
  for (const other of [
    null,
    'result',
    result,
    { type: 'result', ...result, pass: '32' },
    { type: 'result', ...result, notChecked: 2 },
    { type: 'result', ...result, status: 'FINE' },
  ])
    expect(parseResult(other)).toBeNull()
})
