import type { contract } from '@liquidity-os/contract'
import {
  amountColors,
  type Drawing,
  drawing,
  fitText,
  hatch,
  ink,
  isNarrow,
  letterOn,
  lineBetween,
  linesOn,
  noteOn,
  type Paper,
  type Shape,
  textAt,
  usualPaper,
} from '@liquidity-os/drawing'
import { lights, shortened } from './drawn.ts'

type Simulation = contract.ProposalSimulation
type Effect = NonNullable<Simulation['effects']>[number]

const usual = { middle: 430, reach: 190, rowHeight: 46 } as const
const edge = 20
/** Width of a mark and its label. */
const marked = 112
/** More are in the table. */
const maxRows = 12

/**
 * Positions of amounts: zero in the middle with bars to both sides; below the asset name on narrow
 * paper.
 */
function placesOn(paper: Paper) {
  if (isNarrow(paper)) {
    const middle = paper.width / 2
    return { middle, reach: middle - edge, rowHeight: usual.rowHeight + 14, drop: 14, paper }
  }
  const scale = paper.width / usualPaper.width
  const { rowHeight } = usual
  const middle = usual.middle * scale
  // The right edge is reserved for the mark of unexpected amounts.
  const max = paper.minFontSize === 0 ? usual.reach : paper.width - middle - marked - 12
  return { middle, reach: Math.min(usual.reach * scale, max), rowHeight, drop: 0, paper }
}
type Places = ReturnType<typeof placesOn>

/** Simulated against expected change per asset. Each asset has a separate scale. */
export function drawEffects(
  { simulation, title }: contract.ProposalWorkspace,
  paper: Paper,
): Drawing {
  const places = placesOn(paper)
  const { middle, reach, rowHeight } = places
  const { effects, state, block } = simulation
  const shown = (effects ?? []).slice(0, maxRows)
  const top = 30
  let y = top
  const rows = shown.flatMap((effect) => {
    const row = rowOf(effect, y, places)
    y += rowHeight + row.more
    return row.shapes
  })
  const height = Math.max(y, top + rowHeight) + 34
  const legend = legendOf(height - 10, paper)
  const shapes: Shape[] = [
    ...(isNarrow(paper) ? [] : [textAt(edge, 16, 'asset', { isBold: true })]),
    textAt(middle - reach, 16, 'out of the Safe', { size: 10, color: ink.faint }),
    textAt(middle + reach, 16, 'into the Safe', { size: 10, color: ink.faint, anchor: 'end' }),
    lineBetween({ x: middle, y: 22 }, { x: middle, y: height - 30 }, { color: ink.axis, width: 1 }),
    ...rows,
    ...legend.shapes,
  ]
  if (shown.length === 0) {
    const words = effects === null ? 'effects unknown' : 'no assets move'
    shapes.push(textAt(edge, top + 20, words, { color: ink.faint }))
  }
  return drawing(
    {
      id: 'proposal-effects',
      title: 'Simulated effects',
      description: `${title}. Simulation ${state.toLowerCase()} at block ${block.number}${simulation.method ? ` by ${simulation.method}` : ''}. ${shown.map(sentenceOf).join(' ')}`,
    },
    {
      columns: ['asset', 'simulated', 'expected minimum', 'expected maximum', 'within'],
      rows: (effects ?? []).map(({ asset, delta, expected, isWithin }) => [
        ...[asset, delta, expected?.minimumDelta ?? null, expected?.maximumDelta ?? null],
        isWithin === null ? null : isWithin ? 'yes' : 'no',
      ]),
    },
    { height: height + legend.more, shapes },
    paper,
  )
}

/** Groups digits, because the decimals of an arbitrary asset are unknown. */
const atomsText = (delta: string) =>
  `${delta.replace('-', '−').replaceAll(/\B(?=(\d{3})+$)/g, ',')} atoms`

