import {
  amountColors,
  type Drawing,
  drawing,
  extentOf,
  hatch,
  ink,
  linearScale,
  lineBetween,
  niceDomain,
  niceTicks,
  type Paper,
  printFigure,
  printTick,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { layoutTextRows, rowWords, type TextRows, titlesOf } from './detail-rows.ts'
import { type DrawnPlan, decimalsOf, meanPriceOf, nameOf, priceOf } from './drawn-plan.ts'

interface Rung {
  readonly name: string
  readonly sourceId: string
  readonly price: number
  /** Sold amount in whole tokens: offered (null if a pool accepts any amount) and chosen. */
  readonly offered: number | null
  readonly chosen: number
  readonly why: string
}

const usual = { left: 190, rightMargin: 140, height: 30 } as const
const maxRungs = 24

/** All prices of the set, best for the vault first, with the amount that the plan takes. */
export function drawPriceLadder({ plan, set }: DrawnPlan, paper: Paper): Drawing {
  const rows = layoutTextRows(paper, usual)
  const rungs = rungsOf({ plan, set })
  const shown = rungs.slice(0, maxRungs)
  const ticks = rows.isNarrow ? 3 : 5
  const domain = niceDomain(extentOf(shown.map(({ price }) => price)), ticks)
  const scale = linearScale(domain, [rows.left, rows.right])
  const titles = titlesOf(rows, [
    ...(['source', 'quote per base; bar: offered, filled: used'] as const),
    'used, sold tokens',
  ])
  const top = 46 + titles.more
  const bottom = top + shown.length * rows.height
  const { values, step } = niceTicks(domain, ticks)
  const grid = values.flatMap((value): Shape[] => [
    lineBetween(
      { x: scale.at(value), y: top - 12 },
      { x: scale.at(value), y: bottom },
      { color: ink.grid, width: 0.7 },
    ),
    textAt(scale.at(value), bottom + 14, printTick(value, step), {
      size: 9.5,
      anchor: 'middle',
      color: ink.faint,
    }),
  ])
  const largest = shown.reduce((max, { offered, chosen }) => Math.max(max, offered ?? 0, chosen), 0)
  const more = rungs.length - shown.length
  return drawing(
    {
      id: 'execution-price-ladder',
      title: `Price ladder of ${plan.side === 'SELL' ? 'a sale' : 'a purchase'}`,
      description: `${plan.legs.length} of ${rungs.length} sources are used. ${rungs
        .map(
          ({ name, price, chosen }) =>
            `${name}: ${printFigure(price)}, takes ${printFigure(chosen)}.`,
        )
        .join(' ')}`,
    },
    {
      columns: ['source', 'sourceId', 'price', 'offered', 'chosen', 'why'],
      rows: rungs.map((one) => [
        ...[one.name, one.sourceId, `${one.price}`],
        ...[one.offered === null ? 'any' : `${one.offered}`, `${one.chosen}`, one.why],
      ]),
    },
    {
      height: bottom + 36,
      shapes: [
        ...titles.shapes,
        ...grid,
        ...shown.flatMap((rung, index) =>
          row(rung, { top: top + index * rows.height, x: scale.at(rung.price), largest }, rows),
        ),
        ...(more > 0
          ? [
              textAt(14, bottom + 28, `and ${more} more, in the table`, {
                size: 9.5,
                color: ink.faint,
              }),
            ]
          : []),
      ],
    },
    paper,
  )
}

/** Width of the longest bar. */
const widestOn = ({ left, right, isNarrow }: TextRows) =>
  isNarrow ? Math.min(150, (right - left) * 0.35) : 150

function row(
  { name, offered, chosen, why }: Rung,
  { top, x, largest }: { top: number; x: number; largest: number },
  rows: TextRows,
): Shape[] {
  const { left, right } = rows
  const isUsed = chosen > 0
  const widest = widestOn(rows)
  const width = (amount: number) => (largest === 0 ? 0 : (amount / largest) * widest)
  // The bar goes left or right of the mark, depending on free space.
  const toLeft = x + widest > right
  const barAt = (amount: number) => (toLeft ? x - 8 - width(amount) : x + 8)
  const bar = top + rows.drop + 4
  const middle = bar + 6
  const words = rowWords(
    rows,
    {
      name,
      below: why,
      figure: isUsed ? printFigure(chosen) : '–',
      isBold: { name: isUsed, figure: isUsed },
    },
    { top, words: 9 },
  )
  const outline = { color: ink.axis, width: 0.8 }
  const whole = Math.max(2, width(offered ?? largest))
  return [
    lineBetween({ x: left, y: middle }, { x: right, y: middle }, { color: ink.grid, width: 0.6 }),
    ...words.labels,
    ...(offered === null
      ? hatch({ x: toLeft ? x - 8 - whole : x + 8, y: bar, width: whole, height: 12 }, ink.grid, 5)
      : []),
    {
      kind: 'rect',
      x: toLeft ? x - 8 - whole : x + 8,
      y: bar,
      width: whole,
      height: 12,
      fill: null,
      stroke: outline,
    },
    ...(isUsed
      ? [
          {
            kind: 'rect' as const,
            x: barAt(chosen),
            y: bar,
            height: 12,
            width: Math.max(1.5, width(chosen)),
            fill: amountColors.gain,
          },
        ]
      : []),
    {
      kind: 'mark',
      form: offered === null ? 'diamond' : 'circle',
      x,
      y: middle,
      size: 9,
      color: isUsed ? amountColors.gain : ink.axis,
      isHollow: !isUsed,
    },
    ...words.figure,
  ]
}

function rungsOf({ plan, set }: Pick<DrawnPlan, 'plan' | 'set'>): Rung[] {
  const { sell } = decimalsOf(plan)
  const taken = new Map(plan.legs.map((leg) => [leg.sourceId, Number(leg.sellAmount) / 10 ** sell]))
  const reasons = new Map(plan.rejected.map(({ sourceId, reason }) => [sourceId, reason]))
  const whyOf = (sourceId: string) => {
    const leg = plan.legs.find((one) => one.sourceId === sourceId)
    return leg ? leg.route : (reasons.get(sourceId) ?? 'NOT_USED')
  }
  const quotes = (set?.quotes ?? []).map(
    (quote): Rung => ({
      name: nameOf('quote', quote.quoteHash, quote.maker),
      sourceId: quote.quoteHash,
      price: priceOf(quote.unitPriceX36, plan),
      offered: Number(quote.sellAmount) / 10 ** sell,
      chosen: taken.get(quote.quoteHash) ?? 0,
      why: whyOf(quote.quoteHash),
    }),
  )
  const pools = (set?.pools ?? []).map(
    (pool): Rung => ({
      name: nameOf('pool', pool.venue.id, null),
      sourceId: pool.venue.id,
      price: priceOf(pool.midX36, plan),
      offered: null,
      chosen: taken.get(pool.venue.id) ?? 0,
      why: whyOf(pool.venue.id),
    }),
  )
  const known = new Set([...quotes, ...pools].map(({ sourceId }) => sourceId))
  const alone = plan.legs.flatMap((leg): Rung[] => {
    const price = meanPriceOf(leg, plan)
    if (known.has(leg.sourceId) || price === null) return []
    const chosen = taken.get(leg.sourceId) ?? 0
    const name = nameOf(leg.kind, leg.sourceId, leg.maker)
    const offered = leg.kind === 'POOL' ? null : chosen
    return [{ name, sourceId: leg.sourceId, price, offered, chosen, why: leg.route }]
  })
  const sign = plan.side === 'SELL' ? -1 : 1
  return [...quotes, ...pools, ...alone].toSorted((a, b) => sign * (a.price - b.price))
}
