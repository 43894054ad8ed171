import {
  amountColors,
  type Drawing,
  drawing,
  fitText,
  ink,
  isNarrow,
  letterOn,
  lineOn,
  type Paper,
  type Shape,
  textAt,
  widthOf,
} from '@liquidity-os/drawing'
import { stateWords } from '../document/words.ts'
import type { Pack } from '../pack-types.ts'
import {
  betterThan,
  breaksAt,
  cellMark,
  cellWords,
  describeRole,
  edge,
  type Row,
  ruleAt,
  type ShownRows,
  supportWords,
} from './alternative-parts.ts'
import type { DrawnPack } from './drawn-pack.ts'
import { stackedAlternatives } from './stacked-alternatives.ts'

const left = 172
const rowHeight = 31
/** Minimum column width on screen, wide enough for the figures. */
const minColumn = 110
/** Drawn rows; the table has all. */
const maxRows = 24
const quiet = '#f2f2f2'

/**
 * Options in columns: each figure with its difference from the status quo, the best value and
 * broken limits.
 */
export function drawAlternatives(drawn: DrawnPack, paper: Paper): Drawing {
  const { payload: pack } = drawn
  const { rows, options } = pack.comparison
  const shown = rows.slice(0, maxRows)
  const hidden = rows.length - shown.length
  const more = hidden > 0 ? `and ${hidden} more, in the table` : ''
  const laid = { rows: shown, more, paper }
  const broken = options.filter(({ breaks }) => breaks.length > 0).length
  return drawing(
    {
      id: 'decision-alternatives',
      title: 'Alternatives compared',
      description: `${pack.options.length} alternatives by ${rows.length} figures. ${broken} break a limit. Every figure has a source record in the packet.`,
    },
    {
      columns: ['figure', 'unit', ...pack.options.map(({ label }) => label)],
      rows: rows.map(({ label, unit, cells }) => [
        ...[label, unit],
        ...cells.map(({ value }) => (value === null ? null : `${value}`)),
      ]),
    },
    isCrowded(pack, laid) ? stackedAlternatives(drawn, laid) : drawSideBySide(drawn, laid),
    paper,
  )
}

const columnOn = (paper: Paper, { options }: Pack) => (paper.width - edge - left) / options.length

/** True if figures do not fit in the columns of a screen. */
function isCrowded(pack: Pack, { rows, paper }: ShownRows): boolean {
  if (paper.minFontSize === 0) return false
  const width = columnOn(paper, pack)
  const isWide = (text: string) => widthOf(text, paper.minFontSize, true) > width - 20
  return (
    isNarrow(paper) ||
    width < minColumn ||
    rows.some((row) =>
      row.cells.some((_, index) => Object.values(cellWords(pack, row, index)).some(isWide)),
    )
  )
}

function drawSideBySide(drawn: DrawnPack, { rows, more, paper }: ShownRows) {
  const { payload: pack } = drawn
  const width = columnOn(paper, pack)
  let end = 66
  const cells = rows.flatMap((row) => {
    const { shapes, more } = rowShapes(pack, row, { y: end, width, paper })
    end += rowHeight + more
    return shapes
  })
  const bottom = Math.max(end, 66 + rowHeight)
  const state = fitText(stateWords(drawn), 360, 11.5, true)
  const shapes: Shape[] = [
    textAt(6, 16, state, { size: 11.5, isBold: true }),
    ...columnHeads(drawn, { width, bottom, paper }),
    ...cells,
  ]
  if (rows.length === 0) shapes.push(textAt(6, 86, 'No figures bound.', { color: ink.faint }))
  let y = bottom + 16
  if (more !== '') {
    shapes.push(textAt(6, y, more, { size: 9.5, color: ink.faint }))
    y += 16
  }
  shapes.push(...verdictShapes(pack, { y, width, paper }))
  return { height: y + 46, shapes }
}

