import {
  type Drawing,
  drawing,
  drawingWidth,
  fitText,
  ink,
  lineBetween,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { assetWords } from '../../../../market/treasury/asset-words.ts'
import { lineAmounts } from '../line-amounts.ts'
import {
  amountWords,
  type DrawnAssumptions,
  type Element,
  elementsOf,
  fateColors,
  fateLegend,
  fateShapes,
  type Line,
  movedWords,
  ownMoves,
  percent,
} from './drawn.ts'
import { scheduleWords } from './schedule-words.ts'

const rowHeight = 18
/** Rows that are drawn; the table has all. */
const mostRows = 60

const columns = [
  { title: 'line', x: 20, width: 142 },
  { title: 'category', x: 168, width: 76 },
  { title: 'amount', x: 250, width: 116 },
  { title: 'when', x: 372, width: 158 },
  { title: 'growth', x: 536, width: 42 },
  { title: 'certainty', x: 584, width: 80 },
  { title: 'in all', x: 670, width: 86 },
] as const

/** What is assumed to come and go, line by line, with what moved since the version before. */
export function drawLines(drawn: DrawnAssumptions): Drawing {
  const { assumptions, changes } = drawn
  const elements = elementsOf(changes, 'lines', assumptions.lines, ({ lineId }) => lineId)
  const own = ownMoves(changes)
  const shapes: Shape[] = heading(drawn)
  let y = 52
  if (own.length > 0) {
    const quoteKey = own.find(({ path }) => path === 'quoteKey')?.from ?? assumptions.quoteKey
    const said = fitText(movedWords(drawn, own, String(quoteKey)), drawingWidth - 26, 9.5)
    shapes.push(textAt(20, y - 20, said, { size: 9.5, color: fateColors.CHANGED }))
  }
  shapes.push(...columns.map(({ title, x }) => textAt(x, y, title, { size: 9.5, isBold: true })))
  shapes.push(rule(y + 5))
  for (const element of elements.slice(0, mostRows)) {
    y += rowHeight
    shapes.push(...row(drawn, element, y))
    if (element.moved.length === 0) continue
    y += rowHeight - 5
    const { moved, value } = element
    const assetKey = moved.find(({ path }) => path === 'assetKey')?.from ?? value.assetKey
    const said = fitText(movedWords(drawn, moved, String(assetKey)), drawingWidth - 36, 9.5)
    shapes.push(textAt(30, y, said, { size: 9.5, color: fateColors.CHANGED }))
  }
  const more = elements.length - mostRows
  if (elements.length === 0 || more > 0) {
    y += rowHeight
    const said = more > 0 ? `and ${more} more, in the table` : 'No line is assumed.'
    shapes.push(textAt(20, y, said, { color: ink.faint }))
  }
  shapes.push(rule(y + 6), ...fateLegend(elements, y + 22))
  return drawing(
    {
      id: 'assumptions-lines',
      title: 'What is assumed to come and go',
      description: described(drawn, elements),
    },
    {
      columns: [
        ...['line', 'label', 'category', 'direction', 'asset', 'amount, atoms', 'when'],
        ...[
          'growth a year, pips',
          'certainty',
          'over the horizon, atoms',
          'since the version before',
        ],
      ],
      rows: elements.map(({ value, fate }) => [
        ...[value.lineId, value.label, value.category, value.direction, value.assetKey],
        ...[value.amount, scheduleWords(value.schedule), value.growthAnnualPips, value.certainty],
        ...[`${totalOf(drawn, value)}`, fate],
      ]),
    },
    { height: y + 32, shapes },
  )
}

function heading(drawn: DrawnAssumptions): Shape[] {
  const { label, startMonth, horizonMonths, minimumCashQuote, quoteKey } = drawn.assumptions
  const floor = amountWords(drawn, quoteKey, minimumCashQuote)
  const said = `${horizonMonths} months from ${startMonth} · never below ${floor}`
  return [
    textAt(6, 16, fitText(label, 380, 11.5, true), { size: 11.5, isBold: true }),
    textAt(drawingWidth - 6, 16, said, { size: 10, anchor: 'end', color: ink.faint }),
  ]
}

const rule = (y: number): Shape =>
  lineBetween({ x: 6, y }, { x: drawingWidth - 6, y }, { color: ink.grid, width: 0.8 })

/** What a line comes to by the end of the horizon, grown, before any scenario. */
const totalOf = ({ assumptions }: DrawnAssumptions, line: Line): bigint =>
  lineAmounts(line, assumptions).reduce((sum, atoms) => sum + atoms, 0n)

function row(drawn: DrawnAssumptions, { value, fate }: Element<Line>, y: number): Shape[] {
  const sign = value.direction === 'INFLOW' ? '+' : '−'
  const { certainty, probabilityPips } = value
  const chance = probabilityPips === undefined ? '' : ` ${probabilityPips / 10_000} %`
  const words = [
    value.label,
    value.category,
    `${sign}${amountWords(drawn, value.assetKey, value.amount)}`,
    scheduleWords(value.schedule),
    value.growthAnnualPips === 0 ? '' : percent(value.growthAnnualPips),
    `${certainty.toLowerCase()}${chance}`,
    `${sign}${amountWords(drawn, value.assetKey, totalOf(drawn, value)).replace(` ${assetWords(value.assetKey)}`, '')}`,
  ]
  const cells = columns.map(({ x, width }, place) =>
    textAt(x, y, fitText(words[place] ?? '', width, 9.5), { size: 9.5, color: fateColors[fate] }),
  )
  return [...cells, ...fateShapes(fate, y, drawingWidth)]
}

function described(drawn: DrawnAssumptions, elements: readonly Element<Line>[]): string {
  const { lines, startMonth, horizonMonths } = drawn.assumptions
  const count = (fate: string) => elements.filter((element) => element.fate === fate).length
  const moved = `${count('ADDED')} new, ${count('CHANGED')} changed, ${count('REMOVED')} no more since the version before`
  return `${lines.length} lines over ${horizonMonths} months from ${startMonth}; ${moved}.`
}
