import { contract, type OperatingSystemEvent } from '@liquidity-os/contract'
import { openEvent, openRecord, type VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { handle, type Outcome } from '../../../http/handler.ts'
import { sql } from '../../../store/database/sql.ts'
import { admissionsIn } from './admissions.ts'
import type { StrategyPayload } from './compile.ts'
import { type PackagePayload, packageOf } from './package-lineage.ts'
import { resolvedHashes } from './resolved-hashes.ts'

const mostVersions = 1000
// A study is up to a megabyte, and the answer is held in memory as a whole.
const mostStudies = 50

type Evidence = Static<typeof contract.getStrategyEvidence.response.schema>
type Study = VersionedRecord<Static<typeof contract.SimulationStudy>>
type Strategy = VersionedRecord<StrategyPayload>

/** Everything that speaks for a strategy: its versions, the studies that ran it, and its history. */
export default handle(contract.getStrategyEvidence, async (request): Promise<Outcome> => {
  const { params, records, organizationId, now, fail } = request
  const current = await records.current<StrategyPayload>('StrategyDefinitionV2', params.id)
  if (!current) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const [versionRows = [], eventRows = [], studyRows = []] = await records.query([
    sql`select body from records where organization_id = ${organizationId} and id = ${params.id}
      order by sequence limit ${mostVersions}`,
    sql`select body from events where organization_id = ${organizationId} and subject_id = ${params.id}
      order by sequence limit ${mostVersions}`,
    sql`select r.body, count(*) over () as total from record_heads h join records r on r.organization_id = ${organizationId}
        and r.id = h.id and r.sequence = h.sequence
      where h.organization_id = ${organizationId} and h.id >= 'study_0' and h.id < 'study_g'
      and jsonb_path_exists(r.body::jsonb, '$.payload.spec.arms[*].strategy ? (@.id == $id)',
        jsonb_build_object('id', ${params.id}::text))
      order by h.id desc limit ${mostStudies}`,
  ])
  // Each is checked against its hash again: what is shown as evidence has to be evidence.
  const opened = <Shape>(
    rows: readonly { body?: string | null }[],
    open: (text: string) => unknown,
  ) => rows.map(({ body }) => open(body ?? '') as Shape)
  const versions = opened<Strategy>(versionRows, openRecord)
  const events = opened<OperatingSystemEvent>(eventRows, openEvent)
  const studies = opened<Study>(studyRows, openRecord)
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
        studies: Number(studyRows[0]?.total ?? 0) - studies.length,
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
