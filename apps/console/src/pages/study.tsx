import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useJobEvents } from '../api/job-events.ts'
import { useMembership } from '../api/queries.ts'
import type { Item } from '../api/records.ts'
import { read } from '../api/send.ts'
import { valueAt } from '../declared/schema.ts'
import { exactDecimal, percentOf, shortDecimal } from '../fields/numbers.ts'
import { useUnits } from '../fields/units.tsx'
import { Fault } from '../ui/notice.tsx'
import { Fold, Panel, Progress } from '../ui/parts.tsx'
import { ArmIntervals } from './arm-intervals.tsx'
import { type Estimates, looksIn, type PathArm, rowsOfLooks, rowsOfResult } from './estimates.ts'
import styles from './pages.module.css'
import { RerunStudy } from './rerun-study.tsx'
import { StudyCharts } from './study-charts.tsx'
import { StudyOutputs } from './study-outputs.tsx'
import { Row, Table } from './table.tsx'
import {
  type AmountRange,
  annualRatesNote,
  type PipsRange,
  rowsOf,
  type Verdict,
  type VerdictRow,
} from './verdict.ts'

/** A study page: interim results while it runs, the final outcome, and a rerun with another arm. */
export function Study({ item }: { item: Item }) {
  return (
    <>
      {isRunning(item) ? <StudyUnderWay item={item} /> : <PathOutcome item={item} />}
      <StudyOutcome item={item} />
      {reported.has(String(item.status)) ? <StudyOutputs item={item} /> : null}
      <StudyCharts id={String(item.id)} />
      <Fold title="Change and run again" note="Another range for one position">
        <RerunStudy key={item.id} item={item} />
      </Fold>
    </>
  )
}

/** States of a study with a result, which a report or link can show. */
export const reported: ReadonlySet<string> = new Set(['COMPLETED', 'PARTIAL', 'ABSTAINED'])

const isRunning = ({ status }: Item) => status === 'VALIDATED' || status === 'ACTIVE'

function labelsIn(item: Item): Map<string, string> {
  const declared = valueAt(item, 'payload.spec.arms')
  const arms = Array.isArray(declared) ? declared : []
  return new Map(arms.map(({ armId, label }) => [String(armId), String(label)]))
}

const meanTitle = (symbol: string | undefined) =>
  `Mean vs initial capital, in ${symbol ?? 'smallest units of the quote token'}`

/** Interim results of the paths, updated after every batch. A replay shows progress only. */
function StudyUnderWay({ item }: { item: Item }) {
  const { quote } = useUnits()
  const { organizationId } = useMembership()
  const jobs = useJobEvents(String(item.id), isRunning(item))
  // Estimates published before the page opened.
  const { data: before } = useQuery({
    queryKey: [organizationId, 'study-progress', item.id],
    queryFn: () =>
      read<{ estimates: Estimates | null }>(organizationId, `/studies/${item.id}/progress`),
  })
  const looks = looksIn([{ preliminary: before?.estimates ?? undefined }, ...jobs])
  const newest = looks.at(-1)
  if (valueAt(item, 'payload.spec.kind') === 'REPLAY') {
    return (
      <Panel title="Backtest in progress">
        <Progress pips={jobs.at(-1)?.progressPips ?? 0} label="The study" />
        <p role="status">Results appear when the backtest ends.</p>
      </Panel>
    )
  }
  return (
    <Panel title={meanTitle(quote?.symbol)} note="Interim result">
      <Progress pips={jobs.at(-1)?.progressPips ?? 0} label="The study" />
      <p role="status">
        {newest
          ? `${countOf(newest.paths.done)} of at most ${countOf(newest.paths.most)} paths. Interval: ±${percentOf(newest.halfWidthPips.reached)} of capital. Target: ±${percentOf(newest.halfWidthPips.asked)}.`
          : 'No results yet.'}
      </p>
      {newest ? (
        <>
          <ArmIntervals label="Interim result" rows={rowsOfLooks(looks, labelsIn(item))} />
          <p className={styles.foot}>
            Anytime-valid 95 % intervals, wider than those of the final result. Early coverage is
            lower for skewed outcomes. Pale lines: earlier intervals.
          </p>
        </>
      ) : null}
    </Panel>
  )
}

const countOf = (count: number) => count.toLocaleString('en-US')

/** Final result of a study over paths; null for a replay. */
function PathOutcome({ item }: { item: Item }) {
  const { quote } = useUnits()
  const arms = valueAt(item, 'payload.result.arms')
  const rows = Array.isArray(arms) ? rowsOfResult(arms as PathArm[], labelsIn(item)) : []
  if (rows.length === 0) return null
  const run = valueAt(item, 'payload.result.paths.run')
  return (
    <Panel title={meanTitle(quote?.symbol)}>
      <ArmIntervals label="Final result" rows={rows} />
      <p className={styles.foot}>95 % intervals of the mean over {countOf(Number(run))} paths.</p>
    </Panel>
  )
}

