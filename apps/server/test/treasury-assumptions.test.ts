import { send } from '@liquidity-os/client'
import { type contract, operationById, permissionsOf, roles } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { describe, expect } from 'vitest'
import {
  input,
  line,
  scenario,
  usd,
  weth,
} from '../src/families/plan/treasury-assumptions/testing/sets.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { recordsOf } from './support/admissible.ts'
import { venueBody } from './support/bodies.ts'
import { it } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { anotherNode, newMember, newOrganization, type TestMember } from './support/service.ts'

type Assumptions = VersionedRecord<contract.TreasuryAssumptions>
type Input = contract.TreasuryAssumptionInput

const reason = 'For the test'
const none = `treasury_assumptions_${'0'.repeat(32)}`
const create = (owner: TestMember, body: object = input(), by = owner, more: object = {}) =>
  callOperation<Assumptions>(by, 'createTreasuryAssumptions', {
    body: { reason, ...body },
    ...more,
  })
const made = async (owner: TestMember, change: Partial<Input> = {}, by = owner) => {
  const { data, status, fieldErrors } = await create(owner, input(change), by)
  expect([status, fieldErrors]).toEqual([201, {}])
  return data
}
const revise = (
  owner: TestMember,
  { id, resourceVersion }: Pick<Assumptions, 'id' | 'resourceVersion'>,
  assumptions: object,
  more: object = { ifMatch: resourceVersion },
) =>
  callOperation<Assumptions>(owner, 'reviseTreasuryAssumptions', {
    params: { id },
    body: { assumptions, reason },
    ...more,
  })

describe('assumptions', () => {
  it('are stored whole, with the omitted members, in name order', async ({ owner }) => {
    const { headers, data, status } = await create(owner, {
      ...input({
        lines: [line({ lineId: 'rent' }), line({ lineId: 'audit' })],
        scenarios: [scenario({ scenarioId: 'late', inflowDelayMonths: 3 }), scenario()],
        haircuts: { T2: 500_000 },
      }),
    })
    expect([status, headers.get('cache-control')]).toEqual([201, 'private, no-store'])
    expect(headers.get('etag')).toBe(`"${data.resourceVersion}"`)
    expect(data.id).toMatch(/^treasury_assumptions_[0-9a-f]{32}$/)
    expect([data.status, data.sequence, data.resourceType]).toEqual([
      ...['VALIDATED', 1, 'TreasuryAssumptions'],
    ])
    const { assumptions, assets, changes } = data.payload
    expect(assumptions.lines.map(({ lineId }) => lineId)).toEqual(['audit', 'rent'])
    expect(assumptions.scenarios.map(({ scenarioId }) => scenarioId)).toEqual(['base', 'late'])
    expect(assumptions).toMatchObject({
      horizonMonths: 24,
      conversionOrder: ['T1', 'T2', 'T3'],
      haircuts: { T0: 0, T1: 20_000, T2: 500_000, T3: 700_000, T4: 1_000_000 },
    })
    expect(assets).toEqual([{ assetKey: usd, decimals: 2, source: null }])
    expect(changes).toEqual([])
    expect(assumptions).not.toHaveProperty('reason')
  })

  it('may be sent again as they are kept, which moves nothing', async ({ owner }) => {
    const before = await made(owner)
    const { status, data } = await revise(owner, before, before.payload.assumptions)
    expect([status, data.sequence, data.payload]).toEqual([201, 2, before.payload])
  })

  it('sell the own token last where that is allowed', async ({ owner }) => {
    const ownTokenPolicy = { mode: 'SELL', maximumParticipationPips: 50_000 } as const
    const { payload } = await made(owner, { ownTokenPolicy })
    expect(payload.assumptions.conversionOrder).toEqual(['T1', 'T2', 'T3', 'T4'])
    const other = await made(owner, { ownTokenPolicy, conversionOrder: ['T4', 'T1'] })
    expect(other.payload.assumptions.conversionOrder).toEqual(['T4', 'T1'])
  })

  it('know tokens and coins by the venues of the organization, and name the venue', async ({
    service,
    owner,
  }) => {
    const member = await newOrganization(service)
    const draft = (await member.client.createVenues({ body: venueBody(1) })).body.data
    const coin = 'eip155:31337/slip44:60'
    const { payload } = await made(
      owner,
      { quoteKey: weth, lines: [line(), line({ lineId: 'gas', assetKey: coin })] },
      member,
    )
    const { id, resourceType, resourceVersion } = draft
    const source = { id, resourceType, resourceVersion }
    expect(payload.assets).toEqual([
      { assetKey: weth, decimals: 18, source },
      { assetKey: coin, decimals: 18, source },
      { assetKey: usd, decimals: 2, source: null },
    ])
    const refused = await create(owner, input({ quoteKey: weth }))
    expect([refused.code, refused.fieldErrors]).toEqual([
      'LIQUIDITY_ASSUMPTIONS_ASSET_UNKNOWN',
      {
        quoteKey: [
          `must be a token of a venue, of the treasury or of an active entry of this organization, got ${weth}`,
        ],
      },
    ])
    await member.client.supersedeVenues({
      params: { id },
      ifMatch: resourceVersion,
      body: { status: 'REVOKED', reason },
    })
    expect((await create(owner, input({ quoteKey: weth }), member)).code).toBe(
      'LIQUIDITY_ASSUMPTIONS_ASSET_UNKNOWN',
    )
  })
})

