import type { contract } from '@liquidity-os/contract'
import {
  type Box,
  type Drawing,
  drawing,
  fitText,
  hatch,
  ink,
  isNarrow,
  letterOn,
  lineOn,
  linesOn,
  type Paper,
  type Point,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { textBefore } from '../../../../texts.ts'
import { assetOf, containerOf } from './line-names.ts'

type Reconciliation = contract.TreasuryLedgerReconciliation
type Line = Reconciliation['lines'][number]

/** How a quantity is known, from the strongest to none; each with its colour and what it means. */
const grades = {
  PROVED: { fill: '#009e73', said: 'proved: shown by the state root of a final block' },
  READ: { fill: '#56b4e9', said: 'read: answered by the providers of the chain' },
  SIGNED: { fill: '#e69f00', said: 'signed: the word of who keeps it, and no more' },
  ASSERTED: { fill: null, said: 'asserted: in the ledger alone' },
} as const
type Grade = keyof typeof grades

const gradeOf = ({ chain, chainProof, custody }: Line): Grade =>
  chain !== null
    ? chainProof === 'MERKLE'
      ? 'PROVED'
      : 'READ'
    : custody === null
      ? 'ASSERTED'
      : 'SIGNED'

/** Containers that are drawn; the table has all. */
const mostContainers = 20
const brick = { width: 142, height: 40, gap: 6 }

/** Where bricks begin: beside the name of their container, or on narrow paper below it. */
function wallOn(paper: Paper) {
  const [left, drop] = isNarrow(paper) ? [12, 36] : [118, 0]
  const fitting = Math.floor((paper.width - left - 14) / (brick.width + brick.gap))
  return { left, drop, inRow: Math.max(1, fitting), name: isNarrow(paper) ? 12 : 20 }
}

/** Everything that is held, a brick for each asset of each container, coloured by how it is known. */
export function drawCustodyWall({ lines, computation }: Reconciliation, paper: Paper): Drawing {
  const { left, drop, inRow, name } = wallOn(paper)
  const nameRoom = drop > 0 ? paper.width - 24 : left - 26
  const byContainer = Map.groupBy(lines, ({ container }) => container)
  const shown = [...byContainer.values()].slice(0, mostContainers)
  const shapes: Shape[] = []
  let top = 14
  for (const held of shown) {
    shapes.push(
      textAt(name, top + 16, fitText(containerOf(held[0]!), nameRoom, letterOn(paper, 9.5)), {
        size: 9.5,
        isBold: true,
      }),
    )
    shapes.push(textAt(name, top + 29, kindOf(held[0]!, paper), { size: 9, color: ink.faint }))
    top += drop
    const height = brickHeight(held, paper)
    for (const [place, line] of held.entries()) {
      const x = left + (place % inRow) * (brick.width + brick.gap)
      const y = top + Math.floor(place / inRow) * (height + brick.gap)
      shapes.push(...brickOf(line, { x, y, width: brick.width, height }, paper))
    }
    top += Math.ceil(held.length / inRow) * (height + brick.gap) + 8
  }
  const hidden = byContainer.size - shown.length
  if (hidden > 0) shapes.push(textAt(name, top + 8, `and ${hidden} more containers, in the table`))
  const below = top + (hidden > 0 ? 26 : 14)
  const counted = counts(lines)
  const key = legend(below, paper)
  return drawing(
    {
      id: 'custody-wall',
      title: 'What is held, and how that is known',
      description:
        lines.length === 0
          ? 'Nothing is held.'
          : `As of ${computation.snapshot?.asOf ?? 'no block'}: ${counted.map(([grade, count]) => `${count} ${grade}`).join(', ')}. A frame means that the sides differ.`,
    },
    {
      columns: ['container', 'asset', 'known', 'ledger', 'chain', 'custody', 'cause'],
      rows: lines.map((line) => [
        ...[line.container, line.assetKey, gradeOf(line), line.ledger],
        ...[line.chain ?? 'unknown', line.custody ?? 'none', line.cause],
      ]),
    },
    { height: key.bottom + 12, shapes: [...shapes, ...key.shapes] },
    paper,
  )
}

/** Where a container is: on a chain, at a custodian, or nowhere that answers. */
function kindOf({ container }: Line, paper: Paper): string {
  const [, chainId] = container.split(':')
  const kind = textBefore(container, ':')
  return kind === 'eip155' ? `chain ${chainId}` : fitText(kind, 90, letterOn(paper, 9))
}

const counts = (lines: readonly Line[]) =>
  [...Map.groupBy(lines, gradeOf)].map(([grade, of]) => [grade, of.length] as const)

const quantityOf = ({ chain, custody, ledger }: Line) => chain ?? custody ?? ledger

/** Quantities of a container as they stand in its bricks: on a screen whole. */
function quantityLines(line: Line, { x, y }: Point, paper: Paper) {
  const span = { x: x + 6, end: x + brick.width - 6, y: y + 30 }
  return lineOn(paper, span, quantityOf(line), { size: 9, halo: ink.paper })
}

/** As high as the longest quantity of a container needs. */
const brickHeight = (held: readonly Line[], paper: Paper) =>
  brick.height + Math.max(...held.map((line) => quantityLines(line, { x: 0, y: 0 }, paper).more))

function brickOf(line: Line, { x, y, width, height }: Box, paper: Paper): Shape[] {
  const grade = gradeOf(line)
  const { fill } = grades[grade]
  const differs = line.cause !== 'AGREED' && line.cause !== 'SINGLE_SIDED'
  const stroke = differs ? { color: '#d55e00', width: 2.4 } : { color: ink.axis, width: 0.7 }
  const asset = fitText(assetOf(line), width - 12, letterOn(paper, 9))
  return [
    { kind: 'rect', x, y, width, height, fill: fill ?? ink.paper, stroke },
    ...(fill === null ? hatch({ x, y, width, height }, ink.grid, 6) : []),
    textAt(x + 6, y + 16, asset, { size: 9, isBold: true, halo: ink.paper }),
    ...quantityLines(line, { x, y }, paper).shapes,
  ]
}

/** What the colours of bricks mean, in two columns; where these have no room below each other, each in as many lines as it needs. */
function legend(top: number, paper: Paper): { shapes: Shape[]; bottom: number } {
  const isOneColumn = paper.leastLetter > 0 && paper.width < 760
  const all = Object.values(grades)
  if (!isOneColumn) {
    const shapes = all.flatMap(({ fill, said }, place): Shape[] => {
      const [x, y] = [20 + (place % 2) * 370, top + Math.floor(place / 2) * 18]
      return [...keyOf(fill, { x, y }), textAt(x + 17, y + 9, said, { size: 9 })]
    })
    return { shapes, bottom: top + Math.ceil(all.length / 2) * 18 }
  }
  let y = top
  const shapes = all.flatMap(({ fill, said }) => {
    const words = linesOn(paper, { x: 29, end: paper.width - 8, y: y + 9 }, said, { size: 9 })
    const key = keyOf(fill, { x: 12, y })
    y += 18 + words.more
    return [...key, ...words.shapes]
  })
  return { shapes, bottom: y }
}

function keyOf(fill: string | null, { x, y }: Point): Shape[] {
  const box = { x, y, width: 11, height: 11 }
  return [
    { kind: 'rect', ...box, fill: fill ?? ink.paper, stroke: { color: ink.axis, width: 0.7 } },
    ...(fill === null ? hatch(box, ink.axis, 4) : []),
  ]
}
