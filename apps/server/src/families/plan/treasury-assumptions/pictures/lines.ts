import {
  type Columns,
  columnsOn,
  type Drawing,
  drawing,
  fitText,
  ink,
  isNarrow,
  letterOn,
  linesOn,
  noteOn,
  type Paper,
  type Shape,
  textAt,
  widthOf,
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
  ruleOn,
} from './drawn.ts'
import { scheduleWords } from './schedule-words.ts'

const rowHeight = 18
/** Drawn rows; the table has all. */
const maxRows = 60

const columns = {
  sign: [0, 14],
  line: [20, 162],
  category: [168, 244],
  amount: [250, 366],
  when: [372, 530],
  growth: [536, 578],
  certainty: [584, 664],
  total: [670, 756],
} as const
/** The larger font on screen needs a wider growth column. */
const screenColumns = { ...columns, when: [372, 508], growth: [514, 578] } as const
type Name = Exclude<keyof typeof columns, 'sign'>
const titles: Readonly<Record<Name, string>> = {
  line: 'line',
  category: 'category',
  amount: 'amount',
  when: 'when',
  growth: 'growth',
  certainty: 'certainty',
  total: 'total',
}
// The members of a record are its names.
const names = Object.keys(titles) as Name[]
const stacked = [
  ['sign', 'line'],
  ['amount', 'total'],
  ['when'],
  ['category', 'growth', 'certainty'],
] as const

/** Assumed inflows and outflows by line, with changes since the previous version. */
export function drawLines(drawn: DrawnAssumptions, paper: Paper): Drawing {
  const table = columnsOn(paper, paper.minFontSize === 0 ? columns : screenColumns, stacked)
  const { assumptions, changes } = drawn
  const elements = elementsOf(changes, 'lines', assumptions.lines, ({ lineId }) => lineId)
  const own = ownMoves(changes)
  const head = heading(drawn, paper)
  const shapes: Shape[] = [...head.shapes]
  let y = 52 + head.more
  if (own.length > 0) {
    const quoteKey = own.find(({ path }) => path === 'quoteKey')?.from ?? assumptions.quoteKey
    const caption = fitText(
      movedWords(drawn, own, String(quoteKey)),
      paper.width - 26,
      letterOn(paper, 9.5),
    )
    shapes.push(textAt(20, y - 20, caption, { size: 9.5, color: fateColors.CHANGED }))
  }
  shapes.push(
    ...names.map((name) => table.words(name, y, titles[name], { size: 9.5, isBold: true })),
  )
  y += table.more
  shapes.push(ruleOn(paper, y + 5))
  for (const element of elements.slice(0, maxRows)) {
    y += rowHeight
    const { shapes: own, more } = row(drawn, element, y, { table, paper })
    shapes.push(...own)
    y += table.more + more
    if (element.moved.length === 0) continue
    y += rowHeight - 5
    const { moved, value } = element
    const assetKey = moved.find(({ path }) => path === 'assetKey')?.from ?? value.assetKey
    const shownText = fitText(
      movedWords(drawn, moved, String(assetKey)),
      paper.width - 36,
      letterOn(paper, 9.5),
    )
    shapes.push(textAt(30, y, shownText, { size: 9.5, color: fateColors.CHANGED }))
  }
  const more = elements.length - maxRows
  if (elements.length === 0 || more > 0) {
    y += rowHeight
    const text = more > 0 ? `and ${more} more, in the table` : 'No assumed cash flows.'
    shapes.push(textAt(20, y, text, { color: ink.faint }))
  }
  const legend = fateLegend(elements, y + 22, paper)
  shapes.push(ruleOn(paper, y + 6), ...legend.shapes)
  return drawing(
    {
      id: 'assumptions-lines',
      title: 'Assumed cash flows',
      description: described(drawn, elements),
    },
    {
      columns: [
        ...['line', 'label', 'category', 'direction', 'asset', 'amount, atoms', 'when'],
        ...[
          'growth, pips per year',
          'certainty',
          'over the horizon, atoms',
          'since the previous version',
        ],
      ],
      rows: elements.map(({ value, fate }) => [
        ...[value.lineId, value.label, value.category, value.direction, value.assetKey],
        ...[value.amount, scheduleWords(value.schedule), value.growthAnnualPips, value.certainty],
        ...[`${totalOf(drawn, value)}`, fate],
      ]),
    },
    { height: y + 32 + legend.more, shapes },
    paper,
  )
}

