import {
  type Box,
  type Drawing,
  drawing,
  emptyNote,
  frameOf,
  isNarrow,
  legendRows,
  linearScale,
  markedLine,
  numberAxis,
  type Paper,
  type Place,
  panelBoxes,
  printShort,
  type Shape,
  spotsOf,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'
import { type DrawnMarket, inTokens } from './drawn-market.ts'

const sides = ['BUY', 'SELL'] as const
const titles = { BUY: 'Buying', SELL: 'Selling' } as const

/** What orders cost over all venues, and on the best one alone, by size. */
export function drawCosts(market: DrawnMarket, paper: Paper): Drawing {
  const orders = market.composite?.executable ?? []
  const { boxes, height } = panelBoxes(2, 170, 0, paper)
  const said = orders.length > 0 ? legend(boxes[1]!, height, paper) : { shapes: [], height: 0 }
  const placed = new Map<string, Place>()
  const shapes = sides.flatMap((side, place) => panelOf(market, side, boxes[place]!, placed))
  return drawing(
    {
      id: 'map-costs',
      title: 'What an order costs, routed and on the best single venue',
      description:
        orders
          .map(
            ({ side, sizeQuote, allInPips, bestSingle }) =>
              `${titles[side]} ${printShort(inTokens(sizeQuote, market))}: ${allInPips} pips routed, ${bestSingle?.allInPips ?? 'not possible'} on one venue.`,
          )
          .join(' ') || 'No sizes were asked for.',
    },
    {
      columns: [
        'side',
        'sizeQuote',
        'allInPips',
        'bestSinglePips',
        'bestSingleVenue',
        'venuesUsed',
      ],
      rows: orders.map(({ side, sizeQuote, allInPips, bestSingle, split }) => [
        ...[side, sizeQuote, allInPips, bestSingle?.allInPips ?? null],
        ...[bestSingle?.venueId ?? null, split.length],
      ]),
    },
    {
      height: height + said.height + (said.height > 0 ? 6 : 0),
      shapes: [...shapes, ...said.shapes],
      spots: spotsOf(
        orders.map(({ side, sizeQuote }) => placed.get(`${side} ${sizeQuote}`) ?? null),
      ),
    },
    paper,
  )
}

/** @param placed where every order stands, by its side and size */
function panelOf(
  market: DrawnMarket,
  side: (typeof sides)[number],
  box: Box,
  placed: Map<string, Place>,
): Shape[] {
  const heading = textAt(box.x, box.y - 22, titles[side], { size: 11, isBold: true })
  const orders = (market.composite?.executable ?? [])
    .filter((order) => order.side === side)
    .map((order) => ({ ...order, size: inTokens(order.sizeQuote, market) }))
    .sort((a, b) => a.size - b.size)
  if (orders.length === 0) {
    return [
      heading,
      emptyNote(box, market.composite ? 'No sizes were asked for.' : 'No fresh venue.'),
    ]
  }
  const all = orders.flatMap(({ allInPips, bestSingle }) => [
    allInPips / 10_000,
    ...(bestSingle ? [bestSingle.allInPips / 10_000] : []),
  ])
  const y = numberAxis([0, ...all], [box.y + box.height, box.y], { title: 'all-in cost, %' })
  // Sizes stand apart alike, however far they lie from each other.
  const scale = linearScale([-0.4, orders.length - 0.6], [box.x, box.x + box.width])
  const ticks = orders.map(({ size }, value) => ({ value, label: printShort(size) }))
  const point = (place: number, pips: number) => ({
    x: scale.at(place),
    y: y.scale.at(pips / 10_000),
  })
  for (const [place, { sizeQuote, allInPips }] of orders.entries())
    placed.set(`${side} ${sizeQuote}`, { ...point(place, allInPips), series: titles[side] })
  return [
    heading,
    ...frameOf(box, { scale, ticks, title: 'size, quote tokens' }, y),
    ...markedLine(
      orders.flatMap(({ bestSingle }, place) =>
        bestSingle ? [point(place, bestSingle.allInPips)] : [],
      ),
      styleOf(1),
    ),
    ...markedLine(
      orders.map(({ allInPips }, place) => point(place, allInPips)),
      styleOf(0),
    ),
  ]
}

const names = ['routed over all', 'best single venue']
/** Right of the title of a chart that is narrower they have no room. */
const leastChart = 300

/** In the line above the right chart; where that is narrow beneath both. */
function legend(
  box: Box,
  below: number,
  paper: Paper,
): { readonly shapes: Shape[]; readonly height: number } {
  if (isNarrow(paper) || box.width < leastChart) {
    const entries = names.map((text, index) => ({ text, style: styleOf(index) }))
    return legendRows(entries, { x: 8, y: below + 12, width: paper.width - 16 })
  }
  const shapes = names.flatMap((name, index): Shape[] => {
    const { color, dash, mark } = styleOf(index)
    const x = box.x + box.width - 228 + index * 112
    const y = box.y - 26
    const points = [
      { x, y },
      { x: x + 18, y },
    ]
    return [
      { kind: 'line', points, stroke: { color, width: 1.6, dash } },
      { kind: 'mark', form: mark, x: x + 9, y, size: 5.5, color, isHollow: false },
      textAt(x + 23, y + 3.3, name, { size: 9.5 }),
    ]
  })
  return { shapes, height: 0 }
}
