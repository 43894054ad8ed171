import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../units.ts'
import { custodyEvidence, isLive } from '../../prove/treasury-custody/face.ts'
import { refOf } from './read-sources.ts'
import { treasuryProjections } from './records.ts'

type Latest = contract.TreasurySummary['latest']
type Freshness = contract.TreasurySummary['freshness'][number]

/** Seconds after which a figure is old; null where each has an end of its own. */
const staleAfter: Readonly<Record<contract.FreshFamily, number | null>> = {
  ENTRIES: daySeconds,
  // As old as a projection may name it.
  RECONCILIATION: 31 * daySeconds,
  PROJECTION: 31 * daySeconds,
  STRESS: 31 * daySeconds,
  CUSTODY: null,
  CONTROL: null,
}

export const ageOf = (at: string, now: number) =>
  Math.max(0, Math.floor((now - Date.parse(at)) / 1000))

/** The newest record of each kind that tells of the treasury. */
export async function latestOfTreasury(records: TenantRecords): Promise<Latest> {
  const { now } = records
  const newest = { order: 'NEWEST', limit: 1 } as const
  const [[projection], [reconciliation], [stress], [evidence], [proof]] = await Promise.all([
    treasuryProjections.find(records, newest),
    records.find<contract.TreasuryLedgerReconciliation>('TreasuryReconciliation', newest),
    records.find<contract.TreasuryStressStudy>('TreasuryStressStudy', newest),
    custodyEvidence.find(records, newest),
    records.find<contract.ProjectControlProof>('ProjectControlProof', newest),
  ])
  const custody = latestOf(evidence, now)
  const isOver = evidence?.status === 'ACTIVE' && !isLive(evidence, now)
  return {
    projection: latestOf(projection, now),
    runways:
      projection?.payload.scenarios.map(({ scenarioId, runway }) => ({ scenarioId, runway })) ?? [],
    reconciliation: { ...latestOf(reconciliation, now), ...breaksOf(reconciliation, now) },
    stress: {
      ...latestOf(stress, now),
      quoteKey: stress?.payload.request.quoteKey ?? null,
      confidencePips: stress
        ? (stress.payload.request.confidencePips ?? contract.stressConfidencePips)
        : null,
      expectedShortfallQuote: stress?.payload.monteCarlo?.expectedShortfallQuote ?? null,
    },
    // What its time is over for is told as that, swept or not.
    custody: isOver ? { ...custody, status: 'EXPIRED' } : custody,
    control: controlOf(proof, now),
  }
}

function breaksOf(
  reconciliation: VersionedRecord<contract.TreasuryLedgerReconciliation> | undefined,
  now: number,
): Pick<Latest['reconciliation'], 'agreement' | 'openBreaks' | 'oldestBreakDays'> {
  if (!reconciliation) return { agreement: null, openBreaks: null, oldestBreakDays: null }
  const { agreement, lines } = reconciliation.payload
  const seen = lines.flatMap(({ breakId, firstSeenAt }) =>
    breakId === null || firstSeenAt === null ? [] : [firstSeenAt],
  )
  const [first] = seen.toSorted()
  return {
    ...{ agreement, openBreaks: seen.length },
    oldestBreakDays: first === undefined ? null : Math.floor(ageOf(first, now) / daySeconds),
  }
}

function controlOf(
  proof: VersionedRecord<contract.ProjectControlProof> | undefined,
  now: number,
): Latest['control'] {
  const told = latestOf(proof, now)
  const isOver = proof?.status === 'ACTIVE' && Date.parse(proof.payload.validUntil) <= now
  return isOver ? { ...told, status: 'EXPIRED' } : told
}

function latestOf(record: VersionedRecord | undefined, now: number): Latest['projection'] {
  return record
    ? {
        ...{ availability: 'FOUND', source: refOf(record), status: record.status },
        ageSeconds: ageOf(record.createdAt, now),
      }
    : { availability: 'NONE', source: null, status: null, ageSeconds: null }
}

/**
 * How old the figures of each family are.
 *
 * @param entriesAge seconds since the holding was read that was read the longest ago
 */
export function freshnessOf(latest: Latest, entriesAge: number | null): Freshness[] {
  const { reconciliation, projection, stress, custody, control } = latest
  const aged = (family: contract.FreshFamily, ageSeconds: number | null): Freshness => {
    const staleAfterSeconds = staleAfter[family]
    const stale =
      ageSeconds !== null && staleAfterSeconds !== null && ageSeconds > staleAfterSeconds
    return { family, ageSeconds, staleAfterSeconds, stale }
  }
  const ended = (family: contract.FreshFamily, { status, ageSeconds }: Latest['custody']) => ({
    ...aged(family, ageSeconds),
    stale: status !== null && status !== 'ACTIVE',
  })
  return [
    aged('ENTRIES', entriesAge),
    aged('RECONCILIATION', reconciliation.ageSeconds),
    aged('PROJECTION', projection.ageSeconds),
    aged('STRESS', stress.ageSeconds),
    ended('CUSTODY', custody),
    ended('CONTROL', control),
  ]
}
