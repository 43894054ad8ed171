import {
  type Drawing,
  drawing,
  fitText,
  flowedKeys,
  frameOf,
  hatch,
  ink,
  lineBetween,
  namedRows,
  numberAxis,
  type Paper,
  type Shape,
  styleOf,
  textAt,
  wordsAbove,
} from '@liquidity-os/drawing'
import { type DrawnPlan, shown, targetWords, tokensOf, wantedOf } from './drawn.ts'

/** Existing depth, added depth and target, per target. */
export function drawDepthTargets(plan: DrawnPlan, paper: Paper): Drawing {
  const layout = namedRows(paper, { left: 170, rightMargin: 100, height: 34 })
  const { left, right } = layout
  const rows = plan.payload.achieved.map(({ target, beforeQuote, exactQuote }) => ({
    words: targetWords(plan, target),
    before: tokensOf(plan, beforeQuote),
    after: tokensOf(plan, exactQuote),
    wanted: tokensOf(plan, wantedOf(target)),
  }))
  const keys = flowedKeys(keysAt(left), paper)
  const box = {
    x: left,
    y: 58 + keys.more,
    width: right - left,
    height: Math.max(1, rows.length) * layout.height,
  }
  const values = rows.flatMap(({ before, after, wanted }) => [before, after, wanted])
  const x = numberAxis([0, ...values], [left, right], {
    title: 'quote',
    count: layout.isNarrow ? 3 : 5,
  })
  const noAxis = { scale: x.scale, ticks: [], title: '' }
  const shapes: Shape[] = [...keys.shapes, ...frameOf(box, x, noAxis)]
  for (const [index, { words, before, after, wanted }] of rows.entries()) {
    const y = box.y + index * layout.height + 7 + layout.drop
    const [from, end] = [x.scale.at(0), x.scale.at(before)]
    const value = `${shown(after)} of ${shown(wanted)}`
    if (layout.isNarrow) shapes.push(...wordsAbove(layout, { name: words, value, top: y }))
    else {
      const name = fitText(words, left - 20, 10.5)
      shapes.push(textAt(left - 8, y + 13, name, { size: 10.5, anchor: 'end' }))
    }
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
    if (!layout.isNarrow)
      shapes.push(textAt(right + 10, y + 13, fitText(value, 88, 10.5), { size: 10.5 }))
  }
  return drawing(
    {
      id: 'allocation-depth',
      title: 'Depth before and after vs targets',
      description:
        rows
          .map(
            ({ words, before, after, wanted }) =>
              `${words}: ${shown(before)} before, ${shown(after)} with the plan, target ${shown(wanted)}.`,
          )
          .join(' ') || 'No depth quoted.',
    },
    {
      columns: ['target', 'before', 'after', 'wanted'],
      rows: rows.map(({ words, before, after, wanted }) => [words, before, after, wanted]),
    },
    { height: box.y + box.height + 46, shapes },
    paper,
  )
}

/** Styles of the parts of a bar. */
function keysAt(left: number): Shape[][] {
  const was = { x: left, y: 20, width: 18, height: 11 }
  const wanted = left + 250
  return [
    [
      { kind: 'rect', ...was, fill: '#ececec', stroke: { color: ink.axis, width: 0.6 } },
      ...hatch(was, ink.axis, 5),
      textAt(left + 24, 29, 'before'),
    ],
    [
      { kind: 'rect', x: left + 110, y: 20, width: 18, height: 11, fill: styleOf(0).color },
      textAt(left + 134, 29, 'added by the plan'),
    ],
    [
      lineBetween({ x: wanted, y: 18 }, { x: wanted, y: 33 }, { color: '#d55e00', width: 2.4 }),
      textAt(left + 258, 29, 'wanted'),
    ],
  ]
}
