import { type ChartSeries, type ChartSpec, decimalOf } from '@liquidity-os/drawing'

interface Month {
  readonly month: string
  readonly inflowAtoms: string
  readonly outflowAtoms: string
  /** null if the balance could not be read. */
  readonly balanceAtoms: string | null
}

const weth = (atoms: string | null) => (atoms === null ? null : decimalOf(atoms, 18))

/** Inflow, outflow and balance of each month. */
export function cashChart(months: readonly Month[]): ChartSpec {
  const last = weth(months.at(-1)?.balanceAtoms ?? null)
  return {
    id: 'treasury-cash',
    kind: 'xy',
    title: 'Cash flow by month',
    summary: `Balance at the end: ${last === null ? 'unknown' : `${last} WETH`}.`,
    x: { label: 'Month', unit: 'UTC', scale: 'time' },
    y: { label: 'Amount', unit: 'WETH', scale: 'linear', zero: true },
    table: {
      columns: [
        { key: 'month', label: 'Month', unit: 'UTC' },
        { key: 'inflow', label: 'Inflow', unit: 'WETH' },
        { key: 'outflow', label: 'Outflow', unit: 'WETH' },
        { key: 'balance', label: 'Balance', unit: 'WETH' },
      ],
      rows: months.map(({ month, inflowAtoms, outflowAtoms, balanceAtoms }) => [
        ...[month, weth(inflowAtoms), weth(`-${outflowAtoms}`), weth(balanceAtoms)],
      ]),
    },
    series: cashSeries,
    gaps: months.flatMap(({ month, balanceAtoms }) =>
      balanceAtoms === null ? [{ from: month, to: month, reason: 'balance not read' }] : [],
    ),
    empty: 'No months.',
  }
}

const flow = { mark: 'bar', role: 'observed', x: 'month', stack: 'flow' } as const
const cashSeries: readonly ChartSeries[] = [
  { ...flow, id: 'in', label: 'Inflow', y: ['inflow'] },
  { ...flow, id: 'out', label: 'Outflow', y: ['outflow'] },
  { id: 'balance', label: 'Balance', mark: 'line', role: 'observed', x: 'month', y: ['balance'] },
]
