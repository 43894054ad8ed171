import { contract, type Operation } from '@liquidity-os/contract'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { required } from '../../../required.ts'
import { exportedFile } from '../../exported-file.ts'
import { historyExport, marketHistory } from '../../intelligence/market-points/api.ts'
import { hoursExport, mandateExport } from '../../operate/market-maker-mandates/api.ts'
import { studyExport } from '../../simulate/study-reports/api.ts'
import { exportList } from './export-list.ts'
import { requireFilters } from './require-filters.ts'
import { runExport } from './running-exports.ts'

type Request = HandlerRequest<typeof contract.downloadExport>

const historyFilters = ['from', 'to', 'points', 'bands'] as const

export default handle(contract.downloadExport, async (request): Promise<Outcome> => {
  const [kind, ...rest] = request.params.view.split('/')
  const subject = required(rest[0], 'subject of the view')
  if (kind === 'lists') return exportList(request, rest.join('/'))
  if (kind === 'markets') return exportHistory(request, subject)
  requireFilters(request.query, [])
  return kind === 'studies'
    ? exportStudy(request, subject)
    : exportMandate(request, subject, rest[1] ?? 'windows')
})

async function exportHistory(request: Request, market: string): Promise<Outcome> {
  const { query, records, services, now } = request
  await request.requireScope(null)
  requireFilters(query, historyFilters)
  const { from, to, points, bands } = query
  const named = /^[1-9][0-9]*-0x/.test(market) ? { pair: market } : { venueId: market }
  const window = Object.fromEntries(
    Object.entries({ from, to, points, bands }).filter(([, value]) => value !== undefined),
  )
  const history = await marketHistory({ query: { ...named, ...window }, records, services, now })
  return exportedFile(services, historyExport(history), formatOf(request))
}

async function exportStudy(request: Request, id: string): Promise<Outcome> {
  const { records, services } = request
  await request.requireScope(scopeOf(contract.listStudies))
  return runExport(services, records.organizationId, async () =>
    exportedFile(services, await studyExport(records, services, id), formatOf(request)),
  )
}

async function exportMandate(request: Request, id: string, part: string): Promise<Outcome> {
  const { records, services, now } = request
  await request.requireScope(null)
  const found =
    part === 'hours'
      ? await hoursExport(records, id)
      : await mandateExport(records, services, id, now)
  return exportedFile(services, found, formatOf(request))
}

const formatOf = ({ query }: Request) => ({ ...query, as: query.as ?? 'csv' }) as const

/** Scope of credentials that read a list; null if only sessions can. */
const scopeOf = ({ auth }: Pick<Operation, 'auth'>) => (auth.kind === 'scoped' ? auth.scope : null)
