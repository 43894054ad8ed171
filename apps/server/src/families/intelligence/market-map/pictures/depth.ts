import {
  type Axis,
  areaBetween,
  type Drawing,
  drawing,
  drawingWidth,
  type EndLabel,
  emptyNote,
  endLabels,
  frameOf,
  ink,
  lineBetween,
  magnitudeOf,
  numberAxis,
  type Point,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import {
  type DrawnMarket,
  type DrawnVenue,
  inTokens,
  isFresh,
  priceOf,
  styleOfVenue,
  venueWords,
} from './drawn-market.ts'

const labelRoom = 150
const box = { x: 66, y: 44, width: drawingWidth - 66 - labelRoom, height: 220 }
const height = 318
const sides = ['SELL', 'BUY'] as const
type Side = (typeof sides)[number]

interface Rung {
  readonly price: number
  readonly depth: number
}

/** Depth from the price outwards on a shared axis, venue on venue; grey and dashed what was read too long ago. */
export function drawDepth(market: DrawnMarket): Drawing {
  const fresh = market.venues.filter(isFresh)
  const stale = market.venues.filter((venue) => !isFresh(venue) && venue.midX18 !== null)
  const rows = market.venues.flatMap((venue) =>
    sides.flatMap((side) =>
      rungsOf(market, venue, side).map(({ price, depth }) => [venue.venueId, side, price, depth]),
    ),
  )
  const about = {
    id: 'map-depth',
    title: 'Depth by venue over the price',
    description: `Cumulative depth of ${fresh.length} venues around their prices, one on the other; ${stale.length} more were read too long ago.`,
  }
  const table = { columns: ['venueId', 'side', 'price', 'depthQuote'], rows }
  const all = [...fresh, ...stale].flatMap((venue) =>
    sides.flatMap((side) => rungsOf(market, venue, side)),
  )
  if (all.length === 0) {
    const shapes = [emptyNote(box, 'No venue has a price.')]
    return drawing(about, table, { height, shapes })
  }
  const x = numberAxis(
    all.map(({ price }) => price),
    [box.x, box.x + box.width],
    { title: 'price, quote tokens per base token', isTight: true, count: 7 },
  )
  const stacks = sides.map((side) => stackOf(market, fresh, side, x))
  const highest = Math.max(
    ...stacks.flatMap(({ layers }) => layers.flatMap(({ upper }) => upper)),
    ...stale
      .flatMap((venue) => sides.flatMap((side) => rungsOf(market, venue, side)))
      .map(({ depth }) => depth),
  )
  const { divisor, prefix } = magnitudeOf(highest)
  const y = numberAxis([0, highest / divisor], [box.y + box.height, box.y], {
    title: `cumulative depth, ${prefix}quote tokens`,
  })
  const at = (depth: number) => y.scale.at(depth / divisor)
  const shapes: Shape[] = [
    ...frameOf(box, x, y),
    ...stacks.flatMap((stack) => layersOf(market, stack, x, at)),
    ...stale.flatMap((venue) => staleLines(market, venue, x, at)),
    ...midMark(market, x),
    ...labelsOf(market, stacks[1]!, stale, at),
  ]
  return drawing(about, table, { height, shapes })
}

/** Prices and what it takes to get there, from the venue's own price outwards. */
function rungsOf(market: DrawnMarket, venue: DrawnVenue, side: Side): Rung[] {
  if (venue.midX18 === null) return []
  const mid = priceOf(venue.midX18, market)
  const sign = side === 'BUY' ? 1 : -1
  const rungs = venue.depth
    .filter((rung) => rung.side === side)
    .map(({ bandPips, quote }) => ({
      price: mid * (1 + (sign * bandPips) / 1_000_000),
      depth: inTokens(quote, market),
    }))
    .sort((a, b) => a.depth - b.depth)
  return [{ price: mid, depth: 0 }, ...rungs]
}

/** Depth at a price: straight between the bands that were quoted, and no more beyond the last. */
function depthAt(rungs: readonly Rung[], price: number, side: Side): number {
  const beyond = side === 'BUY' ? 1 : -1
  const after = rungs.findIndex((rung) => (rung.price - price) * beyond >= 0)
  if (after === 0) return 0
  if (after < 0) return rungs.at(-1)?.depth ?? 0
  const [a, b] = [rungs[after - 1]!, rungs[after]!]
  return a.depth + ((b.depth - a.depth) * (price - a.price)) / (b.price - a.price)
}

interface Stack {
  readonly prices: readonly number[]
  readonly layers: readonly { venue: DrawnVenue; lower: number[]; upper: number[] }[]
}

function stackOf(
  market: DrawnMarket,
  venues: readonly DrawnVenue[],
  side: Side,
  { scale }: Axis,
): Stack {
  const ladders = venues.map((venue) => rungsOf(market, venue, side))
  const edge = side === 'BUY' ? scale.high : scale.low
  const known = [...ladders.flat().map(({ price }) => price), edge].toSorted((a, b) =>
    side === 'BUY' ? a - b : b - a,
  )
  const prices = [...new Set(known)]
  let floor = prices.map(() => 0)
  const layers = venues.map((venue, place) => {
    const lower = floor
    floor = prices.map((price, index) => lower[index]! + depthAt(ladders[place]!, price, side))
    return { venue, lower, upper: floor }
  })
  return { prices, layers }
}

function layersOf(
  market: DrawnMarket,
  { prices, layers }: Stack,
  { scale }: Axis,
  at: (depth: number) => number,
): Shape[] {
  return layers.flatMap(({ venue, lower, upper }) => {
    const { color, dash } = styleOfVenue(market, venue.venueId)
    const on = (depths: readonly number[]): Point[] =>
      prices.map((price, index) => ({ x: scale.at(price), y: at(depths[index]!) }))
    return [
      ...areaBetween(on(lower), on(upper), color, 0.35),
      { kind: 'line', points: on(upper), stroke: { color, width: 1.4, dash } } as const,
    ]
  })
}

function staleLines(
  market: DrawnMarket,
  venue: DrawnVenue,
  { scale }: Axis,
  at: (depth: number) => number,
): Shape[] {
  return sides.map((side): Shape => {
    const points = rungsOf(market, venue, side).map(({ price, depth }) => ({
      ...{ x: scale.at(price), y: at(depth) },
    }))
    return { kind: 'line', points, stroke: { color: ink.axis, width: 1.2, dash: [2, 3] } }
  })
}

function midMark({ composite, ...market }: DrawnMarket, { scale }: Axis): Shape[] {
  if (!composite) return []
  const x = scale.at(priceOf(composite.midX18, { composite, ...market }))
  const stroke = { color: ink.text, width: 0.9, dash: [3, 2] }
  return [
    lineBetween({ x, y: box.y }, { x, y: box.y + box.height }, stroke),
    textAt(x, box.y - 6, 'common price', { anchor: 'middle', size: 9.5 }),
  ]
}

/** Names beside the right edge that have room there; the others are told by the table. */
const mostLabels = 14

/** Beside the right edge, each at the middle of its layer; the thickest ones where there are many. */
function labelsOf(
  market: DrawnMarket,
  { layers }: Stack,
  stale: readonly DrawnVenue[],
  at: (depth: number) => number,
): Shape[] {
  const labels = layers
    .map(({ venue, lower, upper }) => ({ venue, from: lower.at(-1) ?? 0, to: upper.at(-1) ?? 0 }))
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, mostLabels)
    .map(
      ({ venue, from, to }): EndLabel => ({
        text: venueWords(venue),
        y: at((from + to) / 2),
        style: styleOfVenue(market, venue.venueId),
      }),
    )
  if (stale.length === 0) return endLabels(labels, box.x + box.width, box, labelRoom)
  const [x, y] = [box.x + box.width + 12, 18]
  return [
    ...endLabels(labels, box.x + box.width, box, labelRoom),
    lineBetween({ x, y }, { x: x + 20, y }, { color: ink.axis, width: 1.2, dash: [2, 3] }),
    textAt(x + 26, y + 3.5, `${stale.length} read long ago`, { color: ink.faint }),
  ]
}
