import { fitText, lineBetween, type Shape, widthOf } from '../picture.ts'
import type { Chart, DrawnSeries } from './data.ts'
import { barShapes, classShapes, intervalShapes, smallClassShapes, styleOfSeries } from './marks.ts'
import { letter, type Sheet } from './sheet.ts'
import type { Theme } from './theme.ts'

/** A name with a sample of how it is drawn, 20 wide. */
export interface LegendEntry {
  readonly text: string
  readonly sample: (x: number, y: number) => Shape[]
}

const sampleWidth = 20
const rowHeight = 20

/** Names of series, and of classes: each once. */
export function legendOf({ spec, series }: Chart, theme: Theme): LegendEntry[] {
  // The classes name a series whose marks have classes.
  const hasClasses = spec.classes !== undefined
  const unclassed = series.filter((one) => one.class === undefined || !hasClasses)
  const byLabel = new Map(unclassed.map((one) => [one.label, one]))
  const classes = (spec.classes ?? []).map((one) => ({
    text: one.label,
    sample: (x: number, y: number) => {
      const box = { x, y: y - 7, width: 16, height: 14 }
      if (
        spec.kind === 'heat' &&
        !series.some(({ mark, y: cell }) => mark === 'text' || cell.length > 1)
      )
        return smallClassShapes(box, one, theme)
      return spec.kind === 'bars' || spec.kind === 'waterfall'
        ? barShapes(box, theme.tones[one.tone].edge, one.isHatched ? 1 : 0)
        : classShapes(box, one, theme)
    },
  }))
  const isMixed = unclassed.length > 0 && unclassed.length < series.length
  const isNamed = (byLabel.size > 1 || isMixed) && spec.kind !== 'heat' && spec.kind !== 'waterfall'
  const named = [...byLabel.values()].map((one) => ({
    text: one.label,
    sample: (x: number, y: number) => sampleOf(one, { x, y }, theme),
  }))
  return [...(isNamed ? named : []), ...classes]
}

function sampleOf(series: DrawnSeries, { x, y }: { x: number; y: number }, theme: Theme): Shape[] {
  const style = styleOfSeries(theme, series)
  const box = { x, y: y - 6, width: 16, height: 12 }
  const { color, dash, mark } = style
  const stroke = { color, width: 1.8, dash }
  const line = lineBetween({ x, y }, { x: x + sampleWidth, y }, stroke)
  const symbol = {
    kind: 'mark',
    form: mark,
    x: x + 10,
    y,
    size: 6,
    color,
    isHollow: series.role === 'estimate' || series.role === 'assumption',
    fill: theme.paper,
  } as const
  switch (series.mark) {
    case 'bar':
    case 'total':
      return barShapes(box, color, series.style)
    case 'tick':
      return [lineBetween({ x: x + 8, y: y - 8 }, { x: x + 8, y: y + 8 }, { color, width: 2.4 })]
    case 'interval':
      return intervalShapes([x, x + 9, x + 18], (at, offset) => ({ x: at, y: y + offset }), {
        color,
        paper: theme.paper,
      })
    case 'point':
      return [symbol]
    case 'area':
    case 'band':
      return [{ kind: 'area', points: cornersOf(box), fill: color, opacity: 0.3 }, line]
    default:
      return series.role === 'limit' ? [line] : [line, symbol]
  }
}

const cornersOf = (box: { x: number; y: number; width: number; height: number }) => [
  { x: box.x, y: box.y },
  { x: box.x + sampleWidth, y: box.y },
  { x: box.x + sampleWidth, y: box.y + box.height },
  { x: box.x, y: box.y + box.height },
]

/** Draws entries one after the other, in as many rows as they need. @returns the y coordinate below it */
export function drawLegend(
  sheet: Sheet,
  entries: readonly LegendEntry[],
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
): number {
  if (entries.length === 0) return y
  let [left, row] = [x, 0]
  for (const { text: whole, sample } of entries) {
    const text = fitText(whole, width - sampleWidth - 6, letter)
    const wide = sampleWidth + 6 + widthOf(text, letter)
    if (left > x && left + wide > x + width) [left, row] = [x, row + 1]
    const middle = y + row * rowHeight + rowHeight / 2
    sheet.add(...sample(left, middle))
    sheet.text(left + sampleWidth + 6, middle + 4, text)
    left += wide + 16
  }
  return y + (row + 1) * rowHeight + 4
}
