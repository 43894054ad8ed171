import {
  amountColors,
  type Drawing,
  drawing,
  drawingWidth,
  fitText,
  ink,
  lineBetween,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { differenceWords, stateWords, valueWords } from '../document/words.ts'
import type { Pack } from '../pack-types.ts'
import type { DrawnPack } from './pack-pictures.ts'

type Row = Pack['comparison']['rows'][number]

const left = 172
const right = drawingWidth - 6
const rowHeight = 31
/** Rows that are drawn; the table has all. */
const mostRows = 24
const quiet = '#f2f2f2'

/** Alternatives in columns: each figure with its distance from the status quo, who is best by it, and what is broken. */
export function drawAlternatives(drawn: DrawnPack): Drawing {
  const { payload: pack } = drawn
  const { rows, options } = pack.comparison
  const width = (right - left) / pack.options.length
  const shown = rows.slice(0, mostRows)
  const bottom = 66 + Math.max(1, shown.length) * rowHeight
  const shapes: Shape[] = [
    textAt(6, 16, fitText(stateWords(drawn), 360, 11.5, true), { size: 11.5, isBold: true }),
    ...columnHeads(drawn, width, bottom),
  ]
  for (const [place, row] of shown.entries()) {
    shapes.push(...rowShapes(pack, row, { y: 66 + place * rowHeight, width }))
  }
  if (shown.length === 0) shapes.push(textAt(6, 86, 'No figure is bound.', { color: ink.faint }))
  let y = bottom + 16
  if (rows.length > shown.length) {
    const said = `and ${rows.length - shown.length} more, in the table`
    shapes.push(textAt(6, y, said, { size: 9.5, color: ink.faint }))
    y += 16
  }
  shapes.push(...verdictShapes(pack, y, width))
  const broken = options.filter(({ breaks }) => breaks.length > 0).length
  return drawing(
    {
      id: 'decision-alternatives',
      title: 'The alternatives beside each other',
      description: `${pack.options.length} alternatives by ${rows.length} figures; ${broken} of them break a limit. Every figure stands in a record that the pack names.`,
    },
    {
      columns: ['figure', 'unit', ...pack.options.map(({ label }) => label)],
      rows: rows.map(({ label, unit, cells }) => [
        ...[label, unit],
        ...cells.map(({ value }) => (value === null ? null : `${value}`)),
      ]),
    },
    { height: y + 46, shapes },
  )
}

function columnHeads({ payload: pack }: DrawnPack, width: number, bottom: number): Shape[] {
  return pack.options.flatMap(({ label, statusQuo, optionId }, place): Shape[] => {
    const x = left + place * width
    const isTaken = pack.outcome?.optionId === optionId
    const isAdvised = pack.recommendation?.optionId === optionId
    const said = isTaken ? 'approved' : isAdvised ? 'recommended' : statusQuo ? 'status quo' : ''
    const box = { x: x + 1, y: 24, width: width - 2, height: bottom - 24 }
    return [
      ...(statusQuo ? [{ kind: 'rect', ...box, fill: quiet } as const] : []),
      ...(isTaken
        ? [
            {
              ...({ kind: 'rect', ...box, fill: null } as const),
              stroke: { color: amountColors.gain, width: 1.8 },
            },
          ]
        : []),
      textAt(x + width - 7, 41, fitText(label, width - 12, 10.5, true), {
        ...{ size: 10.5, isBold: true, anchor: 'end' },
      }),
      textAt(x + width - 7, 54, said, { size: 9, anchor: 'end', color: ink.faint }),
    ]
  })
}

function rowShapes(pack: Pack, row: Row, { y, width }: { y: number; width: number }): Shape[] {
  const { label, cells, metricId } = row
  const quietPlace = pack.options.findIndex(({ statusQuo }) => statusQuo)
  return [
    lineBetween({ x: 6, y: y - 4 }, { x: right, y: y - 4 }, { color: ink.grid, width: 0.8 }),
    textAt(6, y + 12, fitText(label, left - 16, 10), { size: 10 }),
    ...cells.flatMap(({ value, difference, isBest }, place): Shape[] => {
      const x = left + place * width + width - 7
      const isBroken = pack.comparison.options[place]?.breaks.some(
        (one) => one.metricId === metricId,
      )
      const words = fitText(valueWords(pack, row, value), width - 20, 10, isBest)
      const distance =
        place === quietPlace ? '' : fitText(differenceWords(pack, row, difference), width - 12, 8.5)
      const color = isBroken ? amountColors.loss : value === null ? ink.faint : ink.text
      return [
        textAt(x, y + 10, words, { size: 10, anchor: 'end', isBold: isBest, color }),
        textAt(x, y + 21, distance, { size: 8.5, anchor: 'end', color: ink.faint }),
        ...(isBroken ? [mark(left + place * width + 8, y + 7, 'cross', amountColors.loss)] : []),
        ...(isBest && !isBroken
          ? [mark(left + place * width + 8, y + 7, 'diamond', amountColors.gain)]
          : []),
      ]
    }),
  ]
}

const mark = (x: number, y: number, form: 'cross' | 'diamond', color: string): Shape => ({
  ...({ kind: 'mark', form, x, y, size: 6, color, isHollow: false } as const),
})

/** What follows of each: how much of the criteria speaks for it, whether another is never worse, how many limits it breaks. */
function verdictShapes(pack: Pack, y: number, width: number): Shape[] {
  return [
    textAt(6, y + 8, 'criteria for it', { size: 9, color: ink.faint }),
    textAt(6, y + 21, 'breaks limits', { size: 9, color: ink.faint }),
    textAt(6, y + 34, 'no better than', { size: 9, color: ink.faint }),
    ...pack.comparison.options.flatMap(({ supportPips, breaks, dominatedBy }, place): Shape[] => {
      const x = left + place * width + width - 7
      const support = supportPips === null ? '–' : `${supportPips / 10_000} %`
      const others = dominatedBy
        .map((id) => pack.options.find(({ optionId }) => optionId === id)?.label ?? id)
        .join(', ')
      return [
        textAt(x, y + 8, support, { size: 9, anchor: 'end' }),
        textAt(x, y + 21, `${breaks.length}`, {
          ...{ size: 9, anchor: 'end', color: breaks.length > 0 ? amountColors.loss : ink.text },
        }),
        textAt(x, y + 34, fitText(others || '–', width - 12, 9), { size: 9, anchor: 'end' }),
      ]
    }),
  ]
}
