import {
  amountColors,
  type Drawing,
  drawing,
  drawingWidth,
  ink,
  lineBetween,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { bytesToHex, hexToBytes, nodeHash } from '@liquidity-os/evidence'
import type { DrawnPassport } from './drawn.ts'

const rowHeight = 46
const own = { x: 150, width: 190 }
const sibling = { x: 420, width: 190 }
const short = (hash: string) => `${hash.slice(2, 10)}…${hash.slice(-6)}`

interface Step {
  readonly hash: string
  readonly sibling: string
  /** On which side of the way the sibling stands. */
  readonly side: 'LEFT' | 'RIGHT'
}

/** From the leaf up to the root, and along the signed heads: each hash is one that the proof really has. */
export function drawProof({ payload, logged, heads }: DrawnPassport): Drawing {
  const about = { id: 'passport-proof', title: 'The publication in the proof log' }
  if (!logged) {
    const description = 'No signed head covers the publication yet.'
    const shapes = [textAt(6, 24, description, { color: ink.faint })]
    return drawing(
      { ...about, description },
      { columns: ['step'], rows: [] },
      { height: 40, shapes },
    )
  }
  const { inclusion, leafHash, leaf, checkpoint } = logged
  const steps = climb(leafHash, inclusion)
  const shapes: Shape[] = []
  const rowAt = (place: number) => 30 + (steps.length - place) * rowHeight
  shapes.push(...cell(own, rowAt(0), short(leafHash), '#e6f2ec'))
  shapes.push(
    caption(rowAt(0) - 6, 'leaf', `${inclusion.leafIndex}`),
    caption(rowAt(0) + 6, 'logged', leaf.loggedAt),
  )
  for (const [place, step] of steps.entries()) {
    const [from, to] = [rowAt(place), rowAt(place + 1)]
    const isRoot = place === steps.length - 1
    const stroke = { color: ink.axis, width: 1.4 }
    const middle = own.x + own.width / 2
    shapes.push(
      lineBetween({ x: middle, y: from - 2 }, { x: middle, y: to + 26 }, stroke),
      lineBetween(
        { x: sibling.x, y: from + 12 },
        { x: middle, y: to + 26 },
        { color: ink.grid, width: 1.2 },
      ),
      ...cell(sibling, from, short(step.sibling), null),
      textAt(sibling.x + sibling.width + 8, from + 16, step.side.toLowerCase(), {
        ...{ size: 9, color: ink.faint },
      }),
      ...cell(own, to, short(step.hash), isRoot ? '#e4edf6' : null),
      caption(
        to,
        isRoot ? 'root' : `step ${place + 1}`,
        isRoot ? `of ${inclusion.treeSize} leaves` : '',
      ),
    )
  }
  const top = rowAt(0) + 58
  shapes.push(textAt(6, top, 'Signed heads', { size: 11.5, isBold: true }))
  shapes.push(...chain(heads, checkpoint.treeSize, top + 12))
  return drawing(
    {
      ...about,
      description: `Leaf ${inclusion.leafIndex} of ${inclusion.treeSize} leads over ${steps.length} hashes to the root ${checkpoint.rootHash}, which the log signed. Passport ${payload.contentHash}.`,
    },
    {
      columns: ['step', 'hash', 'with', 'side'],
      rows: [
        ['leaf', leafHash, '', ''],
        ...steps.map((step, place) => [place + 1, step.hash, step.sibling, step.side]),
      ],
    },
    { height: top + 62, shapes },
  )
}

/** The hashes on the way, as RFC 9162, §2.1.3.2 computes them. */
function climb(
  leafHash: string,
  { leafIndex, treeSize, path }: { leafIndex: number; treeSize: number; path: readonly string[] },
): Step[] {
  let [node, index, last] = [hexToBytes(leafHash.slice(2)), leafIndex, treeSize - 1]
  return path.map((hash) => {
    const other = hexToBytes(hash.slice(2))
    const isLeft = index % 2 === 1 || index === last
    node = new Uint8Array(isLeft ? nodeHash(other, node) : nodeHash(node, other))
    if (isLeft) {
      while (index % 2 === 0 && index !== 0) {
        index /= 2
        last = Math.floor(last / 2)
      }
    }
    index = Math.floor(index / 2)
    last = Math.floor(last / 2)
    return { hash: `0x${bytesToHex(node)}`, sibling: hash, side: isLeft ? 'LEFT' : 'RIGHT' }
  })
}

function cell({ x, width }: typeof own, y: number, text: string, fill: string | null): Shape[] {
  const stroke = { color: fill ? ink.axis : ink.grid, width: 1 }
  return [
    { kind: 'rect', x, y, width, height: 26, fill: fill ?? ink.paper, stroke },
    textAt(x + width / 2, y + 17, text, { size: 10.5, anchor: 'middle' }),
  ]
}

function caption(y: number, name: string, detail: string): Shape {
  return textAt(own.x - 12, y + 17, detail ? `${name} ${detail}` : name, {
    ...{ size: 9.5, anchor: 'end', color: ink.faint },
  })
}

/** Each head continues the one before it; the last is the one that the way leads to. */
function chain(heads: DrawnPassport['heads'], size: number, y: number): Shape[] {
  const width = Math.min(140, (drawingWidth - 12) / Math.max(1, heads.length) - 12)
  return heads.flatMap(({ treeSize, rootHash }, place): Shape[] => {
    const x = 6 + place * (width + 12)
    const isLast = treeSize === size
    const arrow = { color: amountColors.gain, width: 1.4 }
    return [
      ...(place > 0 ? [lineBetween({ x: x - 12, y: y + 18 }, { x, y: y + 18 }, arrow)] : []),
      {
        ...({
          kind: 'rect',
          x,
          y,
          width,
          height: 36,
          fill: isLast ? '#e4edf6' : ink.paper,
        } as const),
        stroke: { color: isLast ? ink.axis : ink.grid, width: 1 },
      },
      textAt(x + width / 2, y + 15, `${treeSize} leaves`, { size: 10, anchor: 'middle' }),
      textAt(x + width / 2, y + 28, short(rootHash), {
        ...{ size: 8.5, anchor: 'middle', color: ink.faint },
      }),
    ]
  })
}
