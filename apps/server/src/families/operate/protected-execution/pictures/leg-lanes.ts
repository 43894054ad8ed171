import {
  type Drawing,
  drawing,
  fitText,
  ink,
  letterOn,
  lineBetween,
  noteOn,
  type Paper,
  type Point,
  type Shape,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'
import { type DrawnPlan, nameOf, shortHash } from './drawn-plan.ts'

type Beads = DrawnPlan['beads']
interface Lane {
  readonly leg: DrawnPlan['plan']['legs'][number]
  readonly beads: Beads
}
/** A lane with its shapes from a position downwards, and its height. */
type DrawnLane = (lane: Lane, top: number) => { readonly height: number; readonly shapes: Shape[] }

const edge = 14
const left = 200
/** Maximum beads per lane; the latest are visible. */
const maxBeads = 6
const gapOf = { report: 84, least: 86 } as const
const beadHeight = 18
const ends = ['RECONCILED', 'REVERTED', 'REPLACED', 'CANCELLED', 'EXPIRED']
const titles = ['leg', 'transitions, each linked to the previous one'] as const

/**
 * One lane per leg with one bead per transition: its state, and the hash that links it to the
 * previous one.
 */
export function drawLegLanes({ plan, beads }: DrawnPlan, paper: Paper): Drawing {
  const lanes = plan.legs.map((leg) => ({
    leg,
    beads: beads.filter(({ legIndex }) => legIndex === leg.legIndex),
  }))
  const gap =
    paper.minFontSize === 0 ? gapOf.report : Math.floor((paper.width - left - 6) / maxBeads)
  const isInline = paper.minFontSize === 0 || gap >= gapOf.least
  const draw: DrawnLane = isInline ? drawWideLane(paper, gap) : laneBelow(paper)
  const bold = { size: 9.5, isBold: true }
  const head = isInline
    ? {
        shapes: [textAt(edge, 22, titles[0], bold), textAt(left - 6, 22, titles[1], bold)],
        more: 0,
      }
    : noteOn(paper, { x: 10, y: 22 }, titles.join('; '), bold)
  const shapes: Shape[] = [...head.shapes]
  let top = 40 + head.more
  for (const lane of lanes) {
    const drawn = draw(lane, top)
    shapes.push(...drawn.shapes)
    top += drawn.height
  }
  return drawing(
    {
      id: 'execution-leg-lanes',
      title: 'Status of each leg',
      description: lanes
        .map(
          ({ leg, beads: own }) =>
            `Leg ${leg.legIndex}: ${['PLANNED', ...own.map(({ to }) => to)].join(', ')}.`,
        )
        .join(' '),
    },
    {
      columns: ['leg', 'sequence', 'state', 'transitionHash'],
      rows: lanes.flatMap(({ leg, beads: own }) => [
        [`${leg.legIndex}`, '0', 'PLANNED', ''],
        ...own.map(({ to, hash }, index) => [`${leg.legIndex}`, `${index + 1}`, to, hash]),
      ]),
    },
    { height: top + 14, shapes },
    paper,
  )
}

function shownOf({ leg, beads }: Lane) {
  const all = [{ to: 'PLANNED', hash: '' }, ...beads]
  return {
    shown: all.slice(-maxBeads),
    isCut: all.length > maxBeads,
    name: `${leg.legIndex}  ${nameOf(leg.kind, leg.sourceId, leg.maker)}`,
    route: `${leg.route}${leg.call === null ? ', no call' : ''}`,
  }
}

const colorOf = (to: string) => styleOf(to === 'RECONCILED' ? 2 : ends.includes(to) ? 1 : 0).color
const beadMark = (to: string, { x, y }: Point): Shape => ({
  kind: 'mark',
  form: ends.includes(to) ? 'square' : 'circle',
  x,
  y,
  size: 11,
  color: colorOf(to),
  isHollow: to === 'PLANNED',
})
const hashWords = (hash: string) => (hash === '' ? 'plan' : shortHash(hash))

/** Leg name on the left, beads from left to right after it. */
const drawWideLane =
  (paper: Paper, gap: number): DrawnLane =>
  (lane, top) => {
    const { shown, isCut, name, route } = shownOf(lane)
    const y = top + 14
    const until = left + (shown.length - 1) * gap
    const fit = (text: string, size: number, isBold = false) =>
      textAt(edge, isBold ? top + 12 : top + 25, fitText(text, left - 40, letterOn(paper, size)), {
        ...(isBold ? { isBold } : { size, color: ink.faint }),
      })
    const shapes = [
      fit(name, 10, true),
      fit(route, 9),
      lineBetween({ x: left, y }, { x: until, y }, { color: ink.axis, width: 1.4 }),
      ...(isCut ? [textAt(left - 14, y + 3.5, '…', { anchor: 'end' })] : []),
      ...shown.flatMap(({ to, hash }, index): Shape[] => {
        const x = left + index * gap
        const state = fitText(to, gap - 4, letterOn(paper, 8.5), true)
        return [
          beadMark(to, { x, y }),
          textAt(x - 8, y + 19, state, { size: 8.5, isBold: true, color: colorOf(to) }),
          textAt(x - 8, y + 29 + (paper.minFontSize === 0 ? 0 : 2), hashWords(hash), {
            size: 8,
            color: ink.faint,
          }),
        ]
      }),
    ]
    return { height: 46, shapes }
  }

/** The name of a leg, and below it its beads from top to bottom. */
const laneBelow =
  (paper: Paper): DrawnLane =>
  (lane, top) => {
    const { shown, isCut, name, route } = shownOf(lane)
    const [x, availableWidth] = [18, paper.width - 20]
    const first = top + 42
    const last = first + (shown.length - 1) * beadHeight
    const shapes = [
      textAt(10, top + 10, fitText(name, availableWidth, 11, true), { isBold: true }),
      textAt(
        10,
        top + 24,
        fitText(isCut ? `${route}, newest transitions` : route, availableWidth, 11),
        {
          size: 9,
          color: ink.faint,
        },
      ),
      lineBetween({ x, y: first }, { x, y: last }, { color: ink.axis, width: 1.4 }),
      ...shown.flatMap(({ to, hash }, index): Shape[] => {
        const y = first + index * beadHeight
        return [
          beadMark(to, { x, y }),
          textAt(x + 14, y + 4, to, { size: 8.5, isBold: true, color: colorOf(to) }),
          textAt(x + 114, y + 4, hashWords(hash), { size: 8, color: ink.faint }),
        ]
      }),
    ]
    return { height: last + 26 - top, shapes }
  }
