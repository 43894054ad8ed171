import { observationName } from '../../src/families/intelligence/projects/records.ts'
import { analysisOf, poolOf } from '../../src/families/intelligence/projects/testing/analysis.ts'
import { joinChanges } from '../../src/store/records/change.ts'
import { recordsOf } from './admissible.ts'
import type { TestMember, TestService } from './service.ts'

const observedPool = '0x0000000000000000000000000000000000000001'

/** A saved project with two observations, as refreshes leave them. */
export async function observedProject(service: TestService, member: TestMember): Promise<string> {
  const records = recordsOf(service, member)
  const analyses = ['1000', '900'].map((reserveQuote) =>
    analysisOf({ pools: [poolOf(observedPool, { reserveQuote })] }),
  )
  const [{ assetKey, analysisHash, state }] = analyses as [(typeof analyses)[number]]
  const saved = records.create('SavedProject', {
    status: 'ACTIVE',
    reason: 'For the test',
    event: 'project.saved',
    payload: {
      assetKey,
      label: 'Token',
      note: null,
      bookmarkOnly: true,
      latest: { version: 2, observedAt: '2026-01-05T12:00:00.000Z', analysisHash, state },
    },
  })
  const projectId = saved.sealed.record.id
  const change = analyses.reduce((all, analysis, index) => {
    const version = index + 1
    const { sealed, change: own } = records.create('ProjectObservation', {
      status: state,
      reason: 'For the test',
      event: 'project_observation.recorded',
      payload: { projectId, version, analysis, previousHash: null, changes: [] },
    })
    const claim = { ...observationName(projectId, version), recordId: sealed.record.id }
    return joinChanges(all, { ...own, claims: [claim] })
  }, saved.change)
  await service.services.committer.commit(change)
  return projectId
}
