import {
  type Drawing,
  drawing,
  fitText,
  ink,
  isNarrow,
  type Paper,
  type Point,
  type Shape,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'
import { type DrawnPlan, shown, tokensOf } from './drawn.ts'

interface Node {
  name: string
  value: number
  x: number
  y: number
  height: number
  color: string
}

const nodeWidth = 16
const columnsOn = (paper: Paper) =>
  isNarrow(paper)
    ? ([4, Math.round(paper.width * 0.42), paper.width - nodeWidth - 4] as const)
    : ([150, paper.width / 2, paper.width - 200] as const)
const top = 46
const gap = 10
const bodyHeight = 240

/** Flow of the budget from the treasury to venues and options, including the unallocated part. */
export function drawFlow(plan: DrawnPlan, paper: Paper): Drawing {
  const columns = columnsOn(paper)
  const { allocation, request } = plan.payload
  const placed = new Map<string, { venueId: string; value: number }>()
  for (const { optionId, venueId, valueQuote } of allocation) {
    const before = placed.get(optionId)?.value ?? 0
    placed.set(optionId, { venueId, value: before + tokensOf(plan, valueQuote) })
  }
  const venues = [...new Set(request.options.map(({ venue }) => venue.id))].filter((id) =>
    [...placed.values()].some(({ venueId }) => venueId === id),
  )
  const inVenue = (id: string) =>
    [...placed.values()]
      .filter((one) => one.venueId === id)
      .reduce((sum, { value }) => sum + value, 0)
  const total = venues.reduce((sum, id) => sum + inVenue(id), 0)
  const entries = venues.flatMap((id) =>
    [...placed].filter(([, one]) => one.venueId === id).map(([name, one]) => ({ name, ...one })),
  )
  const availableHeight = bodyHeight - gap * Math.max(0, entries.length - 1)
  const scale = total > 0 ? availableHeight / total : 0
  const stacked = (x: number, parts: readonly { name: string; value: number; color: string }[]) => {
    const whole =
      parts.reduce((sum, { value }) => sum + value * scale, 0) + gap * (parts.length - 1)
    let y = top + (bodyHeight - whole) / 2
    return parts.map(({ name, value, color }): Node => {
      const node = { name, value, x, y, height: Math.max(1, value * scale), color }
      y += node.height + gap
      return node
    })
  }
  const colorOf = (id: string) => styleOf(venues.indexOf(id)).color
  const source = stacked(
    columns[0],
    total > 0 ? [{ name: 'treasury', value: total, color: ink.axis }] : [],
  )
  const middle = stacked(
    columns[1],
    venues.map((id) => ({ name: id, value: inVenue(id), color: colorOf(id) })),
  )
  const ends = stacked(
    columns[2],
    entries.map(({ name, value, venueId }) => ({ name, value, color: colorOf(venueId) })),
  )
  const labels = isNarrow(paper)
    ? [
        ...source.map((node) => amountOf(node, 'start')),
        ...middle.map((node) => amountOf(node, 'start')),
        ...ends.map((node) => amountOf(node, 'end')),
      ]
    : [
        ...source.map((node) => label(node, 'end', columns[0] - 14)),
        ...middle.map((node) => label(node, 'start', columns[2] - columns[1] - nodeWidth - 14)),
        ...ends.map((node) => label(node, 'start', paper.width - columns[2] - nodeWidth - 12)),
      ]
  const shapes: Shape[] = [
    ...['Treasury', 'Venue', 'Range'].map((title, index) =>
      textAt((columns[index] ?? 0) + nodeWidth / 2, 26, title, {
        anchor: 'middle',
        isBold: true,
        size: 10.5,
      }),
    ),
    ...ribbons(source, middle, () => true),
    ...ribbons(middle, ends, (venue, option) => placed.get(option.name)?.venueId === venue.name),
    ...[...source, ...middle, ...ends].map(
      ({ x, y, height, color }): Shape => ({
        kind: 'rect',
        x,
        y,
        width: nodeWidth,
        height,
        fill: color,
      }),
    ),
    ...labels,
  ]
  if (total === 0)
    shapes.push(textAt(paper.width / 2, top + 100, 'No allocation.', { anchor: 'middle' }))
  // On narrow paper only amounts fit next to their blocks.
  const names = isNarrow(paper)
    ? entries.map(({ name, venueId, value }, row) =>
        textAt(
          4,
          top + bodyHeight + 22 + row * 16,
          fitText(`${shortName(venueId)}, ${name}: ${shown(value)}`, paper.width - 8, 11),
          { size: 11, color: colorOf(venueId) },
        ),
      )
    : []
  return drawing(
    {
      id: 'allocation-flow',
      title: 'Allocation of the capital',
      description:
        entries
          .map(({ name, venueId, value }) => `${shown(value)} to ${name} of ${venueId}.`)
          .join(' ') || 'No allocation.',
    },
    {
      columns: ['venue', 'option', 'value'],
      rows: entries.map(({ venueId, name, value }) => [venueId, name, value]),
    },
    { height: top + bodyHeight + 24 + names.length * 16, shapes: [...shapes, ...names] },
    paper,
  )
}

function label(
  { name, value, x, y, height }: Node,
  anchor: 'start' | 'end',
  availableWidth: number,
): Shape {
  const text = fitText(`${shortName(name)}  ${shown(value)}`, availableWidth, 10)
  const at = anchor === 'start' ? x + nodeWidth + 6 : x - 6
  return textAt(at, y + height / 2 + 3.5, text, { anchor, halo: '#ffffff' })
}

/** Label of a venue: the end of its id, because ids of one day share a prefix. */
const shortName = (name: string) => (name.startsWith('venue_') ? `…${name.slice(-8)}` : name)

/** Amount of a block; on narrow paper, its label is toward the middle. */
const amountOf = ({ value, x, y, height }: Node, anchor: 'start' | 'end'): Shape =>
  textAt(anchor === 'start' ? x + nodeWidth + 5 : x - 5, y + height / 2 + 4, shown(value), {
    size: 11,
    anchor,
    halo: ink.paper,
  })

/** Ribbons between two columns, in order at both ends; width is proportional to the amount. */
function ribbons(
  from: readonly Node[],
  to: readonly Node[],
  joins: (from: Node, to: Node) => boolean,
): Shape[] {
  const reached = new Map<Node, number>()
  return from.flatMap((source) =>
    to
      .filter((end) => joins(source, end))
      .map((end): Shape => {
        const left = source.y + (reached.get(source) ?? 0)
        reached.set(source, (reached.get(source) ?? 0) + end.height)
        const start = source.x + nodeWidth
        return {
          kind: 'area',
          points: [
            ...curve({ x: start, y: left }, { x: end.x, y: end.y }),
            ...curve(
              { x: start, y: left + end.height },
              { x: end.x, y: end.y + end.height },
            ).toReversed(),
          ],
          fill: end.color,
          opacity: 0.3,
        }
      }),
  )
}

const steps = 16

/** An S-curve between two points, level at both ends. */
function curve(from: Point, to: Point): Point[] {
  return Array.from({ length: steps + 1 }, (_, index) => {
    const t = index / steps
    const eased = t * t * (3 - 2 * t)
    return { x: from.x + (to.x - from.x) * t, y: from.y + (to.y - from.y) * eased }
  })
}
