import { type Figure, type Row, rowsOf, tokensOf, wordOf, wordsOf } from '../figure.ts'
import { type Box, emptyNote, ticksOn } from '../frame.ts'
import { isNarrow, type Paper } from '../paper.ts'
import {
  amountColors,
  hatch,
  ink,
  lineBetween,
  type Picture,
  type Shape,
  textAt,
  widthOf,
  wrapText,
} from '../picture.ts'
import {
  extentOf,
  linearScale,
  type Magnitude,
  magnitudeOf,
  niceDomain,
  niceTicks,
  printFigure,
  printTick,
} from '../scale.ts'
import { type Place, spotsOn } from '../spots.ts'
import { amountWordsOf, type ChartTerms, flowWords, pictureOf } from './chart.ts'

const rowHeight = 20
const top = 40
const gap = 28

/** A bar of a waterfall: from where the one before ended; sums begin at zero. */
interface Bar {
  readonly line: string
  readonly from: number
  readonly to: number
  readonly value: number
  readonly spread: readonly [low: number, high: number] | null
  readonly row: Row
}

const words: Readonly<Record<string, string>> = {
  hold: 'HODL P&L',
  divergenceLoss: 'impermanent loss',
  exposureDrift: 'inventory effect',
  fees: 'LP fees',
  deltaPnl: 'delta P&L',
  lvr: 'LVR',
  rebalanceCost: 'rebalancing',
  net: 'net P&L',
}

/** The breakdown vs rebalancing values fees when they accrue, the one vs HODL at the end price. */
const makerWords: Readonly<Record<string, string>> = { fees: 'LP fees (accrual)' }

const panels = { HOLDER: 'vs HODL', MAKER: 'vs rebalancing' } as const

/**
 * Both waterfalls of one arm side by side: every line from where the one before ended, and their sum. Gains are
 * filled, losses hatched. A second flow model is a diamond where its line ended.
 */
export function drawWaterfalls(figure: Figure, terms: ChartTerms, paper: Paper): Picture {
  const rows = rowsOf(figure)
  const models = wordsOf(rows, 'flowModel')
  const courses = Object.keys(panels).map((account) =>
    models.map((model) =>
      courseOf(
        rows.filter((row) => row.account === account && wordOf(row.flowModel) === model),
        terms,
      ),
    ),
  )
  const bars = courses.flat(2)
  const magnitude = magnitudeOf(
    Math.max(0, ...bars.flatMap(({ from, to }) => [from, to].map(Math.abs))),
  )
  const domain = niceDomain(
    extentOf(
      [0, ...bars.flatMap(({ from, to, spread }) => [from, to, ...(spread ?? [])])].map(
        (value) => value / magnitude.divisor,
      ),
    ),
    4,
  )
  const lines = Math.max(1, ...courses.map(([first = []]) => first.length))
  const isStacked = isNarrow(paper)
  const panelWidth = isStacked ? paper.width : (paper.width - gap) / 2
  const panelHeight = top + lines * rowHeight + 28
  const names = models.length > 1 ? legend(models, paper) : { height: 0, at: () => [] }
  const panelsHeight = panelHeight * (isStacked ? 2 : 1)
  const height = panelsHeight + names.height
  const placed = new Map<Row, Place>()
  const shapes = Object.values(panels).flatMap((name, index) => {
    const box = {
      x: isStacked ? 0 : index * (panelWidth + gap),
      y: top + (isStacked ? index * panelHeight : 0),
      width: panelWidth,
      height: lines * rowHeight,
    }
    const [first = [], second = []] = courses[index] ?? []
    for (const [line, { to, row }] of first.entries()) {
      const x = barScale(box, domain).at(to / magnitude.divisor)
      placed.set(row, { x, y: box.y + (line + 0.5) * rowHeight, series: name })
    }
    return panel({
      name,
      box,
      first,
      second,
      domain,
      magnitude,
      paper,
      unitWords: amountWordsOf(terms),
    })
  })
  shapes.push(...names.at(height - 8))
  if (bars.length === 0)
    shapes.push(emptyNote({ x: 0, y: 0, width: paper.width, height }, 'No P&L breakdown.'))
  return pictureOf(figure, { height, shapes, spots: spotsOn(rows, placed) }, paper)
}

function courseOf(rows: readonly Row[], { quoteDecimals }: ChartTerms): Bar[] {
  let reached = 0
  return rows.map((row) => {
    const value = tokensOf(row.effect, quoteDecimals) ?? 0
    const from = row.line === 'net' ? 0 : reached
    reached = from + value
    const [low, high] = [tokensOf(row.p05, quoteDecimals), tokensOf(row.p95, quoteDecimals)]
    const spread = low === null || high === null ? null : ([from + low, from + high] as const)
    return { line: wordOf(row.line), from, to: reached, value, spread, row }
  })
}

/** Between the names of lines at their left and their values at their right. */
const barScale = ({ x, width }: Box, domain: [number, number]) =>
  linearScale(domain, [x + 96, x + width - 58])

