import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { queuedJob } from '../../../jobs/job.ts'
import { requireValidated } from '../../../market/named-venue.ts'
import { sql } from '../../../store/database/sql.ts'
import { indexJob } from './index-job.ts'
import type { VenueProfile } from './venue.ts'

export default handle(contract.queueVenueIndex, async (request): Promise<Outcome> => {
  const { params, body, records, organizationId, now, fail } = request
  const current = await records.current<VenueProfile>('VenueProfile', params.id)
  if (!current) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const { record } = current
  requireValidated(record, 'id')
  const { startBlock } = record.payload.read
  const fromBlock = body.payload.fromBlock ?? startBlock
  const { toBlock } = body.payload
  if (fromBlock < startBlock || (toBlock !== undefined && toBlock < fromBlock)) {
    throw fail('LIQUIDITY_VENUE_RANGE_INVALID', {
      fieldErrors: {
        'payload.fromBlock': [
          `must be at least ${startBlock} and at most toBlock, got ${fromBlock}`,
        ],
      },
    })
  }
  const [running] = await records.query([
    sql`select id from jobs where organization_id = ${organizationId} and kind = 'VENUE_INDEX'
      and subject_id = ${record.id} and status in ('QUEUED', 'RUNNING')`,
  ])
  const [first] = running ?? []
  if (first) {
    throw fail('LIQUIDITY_VENUE_INDEX_RUNNING', {
      fieldErrors: { id: [`must have no running job, got ${first.id}`] },
    })
  }
  const { job, change } = indexJob(records, current, {
    mode: body.payload.mode,
    fromBlock: body.payload.fromBlock ?? null,
    toBlock: toBlock ?? null,
    reason: body.reason,
  })
  return { status: 201, data: queuedJob(job, now), change }
})
