import { type Figure, numberOf, type Row, rowsOf, wordOf, wordsOf } from '../figure.ts'
import {
  type Axis,
  areaBetween,
  emptyNotes,
  frameOf,
  legendRows,
  markedLine,
  numberAxis,
  ticksOn,
} from '../frame.ts'
import { letterOn, noteOn } from '../note.ts'
import { panelBoxes } from '../panels.ts'
import type { Paper } from '../paper.ts'
import {
  fitText,
  ink,
  lineBetween,
  type Picture,
  type Point,
  type Shape,
  textAt,
} from '../picture.ts'
import { namedRows, wordsAbove } from '../rows.ts'
import { timeUnitOf } from '../scale.ts'
import { type Place, spotsOn } from '../spots.ts'
import { armLabel, armStyle, type ChartTerms, flowWords, pictureOf } from './chart.ts'

/** Curves of first passage, a chart for each rule; of a replay, the moments themselves. */
export function drawFirstPassage(figure: Figure, terms: ChartTerms, paper: Paper): Picture {
  const rows = rowsOf(figure)
  if (rows.length === 0) {
    const box = { x: 0, y: 0, width: paper.width, height: 60 }
    const shapes = emptyNotes(box, 'No risk limits.')
    return pictureOf(figure, { height: 60, shapes }, paper)
  }
  return rows.some((row) => wordOf(row.flowModel) !== '')
    ? moments(figure, rows, terms, paper)
    : curves(figure, rows, terms, paper)
}

function curves(figure: Figure, rows: readonly Row[], terms: ChartTerms, paper: Paper): Picture {
  const [rules, arms] = [wordsOf(rows, 'rule'), wordsOf(rows, 'arm')]
  const { boxes, height: panelsHeight } = panelBoxes(rules.length, 140, 0, paper)
  const size = Math.max(10.5, paper.minFontSize)
  const unit = timeUnitOf(Math.max(...rows.flatMap((row) => numberOf(row.seconds) ?? [])))
  const placed = new Map<Row, Place>()
  const shapes = rules.flatMap((rule, index): Shape[] => {
    // A box was made for every rule.
    const box = boxes[index]!
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
  if (paper.minFontSize > 0) {
    const entries = arms.map((armId) => ({
      text: armLabel(terms, armId),
      style: armStyle(terms, armId),
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

const momentRows = { left: 170, rightMargin: 110, height: 17 } as const
const first = 14

/** One row for each rule and arm, over the whole history: a mark where it broke, hollow under the second flow model. */
function moments(figure: Figure, rows: readonly Row[], terms: ChartTerms, paper: Paper): Picture {
  const ruleRows = rows.filter((row) => row.rule !== '')
  const [rules, models] = [wordsOf(ruleRows, 'rule'), wordsOf(ruleRows, 'flowModel')]
  const named = namedRows(paper, momentRows)
  const times = rows.flatMap((row) => numberOf(row.seconds) ?? [])
  const unit = timeUnitOf(Math.max(0, ...times))
  const x = numberAxis([0, ...times.map((one) => one / unit.seconds)], [named.left, named.right], {
    title: `time since the start, ${unit.name}`,
    count: named.isNarrow ? 4 : 7,
    isTight: true,
  })
  const shapes: Shape[] = []
  const placed = new Map<Row, Place>()
  let y = first
  for (const rule of rules) {
    const heading = noteOn(paper, { x: 0, y: y + 11 }, rule, { size: 10, isBold: true })
    shapes.push(...heading.shapes)
    y += 18 + heading.more
    const own = rows.filter((row) => row.rule === rule)
    for (const armId of wordsOf(own, 'arm')) {
      const style = armStyle(terms, armId)
      const middle = y + named.drop + momentRows.height / 2
      const broke = own.filter((row) => row.arm === armId && numberOf(row.seconds) !== null)
      const name = armLabel(terms, armId)
      const marks = broke.map((row): Shape => {
        const isHollow = wordOf(row.flowModel) !== models[0]
        const at = { x: x.scale.at((numberOf(row.seconds) ?? 0) / unit.seconds), y: middle }
        placed.set(row, { ...at, series: `${rule}: ${name}` })
        return {
          kind: 'mark',
          form: style.mark,
          ...at,
          color: style.color,
          isHollow,
          // The filled one is larger, so that both are seen where they coincide.
          size: isHollow ? 5 : 9,
        }
      })
      const line = { color: ink.grid, width: 0.7 }
      const whole = lineBetween({ x: named.left, y: middle }, { x: named.right, y: middle }, line)
      const value =
        broke.length === 0 ? 'held' : broke.length < models.length ? 'breached in one' : 'broke'
      const size = 10.5
      shapes.push(
        ...(named.isNarrow
          ? [whole, ...marks, ...wordsAbove(named, { name, value, top: y + named.drop })]
          : [
              textAt(0, middle + 3.5, fitText(name, 158, letterOn(paper, size)), { size }),
              ...[whole, ...marks],
              textAt(named.right + 10, middle + 3.5, value, { size }),
            ]),
      )
      y += named.height
    }
    y += 6
  }
  shapes.push(...timesBelow(x, y, paper))
  const caption = models.map(
    (model, index) => `${index === 0 ? 'filled' : 'hollow'}: ${flowWords[model] ?? model}`,
  )
  const note = noteOn(paper, { x: 0, y: y + 42 }, caption.join(' · '), {
    size: 10,
    color: ink.faint,
  })
  return pictureOf(
    figure,
    {
      height: y + 50 + note.more,
      shapes: [...shapes, ...note.shapes],
      spots: spotsOn(rows, placed),
    },
    paper,
  )
}

function timesBelow(x: Axis, y: number, paper: Paper): Shape[] {
  const faint = { size: 10, anchor: 'middle', color: ink.faint } as const
  const ticks = ticksOn(paper, x).flatMap(({ value, label }): Shape[] => {
    const at = x.scale.at(value)
    return [
      lineBetween({ x: at, y: y - 4 }, { x: at, y }, { color: ink.axis, width: 0.7 }),
      textAt(at, y + 11, label, faint),
    ]
  })
  return [
    ...ticks,
    textAt((x.scale.at(x.scale.low) + x.scale.at(x.scale.high)) / 2, y + 25, x.title, faint),
  ]
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
