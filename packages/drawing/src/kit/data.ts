import type {
  ChartAxis,
  ChartGap,
  ChartMarker,
  ChartPanel,
  ChartSeries,
  ChartSpec,
} from './spec.ts'

/** One row of a series: its x and its values. */
export interface Datum {
  readonly row: number
  readonly x: number | null
  /** The cell of the x column, unchanged. */
  readonly text: string
  /** Same for data that share a row of the chart: the text, and how often the series had it before. */
  readonly key: string
  readonly y: readonly (number | null)[]
  /** Cells of the y columns, unchanged. */
  readonly cells: readonly (string | null)[]
  readonly class: string | null
  readonly note: string | null
}

export interface DrawnSeries extends ChartSeries {
  readonly data: readonly Datum[]
  /** Index of the label among those of the chart, which gives color and mark. */
  readonly style: number
  /** Index of the label among observed lines: the first one is solid. */
  readonly dash: number
}

/** One chart of a spec: all series, or one panel. */
export interface Chart {
  readonly spec: ChartSpec
  readonly title: string
  readonly x: ChartAxis
  readonly y: ChartAxis
  readonly series: readonly DrawnSeries[]
  readonly markers: readonly ChartMarker[]
  readonly gaps: readonly ChartGap[]
}

const lineMarks: ReadonlySet<string> = new Set(['line', 'step', 'area'])

const noAxis: ChartAxis = { label: '', unit: '', scale: 'linear' }

/** The charts of a spec, one for each panel. */
export function chartsOf(spec: ChartSpec): Chart[] {
  // Without a panel, one chart says that it is empty.
  const panels: readonly Partial<ChartPanel>[] = spec.panels?.length ? spec.panels : [{}]
  return panels.map(({ id, title = '', x = spec.x, y = spec.y ?? noAxis }) => {
    const isHere = (one: { panel?: string }) => one.panel === undefined || one.panel === id
    const own = spec.series.filter(isHere)
    // Bands of one stack are shades of one color.
    const styleKey = ({ mark, stack, label }: ChartSeries) =>
      mark === 'band' ? (stack ?? label) : label
    const styles = [...new Set(own.map(styleKey))]
    const isLine = ({ mark, role }: ChartSeries) => lineMarks.has(mark) && role === 'observed'
    const lines = [...new Set(own.filter(isLine).map(({ label }) => label))]
    const series = own.map((one) => ({
      ...one,
      style: styles.indexOf(styleKey(one)),
      dash: Math.max(0, lines.indexOf(one.label)),
      data: readSeries(spec, one, [x, one.axis === 'right' ? (spec.right ?? y) : y]),
    }))
    const { markers = [], gaps = [] } = spec
    return { spec, title, x, y, series, markers: markers.filter(isHere), gaps: gaps.filter(isHere) }
  })
}

/** @throws RangeError for a column that the table does not have */
function readSeries(
  { table, note, kind }: ChartSpec,
  series: ChartSeries,
  [x, y]: readonly [ChartAxis, ChartAxis],
): Datum[] {
  const columnOf = (key: string) => {
    const index = table.columns.findIndex((column) => column.key === key)
    if (index < 0)
      throw new RangeError(`Series ${series.id} names column ${key}, which is not in the table.`)
    return index
  }
  const at = columnOf(series.x)
  const values = series.y.map(columnOf)
  const wanted = Object.entries(series.where ?? {}).map(
    ([key, text]) => [columnOf(key), text] as const,
  )
  const [classAt, noteAt] = [series.class, note].map((key) =>
    key === undefined ? -1 : columnOf(key),
  )
  const counts = new Map<string, number>()
  const keyOf = (text: string) => {
    const count = counts.get(text) ?? 0
    // A timeline has all spans of a name in one row.
    if (kind !== 'timeline') counts.set(text, count + 1)
    return `${text}#${count}`
  }
  return table.rows.flatMap((cells, row) => {
    if (wanted.some(([index, text]) => cells[index] !== text)) return []
    return [
      {
        row,
        x: readValue(cells[at] ?? null, x),
        text: cells[at] ?? '—',
        key: keyOf(cells[at] ?? '—'),
        y: values.map((index) => readValue(cells[index] ?? null, y)),
        // A text is a cell with an empty class.
        cells: [
          ...(series.mark === 'text' ? [''] : []),
          ...values.map((index) => cells[index] ?? null),
        ],
        class: cells[classAt!] ?? null,
        note: cells[noteAt!] ?? null,
      },
    ]
  })
}

/** A cell as a number of an axis: seconds on a time axis; null if the axis cannot show it. */
export function readValue(cell: string | null, { scale }: ChartAxis): number | null {
  if (cell === null || cell === '') return null
  const value = scale === 'time' ? Date.parse(cell) / 1000 : Number(cell)
  return Number.isFinite(value) && (scale !== 'log' || value > 0) ? value : null
}

/** How many cells have a number that a logarithmic axis cannot show. */
export function countHidden({ series, x, y, spec: { right } }: Chart): number {
  const isHidden = (cell: string | null, axis: ChartAxis | undefined) =>
    axis?.scale === 'log' && cell !== null && Number(cell) <= 0
  return series
    .flatMap(({ data, axis }) => data.map((datum) => ({ datum, axis })))
    .filter(
      ({ datum: { text, cells }, axis }) =>
        isHidden(text, x) || cells.some((cell) => isHidden(cell, axis === 'right' ? right : y)),
    ).length
}
