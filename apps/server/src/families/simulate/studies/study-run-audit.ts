import type { JobAudit } from '../../family.ts'

/** Checks that the result reported by a run is that of a version of its study. */
export function studyRunAudit(): JobAudit {
  const results = new Map<string, Set<string>>()
  return {
    note(versions) {
      for (const { id, resourceType, payload } of versions) {
        const { result } = payload as { result?: { resultHash?: string } | null }
        if (resourceType !== 'SimulationStudy' || result?.resultHash === undefined) continue
        results.set(id, (results.get(id) ?? new Set()).add(result.resultHash))
      }
    },
    jobFault({ kind, status, subjectId, result }) {
      const { resultHash } = result as { resultHash?: string }
      const known = results.get(subjectId)
      if (kind !== 'STUDY_RUN' || status !== 'COMPLETED' || !known || resultHash === undefined) {
        return null
      }
      return known.has(resultHash) ? null : 'its result does not match its study'
    },
  }
}
