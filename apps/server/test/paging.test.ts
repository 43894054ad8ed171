// @module-tag postgres

import { contract, type ErrorCode } from '@liquidity-os/contract'
import { describe, expect } from 'vitest'
import { Failure } from '../src/failure.ts'
import { versionOf, versionsOf } from '../src/families/collection.ts'
import { createdAtOf } from '../src/store/records/find.ts'
import { recordsOf } from './support/admissible.ts'
import { venueBody } from './support/bodies.ts'
import { it } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { newMember, newOrganization, type TestMember, type TestService } from './support/service.ts'

const create = async (owner: TestMember, number: number) =>
  (await owner.client.createVenues({ body: venueBody(number) })).body.data.id

/** An organization with so many venues, and their ids, newest first. */
async function withVenues(
  service: TestService,
  count: number,
): Promise<{ owner: TestMember; ids: string[] }> {
  const owner = await newOrganization(service)
  const ids: string[] = []
  for (let number = 1; number <= count; number += 1) {
    if (number % 3 === 0) service.clock.advance(1)
    ids.unshift(await create(owner, number))
  }
  return { owner, ids }
}

/** Every page from the newest on; `between` runs after each. */
async function pages(
  owner: TestMember,
  limit: number,
  between: () => Promise<unknown> = async () => {},
): Promise<string[][]> {
  const found: string[][] = []
  for (let cursor: string | undefined; ; ) {
    const { body } = await owner.client.listVenues({
      query: { limit, ...(cursor ? { cursor } : {}) },
    })
    expect(body.meta.count).toBe(body.data.length)
    expect(body.meta.hasMore).toBe(body.meta.nextCursor !== undefined)
    found.push(body.data.map(({ id }) => id))
    if (!body.meta.nextCursor) return found
    cursor = body.meta.nextCursor
    await between()
  }
}

describe('the pages of a collection', () => {
  it('hold every record once, newest first, whatever their size', async ({ service }) => {
    const { owner, ids } = await withVenues(service, 23)
    for (const limit of [1, 2, 7, 22, 23, 24, 100]) {
      const found = await pages(owner, limit)
      expect(found.flat()).toEqual(ids)
      expect(found.slice(0, -1).every((page) => page.length === limit)).toBe(true)
    }
  })

  it('hold what there was when it was begun, while others write', async ({ service }) => {
    const { owner, ids } = await withVenues(service, 30)
    let number = 1000
    const found = await pages(owner, 4, () =>
      Promise.all([create(owner, ++number), create(owner, ++number), create(owner, ++number)]),
    )
    expect(found.flat()).toEqual(ids)
    expect((await pages(owner, 50)).flat().slice(-ids.length)).toEqual(ids)
  })

  it('hold a record in its place also when it changes in between', async ({ service }) => {
    const { owner, ids } = await withVenues(service, 12)
    const last = ids.at(-1)!
    const found = await pages(owner, 5, async () => {
      const { body } = await owner.client.getVenues({ params: { id: last } })
      await owner.client.supersedeVenues({
        params: { id: last },
        ifMatch: body.data.resourceVersion,
        body: { payload: { tags: ['changed'] }, reason: 'For the test' },
      })
    })
    expect(found.flat()).toEqual(ids)
  })

  it('of an empty collection are one empty page', async ({ service }) => {
    const owner = await newOrganization(service)
    const { body } = await owner.client.listVenues()
    expect(body).toEqual({ data: [], meta: { count: 0, hasMore: false } })
  })

  it('end where nothing is left: the last full page has no cursor', async ({ service }) => {
    const { owner } = await withVenues(service, 10)
    const { body } = await owner.client.listVenues({ query: { limit: 10 } })
    expect(body.meta).toEqual({ count: 10, hasMore: false })
  })

  it('have 50 records by default, and never more than 100', async ({ service }) => {
    const { owner } = await withVenues(service, 51)
    const { body } = await owner.client.listVenues()
    expect(body.meta).toMatchObject({ count: 50, hasMore: true })
    await expect(owner.client.listVenues({ query: { limit: 101 } })).rejects.toMatchObject({
      status: 400,
    })
  })

  it('continue only from an issued cursor', async ({ service }) => {
    const { owner } = await withVenues(service, 3)
    const { body } = await owner.client.listVenues({ query: { limit: 1 } })
    const cursor = body.meta.nextCursor!
    const last = cursor.at(-3) === 'A' ? 'B' : 'A'
    for (const spoiled of [
      `${cursor.slice(0, -3)}${last}${cursor.slice(-2)}`,
      cursor.slice(1),
      body.data[0]!.id,
      'x',
    ]) {
      await expect(owner.client.listVenues({ query: { cursor: spoiled } })).rejects.toMatchObject({
        status: 400,
        code: 'LIQUIDITY_CURSOR_INVALID',
      })
    }
  })
})

