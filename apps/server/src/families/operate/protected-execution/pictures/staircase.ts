import {
  type Box,
  type Drawing,
  drawing,
  emptyNote,
  fitText,
  frameOf,
  ink,
  lineBetween,
  numberAxis,
  printFigure,
  type Shape,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'
import { type DrawnPlan, decimalsOf, meanPriceOf, nameOf, priceOf } from './drawn-plan.ts'

const box: Box = { x: 84, y: 40, width: 500, height: 230 }

interface Step {
  readonly leg: DrawnPlan['plan']['legs'][number]
  readonly name: string
  /** Quote per base: of the whole leg, and of its last atom. */
  readonly mean: number
  readonly last: number
  /** Whole tokens that are sold. */
  readonly amount: number
}

/** The price of the last atom of every leg over what is sold, the best first; the mean as a line across each. */
export function drawStaircase({ plan }: DrawnPlan): Drawing {
  const steps = stepsOf(plan)
  return drawing(
    {
      id: 'execution-staircase',
      title: 'Price of the last atom of every leg',
      description:
        steps.length === 0
          ? 'No leg has a price.'
          : steps
              .map(
                ({ name, last, amount }) =>
                  `${name}: ${printFigure(amount)} at ${printFigure(last)}.`,
              )
              .join(' '),
    },
    {
      columns: ['leg', 'source', 'sold', 'mean price', 'price of the last atom'],
      rows: steps.map(({ leg, name, amount, mean, last }) => [
        ...[`${leg.legIndex}`, name, `${amount}`, `${mean}`, `${last}`],
      ]),
    },
    {
      height: box.y + box.height + 48,
      shapes: steps.length === 0 ? [emptyNote(box, 'no leg has a price')] : chart(steps),
    },
  )
}

function stepsOf(plan: DrawnPlan['plan']): Step[] {
  const { sell } = decimalsOf(plan)
  const sign = plan.side === 'SELL' ? -1 : 1
  return plan.legs
    .flatMap((leg): Step[] => {
      const mean = meanPriceOf(leg, plan)
      if (mean === null) return []
      const last = leg.marginalPriceX36 === null ? mean : priceOf(leg.marginalPriceX36, plan)
      const name = nameOf(leg.kind, leg.sourceId, leg.maker)
      return [{ leg, mean, last, name, amount: Number(leg.sellAmount) / 10 ** sell }]
    })
    .toSorted((a, b) => sign * (a.mean - b.mean))
}

function chart(steps: readonly Step[]): Shape[] {
  const total = steps.reduce((sum, { amount }) => sum + amount, 0)
  const x = numberAxis([0, total], [box.x, box.x + box.width], {
    ...{ title: 'sold, whole tokens', isTight: true },
  })
  const y = numberAxis(
    steps.flatMap(({ mean, last }) => [mean, last]),
    [box.y + box.height, box.y],
    { title: 'quote per base: step, the last atom; dashes, the mean' },
  )
  const base = box.y + box.height
  let at = 0
  const shapes = steps.flatMap(({ mean, last, name, amount }, place): Shape[] => {
    const [from, to] = [x.scale.at(at), x.scale.at(at + amount)]
    at += amount
    const { color, mark: form } = styleOf(place)
    const top = y.scale.at(last)
    const line = y.scale.at(mean)
    return [
      {
        ...{ kind: 'rect', x: from, y: Math.min(top, base), width: Math.max(1, to - from) },
        ...{ height: Math.max(1, base - top), fill: color },
        stroke: { color: ink.paper, width: 1 },
      },
      lineBetween(
        ...([
          { x: from, y: line },
          { x: to, y: line },
        ] as const),
        { color: ink.text, width: 1.2, dash: [4, 3] },
      ),
      { kind: 'mark', form, x: 604, y: 52 + place * 16, size: 8, color, isHollow: false },
      textAt(614, 56 + place * 16, fitText(`${name}: ${printFigure(last)}`, 160, 9.5), {
        size: 9.5,
      }),
    ]
  })
  return [...frameOf(box, x, y), ...shapes]
}