describe('a revision', () => {
  it('is the next version, with the least changes, and leaves the earlier ones as they were', async ({
    owner,
  }) => {
    const first = await made(owner, { lines: [line(), line({ lineId: 'rent', amount: '7' })] })
    const { data: second } = await revise(
      owner,
      first,
      input({
        label: 'Plan B',
        lines: [line({ amount: '2' }), line({ lineId: 'fees', direction: 'INFLOW' })],
      }),
    )
    const [rent, fees] = [first.payload.assumptions.lines[1], second.payload.assumptions.lines[0]]
    expect(second.payload.changes).toEqual([
      { path: '/label', from: 'Plan', to: 'Plan B' },
      { path: '/lines/fees', from: null, to: fees },
      { path: '/lines/payroll/amount', from: '1000000', to: '2' },
      { path: '/lines/rent', from: rent, to: null },
    ])
    expect([second.sequence, second.previousResourceVersion]).toEqual([2, first.resourceVersion])
    const ask = (operationId: string, params: object) =>
      callOperation<never>(owner, operationId, { params: params as never })
    const { id } = first
    const [one, two, now, all] = [
      await ask('getTreasuryAssumptionsVersion', { id, sequence: 1 }),
      await ask('getTreasuryAssumptionsVersion', { id, sequence: 2 }),
      await ask('getTreasuryAssumptions', { id }),
      await ask('listTreasuryAssumptionsVersions', { id }),
    ]
    expect([one.data, two.data, now.data, all.data]).toEqual([
      first,
      second,
      second,
      [second, first],
    ])
    expect(one.headers.get('etag')).toBe(`"${first.resourceVersion}"`)
    expect((await ask('getTreasuryAssumptionsVersion', { id, sequence: 3 })).status).toBe(404)
  })

  it('names the version that was reviewed, in one place or in two that agree', async ({
    owner,
  }) => {
    const before = await made(owner)
    const { id, resourceVersion } = before
    const named = { assumptions: input({ label: 'Next' }), reason, resourceVersion }
    const missing = await revise(owner, before, input(), {})
    expect([missing.status, missing.code]).toEqual([428, 'LIQUIDITY_STUDIO_PRECONDITION_REQUIRED'])
    const stale = await revise(owner, before, input(), { ifMatch: `0x${'9'.repeat(64)}` })
    expect([stale.status, stale.code]).toEqual([412, 'LIQUIDITY_PRECONDITION_FAILED'])
    const params = { id }
    const torn = { params, ifMatch: `0x${'9'.repeat(64)}`, body: named }
    expect((await callOperation(owner, 'reviseTreasuryAssumptions', torn)).code).toBe(
      'LIQUIDITY_PRECONDITION_AMBIGUOUS',
    )
    const inBody = await callOperation<Assumptions>(owner, 'reviseTreasuryAssumptions', {
      params,
      body: named,
    })
    expect([inBody.status, inBody.data.sequence]).toEqual([201, 2])
    expect((await revise(owner, before, input())).status).toBe(412)
  })

  it('concurrent requests create one', async ({ service, owner }) => {
    const node = await anotherNode(service)
    const before = await made(owner)
    const operation = operationById.get('reviseTreasuryAssumptions')!
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const { baseUrl } = index % 2 === 0 ? service : node
        const answer = await send({ ...owner.options, baseUrl }, operation, {
          params: { id: before.id },
          ifMatch: before.resourceVersion,
          body: { assumptions: input({ label: `Plan ${index}` }), reason },
        })
        return answer.status
      }),
    )
    expect(statuses.toSorted()).toEqual([201, ...Array(11).fill(412)])
    const { data } = await callOperation<Assumptions>(owner, 'getTreasuryAssumptions', {
      params: { id: before.id },
    })
    expect([data.sequence, data.payload.changes.length]).toEqual([2, 1])
  })

  it('of nothing, or of another organization’s, is not there', async ({ owner, stranger }) => {
    const theirs = await made(owner, {}, stranger)
    for (const id of [none, theirs.id]) {
      const refused = await revise(owner, { ...theirs, id }, input())
      expect([refused.status, refused.code]).toEqual([404, 'LIQUIDITY_RESOURCE_NOT_FOUND'])
    }
  })

  it('is listed in the events of the record, which verify', async ({ service, owner }) => {
    const before = await made(owner)
    await revise(owner, before, input({ label: 'Next' }))
    const events = await recordsOf(service, owner).events(before.id)
    expect(events.map(({ kind }) => kind)).toEqual([
      'treasury.assumptions.created',
      'treasury.assumptions.revised',
    ])
    expect(events[1]!.payload).toMatchObject({ changes: 1 })
  })
})

