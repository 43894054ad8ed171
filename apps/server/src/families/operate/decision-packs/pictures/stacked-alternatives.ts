import {
  columnsOn,
  fitText,
  ink,
  noteOn,
  type Paper,
  type Picture,
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
  type Row,
  ruleAt,
  type ShownRows,
  standingOf,
  supportWords,
} from './alternative-parts.ts'
import type { DrawnPack } from './pack-pictures.ts'

const line = 16
const size = 11
const columns = {
  mark: [6, 18],
  label: [20, 270],
  value: [280, 530],
  distance: [540, 750],
} as const

/** The alternatives below each other: first what follows of each, then every figure with a line for each of them. */
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
    const figure = figureOf(pack, row, y, paper)
    shapes.push(...figure.shapes)
    y += figure.height
  }
  const said = rows.length === 0 ? 'No figure is bound.' : more
  if (said !== '') {
    shapes.push(textAt(6, y, said, { size, color: ink.faint }))
    y += line
  }
  return { height: y, shapes }
}

function optionShapes(pack: Pack, place: number, y: number, paper: Paper): Shape[] {
  // A pack compares each of its alternatives.
  const [option, judged] = [pack.options[place]!, pack.comparison.options[place]!]
  const right = paper.width - 8
  const name = fitText(`${place + 1} ${option.label}`, right - 100, size, true)
  const counted = `criteria for it ${supportWords(judged)} · breaks ${judged.breaks.length} limits`
  const others = fitText(`no better than ${betterThan(pack, judged)}`, right - 6, size)
  return [
    ruleAt(y - 14, paper),
    textAt(6, y, name, { size, isBold: true }),
    textAt(right, y, standingOf(pack, option), { size, anchor: 'end', color: ink.faint }),
    textAt(6, y + line, fitText(counted, right - 6, size), { size }),
    textAt(6, y + 2 * line, others, { size, color: ink.faint }),
  ]
}

/** A figure of every alternative, in a line each, or with its words below its name where one of them would be cut. */
function figureOf(
  pack: Pack,
  row: Row,
  y: number,
  paper: Paper,
): Pick<Picture, 'height' | 'shapes'> {
  const table = columnsOn(paper, columns, [['mark', 'label', 'value', 'distance']])
  const words = row.cells.map((_, place) => cellWords(pack, row, place))
  const isCut = (text: string, { x, end }: { x: number; end: number }) =>
    widthOf(text, size, true) > end - x
  const isApart = words.some(
    ({ value, distance }) => isCut(value, table.of.value) || isCut(distance, table.of.distance),
  )
  const right = paper.width - 8
  const below = (at: number, text: string, more: Parameters<typeof textAt>[3]) =>
    textAt(right, at, fitText(text, right - 20, size, more?.isBold), { ...more, anchor: 'end' })
  const shapes: Shape[] = [
    ruleAt(y - 14, paper),
    textAt(6, y, fitText(row.label, paper.width - 14, size, true), { size, isBold: true }),
  ]
  let at = y
  for (const [place, { value, distance }] of words.entries()) {
    at += line
    const isBest = row.cells[place]?.isBest ?? false
    const isBroken = breaksAt(pack, row, place)
    const name = `${place + 1} ${pack.options[place]?.label ?? ''}`
    const [strong, faint] = [
      { size, isBold: isBest },
      { size, color: ink.faint },
    ]
    shapes.push(...cellMark({ isBroken, isBest }, table.of.mark.x + 5, at - 4))
    if (!isApart) {
      shapes.push(
        table.words('label', at, name, { size }),
        table.words('value', at, value, { ...strong, anchor: 'end' }),
        table.words('distance', at, distance, { ...faint, anchor: 'end' }),
      )
      continue
    }
    shapes.push(textAt(table.of.label.x, at, fitText(name, right - 20, size), { size }))
    at += line
    shapes.push(below(at, value, strong))
    if (distance === '') continue
    at += line
    shapes.push(below(at, distance, faint))
  }
  return { shapes, height: at - y + line + 8 }
}
