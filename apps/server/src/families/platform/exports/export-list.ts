import {
  type contract,
  extensionOperations,
  type Operation,
  operations,
  pathParameters,
  queryOf,
  type RecordFamily,
  recordFamilies,
} from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import type { HandlerRequest, Outcome } from '../../../http/handler.ts'
import { validatorsOf } from '../../../http/validators.ts'
import { limits } from '../../../limits.ts'
import type { ResourceType } from '../../../store/records/resource-types.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { fileOutcome } from '../../exported-file.ts'
import type { FoldedFamilies } from '../../family.ts'
import { collectPages, type ReadPage, tooManyRows } from './collect-pages.ts'
import { humanColumns } from './human-columns.ts'
import type { ListExport, ListExportTask } from './list-export-task.ts'
import { requireFilters } from './require-filters.ts'
import { runExport } from './running-exports.ts'

type Request = HandlerRequest<typeof contract.downloadExport>

const lists: ReadonlyMap<string, Operation> = new Map(
  [...operations, ...extensionOperations]
    .filter(
      ({ method, path, paging, response }) =>
        method === 'GET' &&
        paging !== undefined &&
        response?.wrap === 'collection' &&
        pathParameters(path).length === 0,
    )
    .map((operation) => [operation.path.slice(1), operation]),
)

/**
 * A list as a file: the columns of its page in units and words, then the exact fields.
 *
 * @throws Failure 400 for an unknown list or filter, 403 for a role or credential without access,
 * 422 LIQUIDITY_EXPORT_TOO_LARGE, 429 while another export of the organization runs
 */
export async function exportList(request: Request, name: string): Promise<Outcome> {
  const { services, query, records } = request
  const operation = lists.get(name)
  if (!operation) {
    throw new Failure('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: {
        'params.view': [`must name a list: ${[...lists.keys()].sort().join(', ')}; got ${name}`],
      },
    })
  }
  await requireAccess(request, operation)
  const filters = await listFilters(operation, query)
  const family = recordFamilies.find(({ operations: own }) => own.includes(operation))
  if (family) await requireCount(records, family, filters)
  return runExport(services, records.organizationId, async () => {
    const task: ListExportTask = {
      pages: await collectPages(await pageReader(request, operation, filters)),
      title: operation.summary.replace(/^List /, ''),
      columns: family ? humanColumns(family) : [],
      tokens: await tokensOf(records),
      format: { ...query, as: query.as ?? 'csv' },
    }
    const file = new URL('./list-export-task.ts', import.meta.url)
    const { chainIds, ...written } = await services.reporting.run<ListExport>(file, task)
    return fileOutcome(written, { name: name.replaceAll('/', '-'), chainIds }, task.format.as)
  })
}

async function requireAccess(
  { actor, requireScope }: Request,
  { auth, permission }: Operation,
): Promise<void> {
  await requireScope(auth.kind === 'scoped' ? auth.scope : null)
  if (permission && !actor.permissions.has(permission)) throw new Failure('LIQUIDITY_ROLE_REQUIRED')
}

type Filters = Readonly<Record<string, unknown>>

/** @throws Failure 400, as the list itself */
async function listFilters(operation: Operation, query: Request['query']): Promise<Filters> {
  const names = Object.keys(queryOf(operation)).filter(
    (name) => name !== 'cursor' && name !== 'limit',
  )
  requireFilters(query, names)
  const filters = Object.fromEntries(Object.entries(query).filter(([name]) => names.includes(name)))
  // The validator adds defaults of paging to its input.
  const fieldErrors = validatorsOf(operation.id).query({ ...filters })
  if (fieldErrors) throw new Failure('LIQUIDITY_INVALID_REQUEST', { fieldErrors })
  return filters
}

/** Rejects a long list before it is read. Filters that only the list knows are applied later. */
async function requireCount(
  records: TenantRecords,
  { type }: RecordFamily,
  filters: Filters,
): Promise<void> {
  const { status, createdFrom, createdBefore, order: _order, ...others } = filters
  if (Object.keys(others).length > 0) return
  const count = await records.count(type as ResourceType, {
    ...(typeof status === 'string' ? { status: [status] } : {}),
    ...(typeof createdFrom === 'string' ? { createdFrom: Date.parse(createdFrom) } : {}),
    ...(typeof createdBefore === 'string' ? { createdBefore: Date.parse(createdBefore) } : {}),
  })
  if (count > limits.exportRows) throw tooManyRows(`${count}`)
}

/** Reads pages of the list through its own handler. */
async function pageReader(
  request: Request,
  operation: Operation,
  filters: Filters,
): Promise<ReadPage> {
  // The assembly loads folded families.
  const { operations: loaded } = (await request.services.families()) as FoldedFamilies
  const found = loaded[operation.id]
  if (!found) throw new Error(`The list ${operation.id} has no handler.`)
  const handler = typeof found === 'function' ? (await found()).default : found
  return async (cursor) => {
    const query = { ...filters, limit: limits.exportPage, ...(cursor ? { cursor } : {}) }
    const { text, data } = await handler.run({ ...request, params: {}, query } as never)
    return text ?? JSON.stringify({ data, meta: { count: 0, hasMore: false } })
  }
}

/** Symbols and decimals of the declared tokens, by asset key. */
async function tokensOf(records: TenantRecords): Promise<ListExportTask['tokens']> {
  const assets = await records.find<contract.TreasuryAsset>('TreasuryAsset', {})
  return new Map(
    assets.map(({ payload: { assetKey, symbol, decimals } }) => [assetKey, { symbol, decimals }]),
  )
}
