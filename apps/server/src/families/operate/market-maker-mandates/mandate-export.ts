import { type contract, testNetworksIn } from '@liquidity-os/contract'
import type { Column, TableRow, Value } from '@liquidity-os/sheet'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import type { Services } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Export } from '../../exported-file.ts'
import { evaluateEvidence } from './evaluate-evidence.ts'
import { secondsOf } from './mandate-terms.ts'
import { requireObserved } from './observed-mandate.ts'
import { findPublishedWindows } from './published-windows.ts'
import type { Mandate } from './records.ts'

type Evaluation = Omit<contract.KpiEvaluation, 'told'>

/**
 * The results of a mandate as a file: the current window of each KPI, then the closed windows, newest
 * first.
 *
 * @throws Failure 404, 409 for a draft, 422 for too many windows
 */
export async function mandateExport(
  records: TenantRecords,
  { awaited }: Pick<Services, 'awaited'>,
  id: string,
  now: number,
): Promise<Export> {
  const mandate = await requireObserved(records, id, 'params.view')
  const { kpis, period, title } = mandate.payload
  const asOf = Math.floor(now / 1000)
  const at = Math.min(asOf, secondsOf(period.to) - 1)
  const [{ evaluations }, closed] = await Promise.all([
    evaluateEvidence(records, awaited, mandate, {
      asOf,
      added: null,
      requested: kpis.map((_, index) => ({ place: index, at })),
    }),
    findPublishedWindows(records, id, limits.exportRows + 1),
  ])
  if (closed.length + evaluations.length > limits.exportRows) {
    throw new Failure('LIQUIDITY_EXPORT_TOO_LARGE', {
      fieldErrors: {
        'params.view': [
          `must have at most ${limits.exportRows} rows, got more than ${limits.exportRows}`,
        ],
      },
    })
  }
  const rows = [...evaluations, ...closed].map((one) => rowOf(one, mandate))
  return {
    name: `mandate-${title.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 60)}`,
    chainIds: testNetworksIn(JSON.stringify(mandate.payload.pair)),
    workbook: {
      title,
      facts: [
        { label: 'Market maker', value: mandate.payload.marketMaker.name },
        { label: 'Status', value: mandate.status },
        { label: 'From', value: Date.parse(period.from), kind: 'TIME' },
        { label: 'To', value: Date.parse(period.to), kind: 'TIME' },
        { label: 'As of', value: asOf * 1000, kind: 'TIME' },
        ...(['Met', 'Breached', 'Inconclusive'] as const).map((verdict) => ({
          label: verdict,
          kind: 'COUNT' as const,
          value: rows.filter((row) => row.includes(verdict)).length,
        })),
      ],
      tables: [{ id: 'windows', title: 'KPI windows', columns, rows }],
      sources: [
        {
          kind: 'MarketMakerMandate',
          id,
          version: mandate.resourceVersion,
          hash: null,
          block: null,
          url: null,
        },
      ],
    },
  }
}

const text = (key: string, title: string): Column => ({ key, title, kind: 'TEXT' })
const time = (key: string, title: string): Column => ({ key, title, kind: 'TIME' })
const figure = (key: string, title: string, about: string): Column => ({
  key,
  title,
  kind: 'AMOUNT',
  about,
  exact: { key: `${key}Exact`, unit: 'exact' },
})

const columns: Column[] = [
  text('kpi', 'KPI'),
  text('metric', 'metric'),
  text('venue', 'venue'),
  text('side', 'side'),
  time('from', 'from'),
  time('to', 'to'),
  text('window', 'window'),
  text('result', 'result'),
  figure('observed', 'observed', 'Value in observed time.'),
  figure('low', 'worst case', 'Every data gap at its worst.'),
  figure('high', 'best case', 'Every data gap at its best.'),
  text('comparator', 'must be'),
  figure('threshold', 'threshold', 'Threshold of the KPI.'),
  text('unit', 'unit'),
  { key: 'coverage', title: 'coverage', kind: 'AMOUNT', unit: '%' },
  { key: 'gap', title: 'data gaps', kind: 'COUNT', unit: 's' },
  { key: 'contradictions', title: 'contradicted samples', kind: 'COUNT' },
  text('trust', 'evidence level'),
  text('reason', 'reason'),
]

const verdicts = { MET: 'Met', BREACHED: 'Breached', INDETERMINATE: 'Inconclusive' } as const

function rowOf(one: Evaluation, { payload }: Mandate): TableRow {
  const kpi = payload.kpis.find(({ kpiId }) => kpiId === one.kpiId)
  const isShare = kpi?.metric.endsWith('_PIPS') ?? false
  const decimals = isShare ? 4 : payload.pair.quoteDecimals
  const value = (atoms: string | null): Value =>
    atoms === null ? null : { atoms: BigInt(atoms), decimals }
  return [
    one.kpiId,
    metricWords(kpi?.metric),
    kpi?.venueKey ?? null,
    kpi?.side ?? null,
    Date.parse(one.window.from),
    Date.parse(one.window.to),
    one.window.isRunning ? 'Running' : 'Closed',
    verdicts[one.verdict],
    value(one.observed),
    value(one.pessimistic),
    value(one.optimistic),
    one.comparator === 'GTE' ? 'at least' : 'at most',
    value(one.threshold),
    isShare ? '%' : 'quote tokens',
    { atoms: BigInt(one.coveragePips), decimals: 4 },
    one.gapSeconds,
    one.contradictions,
    one.trust,
    one.reason,
  ]
}

const metricWords = (metric: string | undefined): string | null =>
  metric
    ?.replace(/_(PIPS|QUOTE)$/, '')
    .replaceAll('_', ' ')
    .toLowerCase() ?? null
