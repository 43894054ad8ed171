import type { contract } from '@liquidity-os/contract'
import {
  amountColors,
  type Drawing,
  drawing,
  hatch,
  ink,
  isNarrow,
  lineBetween,
  lineOn,
  type Paper,
  type Shape,
  textAt,
  usualPaper,
} from '@liquidity-os/drawing'
import { shortOf } from './line-names.ts'

type Reconciliation = contract.TreasuryLedgerReconciliation
type Line = Reconciliation['lines'][number]

/** Lines that are drawn; the table has all. */
const mostLines = 24

/** Where a row has its bars and its cause, and how much lower these are than its name, below which they stand on narrow paper. */
function placesOn(paper: Paper) {
  if (isNarrow(paper)) {
    const [left, right] = [12, paper.width - 12]
    return {
      left,
      right,
      name: left,
      cause: left,
      bars: 30,
      causes: 66,
      rowHeight: 108,
      barHeight: 14,
      paper,
    }
  }
  const scale = paper.width / usualPaper.width
  const [left, right] = [250 * scale, 560 * scale]
  const barHeight = paper.leastLetter === 0 ? 12 : 14
  return {
    left,
    right,
    name: 20,
    cause: right + 14,
    bars: 0,
    causes: 0,
    rowHeight: 44,
    barHeight,
    paper,
  }
}
type Places = ReturnType<typeof placesOn>

/** From ledger to chain, line by line: what the ledger says, what came and went since, what nothing explains, what is there. */
export function drawBridge(
  { lines, agreement, computation }: Reconciliation,
  paper: Paper,
): Drawing {
  const places = placesOn(paper)
  const { left, right, name, rowHeight } = places
  const open = lines.toSorted((a, b) => Number(a.cause === 'AGREED') - Number(b.cause === 'AGREED'))
  const shown = open.slice(0, mostLines)
  let bottom = 34
  const shapes = shown.flatMap((line) => {
    const drawn = row(line, bottom, places)
    bottom += rowHeight + drawn.more
    return drawn.shapes
  })
  const more = lines.length - shown.length
  const note = more > 0 ? `and ${more} more, in the table` : ''
  const asOf = computation.snapshot?.asOf ?? 'no block'
  return drawing(
    {
      id: 'reconciliation-bridge',
      title: `From ledger to chain: ${agreement}`,
      description:
        lines.length === 0
          ? 'Nothing was compared.'
          : `As of ${asOf}. ${lines.map((line) => `${shortOf(line)}: ${line.cause}.`).join(' ')}`,
    },
    {
      columns: [
        ...['container', 'asset', 'ledger', 'inflow', 'outflow', 'residual', 'chain', 'custody'],
        ...['ledger − chain', 'cause', 'also', 'open for, days'],
      ],
      rows: lines.map((line) => [
        ...[line.container, line.assetKey, line.ledger, line.explained?.inflow ?? null],
        ...[
          line.explained?.outflow ?? null,
          line.explained?.residual ?? null,
          line.chain ?? 'unknown',
        ],
        ...[line.custody ?? 'none', line.differences.ledgerMinusChain ?? 'unknown', line.cause],
        ...[line.alsoHolds.join(' '), line.ageDays],
      ]),
    },
    {
      height: Math.max(60, bottom + 26),
      shapes: [
        textAt(name, 18, 'container and asset', { size: 9.5, isBold: true }),
        ...(isNarrow(paper)
          ? []
          : [
              textAt(left, 18, 'ledger, then chain', { size: 9.5, isBold: true }),
              textAt(right + 14, 18, 'cause', { size: 9.5, isBold: true }),
            ]),
        ...shapes,
        textAt(name, bottom + 12, note, { size: 9.5, color: ink.faint }),
      ],
    },
    paper,
  )
}

interface Drawn {
  readonly shapes: Shape[]
  /** How much higher they are than in a report. */
  readonly more: number
}