describe('a repeated request', () => {
  it('of 201 answers 200 with the same bytes, for a new set and for a revision', async ({
    owner,
  }) => {
    const key = 'treasury assumptions, 2026 (board)'
    const first = await create(owner, input(), owner, { idempotencyKey: key })
    const again = await create(owner, input(), owner, { idempotencyKey: key })
    expect([first.status, first.isReplayed, again.status, again.isReplayed]).toEqual([
      ...[201, false, 200, true],
    ])
    expect(again.data).toEqual(first.data)
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    const other = await create(owner, input({ label: 'Other' }), owner, { idempotencyKey: key })
    expect([other.status, other.code]).toEqual([409, 'LIQUIDITY_IDEMPOTENCY_KEY_REUSED'])
    const more = { ifMatch: first.data.resourceVersion, idempotencyKey: 'x'.repeat(200) }
    const revised = await revise(owner, first.data, input({ label: 'Next' }), more)
    const repeated = await revise(owner, first.data, input({ label: 'Next' }), more)
    expect([revised.status, repeated.status, repeated.isReplayed]).toEqual([201, 200, true])
    expect(repeated.data).toEqual(revised.data)
  })

  it('of a refusal is refused again', async ({ owner }) => {
    const more = { idempotencyKey: 'refused once' }
    const body = input({ lines: [line(), line()] })
    expect((await create(owner, body, owner, more)).isReplayed).toBe(false)
    const again = await create(owner, body, owner, more)
    expect([again.status, again.isReplayed]).toEqual([422, true])
  })
})

