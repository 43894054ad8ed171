import type { contract } from '@liquidity-os/contract'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Analysis } from '../discovery/api.ts'
import { changesBetween } from './changes.ts'
import { observations } from './records.ts'

export interface Observed {
  readonly projectId: string
  readonly version: number
  readonly analysis: Analysis
  readonly before: Analysis | null
  readonly reason: string
}

/** The observation as a separate record. Its hash is the evidence. */
export function observationOf(records: TenantRecords, observed: Observed) {
  const { projectId, version, analysis, before, reason } = observed
  const payload: contract.ProjectObservation = {
    projectId,
    version,
    analysis,
    previousHash: before?.analysisHash ?? null,
    changes: before ? changesBetween(before, analysis) : [],
  }
  return observations.first(records, {
    status: analysis.state,
    payload,
    reason,
    evidenceHashes: [analysis.analysisHash],
    event: 'project_observation.recorded',
    eventPayload: { projectId, version, analysisHash: analysis.analysisHash },
  })
}

/** Summary of the newest observation in the bookmark. */
export function latestOf(
  version: number,
  { analysisHash, state }: Analysis,
  now: number,
): contract.SavedProject['latest'] {
  return { version, observedAt: new Date(now).toISOString(), analysisHash, state }
}
