import type { contract } from '@liquidity-os/contract'
import {
  amountColors,
  type Drawing,
  drawing,
  fitText,
  hatch,
  ink,
  lineBetween,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { lights, shortened } from './drawn.ts'

type Simulation = contract.ProposalSimulation
type Effect = NonNullable<Simulation['effects']>[number]

const middle = 430
const reach = 190
const rowHeight = 46
/** More are in the table. */
const mostRows = 12

/** What a packet would move of each asset, against what it is expected to move; each asset on a scale of its own. */
export function drawEffects({ simulation, title }: contract.ProposalWorkspace): Drawing {
  const { effects, state, block } = simulation
  const shown = (effects ?? []).slice(0, mostRows)
  const top = 30
  const height = top + Math.max(1, shown.length) * rowHeight + 34
  const shapes: Shape[] = [
    textAt(20, 16, 'asset', { isBold: true }),
    textAt(middle - reach, 16, 'leaves the Safe', { size: 10, color: ink.faint }),
    textAt(middle + reach, 16, 'comes in', { size: 10, color: ink.faint, anchor: 'end' }),
    lineBetween({ x: middle, y: 22 }, { x: middle, y: height - 30 }, { color: ink.axis, width: 1 }),
    ...shown.flatMap((effect, place) => rowOf(effect, top + place * rowHeight)),
    ...legend(height - 10),
  ]
  if (shown.length === 0) {
    const words = effects === null ? 'what it moves is not known' : 'it moves nothing'
    shapes.push(textAt(20, top + 20, words, { color: ink.faint }))
  }
  return drawing(
    {
      id: 'proposal-effects',
      title: 'What it would move',
      description: `${title}. Simulation ${state.toLowerCase()} at block ${block.number}${simulation.method ? ` by ${simulation.method}` : ''}. ${shown.map(sentenceOf).join(' ')}`,
    },
    {
      columns: ['asset', 'simulated', 'expected from', 'expected to', 'within'],
      rows: (effects ?? []).map(({ asset, delta, expected, isWithin }) => [
        ...[asset, delta, expected?.minimumDelta ?? null, expected?.maximumDelta ?? null],
        isWithin === null ? null : isWithin ? 'yes' : 'no',
      ]),
    },
    { height, shapes },
  )
}

/** Grouped, as nobody tells how many decimals an asset has. */
const atomsText = (delta: string) =>
  `${delta.replace('-', '−').replaceAll(/\B(?=(\d{3})+$)/g, ',')} atoms`

const sentenceOf = ({ asset, delta, expected, isWithin }: Effect) =>
  `${asset}: ${atomsText(delta)}${expected ? `, expected ${expected.minimumDelta} to ${expected.maximumDelta}` : ''}${isWithin === false ? ', which is outside' : ''}.`

function rowOf({ asset, delta, expected, isWithin }: Effect, y: number): Shape[] {
  const amounts = [delta, expected?.minimumDelta ?? '0', expected?.maximumDelta ?? '0'].map(BigInt)
  const largest = amounts.reduce((most, one) => {
    const size = one < 0n ? -one : one
    return size > most ? size : most
  }, 1n)
  // A place on paper: four digits are more than it shows.
  const at = (amount: bigint) => middle + (Number((amount * 10_000n) / largest) / 10_000) * reach
  const [moved = 0n, least = 0n, most = 0n] = amounts
  const color = moved < 0n ? amountColors.loss : amountColors.gain
  const [left, right] = [Math.min(middle, at(moved)), Math.max(middle, at(moved))]
  const box = { x: left, y: y + 6, width: Math.max(1, right - left), height: 12 }
  const bounds: Shape[] = expected
    ? [
        {
          ...{ kind: 'rect', x: at(least) - 2, y: y + 2, height: 20, fill: null },
          width: Math.max(4, at(most) - at(least) + 4),
          stroke: { color: ink.text, width: 1.2, dash: [4, 2] },
        },
      ]
    : []
  return [
    textAt(20, y + 16, fitText(shortened(asset), 190, 10)),
    { kind: 'rect', ...box, fill: ink.paper, stroke: { color, width: 1.2 } },
    ...(moved < 0n ? hatch(box, color) : [{ kind: 'rect' as const, ...box, fill: color }]),
    ...bounds,
    ...(isWithin === false ? outside(y) : []),
    textAt(
      moved < 0n ? middle - reach : middle + reach,
      y + 34,
      fitText(atomsText(delta), reach - 6, 10),
      { size: 10, anchor: moved < 0n ? 'start' : 'end', color: ink.faint },
    ),
  ]
}

/** Said at the edge, and by a mark: a colour alone is not seen by everybody. */
function outside(y: number): Shape[] {
  return [
    {
      ...{ kind: 'mark', form: 'cross', x: 642, y: y + 12, size: 9 },
      ...{ color: lights.wrong, isHollow: false },
    },
    textAt(654, y + 16, 'not expected', { isBold: true, color: lights.wrong }),
  ]
}

function legend(y: number): Shape[] {
  return [
    {
      ...{ kind: 'rect', x: 20, y: y - 9, width: 24, height: 10, fill: null },
      stroke: { color: ink.text, width: 1.2, dash: [4, 2] },
    },
    textAt(50, y, 'what it may move; each asset on a scale of its own', {
      ...{ size: 9, color: ink.faint },
    }),
  ]
}
