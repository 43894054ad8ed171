import type { contract } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { dayMilliseconds, hourMilliseconds } from '../../../../units.ts'
import { recheck } from './domain-status.ts'

type Payload = contract.PartnerDomainChallenge
type Check = contract.PartnerDomainCheck

const start = Date.parse('2026-01-05T12:00:00Z')
const check = (verdict: Check['verdict'], after: number): Check => ({
  at: new Date(start + after).toISOString(),
  verdict,
  zone: 'host.example',
  answers: [],
})
const proven: Payload = {
  host: 'host.example',
  displayHost: 'host.example',
  recordName: '',
  recordValue: '',
  routingPath: '',
  routingValue: '',
  issuedAt: '',
  expiresAt: '',
  observations: [],
  binding: null,
  failing: null,
}

/** The kinds of what rechecks come to, one after the other, at most until it lapses. */
function course(checks: readonly Check[]): string[] {
  let payload = proven
  const kinds: string[] = []
  for (const one of checks) {
    const step = recheck(payload, one)
    kinds.push(step.kind)
    if (step.kind !== 'UNCHANGED') payload = step.payload
  }
  return kinds
}

it('lapses with the fourth of daily failures, 72 hours after the first', () => {
  const daily = [0, 1, 2, 3].map((day) => check('NOT_PROVEN', day * dayMilliseconds))
  expect(course(daily)).toEqual(['DOUBTED', 'DOUBTED', 'DOUBTED', 'LAPSED'])
})

it('does not lapse by many failures within 72 hours, nor by two however far apart', () => {
  const hourly = Array.from({ length: 71 }, (_, hour) => check('SPLIT', hour * hourMilliseconds))
  expect(new Set(course(hourly))).toEqual(new Set(['DOUBTED']))
  expect(course([check('UNANSWERED', 0), check('UNANSWERED', 9 * dayMilliseconds)])).toEqual([
    'DOUBTED',
    'DOUBTED',
  ])
})

it('counts again after a proof', () => {
  const checks = [
    ...[check('NOT_PROVEN', 0), check('NOT_PROVEN', dayMilliseconds)],
    ...[check('PROVEN', 2 * dayMilliseconds), check('PROVEN', 3 * dayMilliseconds)],
    check('NOT_PROVEN', 4 * dayMilliseconds),
  ]
  expect(course(checks)).toEqual(['DOUBTED', 'DOUBTED', 'CONFIRMED', 'UNCHANGED', 'DOUBTED'])
})

it('keeps the newest eight checks', () => {
  let payload = proven
  for (let day = 0; day < 12; day += 1) {
    const step = recheck(payload, check('NOT_PROVEN', day * hourMilliseconds))
    if (step.kind !== 'UNCHANGED') payload = step.payload
  }
  expect(payload.observations).toHaveLength(8)
  expect(payload.observations[0]?.at).toBe(new Date(start + 11 * hourMilliseconds).toISOString())
})
