import {
  amountColors,
  type Drawing,
  drawing,
  extentOf,
  fitText,
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
import { type DrawnPlan, decimalsOf, meanPriceOf, nameOf, priceOf } from './drawn-plan.ts'

interface Rung {
  readonly name: string
  readonly sourceId: string
  readonly price: number
  /** Whole tokens that are sold: offered, null where a pool takes any amount; and chosen. */
  readonly offered: number | null
  readonly chosen: number
  readonly why: string
}

const rowHeight = 30
const left = 190
const right = 620
const mostRungs = 24

/** Every price of the set, the best for the vault first, and how much of each the plan takes. */
export function drawPriceLadder({ plan, set }: DrawnPlan): Drawing {
  const rungs = rungsOf({ plan, set })
  const shown = rungs.slice(0, mostRungs)
  const domain = niceDomain(extentOf(shown.map(({ price }) => price)), 5)
  const scale = linearScale(domain, [left, right])
  const bottom = 46 + shown.length * rowHeight
  const { values, step } = niceTicks(domain, 5)
  const grid = values.flatMap((value): Shape[] => [
    lineBetween(
      { x: scale.at(value), y: 34 },
      { x: scale.at(value), y: bottom },
      { color: ink.grid, width: 0.7 },
    ),
    textAt(scale.at(value), bottom + 14, printTick(value, step), {
      size: 9.5,
      anchor: 'middle',
      color: ink.faint,
    }),
  ])
  const largest = shown.reduce(
    (most, { offered, chosen }) => Math.max(most, offered ?? 0, chosen),
    0,
  )
  const more = rungs.length - shown.length
  return drawing(
    {
      id: 'execution-price-ladder',
      title: `Prices of ${plan.side === 'SELL' ? 'a sale' : 'a purchase'}, and what is taken of each`,
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
        textAt(14, 22, 'source', { size: 9.5, isBold: true }),
        textAt(left, 22, 'quote per base; bar: what is offered, filled: what is taken', {
          size: 9.5,
          isBold: true,
        }),
        textAt(right + 14, 22, 'taken, sold tokens', { size: 9.5, isBold: true }),
        ...grid,
        ...shown.flatMap((rung, place) =>
          row(rung, 46 + place * rowHeight, scale.at(rung.price), largest),
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
  )
}

const widest = 150

function row(
  { name, offered, chosen, why }: Rung,
  top: number,
  x: number,
  largest: number,
): Shape[] {
  const isUsed = chosen > 0
  const width = (amount: number) => (largest === 0 ? 0 : (amount / largest) * widest)
  // The bar goes where there is room for it.
  const toLeft = x + widest > right
  const barAt = (amount: number) => (toLeft ? x - 8 - width(amount) : x + 8)
  const middle = top + 10
  const outline = { color: ink.axis, width: 0.8 }
  const whole = Math.max(2, width(offered ?? largest))
  return [
    lineBetween({ x: left, y: middle }, { x: right, y: middle }, { color: ink.grid, width: 0.6 }),
    textAt(14, top + 9, fitText(name, left - 30, 10), { isBold: isUsed }),
    textAt(14, top + 21, fitText(why, left - 30, 9), { size: 9, color: ink.faint }),
    ...(offered === null
      ? hatch(
          { x: toLeft ? x - 8 - whole : x + 8, y: top + 4, width: whole, height: 12 },
          ink.grid,
          5,
        )
      : []),
    {
      kind: 'rect',
      x: toLeft ? x - 8 - whole : x + 8,
      y: top + 4,
      width: whole,
      height: 12,
      fill: null,
      stroke: outline,
    },
    ...(isUsed
      ? [
          {
            ...{ kind: 'rect' as const, x: barAt(chosen), y: top + 4, height: 12 },
            ...{ width: Math.max(1.5, width(chosen)), fill: amountColors.gain },
          },
        ]
      : []),
    {
      ...{ kind: 'mark', form: offered === null ? 'diamond' : 'circle', x, y: middle, size: 9 },
      ...{ color: isUsed ? amountColors.gain : ink.axis, isHollow: !isUsed },
    },
    textAt(right + 14, top + 13, isUsed ? printFigure(chosen) : '–', { isBold: isUsed }),
  ]
}

function rungsOf({ plan, set }: Pick<DrawnPlan, 'plan' | 'set'>): Rung[] {
  const { sell } = decimalsOf(plan)
  const taken = new Map(plan.legs.map((leg) => [leg.sourceId, Number(leg.sellAmount) / 10 ** sell]))
  const reasons = new Map(plan.rejected.map(({ sourceId, reason }) => [sourceId, reason]))
  const whyOf = (sourceId: string) =>
    taken.has(sourceId)
      ? (plan.legs.find((leg) => leg.sourceId === sourceId)?.route ?? '')
      : (reasons.get(sourceId) ?? 'NOT_USED')
  const quotes = (set?.quotes ?? []).map(
    (quote): Rung => ({
      name: nameOf('quote', quote.quoteHash, quote.maker),
      ...{ sourceId: quote.quoteHash, price: priceOf(quote.unitPriceX36, plan) },
      offered: Number(quote.sellAmount) / 10 ** sell,
      ...{ chosen: taken.get(quote.quoteHash) ?? 0, why: whyOf(quote.quoteHash) },
    }),
  )
  const pools = (set?.pools ?? []).map(
    (pool): Rung => ({
      name: nameOf('pool', pool.venue.id, null),
      ...{ sourceId: pool.venue.id, price: priceOf(pool.midX36, plan), offered: null },
      ...{ chosen: taken.get(pool.venue.id) ?? 0, why: whyOf(pool.venue.id) },
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
