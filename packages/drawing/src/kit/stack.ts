import type { Datum, DrawnSeries } from './data.ts'

/** A series with the lower edges of its values, where it is stacked on others. */
export interface StackedSeries extends DrawnSeries {
  readonly floors: readonly number[] | null
  /** The next one of the stack has the same label, so no line parts them. */
  readonly isInner: boolean
}

/** Puts series of one stack on one another: areas over all places of the stack, bars at their own. */
export function stackSeries(series: readonly DrawnSeries[]): StackedSeries[] {
  const done = new Map<string, DrawnSeries[]>()
  return series.map((one) => {
    const isFree = one.stack === undefined || one.mark === 'band'
    if (isFree) return { ...one, floors: null, isInner: false }
    const below = done.get(one.stack) ?? []
    done.set(one.stack, [...below, one])
    return one.mark === 'area' ? stackArea(one, below, series) : stackBars(one, below)
  })
}

function stackBars(one: DrawnSeries, below: readonly DrawnSeries[]): StackedSeries {
  const floors = one.data.map(({ key, y }) => {
    const isNegative = (y[0] ?? 0) < 0
    const values = below.map(({ data }) => data.find((other) => other.key === key)?.y[0] ?? 0)
    return values.filter((value) => value < 0 === isNegative).reduce((sum, value) => sum + value, 0)
  })
  const data = one.data.map((datum, index) => ({ ...datum, y: raise(datum, floors[index]!) }))
  return { ...one, data, floors, isInner: false }
}

const raise = ({ y: [first = null, ...rest] }: Datum, floor: number) =>
  first === null ? [null, ...rest] : [first + floor, ...rest]

type Place = readonly [x: number, value: number]

/** An area at every place of its stack: straight between its own values, zero before them, and level after them. */
function stackArea(
  one: DrawnSeries,
  below: readonly DrawnSeries[],
  all: readonly DrawnSeries[],
): StackedSeries {
  const stack = all.filter((other) => other.stack === one.stack)
  const places = [...new Set(stack.flatMap(({ data }) => data.flatMap(({ x }) => x ?? [])))]
  const sorted = places.toSorted((a, b) => a - b)
  const lines = below.map(linesOf)
  const own = linesOf(one)
  const known = new Map(one.data.map((datum) => [datum.x, datum]))
  const floors = sorted.map((x) => lines.reduce((sum, line) => sum + valueAt(line, x), 0))
  const data = sorted.map((x, index): Datum => {
    const value = valueAt(own, x) + floors[index]!
    const datum = known.get(x)
    if (datum && datum.y[0] === null) return datum
    return datum ? { ...datum, y: [value] } : { ...inserted, x, y: [value] }
  })
  const isInner = stack[stack.indexOf(one) + 1]?.label === one.label
  return { ...one, data, floors, isInner }
}

/** A place of another series has no row of its own. */
const inserted = { row: -1, text: '', key: '', cells: [], class: null, note: null } as const

const linesOf = ({ data }: DrawnSeries): Place[] =>
  data
    .flatMap(({ x, y: [value = null] }) =>
      x === null || value === null ? [] : [[x, value] as const],
    )
    .toSorted(([a], [b]) => a - b)

/** Beyond its ends a line keeps the value of the end: depth within 5 % is also there within 10 %. */
function valueAt(line: readonly Place[], x: number): number {
  const after = line.findIndex(([place]) => place >= x)
  const [next, before] = [line[after], line[after - 1]]
  if (after === 0 || !before || !next) return (after === 0 ? line[0] : line.at(-1))?.[1] ?? 0
  const share = next[0] === before[0] ? 1 : (x - before[0]) / (next[0] - before[0])
  return before[1] + (next[1] - before[1]) * share
}
