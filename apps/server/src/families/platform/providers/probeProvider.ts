import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import {
  configurationOf,
  type ProviderPayload,
} from '../../../integrations/providers/chain-providers.ts'
import { queuedJob } from '../../../jobs/job.ts'
import { queueRun } from '../../../jobs/queue-run.ts'
import { required } from '../../../required.ts'
import { sql } from '../../../store/database/sql.ts'

export default handle(contract.probeProvider, async (request): Promise<Outcome> => {
  const { params, body, records, organizationId, now, fail } = request
  const current = await records.current<ProviderPayload>('Provider', params.id)
  if (!current) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const { record } = current
  if (record.status !== 'ACTIVE' || !configurationOf(record.payload)) {
    throw fail('LIQUIDITY_PROVIDER_NOT_A_NODE')
  }
  const [running = []] = await records.query([
    sql`select id from jobs where organization_id = ${organizationId} and kind = 'PROVIDER_PROBE'
      and subject_id = ${record.id} and status in ('QUEUED', 'RUNNING') limit 1`,
  ])
  if (running.length > 0) throw fail('LIQUIDITY_PROVIDER_PROBE_RUNNING')
  const queued = queueRun(records, 'PROVIDER_PROBE', record)
  const job = { ...required(queued.jobs[0], 'queued job'), input: { reason: body.reason } }
  return { status: 201, data: queuedJob(job, now), change: { ...queued, jobs: [job] } }
})
