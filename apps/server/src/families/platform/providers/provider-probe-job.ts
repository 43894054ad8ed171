import { ChainError } from '../../../integrations/chain/chain-error.ts'
import { type ProviderEvidence, probeProvider } from '../../../integrations/chain/probe.ts'
import {
  openProvider,
  type ProviderPayload,
} from '../../../integrations/providers/chain-providers.ts'
import { scheduledChainFailure } from '../../../jobs/chain-failure.ts'
import { type JobEnd, JobFailure, type JobRun } from '../../../jobs/job-run.ts'
import { emptyChange } from '../../../store/records/change.ts'

/**
 * The probe result is a job result, not a provider version. Observations refer to provider
 * versions, and only users change those.
 */
export default async function runProviderProbe(run: JobRun): Promise<JobEnd> {
  const current = await run.records.current<ProviderPayload>('Provider', run.subject.id)
  if (!current) throw new Error(`Provider ${run.subject.id} does not exist.`)
  const { checks, facts } = await probe(run, current.record)
  const failed = checks.filter(({ ok }) => !ok)
  if (failed.length > 0) {
    const failures = failed.map(
      ({ code, expected, observed }) => `${code}: expected ${expected}, observed ${observed}`,
    )
    throw new JobFailure('LIQUIDITY_PROVIDER_PROBE_FAILED', failures.join('; '), {
      retryable: false,
    })
  }
  return {
    change: emptyChange(run.organizationId, run.now),
    result: { checks: checks.map((check) => ({ ...check })), facts: { ...facts } },
  }
}

/** No retry: the next scheduled run probes again. */
async function probe(
  run: JobRun,
  record: Parameters<typeof openProvider>[0],
): Promise<ProviderEvidence> {
  try {
    const { client, configuration } = await openProvider(record, run.services, {
      signal: run.signal,
      purpose: 'PROBE',
    })
    return await probeProvider(client, configuration)
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    throw scheduledChainFailure(error, run, 'The provider did not respond as an RPC node.')
  }
}
