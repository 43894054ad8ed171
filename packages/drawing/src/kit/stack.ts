import type { Chart, Datum, DrawnSeries } from './data.ts'

/** A series with the lower edges of its values if it is stacked. */
export interface StackedSeries extends DrawnSeries {
  readonly baselines: readonly number[] | null
  /** The next one of the stack has the same label, so no line parts them. */
  readonly isInner: boolean
}

/** The series of a chart, stacked. */
export const stackedOf = ({ series, spec }: Chart): StackedSeries[] =>
  stackSeries(series, spec.kind === 'ladder')

/**
 * Stacks series: areas over all x of the stack, bars at their own x.
 *
 * @param isLevel true if the value of an area also applies after its last x: depth within 5 % is
 * also depth within 10 %
 */
function stackSeries(series: readonly DrawnSeries[], isLevel: boolean): StackedSeries[] {
  const done = new Map<string, DrawnSeries[]>()
  return series.map((one) => {
    const isFree = one.stack === undefined || one.mark === 'band'
    if (isFree) return { ...one, baselines: null, isInner: false }
    const below = done.get(one.stack) ?? []
    done.set(one.stack, [...below, one])
    return one.mark === 'area' ? stackArea(one, below, series, isLevel) : stackBars(one, below)
  })
}

function stackBars(one: DrawnSeries, below: readonly DrawnSeries[]): StackedSeries {
  const baselines = one.data.map(({ key, y }) => {
    const isNegative = (y[0] ?? 0) < 0
    const values = below.map(({ data }) => data.find((other) => other.key === key)?.y[0] ?? 0)
    return values.filter((value) => value < 0 === isNegative).reduce((sum, value) => sum + value, 0)
  })
  const data = one.data.map((datum, index) => ({ ...datum, y: raise(datum, baselines[index]!) }))
  return { ...one, data, baselines, isInner: false }
}

const raise = ({ y: [first = null, ...rest] }: Datum, baseline: number) =>
  first === null ? [null, ...rest] : [first + baseline, ...rest]

type StackPoint = readonly [x: number, value: number]

/** An area at every x of its stack: linear between its own values and zero outside. */
function stackArea(
  one: DrawnSeries,
  below: readonly DrawnSeries[],
  all: readonly DrawnSeries[],
  isLevel: boolean,
): StackedSeries {
  const stack = all.filter((other) => other.stack === one.stack)
  const places = [...new Set(stack.flatMap(({ data }) => data.flatMap(({ x }) => x ?? [])))]
  const sorted = places.toSorted((a, b) => a - b)
  const lines = below.map(linesOf)
  const own = linesOf(one)
  const known = new Map(one.data.map((datum) => [datum.x, datum]))
  const baselines = sorted.map((x) =>
    lines.reduce((sum, line) => sum + valueAt(line, x, isLevel), 0),
  )
  const data = sorted.map((x, index): Datum => {
    const value = valueAt(own, x, isLevel) + baselines[index]!
    const datum = known.get(x)
    if (datum && datum.y[0] === null) return datum
    return datum ? { ...datum, y: [value] } : { ...inserted, x, y: [value] }
  })
  const isInner = stack[stack.indexOf(one) + 1]?.label === one.label
  return { ...one, data, baselines, isInner }
}

/** An inserted datum has no row in the table. */
const inserted = { row: -1, text: '', key: '', cells: [], class: null, note: null } as const

const linesOf = ({ data }: DrawnSeries): StackPoint[] =>
  data
    .flatMap(({ x, y: [value = null] }) =>
      x === null || value === null ? [] : [[x, value] as const],
    )
    .toSorted(([a], [b]) => a - b)

function valueAt(line: readonly StackPoint[], x: number, isLevel: boolean): number {
  const [first, last] = [line[0], line.at(-1)]
  if (!first || !last) return 0
  // A ladder begins at the price and leads outward, to lower or to higher prices.
  if (x < first[0]) return isLevel && first[1] > 0 ? first[1] : 0
  if (x > last[0]) return isLevel && last[1] > 0 ? last[1] : 0
  const after = line.findIndex(([itemIndex]) => itemIndex >= x)
  const [next, before] = [line[after]!, line[after - 1]]
  if (!before) return next[1]
  const share = next[0] === before[0] ? 1 : (x - before[0]) / (next[0] - before[0])
  return before[1] + (next[1] - before[1]) * share
}