function heading(drawn: DrawnAssumptions, paper: Paper): ReturnType<typeof noteOn> {
  const { label, startMonth, horizonMonths, minimumCashQuote, quoteKey } = drawn.assumptions
  const minimumText = amountWords(drawn, quoteKey, minimumCashQuote)
  const text = `${horizonMonths} months from ${startMonth} · minimum cash ${minimumText}`
  const availableWidth = isNarrow(paper) ? paper.width - 12 : paper.width / 2
  const name = textAt(6, 16, fitText(label, availableWidth, 11.5, true), {
    size: 11.5,
    isBold: true,
  })
  const isWide = paper.minFontSize > 0 && widthOf(text, letterOn(paper, 10)) > availableWidth - 18
  if (isNarrow(paper) || isWide) {
    const note = noteOn(paper, { x: 6, y: 34 }, text, { color: ink.faint })
    return { shapes: [name, ...note.shapes], more: 24 + note.more }
  }
  const end = textAt(paper.width - 6, 16, text, { size: 10, anchor: 'end', color: ink.faint })
  return { shapes: [name, end], more: 0 }
}

/** Total of a line over the horizon, with growth, before any scenario. */
const totalOf = ({ assumptions }: DrawnAssumptions, line: Line): bigint =>
  lineAmounts(line, assumptions).reduce((sum, atoms) => sum + atoms, 0n)

function row(
  drawn: DrawnAssumptions,
  { value, fate }: Element<Line>,
  y: number,
  { table, paper }: { table: Columns<Name>; paper: Paper },
): { readonly shapes: Shape[]; readonly more: number } {
  const sign = value.direction === 'INFLOW' ? '+' : '−'
  const { certainty, probabilityPips } = value
  const chance = probabilityPips === undefined ? '' : ` ${probabilityPips / 10_000} %`
  const words: Readonly<Record<Name, string>> = {
    line: value.label,
    category: value.category,
    amount: `${sign}${amountWords(drawn, value.assetKey, value.amount)}`,
    when: scheduleWords(value.schedule),
    growth: value.growthAnnualPips === 0 ? '' : percent(value.growthAnnualPips),
    certainty: `${certainty.toLowerCase()}${chance}`,
    total: `${sign}${amountWords(drawn, value.assetKey, totalOf(drawn, value)).replace(` ${assetWords(value.assetKey)}`, '')}`,
  }
  const style = { size: 9.5, color: fateColors[fate] } as const
  const isWhole = paper.minFontSize > 0 && !table.isStacked
  const cells = names.map((name) =>
    isWhole && name !== 'category'
      ? linesOn(paper, { ...table.of[name], y }, words[name], style)
      : { shapes: [table.words(name, y, words[name], style)], more: 0 },
  )
  const cellShapes = cells.flatMap(({ shapes }) => shapes)
  const drops = cellShapes.flatMap((shape) => (shape.kind === 'text' ? [shape.y - y] : []))
  return {
    shapes: [...cellShapes, ...fateShapes(fate, y, drops, paper)],
    more: Math.max(...cells.map(({ more }) => more)),
  }
}

function described(drawn: DrawnAssumptions, elements: readonly Element<Line>[]): string {
  const { lines, startMonth, horizonMonths } = drawn.assumptions
  const count = (fate: string) => elements.filter((element) => element.fate === fate).length
  const moved = `${count('ADDED')} new, ${count('CHANGED')} changed, ${count('REMOVED')} removed since the previous version`
  return `${lines.length} lines over ${horizonMonths} months from ${startMonth}; ${moved}.`
}
