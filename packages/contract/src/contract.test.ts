import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import table from '../specification/operations.json' with { type: 'json' }
import {
  errorCatalogue,
  errorCodesOf,
  extensionDocument,
  openApiDocument,
  operations,
  operationsPage,
  parametersOf,
  permissionsOf,
  queryOf,
  scopes,
} from './index.ts'

const file = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const read = (name: string) => readFileSync(file(name), 'utf8')
/** Built once: it is megabytes, and each operation is looked up in it. */
const document = openApiDocument()
const printed = () => `${JSON.stringify(document, null, 2)}\n`
type Declared = { operationId: string; responses: object }
const declaredById = new Map(
  Object.values(document.paths as Record<string, Record<string, Declared>>)
    .flatMap((methods) => Object.values(methods))
    .map((declared) => [declared.operationId, declared] as const),
)

describe('the contract', () => {
  it('declares exactly the operations of the specification table', () => {
    const ours = operations.map(({ id, method, path, tag, family }) => ({
      operationId: id,
      method,
      path,
      tag,
      family,
    }))
    const theirs = table.map(({ operationId, method, path, tag, family }) => ({
      operationId,
      method,
      path,
      tag,
      family,
    }))
    const byId = (a: { operationId: string }, b: { operationId: string }) =>
      a.operationId < b.operationId ? -1 : 1
    expect(ours.sort(byId)).toEqual(theirs.sort(byId))
    expect(ours).toHaveLength(238)
    expect(new Set(ours.map(({ path }) => path)).size).toBe(189)
  })

  /** Operations that take If-Match, though the table has none: they append to a record or publish one. */
  const versioned = new Set([
    'createTreasuryReconciliation',
    'createStudyShareLink',
    'createSignedStudyReport',
  ])

  it.each(table.map((row) => [row.operationId, row] as const))(
    'declares %s as its row says',
    (id, row) => {
      const operation = operations.find((found) => found.id === id)!
      const { auth } = operation
      expect(auth.kind).toBe(row.authResolved)
      expect(auth.kind === 'scoped' ? auth.scope : null).toBe(row.scope)
      expect(operation.idempotency !== undefined).toBe(row.idempotencyKey)
      expect(operation.precondition ?? 'none').toBe(versioned.has(id) ? 'optional' : row.ifMatch)
      expect([...operation.success]).toEqual(row.successStatuses)
      expect(operation.paging?.cursorPattern ?? null).toBe(row.cursorPattern)
      const limit = operation.paging
        ? { default: operation.paging.defaultLimit, max: operation.paging.maximumLimit }
        : null
      expect(limit).toEqual(row.limit)
      for (const query of row.query) expect(Object.keys(queryOf(operation))).toContain(query.name)
      if (row.cacheControl) expect(operation.cacheControl).toBe(row.cacheControl)
      expect(operation.permission === undefined).toBe(['public', 'basic'].includes(auth.kind))
      const declared = declaredById.get(id)!
      const stated = row.statedErrors.filter(
        (status) => status !== 409 || row.ifMatch !== 'none' || row.idempotencyKey,
      )
      expect(Object.keys(declared.responses)).toEqual(expect.arrayContaining(stated.map(String)))
    },
  )

  it('prints the committed document and page', () => {
    expect(printed()).toBe(read('openapi.json'))
    expect(`${JSON.stringify(extensionDocument(), null, 2)}\n`).toBe(read('openapi-beside.json'))
    expect(operationsPage()).toBe(read('operations.txt'))
  })

  it('equals the specification next to the repository, if present', () => {
    const beside = fileURLToPath(
      new URL('../../../../shared/spec/operations.json', import.meta.url),
    )
    const theirs = existsSync(beside)
      ? readFileSync(beside, 'utf8')
      : read('specification/operations.json')
    expect(read('specification/operations.json')).toBe(theirs)
  })
})

it('says of each operation that takes the reviewed version in two places that they may differ', () => {
  const taking = operations.filter(
    ({ precondition, body }) =>
      precondition &&
      Object.hasOwn((body as { properties?: object })?.properties ?? {}, 'resourceVersion'),
  )
  expect(taking.length).toBeGreaterThan(5)
  const silent = taking.filter(
    (operation) => !errorCodesOf(operation).includes('LIQUIDITY_PRECONDITION_AMBIGUOUS'),
  )
  expect(silent.map(({ id }) => id)).toEqual([])
})

describe('every operation', () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s names only errors of the catalogue, each with its status',
    (_id, operation) => {
      for (const code of errorCodesOf(operation))
        expect(errorCatalogue[code].status).toBeGreaterThanOrEqual(400)
      expect(operation.summary.length).toBeGreaterThan(3)
      expect(Object.keys(parametersOf(operation))).toHaveLength(
        operation.path.split('{').length - 1,
      )
      if (operation.idempotency && operation.method !== 'DELETE') {
        expect(operation.body, 'a body schema').toBeDefined()
        expect(operation.example, 'an example').toBeDefined()
      }
    },
  )
})

describe('roles and scopes', () => {
  it('let the owner do everything, and a viewer only read', () => {
    expect(new Set(permissionsOf.OWNER).size).toBe(permissionsOf.OWNER.length)
    for (const permissions of Object.values(permissionsOf)) {
      expect(permissionsOf.OWNER).toEqual(expect.arrayContaining([...permissions]))
    }
    expect(permissionsOf.VIEWER).toEqual(['read'])
    expect(permissionsOf.OPERATOR).not.toContain('members.manage')
  })

  it('cover every scope of the specification with an operation', () => {
    const used = new Set(
      operations.flatMap(({ auth }) => (auth.kind === 'scoped' ? [auth.scope] : [])),
    )
    expect([...scopes].filter((scope) => !used.has(scope))).toEqual([])
  })
})
