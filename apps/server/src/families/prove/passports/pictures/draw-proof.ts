import {
  amountColors,
  type Drawing,
  drawing,
  ink,
  isNarrow,
  lineBetween,
  noteOn,
  type Paper,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { bytesToHex, hexToBytes, nodeHash } from '@liquidity-os/evidence'
import type { DrawnPassport } from './drawn.ts'

interface Column {
  readonly x: number
  readonly width: number
}

/**
 * Positions of the proof path and siblings. Captions are next to the path, or above it on narrow
 * paper.
 */
interface Places {
  readonly own: Column
  readonly sibling: Column
  readonly rowHeight: number
  readonly isStacked: boolean
}

const usual = {
  own: { x: 150, width: 190 },
  sibling: { x: 420, width: 190 },
  rowHeight: 46,
  isStacked: false,
}
/** Minimum width of a shortened hash at screen font size. */
const minCell = 118
const gap = 12

function placesOn(paper: Paper): Places {
  if (paper.minFontSize === 0) return usual
  if (isNarrow(paper)) {
    const own = { x: 12, width: minCell }
    const sibling = { x: paper.width - 12 - minCell, width: minCell }
    return { own, sibling, rowHeight: 62, isStacked: true }
  }
  const scale = paper.width / 600
  const width = 140 * scale
  return { ...usual, own: { x: 170 * scale, width }, sibling: { x: 400 * scale, width } }
}

const short = (hash: string) => `${hash.slice(2, 10)}…${hash.slice(-6)}`

interface Step {
  readonly hash: string
  readonly sibling: string
  readonly side: 'LEFT' | 'RIGHT'
}

/**
 * Proof path from the leaf to the root and along the checkpoints. All hashes are actual values of
 * the proof.
 */
export function drawProof({ payload, logged, heads }: DrawnPassport, paper: Paper): Drawing {
  const about = { id: 'passport-proof', title: 'Publication in the proof log' }
  if (!logged) {
    const description = 'No checkpoint covers the publication yet.'
    const note = noteOn(paper, { x: 6, y: 24 }, description, { color: ink.faint })
    return drawing(
      { ...about, description },
      { columns: ['step'], rows: [] },
      { height: 40 + note.more, shapes: note.shapes },
      paper,
    )
  }
  const { inclusion, leafHash, leaf, checkpoint } = logged
  const places = placesOn(paper)
  const { own, rowHeight, isStacked } = places
  const steps = climb(leafHash, inclusion)
  const first = isStacked ? 46 : 30
  const rowAt = (place: number) => first + (steps.length - place) * rowHeight
  const leafNames = [`leaf ${inclusion.leafIndex}`, `logged ${leaf.loggedAt}`] as const
  const shapes: Shape[] = [
    ...cell(own, rowAt(0), short(leafHash), '#e6f2ec'),
    ...(paper.minFontSize === 0
      ? [caption(rowAt(0) - 6, leafNames[0], places), caption(rowAt(0) + 6, leafNames[1], places)]
      : [
          caption(rowAt(0), leafNames[0], places),
          textAt(own.x, rowAt(0) + 42, leafNames[1], { size: 9.5, color: ink.faint }),
        ]),
  ]
  for (const [index, step] of steps.entries()) {
    const isRoot = index === steps.length - 1
    const name = isRoot ? `root of ${inclusion.treeSize} leaves` : `step ${index + 1}`
    shapes.push(...stepShapes(step, [rowAt(index), rowAt(index + 1)], { name, isRoot }, places))
  }
  const top = rowAt(0) + (paper.minFontSize === 0 ? 58 : 70)
  shapes.push(textAt(6, top, 'Checkpoints', { size: 11.5, isBold: true }))
  const chained = chain(heads, checkpoint.treeSize, top + 12, paper)
  shapes.push(...chained.shapes)
  return drawing(
    {
      ...about,
      description: `Leaf ${inclusion.leafIndex} of ${inclusion.treeSize} is connected by ${steps.length} hashes to the root ${checkpoint.rootHash}, signed by the log. Passport ${payload.contentHash}.`,
    },
    {
      columns: ['step', 'hash', 'with', 'side'],
      rows: [
        ['leaf', leafHash, '', ''],
        ...steps.map((step, index) => [index + 1, step.hash, step.sibling, step.side]),
      ],
    },
    { height: top + 62 + chained.more, shapes },
    paper,
  )
}

/** Step from one hash of the path to the next, with its sibling. */
function stepShapes(
  step: Step,
  [from, to]: readonly [number, number],
  { name, isRoot }: { readonly name: string; readonly isRoot: boolean },
  places: Places,
): Shape[] {
  const { own, sibling, isStacked } = places
  const middle = own.x + own.width / 2
  return [
    lineBetween(
      { x: middle, y: from - 2 },
      { x: middle, y: to + 26 },
      { color: ink.axis, width: 1.4 },
    ),
    lineBetween(
      { x: sibling.x, y: from + 12 },
      { x: middle, y: to + 26 },
      { color: ink.grid, width: 1.2 },
    ),
    ...cell(sibling, from, short(step.sibling), null),
    textAt(
      isStacked ? sibling.x : sibling.x + sibling.width + 8,
      isStacked ? from - 6 : from + 16,
      step.side.toLowerCase(),
      {
        size: 9,
        color: ink.faint,
      },
    ),
    ...cell(own, to, short(step.hash), isRoot ? '#e4edf6' : null),
    caption(to, name, places),
  ]
}

/** The hashes on the path, by RFC 9162, §2.1.3.2. */
function climb(
  leafHash: string,
  { leafIndex, treeSize, path }: { leafIndex: number; treeSize: number; path: readonly string[] },
): Step[] {
  let [node, index, last] = [hexToBytes(leafHash.slice(2)), leafIndex, treeSize - 1]
  return path.map((hash) => {
    const other = hexToBytes(hash.slice(2))
    const isLeftChild = index % 2 === 1 || index === last
    node = new Uint8Array(isLeftChild ? nodeHash(other, node) : nodeHash(node, other))
    if (isLeftChild) {
      while (index % 2 === 0 && index !== 0) {
        index /= 2
        last = Math.floor(last / 2)
      }
    }
    index = Math.floor(index / 2)
    last = Math.floor(last / 2)
    return { hash: `0x${bytesToHex(node)}`, sibling: hash, side: isLeftChild ? 'LEFT' : 'RIGHT' }
  })
}

function cell({ x, width }: Column, y: number, text: string, fill: string | null): Shape[] {
  const stroke = { color: fill ? ink.axis : ink.grid, width: 1 }
  return [
    { kind: 'rect', x, y, width, height: 26, fill: fill ?? ink.paper, stroke },
    textAt(x + width / 2, y + 17, text, { size: 10.5, anchor: 'middle' }),
  ]
}

/** Caption of a hash: left, or above it on narrow paper. */
function caption(y: number, text: string, { own, isStacked }: Places): Shape {
  const style = { size: 9.5, color: ink.faint } as const
  return isStacked
    ? textAt(own.x, y - 6, text, style)
    : textAt(own.x - 12, y + 17, text, { ...style, anchor: 'end' })
}

/**
 * Each checkpoint continues the previous one; the path leads to the last one. On a screen, the rows
 * wrap.
 */
function chain(heads: DrawnPassport['heads'], size: number, y: number, paper: Paper) {
  const availableWidth = (paper.width - gap) / Math.max(1, heads.length) - gap
  const isReport = paper.minFontSize === 0
  const width = Math.min(140, isReport ? availableWidth : Math.max(availableWidth, minCell))
  const inRow = isReport
    ? Math.max(1, heads.length)
    : Math.floor((paper.width - gap) / (width + gap))
  const rowHeight = 48
  const shapes = heads.flatMap(({ treeSize, rootHash }, index): Shape[] => {
    const x = (isReport ? 6 : gap) + (index % inRow) * (width + gap)
    const top = y + Math.floor(index / inRow) * rowHeight
    const isLast = treeSize === size
    const arrow = { color: amountColors.gain, width: 1.4 }
    return [
      ...(index > 0 ? [lineBetween({ x: x - gap, y: top + 18 }, { x, y: top + 18 }, arrow)] : []),
      {
        kind: 'rect',
        x,
        y: top,
        width,
        height: 36,
        fill: isLast ? '#e4edf6' : ink.paper,
        stroke: { color: isLast ? ink.axis : ink.grid, width: 1 },
      },
      textAt(x + width / 2, top + 15, `${treeSize} leaves`, { size: 10, anchor: 'middle' }),
      textAt(x + width / 2, top + 28, short(rootHash), {
        size: 8.5,
        anchor: 'middle',
        color: ink.faint,
      }),
    ]
  })
  return { shapes, more: Math.max(0, Math.ceil(heads.length / inRow) - 1) * rowHeight }
}
