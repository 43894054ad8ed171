import type { contract } from '@liquidity-os/contract'
import {
  type Drawing,
  drawing,
  fitText,
  ink,
  isNarrow,
  letterOn,
  lineBetween,
  lineOn,
  noteOn,
  type Paper,
  type Shape,
  textAt,
  usualPaper,
} from '@liquidity-os/drawing'
import { shortOf } from './line-names.ts'

type Reconciliation = contract.TreasuryLedgerReconciliation
type Line = Reconciliation['lines'][number]

/** Days at which an open difference is older than people accept; a bar takes the colour of the last that it passed. */
const buckets = [
  { from: 0, to: 30, color: '#56b4e9' },
  { from: 31, to: 60, color: '#e69f00' },
  { from: 61, to: 90, color: '#d55e00' },
  { from: 91, to: null, color: '#7a2e00' },
] as const
const bucketOf = (age: number) => buckets.findLast(({ from }) => age >= from)!

/** Breaks that are drawn; the table has all. */
const mostBreaks = 24

/** Where bars begin and end, and how much lower they are than the names of what is open, of which a narrow row has two lines. */
function placesOn(paper: Paper) {
  if (isNarrow(paper)) return { left: 20, right: paper.width - 20, rowHeight: 60, drop: 32, paper }
  const scale = paper.width / usualPaper.width
  return { left: 214 * scale, right: 520 * scale, rowHeight: 24, drop: 0, paper }
}
type Places = ReturnType<typeof placesOn>

/** Every open difference by its age, the oldest first, with what it is and how much. */
export function drawAgeing({ lines, computation }: Reconciliation, paper: Paper): Drawing {
  const places = placesOn(paper)
  const { left, right, rowHeight } = places
  const open = lines
    .flatMap((line) => (line.ageDays === null ? [] : [{ line, age: line.ageDays }]))
    .toSorted((a, b) => b.age - a.age || (a.line.lineKey < b.line.lineKey ? -1 : 1))
  const shown = open.slice(0, mostBreaks)
  const most = Math.max(30, ...open.map(({ age }) => age))
  const at = (days: number) => left + (days / most) * (right - left)
  let y = 34
  const bars = shown.flatMap(({ line, age }) => {
    const drawn = barOf(line, age, y, { ...places, at })
    y += rowHeight + drawn.more
    return drawn.shapes
  })
  const bottom = Math.max(y, 34 + rowHeight) - 4
  const shapes: Shape[] = [0, 30, 60, 90]
    .filter((days) => days <= most)
    .flatMap((days): Shape[] => [
      lineBetween(
        { x: at(days), y: 24 },
        { x: at(days), y: bottom },
        { color: ink.grid, width: 1 },
      ),
      textAt(at(days), 18, `${days} d`, { size: 9, anchor: 'middle', color: ink.faint }),
    ])
  shapes.push(...bars)
  if (open.length === 0) shapes.push(textAt(left, 44, 'nothing is open', { color: ink.faint }))
  const hidden = open.length - shown.length
  const summed = buckets.map(({ from, to }) => {
    const count = open.filter(({ age }) => age >= from && age <= (to ?? age)).length
    return `${count} ${to === null ? `over ${from - 1}` : `of ${from} to ${to}`} days`
  })
  const note = `${hidden > 0 ? `${hidden} more in the table; ` : ''}${summed.join(' · ')}`
  const below = noteOn(paper, { x: 20, y: bottom + 14 }, note, { size: 9, color: ink.faint })
  return drawing(
    {
      id: 'reconciliation-ageing',
      title: `Open differences by age: ${open.length}`,
      description: `As of ${computation.snapshot?.asOf ?? 'no block'}: ${summed.join(', ')}. An age counts from when the difference was first seen, and does not start again when its cause changes.`,
    },
    {
      columns: ['container', 'asset', 'cause', 'ledger − chain', 'first seen', 'days'],
      rows: open.map(({ line, age }) => [
        ...[line.container, line.assetKey, line.cause],
        ...[line.differences.ledgerMinusChain ?? 'unknown', line.firstSeenAt, age],
      ]),
    },
    { height: bottom + 26 + below.more, shapes: [...shapes, ...below.shapes] },
    paper,
  )
}

function barOf(
  line: Line,
  age: number,
  y: number,
  { left, right, drop, paper, at }: Places & { at: (days: number) => number },
): { readonly shapes: Shape[]; readonly more: number } {
  const { ledgerMinusChain } = line.differences
  const amount = ledgerMinusChain === null ? 'one side only' : `ledger − chain ${ledgerMinusChain}`
  const isBelow = drop > 0
  const room = isBelow ? right - left : paper.leastLetter === 0 ? 228 : paper.width - right - 20
  const from = isBelow ? left : right + 12
  const halo = isBelow ? { halo: ink.paper } : {}
  const what = lineOn(
    paper,
    { x: from, end: from + room, y: y + (isBelow ? 26 : 10) },
    `${line.cause}, ${amount}`,
    { size: 9, ...halo },
  )
  const name = fitText(shortOf(line), isBelow ? room - 40 : left - 60, letterOn(paper, 9.5))
  const below = isBelow ? drop + what.more : 0
  return {
    shapes: [
      textAt(20, y + 10, name, { size: 9.5, ...halo }),
      textAt(isBelow ? right : left - 8, y + 10, `${age}`, {
        size: 9.5,
        anchor: 'end',
        isBold: true,
        ...halo,
      }),
      {
        kind: 'rect',
        x: left,
        y: y + below,
        height: 13,
        fill: bucketOf(age).color,
        width: Math.max(2, at(age) - left),
      },
      ...what.shapes,
    ],
    more: what.more,
  }
}
