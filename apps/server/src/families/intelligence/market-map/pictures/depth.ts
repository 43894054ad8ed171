import {
  type Axis,
  areaBetween,
  type Box,
  type Drawing,
  drawing,
  type EndLabel,
  emptyNote,
  endLabels,
  frameOf,
  ink,
  isNarrow,
  legendRows,
  lineBetween,
  magnitudeOf,
  numberAxis,
  type Paper,
  type Point,
  type Shape,
  spotsOf,
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
const height = 318
const boxOn = (paper: Paper): Box => {
  const right = isNarrow(paper) ? 14 : labelRoom
  return { x: 66, y: 44, width: paper.width - 66 - right, height: 220 }
}
const sides = ['SELL', 'BUY'] as const
type Side = (typeof sides)[number]

interface Rung {
  readonly price: number
  readonly depth: number
}

/** Depth from the price outwards on a shared axis, venue on venue; grey and dashed what was read too long ago. */
export function drawDepth(market: DrawnMarket, paper: Paper): Drawing {
  const box = boxOn(paper)
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
    return drawing(about, table, { height, shapes }, paper)
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
    ...midMark(market, x, box, paper),
  ]
  // In the order of prices, though rows go from the own price outwards.
  const spots = spotsOf(
    market.venues.flatMap((venue) =>
      sides.flatMap((side, place) => {
        const { prices, layers } = stacks[place]!
        const own = layers.find((layer) => layer.venue === venue)
        return rungsOf(market, venue, side).map(({ price, depth }) => ({
          x: x.scale.at(price),
          y: at(own?.upper[prices.indexOf(price)] ?? depth),
          series: `${venueWords(venue)}, ${side}`,
        }))
      }),
    ),
  ).toSorted((a, b) => a.x - b.x)
  const layers = thickest(stacks[1]!)
  if (!isNarrow(paper)) {
    const labels = layers.map((layer) => labelOf(market, layer, at))
    shapes.push(...endLabels(labels, box.x + box.width, box, labelRoom))
    shapes.push(...staleMark(stale, box.x + box.width + 12))
    return drawing(about, table, { height, shapes, spots }, paper)
  }
  const entries = layers.map(({ venue }) => ({
    text: venueWords(venue),
    style: styleOfVenue(market, venue.venueId),
  }))
  const legend = legendRows(entries, { x: 8, y: height - 4, width: paper.width - 16 })
  shapes.push(...staleMark(stale, 8), ...legend.shapes)
  return drawing(about, table, { height: height + legend.height, shapes, spots }, paper)
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
      x: scale.at(price),
      y: at(depth),
    }))
    return { kind: 'line', points, stroke: { color: ink.axis, width: 1.2, dash: [2, 3] } }
  })
}

function midMark(
  { composite, ...market }: DrawnMarket,
  { scale }: Axis,
  box: Box,
  paper: Paper,
): Shape[] {
  if (!composite) return []
  const x = scale.at(priceOf(composite.midX18, { composite, ...market }))
  const stroke = { color: ink.text, width: 0.9, dash: [3, 2] }
  // Above narrow paper the title of the axis has the whole line.
  const y = isNarrow(paper) ? box.y + 13 : box.y - 6
  const halo = isNarrow(paper) ? { halo: ink.paper } : {}
  return [
    lineBetween({ x, y: box.y }, { x, y: box.y + box.height }, stroke),
    textAt(x, y, 'common price', { anchor: 'middle', size: 9.5, ...halo }),
  ]
}

/** Names that have room beside the right edge; the others are told by the table. */
const mostLabels = 14

type Layer = Stack['layers'][number]
const thicknessOf = ({ lower, upper }: Layer) => (upper.at(-1) ?? 0) - (lower.at(-1) ?? 0)

/** The layers that are named: the thickest ones where there are many. */
const thickest = ({ layers }: Stack): Layer[] =>
  layers.toSorted((a, b) => thicknessOf(b) - thicknessOf(a)).slice(0, mostLabels)

/** A name at the middle of its layer's end. */
function labelOf(
  market: DrawnMarket,
  { venue, lower, upper }: Layer,
  at: (depth: number) => number,
): EndLabel {
  return {
    text: venueWords(venue),
    y: at(((lower.at(-1) ?? 0) + (upper.at(-1) ?? 0)) / 2),
    style: styleOfVenue(market, venue.venueId),
  }
}

/** How lines that were read too long ago are drawn, and how many there are. */
function staleMark(stale: readonly DrawnVenue[], x: number): Shape[] {
  if (stale.length === 0) return []
  const y = 18
  return [
    lineBetween({ x, y }, { x: x + 20, y }, { color: ink.axis, width: 1.2, dash: [2, 3] }),
    textAt(x + 26, y + 3.5, `${stale.length} read long ago`, { color: ink.faint }),
  ]
}
