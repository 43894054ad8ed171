import {
  amountColors,
  type Drawing,
  drawing,
  extentOf,
  hatch,
  ink,
  linearScale,
  lineBetween,
  namedRows,
  niceDomain,
  niceTicks,
  type Paper,
  printFigure,
  printTick,
  type Shape,
  spotsOf,
  textAt,
  usualPaper,
  wordsAbove,
} from '@liquidity-os/drawing'
import { type Attribution, tokens } from './attribution.ts'

const words = {
  delay: 'delay',
  timing: 'timing',
  spread: 'half-spread',
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
const top = 34

/**
 * Waterfall from the decision price to the all-in price. Each component is a share of the base
 * value and shows its amount. Costs are hatched, gains filled.
 */
export function drawCostWaterfall(attribution: Attribution, paper: Paper = usualPaper): Drawing {
  const layout = namedRows(paper, { left: 136, rightMargin: 290, height: 22 })
  const { left, right } = layout
  const { components, componentsPips, request } = attribution
  const about = {
    id: 'attribution.waterfall',
    title: 'From the decision price to the all-in price',
    description: 'Components of the shortfall as a share and in quote, cumulative.',
  }
  const columns = ['part', 'pips', 'amountQuote']
  if (!components || !componentsPips) {
    const note = textAt(0, 30, 'No cost could be computed.', { color: ink.faint })
    return drawing(about, { columns, rows: [] }, { height: 48, shapes: [note] }, paper)
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
  const bottom = top + parts.length * layout.height
  const shapes: Shape[] = [
    textAt(paper.width < usualPaper.width ? 0 : left, 14, '% of the base value at the decision', {
      color: ink.faint,
    }),
    ...(layout.isNarrow
      ? []
      : [
          textAt(right + 90, 14, '%', { color: ink.faint, anchor: 'end' }),
          textAt(paper.width - 4, 14, 'quote tokens', { color: ink.faint, anchor: 'end' }),
        ]),
  ]
  const ticks = niceTicks(domain, layout.isNarrow ? 3 : 4)
  for (const value of ticks.values) {
    const x = scale.at(value)
    const color = value === 0 ? ink.axis : ink.grid
    shapes.push(lineBetween({ x, y: top }, { x, y: bottom }, { color, width: 0.7 }))
    const label = printTick(value, ticks.step)
    shapes.push(textAt(x, bottom + 14, label, { anchor: 'middle', color: ink.faint }))
  }
  for (const [index, bar] of bars.entries()) {
    const rowTop = top + index * layout.height
    const y = rowTop + layout.drop
    const isSum = bar.part === 'shortfall'
    if (isSum) {
      const stroke = { color: ink.axis, width: 0.7 }
      shapes.push(lineBetween({ x: 0, y: rowTop }, { x: paper.width, y: rowTop }, stroke))
    }
    const plain = { isBold: isSum }
    const name = words[bar.part]
    if (!layout.isNarrow) shapes.push(textAt(0, y + 15, name, plain))
    if (bar.pips !== null) shapes.push(...barShapes(bar, scale.at, y))
    const pips = bar.pips === null ? 'unknown' : printFigure(bar.pips / pipsInPercent)
    const atoms = components[bar.part]
    const amount = atoms === null ? '' : printFigure(tokens(atoms, request.pair.quoteDecimals))
    if (layout.isNarrow) {
      const value =
        bar.pips === null ? pips : `${pips} %${amount === '' ? '' : `, ${amount} quote`}`
      shapes.push(...wordsAbove(layout, { name, value, top: y + 4, isBold: isSum }))
      continue
    }
    shapes.push(
      textAt(right + 90, y + 15, pips, { ...plain, anchor: 'end' }),
      textAt(paper.width - 4, y + 15, amount, { ...plain, anchor: 'end' }),
    )
  }
  const places = bars.map(({ to }, index) => ({
    x: scale.at(to),
    y: top + index * layout.height + layout.drop + 11,
    series: 'shortfall',
  }))
  return drawing(
    about,
    { columns, rows },
    { height: bottom + 24, shapes, spots: spotsOf(places) },
    paper,
  )
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
