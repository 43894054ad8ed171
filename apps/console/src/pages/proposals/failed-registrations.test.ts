import type { OperatingSystemJob } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { failedRegistrations } from './failed-registrations.ts'

const hash = (digit: string) => `0x${digit.repeat(64)}`
const job = (id: string, change: Partial<OperatingSystemJob>): OperatingSystemJob => ({
  id,
  kind: 'PROPOSAL_EXECUTION',
  status: 'FAILED',
  subject: { resourceType: 'ProposalWorkspace', id: 'prp_1', resourceVersion: 'a' },
  progressPips: 0,
  attempts: 1,
  createdAt: '2026-11-30T10:00:00.000Z',
  ...change,
})
const failed = (id: string, digit: string) =>
  job(id, {
    error: { code: 'LIQUIDITY_INTERNAL_ERROR', message: `No. ${hash(digit)}.`, retryable: true },
  })

it('shows the last failure of each transaction that no later job registered', () => {
  const jobs = [
    job('queued', { status: 'QUEUED' }),
    job('done', { status: 'COMPLETED', result: { transactionHash: hash('a') } }),
    failed('b2', 'b'),
    failed('b1', 'b'),
    failed('a1', 'a'),
  ]
  expect(failedRegistrations(jobs).map(({ id }) => id)).toEqual(['b2'])
  expect(failedRegistrations([])).toEqual([])
})
