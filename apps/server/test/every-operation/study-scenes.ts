import { recordsOf } from '../support/admissible.ts'
import type { TestMember, TestService } from '../support/service.ts'
import { pathSpec, study } from '../support/studying.ts'
import type { Scene } from './scene.ts'
import { studyBodies } from './study-bodies.ts'

const reason = 'For the walk'
const evidenceHashes = [`0x${'ab'.repeat(32)}`]

/** Study result, computed once per service and shared by all copies. */
const computed = new WeakMap<TestService, Promise<object>>()
async function compute(owner: TestMember): Promise<object> {
  const { data } = await study(owner, pathSpec({ seed: `0x${'7'.repeat(64)}` }))
  return (data as { payload: object }).payload
}

/** A study that has ended. */
async function aStudy(owner: TestMember, service: TestService) {
  const payload = computed.get(service) ?? compute(owner)
  computed.set(service, payload)
  const { sealed, change } = recordsOf(service, owner).create('SimulationStudy', {
    status: 'COMPLETED',
    payload: await payload,
    reason,
    event: 'study.finished',
  })
  await service.services.committer.commit(change)
  const { id, resourceVersion } = sealed.record
  return { params: { id }, resourceVersion }
}

const disclosure = {
  showOrganization: true,
  showAmounts: false,
  showVenueAddress: true,
  showStrategyParameters: true,
  showAssumptions: false,
}

export const studyScenes: Readonly<Record<string, Scene>> = {
  createStudies: async () => ({ bodies: studyBodies }),
  createStudyShareLink: async (owner, _, service) => {
    const { params, resourceVersion } = await aStudy(owner, service)
    // Slugs are unique per deployment. Each organization has its own, long enough to be masked as a
    // random value.
    const slug = `walk-${owner.organizationId.slice(-32)}`
    const expiresAt = new Date(service.clock.read() + 86_400_000).toISOString()
    const payload = { resourceVersion, slug, expiresAt, disclosure }
    return { request: { params }, bodies: [{ payload, evidenceHashes, reason }] }
  },
  revokeStudyShareLink: async (owner, _, service) => {
    const { params } = await aStudy(owner, service)
    const share = await owner.client.createStudyShareLink({
      params,
      body: { payload: { disclosure }, reason },
    })
    const { id, resourceVersion } = share.body.data
    return {
      request: { params: { id } },
      bodies: [{ payload: { resourceVersion }, evidenceHashes, reason }],
    }
  },
  createSignedStudyReport: async (owner, _, service) => {
    const { params, resourceVersion } = await aStudy(owner, service)
    return {
      request: { params },
      bodies: [
        { payload: { resourceVersion, formats: ['json', 'csv'] }, evidenceHashes, reason },
        // Rejected: this partner does not exist.
        { payload: { brandPartnerId: `partner_${'0'.repeat(32)}` }, reason },
      ],
    }
  },
}
