import Type from 'typebox'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  type DataOf,
  none,
  operation,
  type ParamsOf,
  type QueryOf,
  scoped,
  session,
} from './operation.ts'
import { getOperation, listOperation, versionOperation, versionsOperation } from './reading.ts'
import { operations } from './table.ts'

const LedgerRecord = Type.Object({ id: Type.String() })
const ledgers = {
  path: '/ledgers',
  tag: 'Plan',
  family: 'Ledgers',
  one: 'ledger',
  many: 'ledgers',
  record: LedgerRecord,
  auth: scoped('proof:read'),
} as const

describe('what reads one kind of record', () => {
  it('keeps its literal types for handlers and the client', () => {
    const list = listOperation(ledgers, { id: 'listLedgers', summary: 'List ledgers' })
    expectTypeOf<DataOf<typeof list>>().toEqualTypeOf<{ id: string }[]>()
    expectTypeOf<QueryOf<typeof list>['limit']>().toEqualTypeOf<number | undefined>()
    expectTypeOf(list.id).toEqualTypeOf<'listLedgers'>()
    const version = versionOperation(ledgers, {
      id: 'getLedgerVersion',
      summary: 'Read a version',
      parameter: 'ledgerId',
    })
    expectTypeOf<DataOf<typeof version>>().toEqualTypeOf<{ id: string }>()
    expectTypeOf<ParamsOf<typeof version>>().toEqualTypeOf<{ ledgerId: string; sequence: number }>()
    expect(version.params.sequence).toMatchObject({ type: 'integer', minimum: 1 })
  })

  it('uses the common text, or the specific one if given', () => {
    const get = getOperation(ledgers, { id: 'getLedger', summary: 'Read one', note: 'Sealed.' })
    expect(get).toMatchObject({
      path: '/ledgers/{id}',
      description: 'One ledger record with its strong ETag (quoted resourceVersion). Sealed.',
      auth: { kind: 'scoped', scope: 'proof:read' },
      permission: 'read',
      statedErrors: [404],
      response: { wrap: 'data', etag: true },
    })
    const versions = versionsOperation(
      { ...ledgers, auth: session, cacheControl: 'no-store', note: 'Never forgotten.' },
      { id: 'listLedgerVersions', summary: 'List versions' },
    )
    expect(versions).toMatchObject({
      path: '/ledgers/{id}/versions',
      description: 'Versions of one ledger. Never forgotten.',
      auth: { kind: 'session' },
      cacheControl: 'no-store',
      paging: { defaultLimit: 50, maximumLimit: 100 },
    })
    expect(versions).not.toHaveProperty('statedErrors')
  })
})

it('has both schemas in every operation: one without them does not compile', () => {
  const facts = {
    id: 'a',
    path: '/a',
    tag: 'Plan',
    family: 'A',
    summary: 'A',
    description: 'A',
    auth: session,
    success: [200],
  } as const
  // @ts-expect-error: no response.
  operation({ ...facts, method: 'GET' })
  // @ts-expect-error: no body.
  operation({ ...facts, method: 'POST', response: none })
  for (const { method, body, response } of operations) {
    expect(response).toBeDefined()
    expect(body !== undefined || method === 'GET' || method === 'DELETE').toBe(true)
  }
})
