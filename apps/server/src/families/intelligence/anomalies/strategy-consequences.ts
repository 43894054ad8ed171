import type { SealedRecord, VersionedRecord } from '@liquidity-os/evidence'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import { type Change, emptyChange, joinChanges } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import {
  admissionName,
  admittedKind,
  openAdmissions,
  pausesOn,
  type StrategyPayload,
  withExpirations,
} from '../../plan/strategies/api.ts'
import type { AnomalyPayload } from './subject.ts'

/**
 * Adds the consequences for strategies to the change that stores an anomaly. It pauses strategies
 * configured to pause on the anomaly, and ends admissions whose study diverged. One transaction, so
 * readers never see one without the other.
 */
export async function withStrategies(
  records: TenantRecords,
  { record }: SealedRecord,
  change: Change,
): Promise<Change> {
  const { outcome, severity, subject } = record.payload as AnomalyPayload
  const isGrave = outcome === 'DETECTED' && (severity === 'WARNING' || severity === 'CRITICAL')
  if (!isGrave) return change
  const pauses = await pausesOn(records, record as VersionedRecord<AnomalyPayload>)
  // A pause has already ended the admissions of its strategy.
  const paused = new Set(pauses.flatMap((pause) => pause.records.map(({ record }) => record.id)))
  const { study } = subject
  const { id, resourceVersion } = record
  if (!study) return pauses.reduce(joinChanges, change)
  const citingIds = await citing(records, study.id)
  const expirations = await Promise.all(
    citingIds
      .filter((strategyId) => !paused.has(strategyId))
      .map((strategyId) =>
        expireAdmissions(records, strategyId, study.id, { id, resourceVersion }),
      ),
  )
  return [...pauses, ...expirations].reduce(joinChanges, change)
}

/** Strategies with a current admission that depends on a study. */
async function citing(records: TenantRecords, studyId: string): Promise<string[]> {
  const { organizationId } = records
  const [rows = []] = await records.query([
    sql`select distinct n.record_id from names n join events e
        on e.organization_id = ${organizationId} and e.subject_id = n.record_id
      where n.organization_id = ${organizationId} and n.kind = ${admissionName}
      and e.body::jsonb ->> 'kind' = ${admittedKind}
      and jsonb_path_exists(e.body::jsonb, '$.payload.studies[*] ? (@.id == $id)',
        jsonb_build_object('id', ${studyId}::text))`,
  ])
  return rows.map((row) => textOf(row, 'record_id'))
}

async function expireAdmissions(
  records: TenantRecords,
  strategyId: string,
  studyId: string,
  anomaly: { id: string; resourceVersion: string },
): Promise<Change> {
  const current = await records.current<StrategyPayload>('StrategyDefinitionV2', strategyId)
  if (!current) throw new Error(`Strategy ${strategyId} does not exist.`)
  const { record, lastEvent } = current
  const { id, sequence, resourceVersion } = record
  const { now, organizationId } = records
  const context = { resourceVersion, packageRevoked: false, now }
  const open = (await openAdmissions(records, strategyId, context)).map((admission) =>
    admission.lapsedBy === null && admission.studies.some((study) => study.id === studyId)
      ? { ...admission, state: 'LAPSED' as const, lapsedBy: 'DIVERGED' as const }
      : admission,
  )
  const bare = { ...emptyChange(organizationId, now), expects: [{ id, sequence }] }
  return withExpirations(records, bare, record, open, lastEvent, { anomaly })
}
