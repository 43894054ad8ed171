import { type Figure, numberOf, type Row, rowsOf, tokensOf, wordsOf } from '../figure.ts'
import { type Axis, areaBetween, type Box, emptyNote, frameOf, numberAxis } from '../frame.ts'
import { titledPanels } from '../panels.ts'
import type { Paper } from '../paper.ts'
import {
  amountColors,
  fitText,
  hatch,
  ink,
  lineBetween,
  type Picture,
  type Point,
  type Shape,
  textAt,
} from '../picture.ts'
import { type Magnitude, magnitudeOf, printFigure, timeUnitOf } from '../scale.ts'
import { type Place, spotsOn } from '../spots.ts'
import { amountWordsOf, armLabel, armStyle, type ChartTerms, pictureOf } from './chart.ts'

const quantiles = ['p05', 'p25', 'p50', 'p75', 'p95'] as const
const tailWidth = 66

/**
 * Fan chart per arm on a common scale: median, 50 % band and 90 % band of the paths. The tail at
 * its end spans from the 5 % quantile to the mean beyond it, the expected shortfall.
 */
export function drawFans(figure: Figure, terms: ChartTerms, paper: Paper): Picture {
  const rows = rowsOf(figure)
  const arms = wordsOf(rows, 'arm')
  const { boxes, height, lift } = titledPanels(arms.length, 150, tailWidth, paper)
  const amounts = rows.flatMap((row) =>
    [...quantiles, 'es95'].flatMap((name) => tokensOf(row[name], terms.quoteDecimals) ?? []),
  )
  const magnitude = magnitudeOf(Math.max(0, ...amounts.map(Math.abs)))
  const values = [0, ...amounts].map((amount) => amount / magnitude.divisor)
  const unit = timeUnitOf(Math.max(0, ...rows.flatMap((row) => numberOf(row.seconds) ?? [])))
  const seconds = rows
    .flatMap((row) => numberOf(row.seconds) ?? [])
    .map((one) => one / unit.seconds)
  const placed = new Map<Row, Place>()
  const shapes = arms.flatMap((armId, index): Shape[] => {
    // A box was made for every arm.
    const box = boxes[index]!
    const x = numberAxis(seconds, [box.x, box.x + box.width], {
      title: `time, ${unit.name}`,
      isTight: true,
    })
    const y = numberAxis(values, [box.y + box.height, box.y], {
      title: `vs initial capital, ${magnitude.prefix}${amountWordsOf(terms)}`,
      count: 4,
    })
    const own = rows.filter((row) => row.arm === armId)
    for (const row of own) {
      const [at, median] = [numberOf(row.seconds), tokensOf(row.p50, terms.quoteDecimals)]
      if (at === null || median === null) continue
      const point = { x: x.scale.at(at / unit.seconds), y: y.scale.at(median / magnitude.divisor) }
      placed.set(row, { ...point, series: armLabel(terms, armId) })
    }
    return [
      textAt(
        box.x - 46,
        box.y - 24 - lift,
        fitText(armLabel(terms, armId), box.width + tailWidth + 30, 11, true),
        {
          size: 11,
          isBold: true,
        },
      ),
      ...frameOf(box, x, y),
      ...fan(
        own,
        { x, y, magnitude, unitSeconds: unit.seconds },
        terms,
        armStyle(terms, armId).color,
      ),
      ...tail(own.at(-1), { box, y, magnitude }, terms),
    ]
  })
  if (arms.length === 0)
    shapes.push(emptyNote({ x: 0, y: 0, width: paper.width, height }, 'No paths.'))
  return pictureOf(figure, { height, shapes, spots: spotsOn(rows, placed) }, paper)
}

function fan(
  rows: readonly Row[],
  { x, y, magnitude, unitSeconds }: { x: Axis; y: Axis; magnitude: Magnitude; unitSeconds: number },
  { quoteDecimals }: ChartTerms,
  color: string,
): Shape[] {
  const along = (name: (typeof quantiles)[number]): Point[] =>
    rows.flatMap((row) => {
      const [seconds, amount] = [numberOf(row.seconds), tokensOf(row[name], quoteDecimals)]
      if (seconds === null || amount === null) return []
      return [{ x: x.scale.at(seconds / unitSeconds), y: y.scale.at(amount / magnitude.divisor) }]
    })
  return [
    ...areaBetween(along('p05'), along('p95'), color, 0.18),
    ...areaBetween(along('p25'), along('p75'), color, 0.32),
    { kind: 'line', points: along('p05'), stroke: { color, width: 0.7 } },
    { kind: 'line', points: along('p95'), stroke: { color, width: 0.7 } },
    { kind: 'line', points: along('p50'), stroke: { color: '#000000', width: 1.6 } },
  ]
}

function tail(
  last: Row | undefined,
  { box, y, magnitude }: { box: Box; y: Axis; magnitude: Magnitude },
  { quoteDecimals }: ChartTerms,
): Shape[] {
  const [from, to] = [tokensOf(last?.p05, quoteDecimals), tokensOf(last?.es95, quoteDecimals)]
  if (from === null || to === null) return []
  const [a, b] = [from, to].map((amount) => y.scale.at(amount / magnitude.divisor)) as [
    number,
    number,
  ]
  const bar = {
    x: box.x + box.width + 4,
    y: Math.min(a, b),
    width: 9,
    height: Math.max(0.8, Math.abs(b - a)),
  }
  const label = { size: 9.5, color: ink.faint } as const
  const low = Math.min(box.y + box.height, Math.max(a, b))
  return [
    { kind: 'rect', ...bar, fill: ink.paper, stroke: { color: amountColors.loss, width: 0.8 } },
    ...hatch(bar, amountColors.loss, 3),
    lineBetween({ x: bar.x, y: b }, { x: bar.x + 12, y: b }, { color: '#000000', width: 1.2 }),
    textAt(bar.x + 15, low - 8, 'CVaR 95 %', label),
    textAt(bar.x + 15, low + 3, printFigure(to / magnitude.divisor), { ...label, color: ink.text }),
  ]
}
