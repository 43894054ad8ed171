import {
  type Drawing,
  drawing,
  fitText,
  flowedKeys,
  hatch,
  ink,
  isNarrow,
  lineBetween,
  linesOn,
  type Paper,
  type Point,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { type DrawnVault, lights, shortAddress } from './drawn.ts'

type Receipt = DrawnVault['receipts'][number]

const lanes = ['MATCHED', 'UNREGISTERED', 'UNEXPECTED_EFFECT'] as const
const laneWords = {
  MATCHED: 'agreed',
  UNREGISTERED: 'unregistered',
  UNEXPECTED_EFFECT: 'unexpected effect',
} as const
const top = 16
const laneHeight = 54
/**
 * Maximum receipts listed below the screen chart, whose bars are too narrow for labels. The table
 * lists all.
 */
const maxNamed = 8

/** Position of the bars: right of the lane label, or below it on narrow paper. */
function lanesOn(paper: Paper) {
  return isNarrow(paper)
    ? { left: 12, right: paper.width - 12, drop: 14, name: 12 }
    : { left: 150, right: paper.width - 20, drop: 0, name: 20 }
}
type Lanes = ReturnType<typeof lanesOn>

const colorOf = ({ outcome, verdict, reconciliation }: Receipt) =>
  outcome === 'FAILURE'
    ? ink.axis
    : verdict === 'VIOLATING' || reconciliation === 'UNEXPECTED_EFFECT'
      ? lights.unknown
      : verdict === 'COMPLIANT'
        ? lights.sound
        : lights.declared

/** Executions of a vault in order, by approval. */
export function drawReceipts({ receipts }: DrawnVault, paper: Paper): Drawing {
  const places = lanesOn(paper)
  const { left, right, drop } = places
  const height = laneHeight + drop
  const step = (right - left) / Math.max(1, receipts.length)
  const isReport = paper.minFontSize === 0
  const width = Math.max(isReport ? 4 : 2, Math.min(96, step - 4))
  const shapes: Shape[] = lanes.flatMap((lane, index) => laneShapes(lane, index, places))
  for (const [place, receipt] of receipts.entries()) {
    const x = left + place * step + 2
    const y = top + 8 + drop + lanes.indexOf(receipt.reconciliation) * height
    shapes.push(...barOf(receipt, { x, y, width }, isReport))
  }
  const bottom = top + lanes.length * height
  if (receipts.length === 0) {
    shapes.push(textAt(left, bottom / 2 + 8, 'no executions yet', { color: ink.faint }))
  }
  const keys = flowedKeys(legendKeys(bottom + 20), paper)
  shapes.push(...keys.shapes)
  const named = isReport
    ? { shapes: [], height: 0 }
    : namesBelow(receipts, bottom + keys.more + 46, paper)
  shapes.push(...named.shapes)
  return drawing(
    {
      id: 'vault-receipts',
      title: 'Executions of the vault',
      description:
        receipts.length === 0
          ? 'No executions in the finalized blocks that were read.'
          : receipts.map(sentenceOf).join(' '),
    },
    {
      columns: [
        'block',
        'via',
        'nonce',
        'outcome',
        'registered',
        'verdict',
        'moved',
        'transaction',
      ],
      rows: receipts.map((receipt) => [
        ...[receipt.block.number, receipt.via, receipt.nonce, receipt.outcome],
        ...[receipt.reconciliation, receipt.verdict, movedBy(receipt), receipt.transactionHash],
      ]),
    },
    { height: bottom + 34 + keys.more + named.height, shapes },
    paper,
  )
}

function laneShapes(lane: Receipt['reconciliation'], index: number, places: Lanes): Shape[] {
  const { left, right, drop, name } = places
  const y = top + index * (laneHeight + drop)
  const end = y + laneHeight + drop
  const from = drop === 0 ? left - 8 : left
  const words = y + (drop === 0 ? laneHeight / 2 + 3 : 13)
  return [
    textAt(name, words, laneWords[lane], { isBold: true }),
    lineBetween({ x: from, y: end }, { x: right, y: end }, { color: ink.grid, width: 1 }),
  ]
}

function barOf(
  receipt: Receipt,
  { x, y, width }: Point & { readonly width: number },
  isReport: boolean,
): Shape[] {
  const color = colorOf(receipt)
  const box = { x, y, width, height: laneHeight - 16 }
  const isWhole = isResolved(receipt)
  const words = [`block ${receipt.block.number}`, firstMoved(receipt)]
  return [
    { kind: 'rect', ...box, fill: isWhole ? color : ink.paper, stroke: { color, width: 1 } },
    ...(isWhole ? [] : hatch(box, color)),
    // On screen they are below the lanes, so that no digit is cut off.
    ...(width < 40 || !isReport
      ? []
      : words.map((text, line) =>
          textAt(x + 5, y + 15 + line * 13, fitText(text, width - 10, 9), {
            size: 9,
            color: isWhole ? ink.paper : ink.text,
            ...(isWhole ? {} : { halo: ink.paper }),
          }),
        )),
  ]
}

const isResolved = ({ calls, signersResolved }: Receipt) => calls !== null && signersResolved

function firstMoved({ effects: { net } }: Receipt): string {
  const [first] = net
  return first ? `${first.delta} ${shortAddress(first.asset)}` : 'no transfers'
}

function namesBelow(receipts: readonly Receipt[], y: number, paper: Paper) {
  if (receipts.length === 0) return { shapes: [], height: 0 }
  const [x, end] = [12, paper.width - 12]
  let at = y
  const shapes = receipts
    .toReversed()
    .slice(0, maxNamed)
    .flatMap((receipt): Shape[] => {
      const color = colorOf(receipt)
      const box = { x, y: at - 9, width: 10, height: 10 }
      const isWhole = isResolved(receipt)
      const words = `block ${receipt.block.number}, ${laneWords[receipt.reconciliation]}: ${firstMoved(receipt)}`
      const lines = linesOn(paper, { x: x + 18, end, y: at }, words, { size: 10 })
      at += lines.more + 20
      return [
        { kind: 'rect', ...box, fill: isWhole ? color : ink.paper, stroke: { color, width: 1 } },
        ...(isWhole ? [] : hatch(box, color)),
        ...lines.shapes,
      ]
    })
  const hidden = receipts.length - maxNamed
  if (hidden > 0) {
    shapes.push(textAt(x, at, `and ${hidden} before, in the table`, { color: ink.faint }))
    at += 20
  }
  return { shapes, height: at - y + 6 }
}

const movedBy = ({ effects: { net } }: Receipt) =>
  net.map(({ asset, delta }) => `${delta} ${asset}`).join(', ')

const sentenceOf = (receipt: Receipt) =>
  `Block ${receipt.block.number}: ${receipt.outcome}, ${laneWords[receipt.reconciliation]}, ${receipt.verdict}.`

function legendKeys(y: number): Shape[][] {
  const label: readonly (readonly [color: string, text: string])[] = [
    [lights.sound, 'within policy'],
    [lights.declared, 'no policy, or unknown'],
    [lights.unknown, 'violates policy'],
    [ink.axis, 'failed'],
  ]
  return [
    ...label.map(([color, text], index): Shape[] => [
      { kind: 'rect', x: 20 + index * 150, y: y - 8, width: 10, height: 10, fill: color },
      textAt(36 + index * 150, y, text, { size: 9 }),
    ]),
    [textAt(620, y, 'hatched: unresolved', { size: 9 })],
  ]
}
