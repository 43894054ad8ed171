import {
  columnsOn,
  fitText,
  ink,
  linesOn,
  noteOn,
  type Paper,
  type Picture,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { required } from '../../../../required.ts'
import { stateWords } from '../document/words.ts'
import type { Pack } from '../pack-types.ts'
import {
  betterThan,
  breaksAt,
  cellMark,
  cellWords,
  describeRole,
  type Row,
  ruleAt,
  type ShownRows,
  supportWords,
} from './alternative-parts.ts'
import type { DrawnPack } from './drawn-pack.ts'

const line = 16
const size = 11
const columns = {
  mark: [6, 18],
  label: [20, 270],
  indent: [6, 18],
  value: [280, 530],
  distance: [540, 750],
} as const

/** Stacked options: first the consequences, then each figure with one line per option. */
export function stackedAlternatives(
  drawn: DrawnPack,
  { rows, more, paper }: ShownRows,
): Pick<Picture, 'height' | 'shapes'> {
  const { payload: pack } = drawn
  const state = noteOn(paper, { x: 6, y: 16 }, stateWords(drawn), { size: 11.5, isBold: true })
  const shapes: Shape[] = [...state.shapes]
  let y = 40 + state.more
  for (const place of pack.options.keys()) {
    shapes.push(...optionShapes(pack, place, y, paper))
    y += 3 * line + 8
  }
  for (const row of rows) {
    const figure = figureShapes(pack, row, y, paper)
    shapes.push(...figure.shapes)
    y += figure.height + 8
  }
  const text = rows.length === 0 ? 'No figures bound.' : more
  if (text !== '') {
    shapes.push(textAt(6, y, text, { size, color: ink.faint }))
    y += line
  }
  return { height: y, shapes }
}

function optionShapes(pack: Pack, index: number, y: number, paper: Paper): Shape[] {
  // A packet compares all of its alternatives.
  const [option, compared] = [pack.options[index]!, pack.comparison.options[index]!]
  const right = paper.width - 8
  const name = fitText(`${index + 1} ${option.label}`, right - 100, size, true)
  const counted = `criteria in favor ${supportWords(compared)} · ${compared.breaks.length} limit breaches`
  const others = fitText(`no better than ${betterThan(pack, compared)}`, right - 6, size)
  return [
    ruleAt(y - 14, paper),
    textAt(6, y, name, { size, isBold: true }),
    textAt(right, y, describeRole(pack, option), { size, anchor: 'end', color: ink.faint }),
    textAt(6, y + line, fitText(counted, right - 6, size), { size }),
    textAt(6, y + 2 * line, others, { size, color: ink.faint }),
  ]
}

/** A figure per option with its difference from the status quo, without truncation. */
function figureShapes(
  pack: Pack,
  row: Row,
  y: number,
  paper: Paper,
): Pick<Picture, 'height' | 'shapes'> {
  const table = columnsOn(paper, columns, [
    ['mark', 'label'],
    ['indent', 'value', 'distance'],
  ])
  const { value: valueCell, distance: distanceCell, mark } = table.of
  let at = y + line
  const cells = row.cells.flatMap(({ isBest }, index): Shape[] => {
    const caption = cellWords(pack, row, index)
    const isBroken = breaksAt(pack, row, index)
    const words = linesOn(paper, { ...valueCell, y: at + valueCell.drop }, caption.value, {
      size,
      anchor: table.isStacked ? 'start' : 'end',
      isBold: isBest,
    })
    const distance = linesOn(
      paper,
      { ...distanceCell, y: at + distanceCell.drop },
      caption.distance,
      {
        size,
        anchor: 'end',
        color: ink.faint,
      },
    )
    const label = `${index + 1} ${required(pack.options[index], 'alternative').label}`
    const shapes = [
      ...cellMark({ isBroken, isBest }, mark.x + 5, at - 4),
      table.words('label', at, label, { size }),
      ...words.shapes,
      ...distance.shapes,
    ]
    at += line + table.more + Math.max(words.more, distance.more)
    return shapes
  })
  const name = fitText(row.label, paper.width - 14, size, true)
  return {
    shapes: [ruleAt(y - 14, paper), textAt(6, y, name, { size, isBold: true }), ...cells],
    height: at - y,
  }
}
