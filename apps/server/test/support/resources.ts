import type { SealedRecord } from '@liquidity-os/evidence'
import { contentHashOf } from '../../src/store/artifacts/content-hash.ts'
import { emptyChange } from '../../src/store/records/change.ts'
import { idPrefixes, type ResourceType } from '../../src/store/records/resource-types.ts'
import { TenantRecords } from '../../src/store/records/tenant-records.ts'
import { bookmarkBody, keyBody, venueBody, webhookBody } from './bodies.ts'
import type { TestMember, TestService } from './service.ts'

export type Resources = Record<ResourceType, { id: string; resourceVersion: string }>

/**
 * One record of every type in one organization. Created through the API if possible, or written to
 * the store if it needs a chain. Also an artifact, and a job that never runs.
 */
export async function oneOfEach(service: TestService, member: TestMember): Promise<Resources> {
  const { client } = member
  const credential = await client.createDeveloperCredentials({ body: keyBody(['studies:read']) })
  const webhook = await client.createWebhooks({ body: webhookBody() })
  const bookmark = await client.savePlatformProject({ body: bookmarkBody(1) })
  const venue = await client.createVenues({ body: venueBody(1) })
  const made: Partial<Resources> = {
    DeveloperCredential: credential.body.data.credential,
    Webhook: webhook.body.data.webhook,
    PlatformProject: bookmark.body.data,
    VenueProfile: venue.body.data,
  }
  for (const type of Object.keys(idPrefixes) as ResourceType[]) {
    made[type] ??= await writeRecord(service, member, type)
  }
  return made as Resources
}

/** Minimum payload for record types whose read computes values. */
const leastOf: Partial<Record<ResourceType, object>> = {
  LaunchPlan: { request: { launchAt: '2030-01-01T00:00:00.000Z' } },
}

/** Appends a record with only the given payload, an artifact and a job. */
export async function writeRecord(
  service: TestService,
  member: TestMember,
  type: ResourceType,
  payload: object = {},
): Promise<SealedRecord['record']> {
  const { database, verified, committer, clock, artifacts } = service.services
  const now = clock()
  const records = new TenantRecords({
    purpose: 'REQUEST',
    organizationId: member.organizationId,
    actor: { kind: 'SESSION', id: member.userId },
    now,
    database,
    verified,
    artifacts,
  })
  const { sealed, change } = records.create(type, {
    status: 'ACTIVE',
    payload: { note: 'Written by a test', ...leastOf[type], ...payload },
    reason: 'For the test',
    event: 'test.written',
  })
  const { id, resourceType, resourceVersion } = sealed.record
  const subject = { id, resourceType, resourceVersion }
  const content = new TextEncoder().encode(`Artifact of ${id}`)
  await committer.commit({
    ...emptyChange(member.organizationId, now),
    ...change,
    artifacts: [
      {
        contentHash: contentHashOf(content),
        mediaType: 'text/plain',
        content,
        producer: subject,
      },
    ],
    jobs: [{ id: `job_${id.split('_').at(-1)}`, kind: 'TEST', subject, input: {} }],
  })
  return sealed.record
}