function row(line: Line, top: number, places: Places): Drawn {
  const { left, name, cause, bars, causes, barHeight, paper } = places
  const isStacked = isNarrow(paper)
  const nameEnd = name + (isStacked ? paper.width - 24 : left - 30)
  const isReport = paper.leastLetter === 0
  const causeEnd = isReport ? cause + 170 : paper.width - 4
  const faint = { size: 9, color: ink.faint } as const
  const flows = lineOn(paper, { x: name, end: nameEnd, y: top + 22 }, flowsOf(line), faint)
  const first = top + bars + (isStacked ? flows.more : 0)
  const ledger = bar(line, { amount: line.ledger, other: line.chain }, first, {
    ...places,
    side: 'ledger',
  })
  const chain = bar(
    line,
    { amount: line.chain, other: line.ledger },
    first + barHeight + ledger.more + 4,
    { ...places, side: 'chain' },
  )
  const above = flows.more + ledger.more + chain.more
  const told = causeShapes(
    line,
    { x: cause, end: causeEnd, y: top + causes + 8 + (isStacked ? above : 0) },
    paper,
  )
  return {
    shapes: [
      lineBetween(
        { x: 6, y: top - 8 },
        { x: paper.width - 6, y: top - 8 },
        { color: ink.grid, width: 0.8 },
      ),
      textAt(name, top + 8, shortOf(line), { size: 9.5 }),
      ...[flows, ledger, chain, told].flatMap(({ shapes }) => shapes),
    ],
    more: isStacked ? above + told.more : Math.max(flows.more, ledger.more + chain.more, told.more),
  }
}

function causeShapes(
  line: Line,
  { x, end, y }: { readonly x: number; readonly end: number; readonly y: number },
  paper: Paper,
): Drawn {
  const color = line.cause === 'AGREED' ? amountColors.gain : amountColors.loss
  const age = line.ageDays === null ? '' : `, open for ${line.ageDays} days`
  // Larger letters leave no room for both beside each other.
  const [causeWords, amountWords] =
    paper.leastLetter === 0
      ? [line.cause, `${differenceOf(line)}${age}`]
      : [`${line.cause}${age}`, differenceOf(line)]
  const cause = lineOn(paper, { x, end, y }, causeWords, { size: 9.5, isBold: true, color })
  const amount = lineOn(paper, { x, end, y: y + 14 + cause.more }, amountWords, {
    size: 9,
    color: ink.faint,
  })
  return { shapes: [...cause.shapes, ...amount.shapes], more: cause.more + amount.more }
}

const differenceOf = ({ differences: { ledgerMinusChain } }: Line) =>
  ledgerMinusChain === null ? 'one side only' : `ledger − chain ${ledgerMinusChain}`

function flowsOf({ explained }: Line): string {
  if (!explained) return 'no transfers were summed'
  const { inflow, outflow, residual } = explained
  return `in ${inflow}, out ${outflow}, unexplained ${residual}`
}

/** A bar as long as its share of the larger side; what is unknown is hatched. On a screen as high as its digits need. */
function bar(
  { cause }: Line,
  { amount, other }: { readonly amount: string | null; readonly other: string | null },
  y: number,
  { left, right, barHeight, paper, side }: Places & { side: 'ledger' | 'chain' },
): Drawn {
  const width = right - left
  if (amount === null)
    return { shapes: hatch({ x: left, y, width, height: barHeight }, ink.axis), more: 0 }
  const [own, most] = [BigInt(amount), [amount, other ?? '0'].map(BigInt)]
  const largest = most.reduce((a, b) => (a > b ? a : b))
  // A thousandth of the width is nothing that anybody sees.
  const share = largest === 0n ? 0 : Number((own * 1000n) / largest) / 1000
  const fill =
    side === 'ledger'
      ? amountColors.net
      : cause === 'AGREED'
        ? amountColors.gain
        : amountColors.loss
  const words = lineOn(paper, { x: left + 4, end: right - 4, y: y + 10 }, `${side} ${amount}`, {
    size: 9,
    color: share > 0.4 ? ink.paper : ink.text,
  })
  const height = barHeight + words.more
  return {
    shapes: [
      { kind: 'rect', x: left, y, width: Math.max(1, share * width), height, fill },
      ...words.shapes,
    ],
    more: words.more,
  }
}
