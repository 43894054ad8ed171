import { responseExamples } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { describe, expect } from 'vitest'
import type { ResourceType } from '../src/store/records/resource-types.ts'
import { recordsOf } from './support/admissible.ts'
import { bookmarkBody, venueBody } from './support/bodies.ts'
import { bearer, issue } from './support/credentials.ts'
import { it } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { newMember, newOrganization, type TestMember } from './support/service.ts'

const examples = responseExamples as unknown as Record<string, { data: VersionedRecord<never> }>

let number = 0
const createVenue = async (by: TestMember, name: string) => {
  number += 1
  const body = venueBody(number)
  return (await by.client.createVenues({ body: { ...body, payload: { ...body.payload, name } } }))
    .body.data
}

async function refusalOf(promise: Promise<unknown>) {
  const refused = await promise.then(
    () => null,
    (error: { status: number; code: string }) => error,
  )
  return [refused?.status, refused?.code]
}

describe('a created record', () => {
  it('is named by Location, also in the stored response', async ({ owner }) => {
    number += 1
    const request = { body: venueBody(number), idempotencyKey: `located-${number}` }
    const [first, again] = [
      await callOperation<VersionedRecord>(owner, 'createVenues', request),
      await callOperation<VersionedRecord>(owner, 'createVenues', request),
    ]
    const path = `/api/liquidity-studio/v2/venues/${first.data.id}`
    expect([first.status, again.status, again.isReplayed]).toEqual([201, 201, true])
    expect([first, again].map(({ headers }) => headers.get('location'))).toEqual([path, path])
  })
})

describe('versions and events of any record', () => {
  it('lists all versions, newest first, page by page, of a family without its own list', async ({
    owner,
  }) => {
    const first = await createVenue(owner, 'History of one')
    const change = async (status: 'REVOKED' | 'DRAFT', resourceVersion: string) =>
      (
        await owner.client.supersedeVenues({
          params: { id: first.id },
          body: { status, reason: `To ${status}` },
          ifMatch: resourceVersion,
        })
      ).body.data
    const second = await change('REVOKED', first.resourceVersion)
    const params = { id: first.id }
    const versions = await owner.client.listRecordVersions({ params })
    expect(versions.body.data).toEqual([second, first])
    expect(versions.body.meta).toEqual({ count: 2, hasMore: false })
    const page = await owner.client.listRecordVersions({ params, query: { limit: 1 } })
    expect(page.body.data).toEqual([second])
    expect(page.body.meta).toEqual({ count: 1, hasMore: true, nextCursor: '2' })
    const rest = await owner.client.listRecordVersions({ params, query: { cursor: '2' } })
    expect(rest.body.data).toEqual([first])
    const events = await owner.client.listRecordEvents({ params })
    expect(events.body.data.map(({ kind, sequence }) => [kind, sequence])).toEqual([
      ['venue.revoked', 2],
      ['venue.created', 1],
    ])
    expect(events.body.data[0]?.previousEventHash).toBe(events.body.data[1]?.evidenceHash)
    const last = await owner.client.listRecordEvents({ params, query: { limit: 1, cursor: '2' } })
    expect(last.body.data.map(({ kind }) => kind)).toEqual(['venue.created'])
    expect(last.body.meta.hasMore).toBe(false)
  })

  it('are not there for others, nor for an id of nothing', async ({ owner, stranger }) => {
    const { id } = await createVenue(owner, 'Of the owner')
    const absent = [404, 'LIQUIDITY_RESOURCE_NOT_FOUND']
    for (const [by, requestedId] of [
      [stranger, id],
      [owner, id.replace(/.{8}$/, '00000000')],
      [owner, 'nothing_1'],
    ] as const) {
      const params = { id: requestedId }
      expect(await refusalOf(by.client.listRecordVersions({ params }))).toEqual(absent)
      expect(await refusalOf(by.client.listRecordEvents({ params }))).toEqual(absent)
    }
  })

  it('of a bookmark are visible to its owner only, and deleted with it', async ({
    service,
    owner,
  }) => {
    const { id } = (await owner.client.savePlatformProject({ body: bookmarkBody(1) })).body.data
    const params = { id }
    expect((await owner.client.listRecordVersions({ params })).body.data).toHaveLength(1)
    const other = await newMember(service, owner.organizationId, 'OWNER')
    expect(await refusalOf(other.client.listRecordVersions({ params }))).toEqual([
      ...[404, 'LIQUIDITY_RESOURCE_NOT_FOUND'],
    ])
  })

  it('need the scope of the family of a credential, and a session where sessions alone read it', async ({
    service,
    owner,
  }) => {
    const { resourceType, payload, status } = examples.getAnomalies!.data
    const { sealed, change } = recordsOf(service, owner).create(resourceType as ResourceType, {
      status,
      payload,
      reason: 'For the test',
      event: 'test.stored',
    })
    await service.services.committer.commit(change)
    const anomaly = sealed.record.id
    const venue = (await createVenue(owner, 'By a key')).id
    const ask = async (scope: string, id: string) => {
      const { secret } = (await issue(owner, 'API_KEY', [scope])) as unknown as { secret: string }
      const client = bearer(secret, owner.organizationId, service.baseUrl)
      return refusalOf(client.listRecordEvents({ params: { id } }))
    }
    const refused = [403, 'LIQUIDITY_STUDIO_SERVICE_SCOPE_REQUIRED']
    expect(await ask('alerts:read', anomaly)).toEqual([undefined, undefined])
    expect(await ask('scores:read', anomaly)).toEqual(refused)
    expect(await ask('alerts:read', venue)).toEqual(refused)
  })
})

describe('records by name', () => {
  const find = async (by: TestMember, name: string) =>
    (await by.client.findRecords({ query: { name } })).body.data

  it('have all the words in any order and case, of any family, and are those of the organization', async ({
    owner,
    stranger,
  }) => {
    const one = await createVenue(owner, 'Kraken deep ENS pool')
    await createVenue(owner, 'Kraken shallow pool')
    await createVenue(stranger, 'Kraken deep ENS pool')
    const found = await find(owner, 'ens  KRAKEN')
    expect(found).toEqual({
      records: [
        {
          id: one.id,
          resourceType: 'VenueProfile',
          name: 'Kraken deep ENS pool',
          status: one.status,
          createdAt: one.createdAt,
        },
      ],
      isWhole: true,
    })
    expect((await find(owner, 'kraken')).records).toHaveLength(2)
    expect(await find(owner, "%'_\\")).toEqual({ records: [], isWhole: true })
  })

  it('say when there are more than are shown', async ({ service }) => {
    const member = await newOrganization(service)
    for (let times = 0; times < 22; times += 1) await createVenue(member, `Row ${times}`)
    const found = await find(member, 'row')
    expect([found.records.length, found.isWhole]).toEqual([20, false])
  })

  it('excludes records that are visible to another user only', async ({ service, owner }) => {
    const label = 'Nobody else knows'
    const body = bookmarkBody(2)
    await owner.client.savePlatformProject({
      body: { ...body, payload: { ...body.payload, label } },
    })
    expect((await find(owner, 'nobody')).records.map(({ name }) => name)).toEqual([label])
    const other = await newMember(service, owner.organizationId, 'OWNER')
    expect((await find(other, 'nobody')).records).toEqual([])
  })

  it('are searched by words: at least two letters, at most eight words', async ({ owner }) => {
    for (const name of ['a', 'a b c d e f g h i', '   '])
      expect(await refusalOf(find(owner, name))).toEqual([400, 'LIQUIDITY_INVALID_REQUEST'])
  })
})