describe('a list', () => {
  it('continues from the id of its last record to its end, newest first', async ({
    service,
    owner,
  }) => {
    const member = await newOrganization(service)
    const ids: string[] = []
    for (let number = 0; number < 5; number += 1) ids.unshift((await made(owner, {}, member)).id)
    const operation = operationById.get('listTreasuryAssumptions')!
    const found: string[] = []
    for (let cursor: string | undefined; ; ) {
      const query = { limit: 2, ...(cursor ? { cursor } : {}) }
      const answer = await send(member.options, operation, { query })
      const { data, meta } = (await answer.json()) as {
        data: Assumptions[]
        meta: { count: number; hasMore: boolean; nextCursor?: string }
      }
      found.push(...data.map(({ id }) => id))
      expect([meta.count, meta.hasMore]).toEqual([data.length, found.length < 5])
      cursor = meta.nextCursor
      if (cursor === undefined) break
      expect(cursor).toBe(found.at(-1))
    }
    expect(found).toEqual(ids)
    const listed = async (query: object) => {
      const response = await callOperation<Assumptions[]>(member, 'listTreasuryAssumptions', {
        query: query as never,
      })
      return response.data.map(({ id }) => id)
    }
    expect(await listed({ order: 'OLDEST' })).toEqual(ids.toReversed())
    expect(await listed({ order: 'OLDEST', cursor: ids[3]! })).toEqual(ids.slice(0, 3).toReversed())
    expect(await listed({ createdBefore: '2020-01-01T00:00:00Z' })).toEqual([])
    expect(await listed({ createdFrom: '2020-01-01T00:00:00Z' })).toEqual(ids)
    for (const operation of [
      'listTreasuryProjections',
      'listTreasuryReconciliations',
      'listTreasuryCustodyEvidence',
    ]) {
      const query = { status: 'NONE' } as never
      const refused = await callOperation(member, operation as never, { query })
      expect([operation, refused.status, Object.keys(refused.fieldErrors)]).toEqual([
        ...[operation, 400, ['query.status']],
      ])
    }
  })

  it('refuses a cursor of no record here as not there, and one that is no id as none', async ({
    owner,
    stranger,
  }) => {
    const theirs = await made(owner, {}, stranger)
    for (const [cursor, status, code] of [
      [none, 404, 'LIQUIDITY_RESOURCE_NOT_FOUND'],
      [theirs.id, 404, 'LIQUIDITY_RESOURCE_NOT_FOUND'],
      ['venue_1', 400, 'LIQUIDITY_CURSOR_INVALID'],
      [none.toUpperCase(), 400, 'LIQUIDITY_CURSOR_INVALID'],
    ] as const) {
      const refused = await callOperation(owner, 'listTreasuryAssumptions', { query: { cursor } })
      expect([refused.status, refused.code]).toEqual([status, code])
      expect(Object.keys(refused.fieldErrors)).toEqual(['query.cursor'])
      expect(refused.headers.get('cache-control')).toBe('private, no-store')
    }
  })

  it('of versions continues from a sequence', async ({ owner }) => {
    let { id, resourceVersion } = await made(owner)
    for (const label of ['b', 'c', 'd']) {
      ;({ resourceVersion } = (await revise(owner, { id, resourceVersion }, input({ label }))).data)
    }
    const page = async (query: object) =>
      (
        await callOperation<Assumptions[]>(owner, 'listTreasuryAssumptionsVersions', {
          params: { id },
          query: query as never,
        })
      ).data.map(({ sequence }) => sequence)
    expect([
      await page({ limit: 3 }),
      await page({ cursor: '2' }),
      await page({ cursor: '1' }),
    ]).toEqual([[4, 3, 2], [1], []])
    const refused = await callOperation(owner, 'listTreasuryAssumptionsVersions', {
      params: { id },
      query: { cursor: '0' },
    })
    expect([refused.status, refused.code]).toEqual([400, 'LIQUIDITY_CURSOR_INVALID'])
  })
})

describe('who', () => {
  it('may not write the treasury reads it only', async ({ service, owner }) => {
    const { id } = await made(owner)
    for (const role of roles) {
      const member = await newMember(service, owner.organizationId, role)
      expect(
        (await callOperation(member, 'getTreasuryAssumptions', { params: { id } })).status,
      ).toBe(200)
      const { status } = await create(owner, input(), member)
      expect([role, status]).toEqual([
        role,
        permissionsOf[role].includes('treasury.write') ? 201 : 403,
      ])
    }
    const keepers = roles.filter((role) => permissionsOf[role].includes('treasury.write'))
    expect(keepers).toEqual(['OWNER', 'TREASURY_ADMIN'])
  })

  it('is of another organization sees none of it', async ({ owner, stranger }) => {
    const { id } = await made(owner)
    for (const [operationId, params] of [
      ['getTreasuryAssumptions', { id }],
      ['listTreasuryAssumptionsVersions', { id }],
      ['getTreasuryAssumptionsVersion', { id, sequence: 1 }],
    ] as const) {
      expect((await callOperation(stranger, operationId, { params })).status).toBe(404)
    }
  })
})

it('leaves a history that verifies', async ({ service, owner }) => {
  const { database, services } = service
  const report = await verifyHistory(database, owner.organizationId, services.artifacts)
  expect(report.faults).toEqual([])
})
