import { drawingWidth } from '../drawing.ts'
import { type Figure, numberOf, type Row, rowsOf, wordOf, wordsOf } from '../figure.ts'
import {
  type Axis,
  areaBetween,
  type Box,
  emptyNote,
  frameOf,
  legendRows,
  markedLine,
  numberAxis,
} from '../frame.ts'
import { panelBoxes } from '../panels.ts'
import { isNarrow, type Paper } from '../paper.ts'
import {
  fitText,
  ink,
  lineBetween,
  type Picture,
  type Point,
  type Shape,
  textAt,
} from '../picture.ts'
import { timeUnitOf } from '../scale.ts'
import { type Place, spotsOn } from '../spots.ts'
import { armLabel, armStyle, type ChartTerms, flowWords, pictureOf } from './chart.ts'

/** Curves of first passage, a chart for each rule; of a replay, the moments themselves. */
export function drawFirstPassage(figure: Figure, terms: ChartTerms, paper: Paper): Picture {
  const rows = rowsOf(figure)
  if (rows.length === 0) {
    const box = { x: 0, y: 0, width: drawingWidth, height: 60 }
    return pictureOf(figure, { height: 60, shapes: [emptyNote(box, 'No rule was given.')] })
  }
  return rows.some((row) => wordOf(row.flowModel) !== '')
    ? moments(figure, rows, terms)
    : curves(figure, rows, terms, paper)
}

function curves(figure: Figure, rows: readonly Row[], terms: ChartTerms, paper: Paper): Picture {
  const [rules, arms] = [wordsOf(rows, 'rule'), wordsOf(rows, 'arm')]
  const { boxes, height: panelsHeight } = panelBoxes(rules.length, 140, 0, paper)
  const size = Math.max(10.5, paper.leastLetter)
  const unit = timeUnitOf(Math.max(...rows.flatMap((row) => numberOf(row.seconds) ?? [])))
  const placed = new Map<Row, Place>()
  const shapes = rules.flatMap((rule, place): Shape[] => {
    // A box was made for every rule.
    const box = boxes[place]!
    const own = rows.filter((row) => row.rule === rule)
    const seconds = own
      .flatMap((row) => numberOf(row.seconds) ?? [])
      .map((one) => one / unit.seconds)
    const x = numberAxis([0, ...seconds], [box.x, box.x + box.width], {
      title: `time, ${unit.name}`,
      isTight: true,
    })
    const y = numberAxis([0, 100], [box.y + box.height, box.y], {
      title: 'share of the paths, %',
      count: 4,
    })
    for (const row of own) {
      const point = pointOf(row, 'sharePips', { x, y, unitSeconds: unit.seconds })
      placed.set(row, { ...point, series: `${rule}: ${armLabel(terms, wordOf(row.arm))}` })
    }
    return [
      textAt(box.x - 46, box.y - 24, fitText(rule, Math.min(360, box.width + 50), size, true), {
        size,
        isBold: true,
      }),
      ...frameOf(box, x, y),
      ...arms.flatMap((armId) =>
        curve(
          own.filter((row) => row.arm === armId),
          armId,
          { x, y, unitSeconds: unit.seconds },
          terms,
        ),
      ),
    ]
  })
  const spots = spotsOn(rows, placed)
  if (isNarrow(paper)) {
    const entries = arms.map((armId) => ({
      ...{ text: armLabel(terms, armId), style: armStyle(terms, armId) },
    }))
    const below = legendRows(entries, { x: 8, y: panelsHeight + 12, width: paper.width - 16 })
    const height = panelsHeight + 12 + below.height
    return pictureOf(figure, { height, shapes: [...shapes, ...below.shapes], spots }, paper)
  }
  const drawn = {
    height: panelsHeight + 22 + Math.ceil(arms.length / 4) * 15,
    shapes: [...shapes, ...legend(arms, terms, panelsHeight + 16)],
    spots,
  }
  return pictureOf(figure, drawn, paper)
}

interface Axes {
  readonly x: Axis
  readonly y: Axis
  readonly unitSeconds: number
}

/** Where a share of a row stands. */
const pointOf = (row: Row, name: string, { x, y, unitSeconds }: Axes): Point => ({
  x: x.scale.at((numberOf(row.seconds) ?? 0) / unitSeconds),
  y: y.scale.at((numberOf(row[name]) ?? 0) / 10_000),
})