function columnHeads(
  { payload: pack }: DrawnPack,
  { width, bottom, paper }: { width: number; bottom: number; paper: Paper },
): Shape[] {
  return pack.options.flatMap((option, index): Shape[] => {
    const { label, statusQuo, optionId } = option
    const x = left + index * width
    const isTaken = pack.outcome?.optionId === optionId
    const name = fitText(label, width - 12, letterOn(paper, 10.5), true)
    const caption = fitText(describeRole(pack, option), width - 8, letterOn(paper, 9))
    const box = { x: x + 1, y: 24, width: width - 2, height: bottom - 24 }
    return [
      ...(statusQuo ? [{ kind: 'rect', ...box, fill: quiet } as const] : []),
      ...(isTaken
        ? [
            {
              kind: 'rect' as const,
              ...box,
              fill: null,
              stroke: { color: amountColors.gain, width: 1.8 },
            },
          ]
        : []),
      textAt(x + width - 7, 41, name, {
        size: 10.5,
        isBold: true,
        anchor: 'end',
      }),
      textAt(x + width - 7, 54, caption, { size: 9, anchor: 'end', color: ink.faint }),
    ]
  })
}

interface Part {
  readonly y: number
  readonly width: number
  readonly paper: Paper
}

interface Drawn {
  readonly shapes: Shape[]
  /** Height beyond one row of a report. */
  readonly more: number
}

function rowShapes(pack: Pack, row: Row, { y, width, paper }: Part): Drawn {
  const { label, cells } = row
  const drawn = cells.map(({ value, isBest }, index) => {
    const shownText = cellWords(pack, row, index)
    const isBroken = breaksAt(pack, row, index)
    const x = left + index * width
    const color = isBroken ? amountColors.loss : value === null ? ink.faint : ink.text
    const words = lineOn(paper, { x: x + 13, end: x + width - 7, y: y + 10 }, shownText.value, {
      size: 10,
      anchor: 'end',
      isBold: isBest,
      color,
    })
    const small = letterOn(paper, 8.5)
    const below = y + 10 + words.more + small + (paper.minFontSize === 0 ? 2.5 : 1)
    const distance = lineOn(paper, { x: x + 5, end: x + width - 7, y: below }, shownText.distance, {
      size: 8.5,
      anchor: 'end',
      color: ink.faint,
    })
    return {
      shapes: [
        ...words.shapes,
        ...distance.shapes,
        ...cellMark({ isBroken, isBest }, x + 8, y + 7),
      ],
      more: words.more + distance.more,
    }
  })
  return {
    shapes: [
      ruleAt(y - 4, paper),
      textAt(6, y + 12, fitText(label, left - 16, letterOn(paper, 10)), { size: 10 }),
      ...drawn.flatMap(({ shapes }) => shapes),
    ],
    more: Math.max(0, ...drawn.map(({ more }) => more)),
  }
}

/**
 * Result per alternative: weight of the criteria in favor, dominance, and number of breached
 * limits.
 */
function verdictShapes(pack: Pack, { y, width, paper }: Part): Shape[] {
  return [
    textAt(6, y + 8, 'criteria in favor', { size: 9, color: ink.faint }),
    textAt(6, y + 21, 'limit breaches', { size: 9, color: ink.faint }),
    textAt(6, y + 34, 'no better than', { size: 9, color: ink.faint }),
    ...pack.comparison.options.flatMap((compared, index): Shape[] => {
      const { breaks } = compared
      const x = left + index * width + width - 7
      const others = fitText(betterThan(pack, compared), width - 12, letterOn(paper, 9))
      return [
        textAt(x, y + 8, supportWords(compared), { size: 9, anchor: 'end' }),
        textAt(x, y + 21, `${breaks.length}`, {
          size: 9,
          anchor: 'end',
          color: breaks.length > 0 ? amountColors.loss : ink.text,
        }),
        textAt(x, y + 34, others, { size: 9, anchor: 'end' }),
      ]
    }),
  ]
}
