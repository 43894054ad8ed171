// @module-tag postgres

import { send } from '@liquidity-os/client'
import { extensionOperations, operationById, operations } from '@liquidity-os/contract'
import { describe, expect } from 'vitest'
import { plainRequest, refusal } from './every-operation/requests.ts'
import { bookmarkBody, keyBody, venueBody, webhookBody } from './support/bodies.ts'
import { it } from './support/fixtures.ts'
import { anotherNode, type TestMember } from './support/service.ts'

let number = 0
async function newVenue(owner: TestMember) {
  number += 1
  const { body } = await owner.client.createVenues({ body: venueBody(number) })
  return body.data
}
const patch = (owner: TestMember, id: string, ifMatch: string, tag: string) =>
  owner.client.supersedeVenues({
    params: { id },
    ifMatch,
    body: { payload: { tags: [tag] }, reason: 'For the test' },
  })

describe('a change', () => {
  it('of an outdated version is rejected with the current one', async ({ owner }) => {
    const venue = await newVenue(owner)
    const { body } = await patch(owner, venue.id, venue.resourceVersion, 'first')
    const refused = await patch(owner, venue.id, venue.resourceVersion, 'second').catch(
      (error) => error,
    )
    expect(refused).toMatchObject({ status: 412, code: 'LIQUIDITY_PRECONDITION_FAILED' })
    expect(refused.message).toContain(body.data.resourceVersion)
    expect((await owner.client.getVenues({ params: { id: venue.id } })).body.data).toEqual(
      body.data,
    )
  })

  it('of a version that never was is refused', async ({ owner }) => {
    const venue = await newVenue(owner)
    for (const ifMatch of [`0x${'0'.repeat(64)}`, 'x', venue.resourceVersion.toUpperCase()]) {
      await expect(patch(owner, venue.id, ifMatch, 'a')).rejects.toMatchObject({ status: 412 })
    }
  })

  it('twenty concurrent requests create one result, over two nodes too', async ({
    service,
    owner,
  }) => {
    const node = await anotherNode(service)
    const operation = operationById.get('supersedeVenues')!
    for (let round = 0; round < 5; round += 1) {
      const venue = await newVenue(owner)
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          refusal(
            { ...owner.options, baseUrl: index % 2 ? node.baseUrl : service.baseUrl },
            operation,
            {
              params: { id: venue.id },
              ifMatch: venue.resourceVersion,
              body: { payload: { tags: [`tag-${index}`] }, reason: 'For the test' },
            },
          ),
        ),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 412)).toHaveLength(19)
      const { body } = await owner.client.getVenues({ params: { id: venue.id } })
      expect(body.data).toMatchObject({
        sequence: 2,
        previousResourceVersion: venue.resourceVersion,
      })
    }
  })

  it('by twenty clients that read again when they are refused loses none of them', async ({
    owner,
  }) => {
    const venue = await newVenue(owner)
    const insist = async (tag: string): Promise<void> => {
      for (;;) {
        const { body } = await owner.client.getVenues({ params: { id: venue.id } })
        const tags = [...body.data.payload.tags, tag].slice(-16)
        const changed = await owner.client
          .supersedeVenues({
            params: { id: venue.id },
            ifMatch: body.data.resourceVersion,
            body: { payload: { tags }, reason: 'For the test' },
          })
          .catch((error: { status: number }) => error)
        if (changed.status === 200) return
        expect(changed.status).toBe(412)
      }
    }
    const tags = Array.from({ length: 16 }, (_, index) => `tag-${index}`)
    await Promise.all(tags.map(insist))
    const { body } = await owner.client.getVenues({ params: { id: venue.id } })
    expect(body.data.payload.tags).toEqual([...tags].sort())
    expect(body.data.sequence).toBe(17)
  })

  it('is judged in order: shape, then existence, then version, then the freshness of the sign-in', async ({
    service,
    owner,
  }) => {
    const { body } = await owner.client.createDeveloperCredentials({
      body: keyBody(['studies:read']),
    })
    const { id, resourceVersion } = body.data.credential
    const operation = operationById.get('rotateDeveloperCredential')!
    service.clock.advance(11 * 60_000)
    const stale = `0x${'1'.repeat(64)}`
    const missing = 'credential_00000000000000000000000000000000'
    const reason = 'For the test'
    for (const [params, ifMatch, sent, status] of [
      [{ id }, stale, { reason: 7 }, 400],
      [{ id }, undefined, { reason: 7 }, 400],
      [{ id }, undefined, { reason }, 428],
      [{ id: missing }, stale, { reason }, 404],
      [{ id }, stale, { reason }, 412],
      [{ id }, resourceVersion, { reason }, 401],
    ] as const) {
      const answer = await refusal(owner.options, operation, {
        params,
        body: sent,
        ...(ifMatch ? { ifMatch } : {}),
      })
      expect([params, sent, answer.status]).toEqual([params, sent, status])
    }
  })

  it('may leave out the version where the contract says so, and is held to it where it does not', async ({
    owner,
  }) => {
    const save = async () => {
      number += 1
      return (await owner.client.savePlatformProject({ body: bookmarkBody(number) })).body.data
    }
    const [one, two] = [await save(), await save()]
    const remove = (id: string, ifMatch?: string) =>
      owner.client.removeSavedPlatformProject({ params: { id }, ...(ifMatch ? { ifMatch } : {}) })
    expect((await remove(one.id)).status).toBe(204)
    await expect(remove(two.id, one.resourceVersion)).rejects.toMatchObject({ status: 412 })
    expect((await remove(two.id, two.resourceVersion)).status).toBe(204)
    await expect(remove(two.id)).rejects.toMatchObject({ status: 404 })
  })
})

