import type { Chart, Datum, DrawnSeries } from './data.ts'
import { printChange, printValue } from './numbers.ts'
import { stackedOf } from './stack.ts'

/** One datum as a bar from the first value to the second, or as an interval. */
export interface Bar {
  readonly series: DrawnSeries
  readonly datum: Datum
  readonly values: readonly (number | null)[]
  /** Series of its spot. */
  readonly name: string
}

/** A row: its name, its note, and the bars in its lanes. */
export interface Row {
  readonly name: string
  readonly note: string
  readonly isTotal: boolean
  readonly lanes: readonly (readonly Bar[])[]
}

/** Rows that are drawn; the table has all. */
export const maxRows = 40

interface Own {
  readonly series: DrawnSeries
  readonly datum: Datum
}

/** Rows of a chart in the order of its table, each with its bars. */
export function rowsOf(chart: Chart): Row[] {
  const data = chart.series.flatMap((series) => series.data.map((datum) => ({ series, datum })))
  const byName = Map.groupBy(
    data.toSorted((a, b) => a.datum.row - b.datum.row),
    ({ datum }) => datum.key,
  )
  return chart.spec.kind === 'waterfall' ? stepRows(chart, byName) : barRows(chart, byName)
}

const firstOf = ({ datum }: Own) => datum.y[0] ?? null

function stepRows(chart: Chart, byName: ReadonlyMap<string, readonly Own[]>): Row[] {
  let running = 0
  return [...byName.values()].map((own) => {
    const name = own[0]!.datum.text
    const isTotal = own.some((one) => one.series.mark === 'total' && firstOf(one) !== null)
    const bars: Bar[] = []
    const steps = own.filter(({ series: { mark } }) => mark === (isTotal ? 'total' : 'bar'))
    for (const one of steps) {
      const [from, value] = [isTotal ? 0 : running, firstOf(one)]
      if (value !== null) running = from + value
      bars.push(barOf(chart, one, value === null ? [null, running] : [from, running]))
    }
    const ranges = own.filter((one) => one.series.mark === 'interval' && firstOf(one) !== null)
    const all = [...bars, ...ranges.map((one) => barOf(chart, one, one.datum.y))]
    return { name, note: noteOf(chart, bars), isTotal, lanes: [all] }
  })
}

function barRows(chart: Chart, byName: ReadonlyMap<string, readonly Own[]>): Row[] {
  const lanes = lanesOf(chart)
  const bars = stackedOf(chart).flatMap((series) =>
    series.data.map((datum, index) =>
      barOf(chart, { series, datum }, valuesOf({ series, datum }, series.baselines?.[index] ?? 0)),
    ),
  )
  const named = Map.groupBy(bars, ({ datum }) => datum.key)
  return [...byName].map(([key, own]) => ({
    name: own[0]!.datum.text,
    note: noteOf(chart, own),
    isTotal: false,
    lanes: lanes.map((lane) =>
      (named.get(key) ?? []).filter(
        ({ series }) => lane === null || isOver(series) || lane === laneOf(series),
      ),
    ),
  }))
}

const barOf = ({ title }: Chart, { series, datum }: Own, values: Bar['values']): Bar => {
  const name = title === '' ? series.label : `${title}, ${series.label}`
  return { series, datum, values, name }
}

/** Marks that lie over the bars of a row. */
const isOver = ({ mark }: Pick<DrawnSeries, 'mark'>) => mark === 'tick' || mark === 'point'
const laneOf = ({ stack, id }: DrawnSeries) => stack ?? id

/** A lane for each bar that is not stacked; all spans and intervals of a row share one. */
function lanesOf({ series, spec }: Chart): (string | null)[] {
  const lanes = [...new Set(series.filter((one) => !isOver(one)).map(laneOf))]
  return spec.kind === 'timeline' || lanes.length === 0 ? [null] : lanes
}

function valuesOf({ series: { mark }, datum: { y } }: Own, baseline: number): Bar['values'] {
  const [first = null, second = null] = y
  if (mark === 'interval') return y
  if (isOver({ mark })) return [first]
  if (mark === 'span') return [first, second ?? first]
  return first === null ? [null] : [baseline, first]
}

/** The note of a row: a text of the table, or the values. */
function noteOf({ spec }: Chart, own: readonly Own[]): string {
  if (spec.note !== undefined) return own.find(({ datum }) => datum.note !== null)?.datum.note ?? ''
  const texts = own.flatMap(({ series: { mark }, datum: { y } }) => {
    const values = y.filter((value) => value !== null)
    const [first, last] = [values[0], values.at(-1)]
    if (mark === 'tick' || mark === 'span') return []
    if (first === undefined || last === undefined) return ['no data']
    if (mark === 'interval') {
      const [low, high] = [y[0] ?? null, y.at(-1) ?? null]
      return [[low, high].map((end) => (end === null ? 'unknown' : printValue(end))).join(' to ')]
    }
    return [spec.kind === 'waterfall' && mark === 'bar' ? printChange(first) : printValue(first)]
  })
  return [...new Set(texts)].join(' · ')
}
