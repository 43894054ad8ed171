import {
  type Drawing,
  drawing,
  fitText,
  hatch,
  ink,
  lineBetween,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { type DrawnVault, lights, shortAddress } from './drawn.ts'

type Receipt = DrawnVault['receipts'][number]

const lanes = ['MATCHED', 'UNREGISTERED', 'UNEXPECTED_EFFECT'] as const
const laneWords = {
  MATCHED: 'agreed',
  UNREGISTERED: 'not registered here',
  UNEXPECTED_EFFECT: 'another effect',
} as const
const laneHeight = 54
const left = 150
const right = 740

const colorOf = ({ outcome, verdict, reconciliation }: Receipt) =>
  outcome === 'FAILURE'
    ? ink.axis
    : verdict === 'VIOLATING' || reconciliation === 'UNEXPECTED_EFFECT'
      ? lights.unknown
      : verdict === 'COMPLIANT'
        ? lights.sound
        : lights.declared

/** What a vault executed, in the order in which it did, by whether it was agreed here. */
export function drawReceipts({ receipts }: DrawnVault): Drawing {
  const step = (right - left) / Math.max(1, receipts.length)
  const shapes: Shape[] = lanes.flatMap((lane, place): Shape[] => {
    const y = 16 + place * laneHeight
    const stroke = { color: ink.grid, width: 1 }
    return [
      textAt(20, y + laneHeight / 2 + 3, laneWords[lane], { isBold: true }),
      lineBetween({ x: left - 8, y: y + laneHeight }, { x: right, y: y + laneHeight }, stroke),
    ]
  })
  for (const [place, receipt] of receipts.entries()) {
    const x = left + place * step + 2
    const y = 24 + lanes.indexOf(receipt.reconciliation) * laneHeight
    shapes.push(...barOf(receipt, x, y, Math.max(4, Math.min(96, step - 4))))
  }
  const bottom = 16 + lanes.length * laneHeight
  if (receipts.length === 0) {
    shapes.push(textAt(left, bottom / 2 + 8, 'nothing was executed yet', { color: ink.faint }))
  }
  return drawing(
    {
      id: 'vault-receipts',
      title: 'What the vault executed',
      description:
        receipts.length === 0
          ? 'No execution in final blocks that were read.'
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
    { height: bottom + 34, shapes: [...shapes, ...legend(bottom + 20)] },
  )
}

function barOf(receipt: Receipt, x: number, y: number, width: number): Shape[] {
  const color = colorOf(receipt)
  const box = { x, y, width, height: laneHeight - 16 }
  const isWhole = receipt.calls !== null && receipt.signersResolved
  const [first] = receipt.effects.net
  const moved = first ? `${first.delta} ${shortAddress(first.asset)}` : 'moved nothing'
  const words = [`block ${receipt.block.number}`, moved]
  return [
    { kind: 'rect', ...box, fill: isWhole ? color : ink.paper, stroke: { color, width: 1 } },
    ...(isWhole ? [] : hatch(box, color)),
    ...(width < 40
      ? []
      : words.map((text, line) =>
          textAt(x + 5, y + 15 + line * 13, fitText(text, width - 10, 9), {
            ...{ size: 9, color: isWhole ? ink.paper : ink.text },
            ...(isWhole ? {} : { halo: ink.paper }),
          }),
        )),
  ]
}

const movedBy = ({ effects: { net } }: Receipt) =>
  net.map(({ asset, delta }) => `${delta} ${asset}`).join(', ')

const sentenceOf = (receipt: Receipt) =>
  `Block ${receipt.block.number}: ${receipt.outcome}, ${laneWords[receipt.reconciliation]}, ${receipt.verdict}.`

function legend(y: number): Shape[] {
  const said: readonly (readonly [color: string, text: string])[] = [
    [lights.sound, 'inside the policy'],
    [lights.declared, 'no policy, or not known'],
    [lights.unknown, 'against the policy'],
    [ink.axis, 'failed'],
  ]
  return [
    ...said.flatMap(([color, text], place): Shape[] => [
      { kind: 'rect', x: 20 + place * 150, y: y - 8, width: 10, height: 10, fill: color },
      textAt(36 + place * 150, y, text, { size: 9 }),
    ]),
    textAt(620, y, 'hatched: not resolved', { size: 9 }),
  ]
}
