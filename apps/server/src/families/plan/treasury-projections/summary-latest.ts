import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import {
  wholeProjection,
  wholeReconciliation,
  wholeStress,
} from '../../../market/treasury/active-records.ts'
import { type Computed, computedAtOf, snapshotTime } from '../../../market/treasury/computed-at.ts'
import { sql } from '../../../store/database/sql.ts'
import { member } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../units.ts'
import { custodyEvidence, heldAtOf, isLive } from '../../prove/treasury-custody/api.ts'
import { treasurySettingsOf } from '../treasury-settings/api.ts'
import { isControlLive } from './control-behind.ts'
import { refOf } from './read-sources.ts'
import { ageOf, secondsSince } from './summary-freshness.ts'

type Latest = contract.TreasurySummary['latest']

/** Time of the evidence, unchanged by later record versions. */
const heldTime = sql`coalesce(${member('payload.receipt.statementBlock.timestamp')}, ${member('payload.statement.issuedAt')})`

/**
 * Latest record per kind that covers the whole treasury. A record with fewer entries does not
 * count.
 *
 * @param holdings ids of the active asset entries
 */
export async function latestOfTreasury(
  records: TenantRecords,
  holdings: ReadonlySet<string>,
): Promise<Latest> {
  const { now } = records
  const latest = { latestBy: snapshotTime, limit: 1 }
  const { primaryAssumptions } = (await treasurySettingsOf(records)).settings
  const [projection, reconciliation, stress, [evidence], [proof]] = await Promise.all([
    wholeProjection(records, primaryAssumptions, 'HEADLINE'),
    wholeReconciliation(records, holdings),
    wholeStress(records),
    custodyEvidence.find(records, { latestBy: heldTime, limit: 1 }),
    records.find<contract.ProjectControlProof>('ProjectControlProof', latest),
  ])
  const isControlled = projection !== null && (await isControlLive(records, projection.payload))
  const isStressLive = stress !== null && (await isControlLive(records, stress.payload))
  const custody = latestOf(evidence, evidence && heldAtOf(evidence), now)
  const isOver = evidence?.status === 'ACTIVE' && !isLive(evidence, now)
  const computed = (record: VersionedRecord<Computed> | null) =>
    latestOf(record ?? undefined, record ? computedAtOf(record) : undefined, now)
  return {
    projection: computed(projection),
    runways:
      projection?.payload.scenarios.map(({ scenarioId, runway, controlledRunway }) => ({
        scenarioId,
        runway,
        controlledRunway: isControlled ? (controlledRunway ?? null) : null,
      })) ?? [],
    reconciliation: { ...computed(reconciliation), ...breaksOf(reconciliation, now) },
    stress: {
      ...computed(stress),
      quoteKey: stress?.payload.request.quoteKey ?? null,
      confidencePips: stress
        ? (stress.payload.request.confidencePips ?? contract.stressConfidencePips)
        : null,
      expectedShortfallQuote: stress?.payload.monteCarlo?.expectedShortfallQuote ?? null,
      controlledExpectedShortfallQuote: isStressLive
        ? (stress.payload.monteCarlo?.controlled?.expectedShortfallQuote ?? null)
        : null,
    },
    // Expired evidence is reported as expired, even before the sweep.
    custody: isOver ? { ...custody, status: 'EXPIRED' } : custody,
    control: controlOf(proof, now),
  }
}

function breaksOf(
  reconciliation: VersionedRecord<contract.TreasuryLedgerReconciliation> | null,
  now: number,
): Pick<Latest['reconciliation'], 'agreement' | 'openBreaks' | 'oldestBreakDays'> {
  if (!reconciliation) return { agreement: null, openBreaks: null, oldestBreakDays: null }
  const { agreement, lines } = reconciliation.payload
  const seen = lines.flatMap(({ breakId, firstSeenAt }) =>
    breakId === null || firstSeenAt === null ? [] : [firstSeenAt],
  )
  const [first] = seen.toSorted()
  return {
    agreement,
    openBreaks: seen.length,
    oldestBreakDays: first === undefined ? null : Math.floor(ageOf(first, now) / daySeconds),
  }
}

function controlOf(
  proof: VersionedRecord<contract.ProjectControlProof> | undefined,
  now: number,
): Latest['control'] {
  const latest = latestOf(proof, proof && computedAtOf(proof), now)
  const isOver = proof?.status === 'ACTIVE' && Date.parse(proof.payload.validUntil) <= now
  return isOver ? { ...latest, status: 'EXPIRED' } : latest
}

function latestOf(
  record: VersionedRecord | undefined,
  at: number | undefined,
  now: number,
): Latest['projection'] {
  return record && at !== undefined
    ? {
        availability: 'FOUND',
        source: refOf(record),
        status: record.status,
        ageSeconds: secondsSince(at, now),
      }
    : { availability: 'NONE', source: null, status: null, ageSeconds: null }
}