const sentenceOf = ({ asset, delta, expected, isWithin }: Effect) =>
  `${asset}: ${atomsText(delta)}${expected ? `, expected ${expected.minimumDelta} to ${expected.maximumDelta}` : ''}${isWithin === false ? ', outside the range' : ''}.`

function rowOf(
  { asset, delta, expected, isWithin }: Effect,
  top: number,
  places: Places,
): { readonly shapes: Shape[]; readonly more: number } {
  const { middle, reach, drop, paper } = places
  const y = top + drop
  const amounts = [delta, expected?.minimumDelta ?? '0', expected?.maximumDelta ?? '0'].map(BigInt)
  const largest = amounts.reduce((max, one) => {
    const size = one < 0n ? -one : one
    return size > max ? size : max
  }, 1n)
  // A chart position: four digits exceed the resolution.
  const at = (amount: bigint) => middle + (Number((amount * 10_000n) / largest) / 10_000) * reach
  const [moved = 0n, min = 0n, most = 0n] = amounts
  const color = moved < 0n ? amountColors.loss : amountColors.gain
  const [left, right] = [Math.min(middle, at(moved)), Math.max(middle, at(moved))]
  const box = { x: left, y: y + 6, width: Math.max(1, right - left), height: 12 }
  const bounds: Shape[] = expected
    ? [
        {
          kind: 'rect',
          x: at(min) - 2,
          y: y + 2,
          height: 20,
          fill: null,
          width: Math.max(4, at(most) - at(min) + 4),
          stroke: { color: ink.text, width: 1.2, dash: [4, 2] },
        },
      ]
    : []
  const amount = amountShapes(delta, y + 34, places)
  const shapes: Shape[] = [
    textAt(edge, top + (drop === 0 ? 16 : 11), fitText(shortened(asset), 190, letterOn(paper, 10))),
    { kind: 'rect', ...box, fill: ink.paper, stroke: { color, width: 1.2 } },
    ...(moved < 0n ? hatch(box, color) : [{ kind: 'rect' as const, ...box, fill: color }]),
    ...bounds,
    ...(isWithin === false ? outside(top + (drop === 0 ? 0 : -5), places) : []),
    ...amount.shapes,
  ]
  return { shapes, more: amount.more }
}

/** The amount on its side; on a screen it wraps as needed. */
function amountShapes(delta: string, y: number, { middle, reach, paper }: Places) {
  const text = atomsText(delta)
  const isOut = delta.startsWith('-')
  const style = { size: 10, anchor: isOut ? 'start' : 'end', color: ink.faint } as const
  const [x, end] = [middle - reach, middle + reach]
  // Long labels cross the zero line.
  if (paper.minFontSize > 0)
    return linesOn(paper, { x, end, y }, text, { ...style, halo: ink.paper })
  return { shapes: [textAt(isOut ? x : end, y, fitText(text, reach - 6, 10), style)], more: 0 }
}

/** Marked with text and a symbol, because color alone is not accessible. */
function outside(y: number, { middle, reach, drop, paper }: Places): Shape[] {
  const x = drop === 0 ? middle + reach + 22 : paper.width - marked
  return [
    {
      kind: 'mark',
      form: 'cross',
      x,
      y: y + 12,
      size: 9,
      color: lights.wrong,
      isHollow: false,
    },
    textAt(x + 12, y + 16, 'unexpected', { isBold: true, color: lights.wrong }),
  ]
}

function legendOf(y: number, paper: Paper) {
  const label = 'expected range; each asset has its own scale'
  const note = noteOn(paper, { x: 50, y }, label, { size: 9, color: ink.faint })
  const key: Shape = {
    kind: 'rect',
    x: edge,
    y: y - 9,
    width: 24,
    height: 10,
    fill: null,
    stroke: { color: ink.text, width: 1.2, dash: [4, 2] },
  }
  return { shapes: [key, ...note.shapes], more: note.more }
}
