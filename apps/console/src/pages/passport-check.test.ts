import { describe, expect, it } from 'vitest'
import { type CheckResult, checkLine, parseResult, serviceLine } from './passport-check.ts'

const now = Date.parse('2026-11-29T12:00:00Z')
const passport = { state: 'ACTIVE', validUntil: '2026-12-05T12:00:00Z' }
const result: CheckResult = {
  pass: 32,
  fail: 0,
  notChecked: ['B1', 'B5', 'B7', 'B12', 'B15', 'B15'],
  integrity: 'PASS',
  authority: 'NOT_CHECKED',
  freshness: 'PASS',
  status: 'PASS',
}

describe('the lines of a passport', () => {
  it('separate the state by the service from the checks in this browser', () => {
    expect(serviceLine(passport, now)).toBe('According to the service: valid, expires Dec 5, 2026')
    expect(checkLine(result)).toBe(
      'Checked in this browser: 32 passed, 6 not checked (files, issuer key, log signature, chain, and validity)',
    )
    expect(checkLine({ ...result, notChecked: [] })).toBe('Checked in this browser: 32 passed')
    expect(checkLine(null)).toBe('Not checked in this browser yet.')
  })

  it('warn of a failed check, and of a passport that is over', () => {
    expect(checkLine({ ...result, fail: 1, notChecked: ['B6'] })).toBe(
      'Do not rely on it. Checked in this browser: 1 failed, 32 passed, 1 not checked (log entry)',
    )
    expect(serviceLine({ ...passport, state: 'REVOKED' }, now)).toBe(
      'According to the service: revoked',
    )
    expect(serviceLine(passport, Date.parse(passport.validUntil))).toBe(
      'According to the service: expired Dec 5, 2026',
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
