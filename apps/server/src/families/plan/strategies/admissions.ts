import type { contract, OperatingSystemEvent } from '@liquidity-os/contract'
import { openEvent } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

export type Admission = Static<typeof contract.StrategyAdmission>
export type AdmissionLimits = Admission['limits']

export const admittedKind = 'strategy.admitted'
export const expiredKind = 'strategy.admission_lapsed'

/**
 * Payload of an admission event. It is complete, so the admission can be evaluated at any later
 * time.
 */
export interface AdmissionTerms {
  irHash: string
  studies: Admission['studies']
  limits: AdmissionLimits
  gates: Admission['gates']
  expiresAt: string
}

/** Facts that decide whether an admission is still valid. */
export interface AdmissionContext {
  /** The current version of the strategy. */
  resourceVersion: string
  packageRevoked: boolean
  /** Milliseconds since 1970. */
  now: number
}

/** Current state of the admissions in a strategy's events, in order. */
export function admissionsIn(
  events: readonly OperatingSystemEvent[],
  { resourceVersion, packageRevoked, now }: AdmissionContext,
): Admission[] {
  const diverged = new Set(
    events
      .filter(({ kind, payload }) => kind === expiredKind && payload.cause === 'DIVERGED')
      .map(({ payload }) => payload.admissionId),
  )
  return events
    .filter(({ kind }) => kind === admittedKind)
    .map((event) => {
      // admitStrategyProposal wrote and sealed this.
      const terms = event.payload as unknown as AdmissionTerms
      const isOver = Date.parse(terms.expiresAt) <= now
      const isSuperseded = event.subject.resourceVersion !== resourceVersion
      // The first cause that ended an admission remains its cause.
      const lapsedBy = diverged.has(event.id)
        ? 'DIVERGED'
        : isOver
          ? 'EXPIRED'
          : isSuperseded
            ? 'SUPERSEDED'
            : null
      return {
        eventId: event.id,
        evidenceHash: event.evidenceHash,
        resourceVersion: event.subject.resourceVersion,
        irHash: terms.irHash,
        studies: terms.studies,
        limits: terms.limits,
        gates: terms.gates,
        admittedAt: event.occurredAt,
        expiresAt: terms.expiresAt,
        state: lapsedBy === null ? 'ADMITTED' : 'LAPSED',
        lapsedBy,
        packageRevoked,
      }
    })
}

/** Admissions without a lapse event. */
export async function openAdmissions(
  records: TenantRecords,
  strategyId: string,
  context: AdmissionContext,
): Promise<Admission[]> {
  const { organizationId } = records
  const [rows = []] = await records.query([
    sql`select body from events where organization_id = ${organizationId}
      and subject_id = ${strategyId} and body::jsonb ->> 'kind' in (${admittedKind}, ${expiredKind})
      order by sequence`,
  ])
  const events = rows.map((row) => openEvent(textOf(row, 'body')) as OperatingSystemEvent)
  const expiredIds = new Set(
    events.filter(({ kind }) => kind === expiredKind).map(({ payload }) => payload.admissionId),
  )
  return admissionsIn(events, context).filter(({ eventId }) => !expiredIds.has(eventId))
}
