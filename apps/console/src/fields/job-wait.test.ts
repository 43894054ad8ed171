import { expect, it } from 'vitest'
import { jobWaitText } from './job-wait.ts'

it('names provider and end of a wait', () => {
  const until = '2026-01-05T12:04:00.000Z'
  const waiting = { reason: 'RATE_LIMITED', until, providerId: 'main' }
  expect(jobWaitText({ waiting })).toBe(
    'Waits for the rate limit of main until 2026-01-05 12:04:00 UTC',
  )
  expect(
    jobWaitText({ waiting: { ...waiting, reason: 'QUOTA_EXHAUSTED', providerId: null } }),
  ).toBe('Waits for the quota of the node until 2026-01-05 12:04:00 UTC')
  expect(jobWaitText({})).toBeNull()
})
