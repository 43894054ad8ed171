import {
  type Drawing,
  drawing,
  fitText,
  frameOf,
  hatch,
  ink,
  lineBetween,
  numberAxis,
  type Shape,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'
import { type DrawnPlan, shown, targetWords, tokensOf, wantedOf } from './drawn.ts'

const rowHeight = 34
const left = 170
const right = 660

/** What there is before the plan, what it adds, and what is wanted, target by target. */
export function drawDepthTargets(plan: DrawnPlan): Drawing {
  const rows = plan.payload.achieved.map(({ target, beforeQuote, exactQuote }) => ({
    words: targetWords(plan, target),
    before: tokensOf(plan, beforeQuote),
    after: tokensOf(plan, exactQuote),
    wanted: tokensOf(plan, wantedOf(target)),
  }))
  const box = { x: left, y: 58, width: right - left, height: Math.max(1, rows.length) * rowHeight }
  const values = rows.flatMap(({ before, after, wanted }) => [before, after, wanted])
  const x = numberAxis([0, ...values], [left, right], { title: 'quote' })
  const noAxis = { scale: x.scale, ticks: [], title: '' }
  const shapes: Shape[] = [...legend(), ...frameOf(box, x, noAxis)]
  for (const [index, { words, before, after, wanted }] of rows.entries()) {
    const y = box.y + index * rowHeight + 7
    const [from, end] = [x.scale.at(0), x.scale.at(before)]
    shapes.push(
      textAt(left - 8, y + 13, fitText(words, left - 20, 10.5), { size: 10.5, anchor: 'end' }),
    )
    const was = { x: from, y, width: Math.max(0.5, end - from), height: 18 }
    shapes.push({ kind: 'rect', ...was, fill: '#ececec', stroke: { color: ink.axis, width: 0.6 } })
    shapes.push(...hatch(was, ink.axis, 5))
    const added = x.scale.at(after) - end
    if (added > 0.2) {
      shapes.push({ kind: 'rect', x: end, y, width: added, height: 18, fill: styleOf(0).color })
    }
    const at = x.scale.at(wanted)
    shapes.push(
      lineBetween({ x: at, y: y - 5 }, { x: at, y: y + 23 }, { color: '#d55e00', width: 2.4 }),
    )
    shapes.push(
      textAt(right + 10, y + 13, fitText(`${shown(after)} of ${shown(wanted)}`, 88, 10.5), {
        size: 10.5,
      }),
    )
  }
  return drawing(
    {
      id: 'allocation-depth',
      title: 'Depth before and after, against its targets',
      description:
        rows
          .map(
            ({ words, before, after, wanted }) =>
              `${words}: ${shown(before)} before, ${shown(after)} with the plan, ${shown(wanted)} wanted.`,
          )
          .join(' ') || 'Nothing was quoted.',
    },
    {
      columns: ['target', 'before', 'after', 'wanted'],
      rows: rows.map(({ words, before, after, wanted }) => [words, before, after, wanted]),
    },
    { height: box.y + box.height + 46, shapes: shapes },
  )
}

function legend(): Shape[] {
  const was = { x: left, y: 20, width: 18, height: 11 }
  return [
    { kind: 'rect', ...was, fill: '#ececec', stroke: { color: ink.axis, width: 0.6 } },
    ...hatch(was, ink.axis, 5),
    textAt(left + 24, 29, 'there before'),
    { kind: 'rect', x: left + 110, y: 20, width: 18, height: 11, fill: styleOf(0).color },
    textAt(left + 134, 29, 'added by the plan'),
    lineBetween(
      { x: left + 250, y: 18 },
      { x: left + 250, y: 33 },
      { color: '#d55e00', width: 2.4 },
    ),
    textAt(left + 258, 29, 'wanted'),
  ]
}
