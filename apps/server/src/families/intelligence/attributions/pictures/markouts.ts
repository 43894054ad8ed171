import {
  chartBox,
  type Drawing,
  drawing,
  emptyNote,
  frameOf,
  ink,
  markedLine,
  numberAxis,
  type Paper,
  type Shape,
  seriesNames,
  spotsOf,
  styleOf,
  timeUnitOf,
  usualPaper,
} from '@liquidity-os/drawing'
import type { Attribution } from './attribution.ts'

const labelWidth = 120
const height = 262
/** Maximum number of curves that readers can distinguish. */
const maxCurves = 6

interface Curve {
  readonly label: string
  readonly points: readonly { readonly seconds: number; readonly pips: number }[]
}

/** Share of each fill's effect on the mid price that remained: at once, and at each markout. */
export function drawMarkouts({ fills }: Attribution, paper: Paper = usualPaper): Drawing {
  const box = chartBox({ x: 66, y: 30, height: 190 }, labelWidth, paper)
  const curves = fills.flatMap((fill, index): Curve[] => {
    const known = fill.marks.flatMap(({ seconds, permanentPips, temporaryPips }) =>
      permanentPips === null || temporaryPips === null
        ? []
        : [{ seconds, pips: permanentPips, left: permanentPips + temporaryPips }],
    )
    const [first] = known
    if (!first) return []
    const points = [{ seconds: 0, pips: first.left }, ...known]
    return [{ label: `fill ${index + 1}`, points }]
  })
  const about = {
    id: 'attribution.markouts',
    title: 'Markouts after each fill',
    description: 'Mid price move against the trader since before each fill, at once and later.',
  }
  const columns = ['fill', 'seconds', 'movePips']
  const rows = curves.flatMap(({ label, points }) =>
    points.map(({ seconds, pips }) => [label, seconds, pips]),
  )
  if (curves.length === 0) {
    const shapes = [emptyNote(box, 'No later price is available.')]
    return drawing(about, { columns, rows }, { height, shapes }, paper)
  }
  const all = curves.flatMap(({ points }) => points)
  const unit = timeUnitOf(Math.max(...all.map(({ seconds }) => seconds)))
  const x = numberAxis(
    all.map(({ seconds }) => seconds / unit.seconds),
    [box.x, box.x + box.width],
    { title: `time since the fill, ${unit.name}`, isTight: true },
  )
  const y = numberAxis([0, ...all.map(({ pips }) => pips / 10_000)], [box.y + box.height, box.y], {
    title: 'mid price move since before the fill, %',
  })
  const lines = curves.map(({ label, points }, index) => ({
    label,
    style: styleOf(index),
    points: points.map(({ seconds, pips }) => ({
      x: x.scale.at(seconds / unit.seconds),
      y: y.scale.at(pips / 10_000),
    })),
  }))
  const faint = { color: ink.axis, width: 0.7 }
  const ends = lines.slice(0, maxCurves).map(({ label, points, style }) => ({
    text: label,
    style,
    // A curve has at least two points.
    y: points.at(-1)!.y,
  }))
  const names = seriesNames(ends, { box, availableWidth: labelWidth, below: height + 4, paper })
  const shapes: Shape[] = [
    ...frameOf(box, x, y),
    ...lines.flatMap(({ points, style }, index): Shape[] =>
      index < maxCurves ? markedLine(points, style) : [{ kind: 'line', points, stroke: faint }],
    ),
    ...names.shapes,
  ]
  const places = lines.flatMap(({ label, points }) =>
    points.map((point) => ({ ...point, series: label })),
  )
  const drawn = { height: height + names.height, shapes, spots: spotsOf(places) }
  return drawing(about, { columns, rows }, drawn, paper)
}
