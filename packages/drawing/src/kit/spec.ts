/** The eight kinds of chart. */
export const chartKinds = [
  'xy',
  'bars',
  'waterfall',
  'ladder',
  'heat',
  'timeline',
  'intervals',
  'path',
] as const
export type ChartKind = (typeof chartKinds)[number]

/** A chart as data: its table, and which columns are drawn how. It has no coordinates; `layout` places it. */
export interface ChartSpec {
  /** Name within its record: lower-case letters, digits, dots and hyphens. */
  readonly id: string
  readonly kind: ChartKind
  readonly title: string
  /** A computed sentence with the most important figures, for readers who do not see the chart. */
  readonly summary: string
  readonly x: ChartAxis
  readonly y?: ChartAxis
  /** Second value axis of an `xy` chart, for series with `axis: 'right'`. */
  readonly right?: ChartAxis
  readonly table: ChartTable
  readonly series: readonly ChartSeries[]
  readonly markers?: readonly ChartMarker[]
  /** Stretches of the x axis without data. */
  readonly gaps?: readonly ChartGap[]
  /** Small multiples of one kind; each series names its panel. */
  readonly panels?: readonly ChartPanel[]
  /** Meaning of the values in class columns, in the order of the legend. */
  readonly classes?: readonly ChartClass[]
  /** Column with the note of a row or a node; replaces the printed value. */
  readonly note?: string
  /** Sentences below the chart. */
  readonly notes?: readonly string[]
  /** Sentence that replaces a chart without values. */
  readonly empty?: string
}

export interface ChartAxis {
  readonly label: string
  readonly unit: string
  /** `band`: the texts of a column in their order. `time`: RFC 3339. `log`: only values above zero are drawn. */
  readonly scale: 'linear' | 'log' | 'time' | 'band'
  /** True if the axis shows zero. Default: true for bars and areas, false for lines and points. */
  readonly zero?: boolean
}

/** Axis of the names of rows. */
export const named: ChartAxis = { label: '', unit: '', scale: 'band' }

/** Cells of a row of a table. */
export type ChartCells = (string | null)[]

/** Classes with a value that occurs, for a legend without unused entries. */
export const usedClasses = <Class extends ChartClass>(
  classes: readonly Class[],
  values: Iterable<string | null>,
): Class[] => {
  const used = new Set(values)
  return classes.filter(({ value }) => used.has(value))
}

type ChartColumn = ChartTable['columns'][number]

/** Columns of a table: a label, or a label and a unit, for each key. */
export const columnsOf = (
  columns: Readonly<Record<string, string | readonly [label: string, unit: string]>>,
): ChartColumn[] =>
  Object.entries(columns).map(([key, text]) => {
    const [label, unit] = typeof text === 'string' ? [text, ''] : text
    return { key, label, unit }
  })

/** Facts that a chart is drawn from; numbers are decimal strings. */
export interface ChartTable {
  readonly columns: readonly {
    readonly key: string
    readonly label: string
    readonly unit: string
  }[]
  readonly rows: readonly (readonly (string | null)[])[]
}

/**
 * `band`: y is [low, high]. `interval`: y is [low, high] or [low, middle, high]. `total`: a sum of a waterfall. `tick`: a short
 * line across a row. `span`: y is [from, to]. `cell`: y is [class or number] or [class or number, text]; a cell
 * with an empty class is text. `text`: y is [text]. `edge`: y is [node] or
 * [node, amount], which determines its width.
 */
export type ChartMark =
  | 'line'
  | 'step'
  | 'area'
  | 'band'
  | 'point'
  | 'bar'
  | 'tick'
  | 'interval'
  | 'total'
  | 'span'
  | 'cell'
  | 'text'
  | 'edge'

/** `limit`: a target or a bound. `stale`: an observation that is too old. */
export type ChartRole = 'observed' | 'estimate' | 'assumption' | 'limit' | 'stale'

export interface ChartSeries {
  readonly id: string
  /** Series with the same label share a style and one entry of the legend. */
  readonly label: string
  readonly mark: ChartMark
  readonly role: ChartRole
  /** Keys of columns. */
  readonly x: string
  readonly y: readonly string[]
  /** Only rows with these texts in these columns. */
  readonly where?: Readonly<Record<string, string>>
  /** Areas and bars of one name are stacked in the order of the series; bands of one name share a color. */
  readonly stack?: string
  readonly axis?: 'right'
  readonly panel?: string
  /** Column with the class per row, which determines its color. */
  readonly class?: string
}

/** Observed marks with a class per row. @param columns the x column, then the y columns */
export const classedSeries = (
  mark: ChartMark,
  label: string,
  [x, ...y]: readonly [string, string, ...string[]],
  classes: string,
): ChartSeries => ({ id: mark, label, mark, role: 'observed', x, y, class: classes })

/** Series of a table of texts: a label for a column of texts, or [label, column of classes]. */
export const cellSeries = (
  x: string,
  columns: Readonly<Record<string, string | readonly [label: string, classes: string]>>,
): ChartSeries[] =>
  Object.entries(columns).map(([id, column]) => {
    const about = { id, role: 'observed', x } as const
    return typeof column === 'string'
      ? { ...about, label: column, mark: 'text', y: [id] }
      : { ...about, label: column[0], mark: 'cell', y: [column[1], id] }
  })

export type ChartTone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad' | 'hold'

export interface ChartMarker {
  /** Place on the x axis of `xy` and `ladder`, else on the value axis. */
  readonly at: string
  readonly label: string
  readonly tone: ChartTone
  readonly href?: string
  readonly panel?: string
}

export interface ChartGap {
  readonly from: string
  readonly to: string
  readonly reason: string
  readonly panel?: string
}

export interface ChartPanel {
  readonly id: string
  readonly title: string
  readonly x?: ChartAxis
  readonly y?: ChartAxis
}

export interface ChartClass {
  readonly value: string
  readonly label: string
  readonly tone: ChartTone
  /** Asserted or missing: drawn hatched. */
  readonly isHatched?: boolean
}
