import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { handle, type Outcome } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { divergencesFrom } from '../../../market/open-anomalies.ts'
import { sql } from '../../../store/database/sql.ts'
import { wholeBody } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type Admission, admissionsIn } from './admissions.ts'
import type { StrategyPayload } from './compile.ts'
import { type PackagePayload, packageOf } from './package-lineage.ts'
import { resolvedHashes } from './resolved-hashes.ts'

type Evidence = Static<typeof contract.getStrategyEvidence.response.schema>
type StudyPayload = Static<typeof contract.SimulationStudy>
type Strategy = VersionedRecord<StrategyPayload>
type Study = VersionedRecord<StudyPayload>

/** All evidence of a strategy: its versions, the studies that ran it, and its history. */
export default handle(contract.getStrategyEvidence, async (request): Promise<Outcome> => {
  const { params, records, now, fail } = request
  const current = await records.current<StrategyPayload>('StrategyDefinitionV2', params.id)
  if (!current) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const running = {
    where: sql`jsonb_path_exists(${wholeBody}, '$.payload.spec.arms[*].strategy ? (@.id == $id)',
      jsonb_build_object('id', ${params.id}::text))`,
  }
  const [versions, events, ran, runningInAll] = await Promise.all([
    records.versions<StrategyPayload>('StrategyDefinitionV2', params.id, {
      limit: limits.strategyEvidenceVersions,
    }),
    records.events(params.id, { limit: limits.strategyEvidenceVersions }),
    records.find<StudyPayload>('SimulationStudy', {
      ...running,
      limit: limits.strategyEvidenceStudies,
    }),
    records.count('SimulationStudy', running),
  ])
  const source = await packageOf(records, current.record.payload)
  const { resourceVersion } = current.record
  const packageRevoked = source?.status === 'REVOKED'
  const runsHere = ({ payload }: Study) =>
    payload.spec.arms.some((arm) => 'strategy' in arm && arm.strategy.id === params.id)
  const admissions = admissionsIn(events, { resourceVersion, packageRevoked, now })
  const counted = await countedBy(admissions, ran, records)
  const studies = [...ran, ...counted.found]
  const divergences = await divergencesFrom(
    records,
    studies.map(({ id }) => id),
    limits.strategyEvidenceDivergences,
  )
  return {
    data: {
      strategy: current.record,
      versions,
      compilations: versions.flatMap(compiledOf),
      studies,
      divergences: divergences.found,
      admissions,
      packageLineage: lineageOf(current.record, source),
      events,
      omitted: {
        // Both have contiguous numbers.
        versions: current.record.sequence - versions.length,
        studies: runningInAll - studies.filter(runsHere).length + counted.omitted,
        events: (current.lastEvent?.sequence ?? 0) - events.length,
        divergences: divergences.inAll - divergences.found.length,
      },
      hashes: resolvedHashes({ versions, studies, events, source }),
    },
  }
})

/** Studies of the newest admissions that are not listed yet. */
async function countedBy(
  admissions: readonly Admission[],
  listed: readonly { id: string }[],
  records: TenantRecords,
): Promise<{ found: Study[]; omitted: number }> {
  const known = new Set(listed.map(({ id }) => id))
  const named = admissions.toReversed().flatMap(({ studies }) => studies.map(({ id }) => id))
  const missing = [...new Set(named)].filter((id) => !known.has(id))
  if (missing.length === 0) return { found: [], omitted: 0 }
  const ids = missing.slice(0, limits.strategyEvidenceAdmitted)
  const found = await records.find<StudyPayload>('SimulationStudy', { ids })
  return { found, omitted: missing.length - found.length }
}

function compiledOf({ sequence, resourceVersion, payload }: Strategy): Evidence['compilations'] {
  // A manually written version may have no compilation.
  if (!payload.compilation) return []
  const { irHash, ok, observation, engineVersion } = payload.compilation
  return [{ sequence, resourceVersion, irHash, ok, observation, engineVersion }]
}

function lineageOf(
  { payload: { lineage, compilation } }: Strategy,
  source: VersionedRecord<PackagePayload> | null,
): Evidence['packageLineage'] {
  if (!lineage || !source) return null
  const { irHash, ...origin } = lineage
  const packageRevoked = source.status === 'REVOKED'
  return {
    ...origin,
    isChanged: compilation.irHash !== irHash,
    // Statuses of the family.
    packageStatus: source.status as 'DRAFT' | 'ACTIVE' | 'REVOKED',
    packageRevoked,
    revocationReason: packageRevoked ? source.reason : null,
  }
}
