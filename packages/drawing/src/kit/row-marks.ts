import { lineBetween, type Point, type Shape } from '../picture.ts'
import type { Bar } from './bars.ts'
import type { Chart } from './data.ts'
import {
  bar,
  barShapes,
  classShapes,
  endsOf,
  gapShapes,
  intervalShapes,
  styleOfSeries,
} from './marks.ts'
import type { Sheet } from './sheet.ts'
import type { Rect } from './theme.ts'
import type { PositionedAxis } from './ticks.ts'

/** How high the lane of a bar is. */
export const laneHeight = 16
const missingWidth = 26

/** Draws one bar of a row, or a hatched stub where its value is missing. @param y upper edge of its lane */
export function drawBar(
  sheet: Sheet,
  chart: Chart,
  one: Bar,
  y: number,
  axis: PositionedAxis,
): void {
  const { series, datum, values, name } = one
  const [low = null, high = low] = values
  const end = values.findLast((value) => value !== null) ?? null
  const [top, bottom] = [y + 2, y + laneHeight - 2]
  if (low !== null && end !== null) {
    sheet.spot({ x: axis.at(end), y: y + laneHeight / 2 }, datum.row, name)
    const box = bar({ x: axis.at(low), y: top }, { x: axis.at(high ?? low), y: bottom })
    sheet.add(...markShapes(sheet, chart, one, box, axis.at))
    return
  }
  if (series.mark === 'tick' || series.mark === 'point') return
  const begin = axis.at(Math.min(Math.max(end ?? 0, axis.low), axis.high))
  // Next to an axis that ends at zero, the stub points left.
  const x = begin + missingWidth > axis.at(axis.high) ? begin - missingWidth : begin
  sheet.add(...gapShapes({ x, y: top, width: missingWidth, height: bottom - top }, sheet.theme))
}

function markShapes(
  { theme }: Sheet,
  { spec }: Chart,
  { series, datum, values }: Bar,
  box: Rect,
  at: (value: number) => number,
): Shape[] {
  const { color, mark } = styleOfSeries(theme, series)
  const known = values.filter((value) => value !== null).map(at)
  const [first = 0, last = 0] = [known[0], known.at(-1)]
  const middle = box.y + box.height / 2
  const one = spec.classes?.find(({ value }) => value === datum.class)
  const isHollow = series.role === 'estimate' || series.role === 'assumption'
  const symbol = {
    kind: 'mark',
    form: mark,
    y: middle,
    color,
    isHollow,
    fill: theme.paper,
  } as const
  const isLoss = last < first
  switch (series.mark) {
    case 'tick': {
      const [from, to]: Point[] = [box.y - 4, box.y + box.height + 4].map((y) => ({ x: last, y }))
      return [lineBetween(from!, to!, { color, width: 2.4 })]
    }
    case 'point':
      return [{ ...symbol, x: last, size: 8 }]
    case 'interval':
      return intervalShapes(
        endsOf(values),
        (value, offset) => ({ x: at(value), y: middle + offset }),
        { color: theme.ink, paper: theme.paper },
      )
    case 'total':
      return barShapes({ ...box, width: Math.max(1, box.width) }, theme.net, 0)
    case 'span':
      if (box.width < 0.5)
        return [
          {
            ...symbol,
            form: 'diamond',
            isHollow: false,
            x: last,
            size: 10,
            color: one ? theme.tones[one.tone].edge : color,
          },
        ]
      return one ? classShapes(box, one, theme) : barShapes(box, color, 0)
    default: {
      const wide = { ...box, width: Math.max(1, box.width) }
      if (one) return barShapes(wide, theme.tones[one.tone].edge, one.isHatched ? 1 : 0)
      if (spec.kind === 'waterfall')
        return barShapes(wide, isLoss ? theme.loss : theme.gain, isLoss ? 1 : 0)
      return barShapes(box, color, series.style)
    }
  }
}
