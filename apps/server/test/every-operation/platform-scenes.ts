import { emptyChange } from '../../src/store/records/change.ts'
import { newId } from '../../src/store/records/ids.ts'
import type { TestMember, TestService } from '../support/service.ts'
import type { Scene } from './scene.ts'

const reason = 'For the walk'

/** An alert that is open: a job that failed. */
async function anAlert({ organizationId, client }: TestMember, service: TestService) {
  const now = service.clock.read()
  const id = newId('job', now)
  const subject = {
    resourceType: 'VenueProfile',
    id: `venue_${'1'.repeat(32)}`,
    resourceVersion: `0x${'a'.repeat(64)}`,
  }
  await service.services.committer.commit({
    ...emptyChange(organizationId, now),
    jobs: [{ id, kind: 'TEST', subject, input: {} }],
  })
  const error = '{"code":"LIQUIDITY_CHAIN_UNAVAILABLE","message":"away"}'
  await service.database.tenant(organizationId, [
    {
      text: `update jobs set status = 'FAILED', finished_at = ${now}, error = '${error}' where id = '${id}'`,
    },
  ])
  const { data } = (await client.listAlertsV2()).body
  return { params: { id: data[0]!.id } }
}

const aWebhook = async ({ client }: TestMember) => {
  const payload = { url: 'https://hooks.example.com/a', eventKinds: ['*'] }
  const { data } = (await client.createWebhooks({ body: { payload, reason } })).body
  return { id: data.webhook.id }
}

export const platformScenes: Readonly<Record<string, Scene>> = {
  acknowledgeAlert: async (owner, _, service) => ({
    request: await anAlert(owner, service),
    bodies: [{ reason }],
  }),
  muteAlert: async (owner, _, service) => {
    const until = new Date(service.clock.read() + 3_600_000).toISOString()
    return { request: await anAlert(owner, service), bodies: [{ until, reason }] }
  },
  testWebhook: async (owner) => ({
    request: { params: await aWebhook(owner) },
    bodies: [{ reason }],
  }),
  resendWebhookDelivery: async (owner) => {
    const params = await aWebhook(owner)
    const { data } = (await owner.client.testWebhook({ params, body: { reason } })).body
    return {
      request: { params: { ...params, messageId: data.messageId } },
      bodies: [{ reason }],
    }
  },
}