/** Operations that publish a copy: without a version, they mean the current one. */
const meansCurrent = new Set([
  ...['createStudyShareLink', 'createSignedStudyReport', 'createMandateShareLink'],
  'seedStrategyFromApprovedPackage',
])
/** Operations that look up the record first. Tests of their families leave out the version of a record. */
const readsFirst = new Set([
  ...['appendLaunchTimelineEvent', 'completeLaunchTimelineEvent', 'seedLaunchWorkspace'],
  ...['appendMigrationPlanTransition', 'appendProtectedExecutionLegTransition'],
  ...['seedIssuerIntentFromCapitalStudy', 'seedLaunchPlanFromCapitalStudy'],
  'reserveTreasuryFromCapitalStudy',
])
/** Operations that change no status and no authority of the record in their path. */
const withoutVersion = [
  ...['acknowledgeAlert', 'admitProtectedExecutionQuotesForRequest', 'applyAgentRunCommand'],
  ...['declinePartnerPreparation', 'importPartnerPreparation', 'ingestMarketMakerEvidence'],
  ...['muteAlert', 'preparePartnerProposal', 'probeProvider', 'queueVenueIndex'],
  ...['refreshSavedProject', 'replayWebhook', 'resendWebhookDelivery', 'testAlertChannel'],
  'testWebhook',
]

describe('a lifecycle request', () => {
  const lifecycle = [...operations, ...extensionOperations].filter(
    ({ method, path }) => method === 'POST' && path.includes('{'),
  )

  it('takes the reviewed version, unless it changes no status and no authority', () => {
    const taking = lifecycle.filter(({ precondition }) => !precondition).map(({ id }) => id)
    expect(taking.sort()).toEqual(withoutVersion.toSorted())
  })

  const optional = lifecycle.filter(({ precondition }) => precondition === 'optional')
  it.for(optional.map((operation) => [operation.id, operation] as const))(
    '%s is not accepted without the reviewed version',
    async ([id, operation], { owner }) => {
      const request = plainRequest(operation)
      const body = withoutVersions((operation.example?.body ?? {}) as object)
      const { status } = await refusal(owner.options, operation, { ...request, body })
      expect(status).toBe(meansCurrent.has(id) || readsFirst.has(id) ? 404 : 428)
    },
  )
})

/** A body without fields that state the version of the record in the path. */
function withoutVersions(body: object): object {
  const versions = new Set(['resourceVersion', 'studyResourceVersion', 'launchPlanResourceVersion'])
  const stripped = Object.entries(body).filter(([name]) => !versions.has(name))
  return Object.fromEntries(
    stripped.map(([name, value]) =>
      name === 'payload' ? [name, withoutVersions(value as object)] : [name, value],
    ),
  )
}

describe('a read', () => {
  it('of an unchanged record costs no body, and of a changed one gives it', async ({ owner }) => {
    const venue = await newVenue(owner)
    const operation = operationById.get('getVenues')!
    const read = (value: string) =>
      send(owner.options, operation, {
        params: { id: venue.id },
        headers: { 'if-none-match': value },
      })
    const tag = `"${venue.resourceVersion}"`
    for (const value of [tag, `"other", ${tag}`]) {
      const answer = await read(value)
      expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([
        304,
        tag,
        '',
      ])
    }
    expect((await read('"other"')).status).toBe(200)
    await patch(owner, venue.id, venue.resourceVersion, 'changed')
    const answer = await read(tag)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('etag')).not.toBe(tag)
  })

  it('of a collection changes its tag with its content', async ({ owner }) => {
    const operation = operationById.get('listWebhooks')!
    const first = await send(owner.options, operation)
    const tag = { headers: { 'if-none-match': first.headers.get('etag')! } }
    expect((await send(owner.options, operation, tag)).status).toBe(304)
    await owner.client.createWebhooks({ body: webhookBody() })
    expect((await send(owner.options, operation, tag)).status).toBe(200)
  })
})
