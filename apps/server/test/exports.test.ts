import { type LooseRequest, send } from '@liquidity-os/client'
import { basePath, contract } from '@liquidity-os/contract'
import { readXlsx } from '@liquidity-os/sheet/testing'
import { describe, expect, vi } from 'vitest'
import { rules } from '../src/families/intelligence/alerts/records.ts'
import { limits } from '../src/limits.ts'
import { recordsOf } from './support/admissible.ts'
import { conformingFetch } from './support/conforming-fetch.ts'
import { test } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { newOrganization, type TestMember } from './support/service.ts'

const exported = (by: TestMember, view: string, query: LooseRequest['query'] = {}) =>
  send({ ...by.options, fetch: conformingFetch }, contract.downloadExport, {
    params: { view },
    query,
  })

async function refusal(answer: Response) {
  const { error } = (await answer.json()) as {
    error: { code: string; fieldErrors?: Record<string, string[]> }
  }
  return [answer.status, error.code, Object.keys(error.fieldErrors ?? {})]
}

const { body } = contract.createTreasuryEntries.example

async function addEntry(by: TestMember, label: string): Promise<string> {
  const { data } = await callOperation<{ id: string }>(by, 'createTreasuryEntries', {
    body: { ...body, payload: { ...body.payload, label } },
  })
  return data.id
}

const it = test.extend('entry', { scope: 'file' }, async ({ owner }) => ({
  id: await addEntry(owner, '=Payroll, "May"'),
}))

describe('a list as a file', () => {
  it('has names, states and amounts first, then the exact members', async ({ owner, entry }) => {
    const answer = await exported(owner, 'lists/treasury-entries')
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="treasury-entries.csv"',
    )
    const [heading = '', row = '', ...rest] = (await answer.text()).trim().split('\r\n')
    expect(rest).toEqual([])
    expect(heading.split(',').slice(0, 2)).toEqual(['label', 'entry kind'])
    expect(row).toMatch(/^"'=Payroll, ""May""",[A-Z][a-z]+,/)
    expect(heading).toContain(',id,')
    expect(row).toContain(entry.id)
    const json = await exported(owner, 'lists/treasury-entries', { as: 'json' })
    const { data, meta } = (await json.json()) as {
      data: Record<string, unknown>[]
      meta: { count: number }
    }
    expect([meta.count, data[0]?.id]).toEqual([1, entry.id])
    const book = readXlsx(
      await (await exported(owner, 'lists/treasury-entries', { as: 'xlsx' })).bytes(),
    )
    expect(Object.values(book.sheets)[1]?.A2).toMatchObject({
      type: 'inlineStr',
      text: '=Payroll, "May"',
      formula: null,
    })
  })

  it('has the filters of its list', async ({ owner, entry }) => {
    const none = await exported(owner, 'lists/treasury-entries', {
      createdBefore: '2020-01-01T00:00:00Z',
    })
    expect(await none.text()).not.toContain(entry.id)
    expect(
      await refusal(await exported(owner, 'lists/treasury-entries', { severity: 'x' })),
    ).toEqual([400, 'LIQUIDITY_INVALID_REQUEST', ['query.severity']])
    expect(await refusal(await exported(owner, 'lists/treasury-entries', { status: 'x' }))).toEqual(
      [400, 'LIQUIDITY_INVALID_REQUEST', ['query.status']],
    )
    expect(await refusal(await exported(owner, 'lists/nothing'))).toEqual([
      400,
      'LIQUIDITY_INVALID_REQUEST',
      ['params.view'],
    ])
  })

  it('accepts slashes as they are, and an ETag', async ({ owner, service, entry }) => {
    const ask = (more: Record<string, string> = {}) =>
      fetch(`${service.baseUrl}${basePath}/exports/lists/treasury-entries`, {
        headers: {
          cookie: `${service.config.sessionCookie}=${owner.cookie}`,
          'x-service-organization-id': owner.organizationId,
          ...more,
        },
      })
    const answer = await ask()
    expect(await answer.text()).toContain(entry.id)
    const again = await ask({ 'if-none-match': answer.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  })

  it('shows nothing of another organization', async ({ stranger, entry }) => {
    expect(await (await exported(stranger, 'lists/treasury-entries')).text()).not.toContain(
      entry.id,
    )
  })

  it('reads every page, and rejects more than 50,000 rows with their number', async ({
    service,
  }) => {
    const member = await newOrganization(service)
    const count = limits.exportPage + 1
    const made = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const { sealed, change } = rules.first(recordsOf(service, member), {
          status: 'ACTIVE',
          payload: { name: `Rule ${index}`, match: {} } as never,
          reason: 'For the test',
          event: 'alert_rule.created',
        })
        await service.services.committer.commit(change)
        return sealed.record.id
      }),
    )
    const text = await (await exported(member, 'lists/alert-rules')).text()
    expect(text.trim().split('\r\n')).toHaveLength(1 + count)
    // Heads suffice for the count; no record is read.
    await service.services.database.pool.query(
      `insert into record_heads (organization_id, id, sequence, resource_version, status)
       select '${member.organizationId}', '${made[0]}x' || number, 1, 'none', 'ACTIVE'
       from generate_series(1, ${limits.exportRows}) as number`,
    )
    const answer = await exported(member, 'lists/alert-rules')
    const { error } = (await answer.json()) as { error: { code: string; fieldErrors: object } }
    const found = limits.exportRows + count
    expect([answer.status, error.code, error.fieldErrors]).toEqual([
      422,
      'LIQUIDITY_EXPORT_TOO_LARGE',
      { 'params.view': [`must have at most 50000 rows, got ${found}`] },
    ])
  })
})

it('runs once at a time per organization', async ({ service, owner, stranger }) => {
  const [view, study] = ['lists/treasury-entries', 'studies/study_1']
  const { reporting } = service.services
  const others: Response[] = []
  const thread = vi.spyOn(reporting, 'run').mockImplementationOnce(async (...task) => {
    thread.mockRestore()
    others.push(await exported(owner, view), await exported(owner, study))
    others.push(await exported(stranger, view))
    return reporting.run(...task)
  })
  expect((await exported(owner, view)).status).toBe(200)
  const limited = others.slice(0, 2)
  expect(limited.map(({ headers }) => headers.get('retry-after'))).toEqual(['5', '5'])
  expect(await Promise.all(limited.map(refusal))).toEqual([
    [429, 'LIQUIDITY_RATE_LIMITED', []],
    [429, 'LIQUIDITY_RATE_LIMITED', []],
  ])
  expect(others[2]?.status).toBe(200)
  // An export that ends or fails lets the next one run.
  expect((await exported(owner, study)).status).toBe(404)
  expect((await exported(owner, view)).status).toBe(200)
})

describe('a study, a market and a mandate', () => {
  it('are 404 if they do not exist', async ({ owner }) => {
    for (const view of ['studies/study_1', 'markets/venue_1/history', 'mandates/mandate_1']) {
      expect(await refusal(await exported(owner, view))).toEqual([
        404,
        'LIQUIDITY_RESOURCE_NOT_FOUND',
        [],
      ])
    }
  })

  it('name a filter that they do not have', async ({ owner }) => {
    expect(
      await refusal(await exported(owner, 'studies/study_1', { from: '2026-01-01T00:00:00Z' })),
    ).toEqual([400, 'LIQUIDITY_INVALID_REQUEST', ['query.from']])
    expect(await refusal(await exported(owner, 'treasury/2026-01'))).toEqual([
      400,
      'LIQUIDITY_INVALID_REQUEST',
      ['params.view'],
    ])
  })
})
