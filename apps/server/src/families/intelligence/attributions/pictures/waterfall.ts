import {
  amountColors,
  type Drawing,
  drawing,
  drawingWidth,
  extentOf,
  hatch,
  ink,
  linearScale,
  lineBetween,
  niceDomain,
  niceTicks,
  printFigure,
  printTick,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { type Attribution, tokens } from './attribution.ts'

const words = {
  delay: 'delay',
  timing: 'timing',
  spread: 'half the spread',
  impact: 'impact',
  impactPlusMev: 'impact and sandwich',
  fees: 'pool fees',
  mev: 'sandwich',
  residual: 'residual',
  gas: 'gas',
  opportunity: 'opportunity',
  shortfall: 'shortfall',
} as const
type Part = keyof typeof words

const pipsInPercent = 10_000
const rowHeight = 22
const top = 34
const left = 136
const right = 470

/**
 * From the decision price to the all-in price: every part as a share of what the base was worth, from where
 * the one before ended, with its amount. Costs are hatched, gains filled.
 */
export function drawCostWaterfall(attribution: Attribution): Drawing {
  const { components, componentsPips, request } = attribution
  const about = {
    id: 'attribution.waterfall',
    title: 'From the decision price to the all-in price',
    description:
      'Every part of the shortfall as a share and in quote, each from where the last ended.',
  }
  const columns = ['part', 'pips', 'amountQuote']
  if (!components || !componentsPips) {
    const note = textAt(0, 30, 'No cost could be computed.', { color: ink.faint })
    return drawing(about, { columns, rows: [] }, { height: 48, shapes: [note] })
  }
  const isSplit = components.impact !== null && components.mev !== null
  const parts = (Object.keys(words) as Part[]).filter((part) =>
    part === 'impactPlusMev' ? !isSplit : isSplit || (part !== 'impact' && part !== 'mev'),
  )
  const rows = parts.map((part) => [part, componentsPips[part], components[part]] as const)
  let reached = 0
  const bars = rows.map(([part, pips]) => {
    const from = part === 'shortfall' ? 0 : reached
    reached = from + (pips ?? 0) / pipsInPercent
    return { part, pips, from, to: reached }
  })
  const domain = niceDomain(extentOf([0, ...bars.flatMap(({ from, to }) => [from, to])]), 4)
  const scale = linearScale(domain, [left, right])
  const bottom = top + parts.length * rowHeight
  const shapes: Shape[] = [
    textAt(left, 14, '% of what the base was worth when it was decided', { color: ink.faint }),
    textAt(right + 90, 14, '%', { color: ink.faint, anchor: 'end' }),
    textAt(drawingWidth - 4, 14, 'quote tokens', { color: ink.faint, anchor: 'end' }),
  ]
  const ticks = niceTicks(domain, 4)
  for (const value of ticks.values) {
    const x = scale.at(value)
    const color = value === 0 ? ink.axis : ink.grid
    shapes.push(lineBetween({ x, y: top }, { x, y: bottom }, { color, width: 0.7 }))
    const said = printTick(value, ticks.step)
    shapes.push(textAt(x, bottom + 14, said, { anchor: 'middle', color: ink.faint }))
  }
  for (const [index, bar] of bars.entries()) {
    const y = top + index * rowHeight
    const isSum = bar.part === 'shortfall'
    if (isSum) {
      const stroke = { color: ink.axis, width: 0.7 }
      shapes.push(lineBetween({ x: 0, y }, { x: drawingWidth, y }, stroke))
    }
    const plain = { isBold: isSum }
    shapes.push(textAt(0, y + 15, words[bar.part], plain))
    if (bar.pips !== null) shapes.push(...barShapes(bar, scale.at, y))
    const pips = bar.pips === null ? 'unknown' : printFigure(bar.pips / pipsInPercent)
    shapes.push(textAt(right + 90, y + 15, pips, { ...plain, anchor: 'end' }))
    const atoms = components[bar.part]
    const amount = atoms === null ? '' : printFigure(tokens(atoms, request.pair.quoteDecimals))
    shapes.push(textAt(drawingWidth - 4, y + 15, amount, { ...plain, anchor: 'end' }))
  }
  return drawing(about, { columns, rows }, { height: bottom + 24, shapes })
}

function barShapes(
  { part, from, to }: { part: Part; from: number; to: number },
  at: (value: number) => number,
  y: number,
): Shape[] {
  const [a, b] = [at(from), at(to)]
  const box = { x: Math.min(a, b), y: y + 5, width: Math.max(0.8, Math.abs(b - a)), height: 12 }
  const isCost = to > from
  const color =
    part === 'shortfall' ? amountColors.net : isCost ? amountColors.loss : amountColors.gain
  const isHatched = isCost && part !== 'shortfall'
  const fill = isHatched ? ink.paper : color
  const shapes: Shape[] = [{ kind: 'rect', ...box, fill, stroke: { color, width: 0.8 } }]
  return isHatched ? [...shapes, ...hatch(box, color, 3.5)] : shapes
}
