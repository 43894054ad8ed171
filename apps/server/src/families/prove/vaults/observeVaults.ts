import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { queuedJob } from '../../../jobs/job.ts'
import { sql } from '../../../store/database/sql.ts'
import { observationTask, queueObservation } from './queue-observation.ts'

/** Queues an immediate observation of a holding's Safe, independent of its schedule. */
export default handle(contract.observeVaults, async (request): Promise<Outcome> => {
  const { body, records, organizationId, now, fail } = request
  const { entryId } = body.payload
  const entry = await records.current<contract.TreasuryBucket>('TreasuryBucket', entryId)
  if (!entry) {
    throw fail('LIQUIDITY_SOURCE_UNAVAILABLE', {
      fieldErrors: { 'payload.entryId': [`must be a ledger entry, got ${entryId}`] },
    })
  }
  const [running = []] = await records.query([
    sql`select id from jobs where organization_id = ${organizationId} and kind = ${observationTask}
      and subject_id = ${entryId} and status in ('QUEUED', 'RUNNING')`,
  ])
  if (running[0]) {
    throw fail('LIQUIDITY_VAULT_OBSERVATION_RUNNING', {
      fieldErrors: { 'payload.entryId': [`must have no running job, got ${running[0].id}`] },
    })
  }
  const change = await queueObservation(records, entryId)
  const job = change?.jobs[0]
  if (!change || !job) {
    const { status, payload } = entry.record
    const expected =
      'must be an ACTIVE token holding in a SAFE for LIQUIDITY_PROGRAM or LIQUIDITY_BACKSTOP'
    const came = `got ${payload.entryKind} for ${payload.purpose} with status ${status}`
    throw fail('LIQUIDITY_VAULT_HOLDING_UNSUITABLE', {
      fieldErrors: { 'payload.entryId': [`${expected}, ${came}`] },
    })
  }
  // The event on the holding stores the reason for the request.
  const eventPayload = { jobId: job.id, reason: body.reason }
  const { events } = records.note(entry, 'vault.observation_queued', eventPayload)
  return { status: 201, data: queuedJob(job, now), change: { ...change, events } }
})
