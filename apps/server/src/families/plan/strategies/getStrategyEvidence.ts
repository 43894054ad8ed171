import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { handle, type Outcome } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { sql } from '../../../store/database/sql.ts'
import { wholeBody } from '../../../store/records/find.ts'
import { admissionsIn } from './admissions.ts'
import type { StrategyPayload } from './compile.ts'
import { type PackagePayload, packageOf } from './package-lineage.ts'
import { resolvedHashes } from './resolved-hashes.ts'

type Evidence = Static<typeof contract.getStrategyEvidence.response.schema>
type StudyPayload = Static<typeof contract.SimulationStudy>
type Strategy = VersionedRecord<StrategyPayload>

/** Everything that speaks for a strategy: its versions, the studies that ran it, and its history. */
export default handle(contract.getStrategyEvidence, async (request): Promise<Outcome> => {
  const { params, records, now, fail } = request
  const current = await records.current<StrategyPayload>('StrategyDefinitionV2', params.id)
  if (!current) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const running = {
    where: sql`jsonb_path_exists(${wholeBody}, '$.payload.spec.arms[*].strategy ? (@.id == $id)',
      jsonb_build_object('id', ${params.id}::text))`,
  }
  const [versions, events, studies, studiesInAll] = await Promise.all([
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
  return {
    data: {
      strategy: current.record,
      versions,
      compilations: versions.flatMap(compiledOf),
      studies,
      admissions: admissionsIn(events, { resourceVersion, packageRevoked, now }),
      packageLineage: lineageOf(current.record, source),
      events,
      omitted: {
        // Both are numbered without a gap.
        versions: current.record.sequence - versions.length,
        studies: studiesInAll - studies.length,
        events: (current.lastEvent?.sequence ?? 0) - events.length,
      },
      hashes: resolvedHashes({ versions, studies, events, source }),
    },
  }
})

function compiledOf({ sequence, resourceVersion, payload }: Strategy): Evidence['compilations'] {
  // A version that was written by hand may hold no compilation.
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
    // The statuses of its family.
    packageStatus: source.status as 'DRAFT' | 'ACTIVE' | 'REVOKED',
    packageRevoked,
    revocationReason: packageRevoked ? source.reason : null,
  }
}