function curve(rows: readonly Row[], armId: string, axes: Axes, terms: ChartTerms): Shape[] {
  const style = armStyle(terms, armId)
  const along = (name: string): Point[] => [
    { x: axes.x.scale.at(0), y: axes.y.scale.at(0) },
    ...rows.map((row) => pointOf(row, name, axes)),
  ]
  return [
    ...areaBetween(along('lowPips'), along('highPips'), style.color, 0.13),
    ...markedLine(along('sharePips'), style),
  ]
}

const rowHeight = 17

/** One row for each rule and arm, over the whole history: a mark where it broke, hollow under the second flow model. */
function moments(figure: Figure, rows: readonly Row[], terms: ChartTerms): Picture {
  const told = rows.filter((row) => row.rule !== '')
  const [rules, models] = [wordsOf(told, 'rule'), wordsOf(told, 'flowModel')]
  const box: Box = { x: 170, y: 14, width: drawingWidth - 170 - 110, height: 0 }
  const times = rows.flatMap((row) => numberOf(row.seconds) ?? [])
  const unit = timeUnitOf(Math.max(0, ...times))
  const x = numberAxis([0, ...times.map((one) => one / unit.seconds)], [box.x, box.x + box.width], {
    title: `time since the start, ${unit.name}`,
    count: 7,
    isTight: true,
  })
  const shapes: Shape[] = []
  let y = box.y
  for (const rule of rules) {
    shapes.push(
      textAt(0, y + 11, fitText(rule, drawingWidth, 10, true), { size: 10, isBold: true }),
    )
    y += 18
    const own = rows.filter((row) => row.rule === rule)
    for (const armId of wordsOf(own, 'arm')) {
      const style = armStyle(terms, armId)
      const middle = y + rowHeight / 2
      shapes.push(
        textAt(0, middle + 3.5, fitText(armLabel(terms, armId), 158, 10.5), { size: 10.5 }),
      )
      const line = { color: ink.grid, width: 0.7 }
      shapes.push(lineBetween({ x: box.x, y: middle }, { x: box.x + box.width, y: middle }, line))
      const broke = own.filter((row) => row.arm === armId && numberOf(row.seconds) !== null)
      for (const row of broke) {
        const at = { x: x.scale.at((numberOf(row.seconds) ?? 0) / unit.seconds), y: middle }
        const isHollow = wordOf(row.flowModel) !== models[0]
        // The filled one is larger, so that both are seen where they coincide.
        shapes.push({
          kind: 'mark',
          form: style.mark,
          ...at,
          size: isHollow ? 5 : 9,
          color: style.color,
          isHollow,
        })
      }
      const said =
        broke.length === 0 ? 'held' : broke.length < models.length ? 'broke under one' : 'broke'
      shapes.push(textAt(box.x + box.width + 10, middle + 3.5, said, { size: 10.5 }))
      y += rowHeight
    }
    y += 6
  }
  for (const { value, label } of x.ticks) {
    const at = x.scale.at(value)
    shapes.push(lineBetween({ x: at, y: y - 4 }, { x: at, y }, { color: ink.axis, width: 0.7 }))
    shapes.push(textAt(at, y + 11, label, { size: 10, anchor: 'middle', color: ink.faint }))
  }
  shapes.push(
    textAt(box.x + box.width / 2, y + 25, x.title, {
      size: 10,
      anchor: 'middle',
      color: ink.faint,
    }),
  )
  const said = models.map(
    (model, index) => `${index === 0 ? 'filled' : 'hollow'}: ${flowWords[model] ?? model}`,
  )
  shapes.push(textAt(0, y + 42, said.join(' · '), { size: 10, color: ink.faint }))
  return pictureOf(figure, { height: y + 50, shapes })
}

function legend(arms: readonly string[], terms: ChartTerms, top: number): Shape[] {
  return arms.flatMap((armId, index): Shape[] => {
    const style = armStyle(terms, armId)
    const [x, y] = [6 + (index % 4) * 190, top + Math.floor(index / 4) * 15]
    return [
      lineBetween(
        { x, y: y - 3 },
        { x: x + 26, y: y - 3 },
        { color: style.color, width: 1.6, dash: style.dash },
      ),
      {
        kind: 'mark',
        form: style.mark,
        x: x + 13,
        y: y - 3,
        size: 5.5,
        color: style.color,
        isHollow: false,
      },
      textAt(x + 32, y, fitText(armLabel(terms, armId), 148, 10.5), { size: 10.5 }),
    ]
  })
}