function panel({
  name,
  box,
  first,
  second,
  domain,
  magnitude,
  paper,
  unitWords,
}: {
  name: string
  box: Box
  first: readonly Bar[]
  second: readonly Bar[]
  domain: [number, number]
  magnitude: Magnitude
  paper: Paper
  unitWords: string
}): Shape[] {
  const scale = barScale(box, domain)
  const at = (value: number) => scale.at(value / magnitude.divisor)
  const named = name === panels.MAKER ? { ...words, ...makerWords } : words
  const bottom = box.y + box.height
  const shapes: Shape[] = [
    textAt(box.x, box.y - 26, name, { size: 11.5, isBold: true }),
    textAt(box.x, box.y - 11, `${magnitude.prefix}${unitWords}`, { size: 10, color: ink.faint }),
  ]
  const { values, step } = niceTicks(domain, 4)
  const ticks = values.map((value) => ({ value, label: printTick(value, step) }))
  for (const { value, label } of ticksOn(paper, { scale, ticks })) {
    const x = scale.at(value)
    const color = value === 0 ? ink.axis : ink.grid
    shapes.push(lineBetween({ x, y: box.y }, { x, y: bottom }, { color, width: 0.7 }))
    shapes.push(
      textAt(x, bottom + 14, label, {
        size: 10,
        anchor: 'middle',
        color: ink.faint,
      }),
    )
  }
  for (const [index, bar] of first.entries()) {
    const y = box.y + index * rowHeight
    const isNet = bar.line === 'net'
    if (isNet) {
      shapes.push(
        lineBetween({ x: box.x, y }, { x: box.x + box.width, y }, { color: ink.axis, width: 0.7 }),
      )
    }
    const plain = { size: 10, isBold: isNet }
    shapes.push(textAt(box.x, y + 13.5, named[bar.line] ?? bar.line, plain))
    shapes.push(...barShapes(bar, at, y))
    const shown = printFigure(bar.value / magnitude.divisor)
    shapes.push(textAt(box.x + box.width, y + 13.5, shown, { ...plain, anchor: 'end' }))
    const next = first[index + 1]
    if (next !== undefined && next.line !== 'net') {
      const x = at(bar.to)
      const stroke = { color: ink.axis, width: 0.6, dash: [1.5, 1.5] }
      shapes.push(lineBetween({ x, y: y + 16 }, { x, y: y + rowHeight + 4 }, stroke))
    }
  }
  for (const [index, { to }] of second.entries()) {
    const y = box.y + index * rowHeight + rowHeight / 2
    const mark = {
      kind: 'mark',
      form: 'diamond',
      size: 6,
      color: '#000000',
      isHollow: true,
    } as const
    shapes.push({ ...mark, x: at(to), y })
  }
  return shapes
}

function barShapes(
  { line, from, to, value, spread }: Bar,
  at: (value: number) => number,
  y: number,
): Shape[] {
  const x = Math.min(at(from), at(to))
  const box = { x, y: y + 4, width: Math.max(0.8, Math.abs(at(to) - at(from))), height: 12 }
  const color =
    line === 'net' ? amountColors.net : value < 0 ? amountColors.loss : amountColors.gain
  const isLoss = value < 0 && line !== 'net'
  const shapes: Shape[] = [
    { kind: 'rect', ...box, fill: isLoss ? ink.paper : color, stroke: { color, width: 0.8 } },
  ]
  if (isLoss) shapes.push(...hatch(box, color, 3.5))
  if (spread !== null) {
    const [low, high] = spread.map(at) as [number, number]
    const stroke = { color: '#000000', width: 1 }
    const middle = y + 10
    shapes.push(lineBetween({ x: low, y: middle }, { x: high, y: middle }, stroke))
    for (const end of [low, high]) {
      shapes.push(lineBetween({ x: end, y: middle - 3 }, { x: end, y: middle + 3 }, stroke))
    }
  }
  return shapes
}

/** Legend of bars and diamonds on one line, or on several lines on narrow paper. */
function legend(
  [first = '', second = '']: readonly string[],
  paper: Paper,
): { readonly height: number; readonly at: (bottom: number) => Shape[] } {
  const flowText = (model: string) => `${flowWords[model] ?? model}`
  const bars = `${flowText(first)} (${first})`
  const ends = `where it ends when ${flowText(second)} (${second})`
  const faint = { size: Math.max(10, paper.minFontSize), color: ink.faint }
  const right = paper.width / 2 + 14
  const isExtension =
    paper.minFontSize === 0 ||
    (widthOf(bars, faint.size) < right - 24 && widthOf(ends, faint.size) < paper.width - right - 10)
  const diamond = { kind: 'mark', form: 'diamond', size: 6, color: '#000000' } as const
  const fill = { kind: 'rect', x: 0, width: 12, height: 8, fill: amountColors.gain } as const
  if (isExtension) {
    const at = (y: number): Shape[] => [
      { ...fill, y: y - 8 },
      textAt(17, y, bars, faint),
      { ...diamond, x: right, y: y - 4, isHollow: true },
      textAt(right + 8, y, ends, faint),
    ]
    return { height: 18, at }
  }
  const availableWidth = paper.width - 20
  const [own, other] = [
    wrapText(bars, availableWidth, faint.size),
    wrapText(ends, availableWidth, faint.size),
  ]
  const lines = [...own, ...other]
  const at = (bottom: number): Shape[] => {
    const yOf = (line: number) => bottom - (lines.length - 1 - line) * 15
    return [
      { ...fill, y: yOf(0) - 8 },
      { ...diamond, x: 6, y: yOf(own.length) - 4, isHollow: true },
      ...lines.map((text, line) => textAt(17, yOf(line), text, faint)),
    ]
  }
  return { height: lines.length * 15 + 6, at }
}