describe('a list of records', () => {
  const listed = async (
    owner: TestMember,
    query: Parameters<TestMember['client']['listVenues']>[0],
  ) => (await owner.client.listVenues(query)).body.data.map(({ id }) => id)

  it('is filtered by state and by time, and turned round', async ({ service }) => {
    const { owner, ids } = await withVenues(service, 3)
    const [newest = '', ...older] = ids
    // Ids of one process never go back, whatever the clocks of the tests before said.
    const after = createdAtOf(newest) + 1
    service.clock.advance(Math.max(0, after - service.clock.read()) + 60_000)
    const member = await newMember(service, owner.organizationId, 'OWNER')
    const { body } = await member.client.supersedeVenues({
      params: { id: newest },
      ifMatch: (await member.client.getVenues({ params: { id: newest } })).body.data
        .resourceVersion,
      body: { status: 'REVOKED', reason: 'For the test' },
    })
    const late = await create(member, 4)
    const at = new Date(after).toISOString()
    expect(body.data.status).toBe('REVOKED')
    expect(await listed(member, { query: { status: 'REVOKED' } })).toEqual([newest])
    expect(await listed(member, { query: { status: 'DRAFT' } })).toEqual([late, ...older])
    expect(await listed(member, { query: { createdFrom: at } })).toEqual([late])
    expect(await listed(member, { query: { createdBefore: at } })).toEqual(ids)
    expect(await listed(member, { query: { order: 'OLDEST' } })).toEqual([
      ...ids.toReversed(),
      late,
    ])
  })

  it('are read in the requested order to the end; a cursor of another query is rejected', async ({
    service,
  }) => {
    const { owner, ids } = await withVenues(service, 5)
    const query = { order: 'OLDEST', status: 'DRAFT', limit: 2 } as const
    const found: string[] = []
    let cursor: string | undefined
    do {
      const { body } = await owner.client.listVenues({
        query: { ...query, ...(cursor ? { cursor } : {}) },
      })
      found.push(...body.data.map(({ id }) => id))
      const other = body.meta.nextCursor
      if (other) {
        for (const question of [{}, { status: 'DRAFT' }, { order: 'NEWEST', status: 'DRAFT' }]) {
          const refused = await callOperation(owner, 'listVenues', {
            query: { ...question, cursor: other },
          })
          expect([refused.status, refused.code]).toEqual([400, 'LIQUIDITY_CURSOR_INVALID'])
        }
      }
      cursor = other
    } while (cursor)
    expect(found).toEqual(ids.toReversed())
  })

  it('refuses a state that its records never have', async ({ service }) => {
    const owner = await newOrganization(service)
    const refused = await callOperation(owner, 'listVenues', { query: { status: 'COMPLETED' } })
    expect([refused.status, Object.keys(refused.fieldErrors)]).toEqual([400, ['query.status']])
  })
})

describe('the versions of a record', () => {
  // Served with the first family whose contract has them; the reading itself is that of every family.
  const operations = {
    list: versionsOf(contract.listTreasuryReconciliationVersions, 'VenueProfile'),
    one: versionOf(contract.getTreasuryReconciliationVersion, 'VenueProfile'),
  }
  const ask = async (
    service: TestService,
    owner: TestMember,
    kind: 'list' | 'one',
    params: object,
    query = {},
  ) => {
    const { services } = service
    const request = {
      params,
      query,
      services,
      organizationId: owner.organizationId,
      records: recordsOf(service, owner),
      fail: (code: ErrorCode) => new Failure(code),
    }
    return operations[kind].run(request as never)
  }

  it('are walked from the newest to the first, and read one by one', async ({ service }) => {
    const owner = await newOrganization(service)
    let { body } = await owner.client.createVenues({ body: venueBody(1) })
    const { id } = body.data
    for (const tag of ['b', 'c', 'd']) {
      ;({ body } = await owner.client.supersedeVenues({
        params: { id },
        ifMatch: body.data.resourceVersion,
        body: { payload: { tags: [tag] }, reason: 'For the test' },
      }))
    }
    const found: number[] = []
    let cursor: string | undefined
    do {
      const { text = '' } = await ask(service, owner, 'list', { id }, { limit: 3, cursor })
      const page = JSON.parse(text) as {
        data: { sequence: number }[]
        meta: { nextCursor?: string }
      }
      found.push(...page.data.map(({ sequence }) => sequence))
      cursor = page.meta.nextCursor
      // A list of versions goes on from the sequence of the last one.
      if (cursor) expect(cursor).toBe(`${found.at(-1)}`)
    } while (cursor)
    expect(found).toEqual([4, 3, 2, 1])
    for (const none of ['0', '01', '4 ', '-1', '1000000000', 'x']) {
      await expect(ask(service, owner, 'list', { id }, { cursor: none })).rejects.toMatchObject({
        code: 'LIQUIDITY_CURSOR_INVALID',
      })
    }
    expect((await ask(service, owner, 'one', { id, sequence: 2 })).data).toMatchObject({
      id,
      sequence: 2,
    })
    await expect(ask(service, owner, 'one', { id, sequence: 5 })).rejects.toThrow(Failure)
    const foreignOwner = await newOrganization(service)
    await expect(ask(service, foreignOwner, 'list', { id })).rejects.toThrow(Failure)
    await expect(ask(service, foreignOwner, 'one', { id, sequence: 1 })).rejects.toThrow(Failure)
  })
})
