import type { contract, OperatingSystemEvent } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { limits } from '../../../limits.ts'
import type { StrategyPayload } from './compile.ts'
import type { PackagePayload } from './package-lineage.ts'

type Resolved = Static<typeof contract.getStrategyEvidence.response.schema>['hashes'][number]
type Study = Static<typeof contract.SimulationStudy>

/**
 * Locations of the content behind hashes. Each hash appears once, at its first location. Declared
 * evidence hashes without known content are marked.
 */
export function resolvedHashes(evidence: {
  versions: readonly VersionedRecord<StrategyPayload>[]
  studies: readonly VersionedRecord<Study>[]
  events: readonly OperatingSystemEvent[]
  source: VersionedRecord<PackagePayload> | null
}): Resolved[] {
  const found = new Map<string, Resolved>()
  const note = (hash: string | null | undefined, kind: Resolved['kind'], id: string | null) => {
    if (hash && !found.has(hash) && found.size < limits.strategyEvidenceHashes)
      found.set(hash, { hash, kind, id })
  }
  for (const { id, resourceVersion, payload } of evidence.versions) {
    const { compilation, wrapper, lineage } = payload
    note(resourceVersion, 'STRATEGY_VERSION', id)
    note(compilation?.irHash, 'STRATEGY_IR', id)
    const observation = compilation?.observation
    note(observation?.resourceVersion, 'OBSERVATION', observation?.id ?? null)
    note(wrapper?.artifactHash, 'ARTIFACT', wrapper?.artifactHash ?? null)
    note(lineage?.package.resourceVersion, 'PACKAGE_VERSION', lineage?.package.id ?? null)
    note(lineage?.contentHash, 'PACKAGE_CONTENT', lineage?.package.id ?? null)
  }
  for (const { id, resourceVersion, payload } of evidence.studies) {
    note(resourceVersion, 'STUDY_VERSION', id)
    if (!payload.result) continue
    const { resultHash, evidence: basis, seriesArtifacts } = payload.result
    note(resultHash, 'STUDY_RESULT', id)
    note(basis.specHash, 'STUDY_SPEC', id)
    for (const { hash } of seriesArtifacts) note(hash, 'ARTIFACT', hash)
  }
  if (evidence.source) {
    note(evidence.source.resourceVersion, 'PACKAGE_VERSION', evidence.source.id)
  }
  for (const { id, evidenceHash } of evidence.events) note(evidenceHash, 'EVENT', id)
  for (const { evidenceHashes } of [...evidence.versions, ...evidence.studies]) {
    for (const hash of evidenceHashes) note(hash, 'DECLARED', null)
  }
  return [...found.values()]
}
