import {
  type Box,
  type Drawing,
  drawing,
  emptyNote,
  fitText,
  hatch,
  ink,
  type Paper,
  type Shape,
  textAt,
  widthOf,
} from '@liquidity-os/drawing'
import {
  type DrawnMarket,
  type DrawnVenue,
  isFresh,
  styleOfVenue,
  venueWords,
} from './drawn-market.ts'

const height = 262

interface Block {
  readonly venue: DrawnVenue
  readonly pips: number
}

/** The 2 % depth of all as an area: a block a venue, hatched the part that is the issuer's own. */
export function drawShares(market: DrawnMarket, paper: Paper): Drawing {
  const frame: Box = { x: 0, y: 30, width: paper.width, height: 220 }
  const nameSize = Math.max(9.5, paper.leastLetter)
  const blocks = market.venues
    .filter(isFresh)
    .flatMap((venue): Block[] =>
      venue.depthSharePips ? [{ venue, pips: venue.depthSharePips }] : [],
    )
    .sort((a, b) => b.pips - a.pips || (a.venue.venueId < b.venue.venueId ? -1 : 1))
  const placed = squarified(blocks, frame)
  const shapes = placed.flatMap(({ block, box }) => blockShapes(market, block, box, nameSize))
  const own = { x: 0, y: 8, width: 16, height: 11 }
  const legend: Shape[] = [
    ...hatch(own, ink.text, 4),
    { kind: 'rect', ...own, fill: null, stroke: { color: ink.text, width: 0.7 } },
    textAt(22, 17, 'goes with own positions'),
  ]
  return drawing(
    {
      id: 'map-shares',
      title: 'Shares of the depth within 2 %',
      description:
        blocks.map(({ venue, pips }) => `${venueWords(venue)}: ${percent(pips)}.`).join(' ') ||
        'No venue has depth.',
    },
    {
      columns: ['venueId', 'depthSharePips', 'ownDepthSharePips'],
      rows: blocks.map(({ venue, pips }) => [venue.venueId, pips, venue.ownDepthSharePips]),
    },
    {
      height,
      shapes:
        blocks.length === 0 ? [emptyNote(frame, 'No venue has depth.')] : [...legend, ...shapes],
    },
    paper,
  )
}

const percent = (pips: number) => `${(pips / 10_000).toFixed(1)} %`

interface Placed {
  readonly block: Block
  readonly box: Box
}

/**
 * Blocks as areas of their shares, in rows along the shorter side, each row as long as its blocks stay square.
 *
 * @see Bruls, Huizing, van Wijk, “Squarified treemaps” (2000)
 */
function squarified(blocks: readonly Block[], space: Box): Placed[] {
  const [first] = blocks
  if (!first) return []
  const total = blocks.reduce((sum, { pips }) => sum + pips, 0)
  const areaOf = ({ pips }: Block) => (pips / total) * space.width * space.height
  const short = Math.min(space.width, space.height)
  const worst = (row: readonly Block[]) => {
    const areas = row.map(areaOf)
    const sum = areas.reduce((a, b) => a + b, 0)
    const thick = sum / short
    return Math.max(...areas.map((area) => Math.max(area / thick ** 2, thick ** 2 / area)))
  }
  let count = 1
  while (
    count < blocks.length &&
    worst(blocks.slice(0, count + 1)) <= worst(blocks.slice(0, count))
  ) {
    count += 1
  }
  const row = blocks.slice(0, count)
  const thick = row.reduce((sum, block) => sum + areaOf(block), 0) / short
  const isUpright = space.width >= space.height
  let offset = 0
  const placed = row.map((block): Placed => {
    const long = areaOf(block) / thick
    const box = isUpright
      ? { x: space.x, y: space.y + offset, width: thick, height: long }
      : { x: space.x + offset, y: space.y, width: long, height: thick }
    offset += long
    return { block, box }
  })
  const rest = isUpright
    ? { ...space, x: space.x + thick, width: space.width - thick }
    : { ...space, y: space.y + thick, height: space.height - thick }
  return [...placed, ...squarified(blocks.slice(count), rest)]
}

function blockShapes(
  market: DrawnMarket,
  { venue, pips }: Block,
  box: Box,
  nameSize: number,
): Shape[] {
  const { color } = styleOfVenue(market, venue.venueId)
  const inner = {
    x: box.x + 1,
    y: box.y + 1,
    width: Math.max(0, box.width - 2),
    height: Math.max(0, box.height - 2),
  }
  const own = (venue.ownDepthSharePips ?? 0) / 1_000_000
  const part = { ...inner, y: inner.y + inner.height * (1 - own), height: inner.height * own }
  const corners = [
    { x: inner.x, y: inner.y },
    { x: inner.x + inner.width, y: inner.y },
    { x: inner.x + inner.width, y: inner.y + inner.height },
    { x: inner.x, y: inner.y + inner.height },
  ]
  const shapes: Shape[] = [
    { kind: 'area', points: corners, fill: color, opacity: 0.3 },
    { kind: 'rect', ...inner, fill: null, stroke: { color, width: 1.2 } },
  ]
  if (part.height > 4) shapes.push(...hatch(part, color, 6))
  const room = inner.width - 12
  // A block too small for its name is told by the table.
  if (inner.height < 30 || widthOf(percent(pips), 11, true) > room) return shapes
  return [
    ...shapes,
    textAt(inner.x + 6, inner.y + 16, percent(pips), { size: 11, isBold: true, halo: ink.paper }),
    textAt(inner.x + 6, inner.y + 29, nameWithin(venue, room, nameSize), {
      size: nameSize,
      halo: ink.paper,
    }),
  ]
}

/** The whole name where there is room, else the end of it that tells venues apart. */
function nameWithin(venue: DrawnVenue, room: number, size: number): string {
  const words = venueWords(venue)
  return widthOf(words, size) <= room ? words : fitText(words.slice(words.indexOf('…')), room, size)
}
