import type { contract } from '@liquidity-os/contract'
import {
  type Drawing,
  drawing,
  drawingWidth,
  fitText,
  hatch,
  ink,
  type Shape,
  textAt,
  widthOf,
} from '@liquidity-os/drawing'
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
const left = 118
const inRow = Math.floor((drawingWidth - left - 14) / (brick.width + brick.gap))

/** Everything that is held, a brick for each asset of each container, coloured by how it is known. */
export function drawCustodyWall({ lines, computation }: Reconciliation): Drawing {
  const byContainer = Map.groupBy(lines, ({ container }) => container)
  const shown = [...byContainer.values()].slice(0, mostContainers)
  const shapes: Shape[] = []
  let top = 14
  for (const held of shown) {
    shapes.push(
      textAt(20, top + 16, fitText(containerOf(held[0]!), left - 26, 9.5), {
        size: 9.5,
        isBold: true,
      }),
    )
    shapes.push(textAt(20, top + 29, kindOf(held[0]!), { size: 9, color: ink.faint }))
    for (const [place, line] of held.entries()) {
      const x = left + (place % inRow) * (brick.width + brick.gap)
      const y = top + Math.floor(place / inRow) * (brick.height + brick.gap)
      shapes.push(...brickOf(line, x, y))
    }
    top += Math.ceil(held.length / inRow) * (brick.height + brick.gap) + 8
  }
  const hidden = byContainer.size - shown.length
  if (hidden > 0) shapes.push(textAt(20, top + 8, `and ${hidden} more containers, in the table`))
  const below = top + (hidden > 0 ? 26 : 14)
  const counted = counts(lines)
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
    { height: below + 48, shapes: [...shapes, ...legend(below)] },
  )
}

/** Where a container is: on a chain, at a custodian, or nowhere that answers. */
function kindOf({ container }: Line): string {
  const [kind, chainId] = container.split(':')
  return kind === 'eip155' ? `chain ${chainId}` : fitText(kind ?? '', 90, 9)
}

const counts = (lines: readonly Line[]) =>
  [...Map.groupBy(lines, gradeOf)].map(([grade, of]) => [grade, of.length] as const)

function brickOf(line: Line, x: number, y: number): Shape[] {
  const grade = gradeOf(line)
  const { fill } = grades[grade]
  const { width, height } = brick
  const differs = line.cause !== 'AGREED' && line.cause !== 'SINGLE_SIDED'
  const stroke = differs ? { color: '#d55e00', width: 2.4 } : { color: ink.axis, width: 0.7 }
  const quantity = line.chain ?? line.custody ?? line.ledger
  const halo = ink.paper
  const fit = (text: string) => fitText(text, width - 12, 9)
  return [
    { kind: 'rect', x, y, width, height, fill: fill ?? ink.paper, stroke },
    ...(fill === null ? hatch({ x, y, width, height }, ink.grid, 6) : []),
    textAt(x + 6, y + 16, fit(assetOf(line)), { size: 9, isBold: true, halo }),
    textAt(x + 6, y + 30, fit(quantity), { size: 9, halo }),
  ]
}

function legend(top: number): Shape[] {
  return Object.values(grades).flatMap(({ fill, said }, place): Shape[] => {
    const x = 20 + (place % 2) * 370
    const y = top + Math.floor(place / 2) * 18
    const box = { x, y, width: 11, height: 11 }
    return [
      { kind: 'rect', ...box, fill: fill ?? ink.paper, stroke: { color: ink.axis, width: 0.7 } },
      ...(fill === null ? hatch(box, ink.axis, 4) : []),
      textAt(x + 17, y + 9, fitText(said, Math.min(340, widthOf(said, 9) + 4), 9), { size: 9 }),
    ]
  })
}
