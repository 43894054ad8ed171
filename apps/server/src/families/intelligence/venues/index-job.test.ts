import { expect, it } from 'vitest'
import { cadenceInput } from './index-job.ts'
import { indexJobAudit } from './index-job-audit.ts'

it('recognizes the scheduled runs of earlier releases', () => {
  const stored = {
    mode: 'FULL',
    fromBlock: null,
    toBlock: null,
    reason: 'Read at the cadence of the venue',
  }
  expect(cadenceInput).toEqual(stored)
  const job = { kind: 'VENUE_INDEX', id: 'job_1', subjectId: 'venue_1', status: 'QUEUED' }
  expect(indexJobAudit().jobFault({ ...job, input: stored, result: {} } as never)).toBeNull()
  const other = { ...stored, reason: 'Another reason' }
  expect(indexJobAudit().jobFault({ ...job, input: other, result: {} } as never)).toMatch(/queued/)
})
