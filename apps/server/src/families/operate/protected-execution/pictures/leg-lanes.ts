import {
  type Drawing,
  drawing,
  fitText,
  ink,
  lineBetween,
  type Shape,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'
import { type DrawnPlan, nameOf, shortHash } from './drawn-plan.ts'

const laneHeight = 46
const left = 200
const gap = 84
/** Beads that a lane has room for; the last ones are drawn. */
const mostBeads = 6
const ends = ['RECONCILED', 'REVERTED', 'REPLACED', 'CANCELLED', 'EXPIRED']

/** A lane for every leg, with a bead for every transition: its state, and the hash that holds it to the one before. */
export function drawLegLanes({ plan, beads }: DrawnPlan): Drawing {
  const lanes = plan.legs.map((leg) => ({
    leg,
    beads: beads.filter(({ legIndex }) => legIndex === leg.legIndex),
  }))
  const height = 40 + lanes.length * laneHeight + 14
  return drawing(
    {
      id: 'execution-leg-lanes',
      title: 'Where every leg stands',
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
        ...own.map(({ to, hash }, place) => [`${leg.legIndex}`, `${place + 1}`, to, hash]),
      ]),
    },
    {
      height,
      shapes: [
        textAt(14, 22, 'leg', { size: 9.5, isBold: true }),
        textAt(left - 6, 22, 'transitions, each bound to the one before', {
          size: 9.5,
          isBold: true,
        }),
        ...lanes.flatMap(({ leg, beads: own }, place) => lane(leg, own, 40 + place * laneHeight)),
      ],
    },
  )
}

function lane(
  leg: DrawnPlan['plan']['legs'][number],
  own: DrawnPlan['beads'],
  top: number,
): Shape[] {
  const all = [{ to: 'PLANNED', hash: '' }, ...own]
  const cut = Math.max(0, all.length - mostBeads)
  const shown = all.slice(cut)
  const y = top + 14
  const until = left + (shown.length - 1) * gap
  const name = nameOf(leg.kind, leg.sourceId, leg.maker)
  return [
    textAt(14, top + 12, fitText(`${leg.legIndex}  ${name}`, left - 40, 10), { isBold: true }),
    textAt(
      14,
      top + 25,
      fitText(`${leg.route}${leg.call === null ? ', no call' : ''}`, left - 40, 9),
      { size: 9, color: ink.faint },
    ),
    lineBetween({ x: left, y }, { x: until, y }, { color: ink.axis, width: 1.4 }),
    ...(cut > 0 ? [textAt(left - 14, y + 3.5, '…', { anchor: 'end' })] : []),
    ...shown.flatMap(({ to, hash }, place): Shape[] => {
      const x = left + place * gap
      const isEnd = ends.includes(to)
      const color = styleOf(to === 'RECONCILED' ? 2 : isEnd ? 1 : 0).color
      return [
        {
          kind: 'mark',
          form: isEnd ? 'square' : 'circle',
          x,
          y,
          size: 11,
          color,
          isHollow: to === 'PLANNED',
        },
        textAt(x - 8, y + 19, fitText(to, gap - 4, 8.5, true), { size: 8.5, isBold: true, color }),
        textAt(x - 8, y + 29, hash === '' ? 'plan' : shortHash(hash), {
          size: 8,
          color: ink.faint,
        }),
      ]
    }),
  ]
}