/** The verdict of a study that has ended. */
export function useVerdict(item: Item | undefined) {
  const { organizationId } = useMembership()
  const id = item ? String(item.id) : ''
  return useQuery({
    queryKey: [organizationId, 'study-verdict', id, item?.resourceVersion],
    queryFn: () => read<Verdict>(organizationId, `/studies/${id}/verdict`),
    enabled: item !== undefined && !isRunning(item),
  })
}

/** The headline of a study and its positions vs HODL; null while it runs. */
export function StudyOutcome({ item }: { item: Item }) {
  const { quote } = useUnits()
  const verdict = useVerdict(item)
  if (verdict.error) {
    return <Fault error={verdict.error} onRetry={() => void verdict.refetch()} />
  }
  if (!verdict.data) return null
  const rows = rowsOf(verdict.data)
  const columns = allColumns.filter(({ isShown }) => !isShown || rows.some(isShown))
  const note = annualRatesNote(verdict.data)
  const symbol = quote?.symbol ?? 'smallest units of the quote token'
  return (
    <Panel title={`Positions vs HODL, in ${symbol}`} isFlush={rows.length > 0}>
      <p className={styles.headline}>{verdict.data.sentence}</p>
      {rows.length > 0 ? (
        <Table label="Positions vs HODL" columns={['Position', ...columns.map(({ name }) => name)]}>
          {rows.map((row) => (
            <Row
              key={row.armId}
              title={row.label}
              cells={Object.fromEntries(columns.map(({ name, cell }) => [name, cell(row)]))}
            />
          ))}
        </Table>
      ) : null}
      {rows.length > 0 && note ? <p className={styles.foot}>{note}</p> : null}
    </Panel>
  )
}

interface Column {
  readonly name: string
  readonly cell: (row: VerdictRow) => ReactNode
  /** True if a row has a value; the table leaves out a column without one. */
  readonly isShown?: (row: VerdictRow) => boolean
}

const allColumns: readonly Column[] = [
  { name: 'vs HODL', cell: (row) => <Amounts range={row.netVsHodlQuote} /> },
  { name: 'vs HODL, %', cell: ({ netVsHodlPips }) => percentRange(netVsHodlPips) },
  {
    name: 'APR vs HODL',
    cell: ({ vsHodlAprPips }) => rateText(vsHodlAprPips),
    isShown: ({ vsHodlAprPips }) => vsHodlAprPips !== null,
  },
  { name: 'LP fees', cell: (row) => <Amounts range={row.feesQuote} /> },
  { name: 'LP fees, %', cell: ({ feesPips }) => percentRange(feesPips) },
  {
    name: 'Fee APR',
    cell: ({ feeAprPips }) => rateText(feeAprPips),
    isShown: ({ feeAprPips }) => feeAprPips !== null,
  },
  { name: 'Impermanent loss', cell: (row) => <Amounts range={row.ilQuote} /> },
  { name: 'Impermanent loss, %', cell: ({ ilPips }) => percentRange(ilPips) },
  {
    name: 'Inventory effect of rebalancing',
    isShown: ({ inventoryEffectQuote: { low, high } }) => low !== '0' || high !== '0',
    cell: (row) => <Amounts range={row.inventoryEffectQuote} />,
  },
  { name: 'Gas, rebalancing', cell: (row) => <Amounts range={row.costsQuote} /> },
  { name: 'Gas, rebalancing, %', cell: ({ costsPips }) => percentRange(costsPips) },
  { name: 'HODL P&L, same inventory', cell: (row) => <Amounts range={row.hodlPnlQuote} /> },
  {
    name: 'Time in range',
    cell: ({ inRangePips }) => (inRangePips === null ? '—' : percentOf(inRangePips)),
  },
  {
    name: '2 % depth',
    cell: ({ depth2MedianQuote: depth }) =>
      depth === null ? '—' : <Amounts range={{ low: depth, high: depth }} />,
  },
]

const rateText = (rate: PipsRange | null) => (rate === null ? '—' : percentRange(rate))

function percentRange({ low, high }: PipsRange): string {
  const [from, to] = [low, high].map((pips) => shortDecimal(BigInt(pips), 4, 3))
  return from === to ? `${from} %` : `${from} to ${to} %`
}

/** A range in the quote token, which the table title states. */
function Amounts({ range }: { range: AmountRange }) {
  const decimals = useUnits().quote?.decimals ?? 0
  const [low, high] = [BigInt(range.low), BigInt(range.high)]
  const title = (atoms: bigint) => exactDecimal(atoms, decimals)
  const text = (atoms: bigint) => shortDecimal(atoms, decimals, 4)
  return (
    <span
      className={styles.figure}
      title={low === high ? title(low) : `${title(low)} to ${title(high)}`}
    >
      {text(low) === text(high) ? text(low) : `${text(low)} to ${text(high)}`}
    </span>
  )
}
