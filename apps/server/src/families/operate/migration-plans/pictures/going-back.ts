import {
  chartBox,
  type Drawing,
  drawing,
  type EndLabel,
  emptyNote,
  frameOf,
  isNarrow,
  magnitudeOf,
  markedLine,
  numberAxis,
  type Paper,
  type Shape,
  type Spot,
  seriesNames,
  styleOf,
} from '@liquidity-os/drawing'
import { type DrawnPlan, inTokens } from './migration-course.ts'

/** Cost of a rollback to the start from the end of every step, now and after a price move. */
export function drawGoingBack(plan: DrawnPlan, paper: Paper): Drawing {
  const box = chartBox({ x: 64, y: 34, height: 190 }, 156, paper)
  const height = box.y + box.height + 44
  let namesHeight = 0
  const spots: Spot[] = []
  const moves = [...new Set(plan.steps.flatMap(({ rollback }) => rollback.costs.map(moveOf)))].sort(
    (a, b) => a - b,
  )
  const costs = plan.steps.flatMap(({ rollback }) =>
    rollback.costs.flatMap(({ costQuote }) =>
      costQuote === null ? [] : [inTokens(costQuote, plan)],
    ),
  )
  const shapes: Shape[] = []
  if (costs.length === 0) shapes.push(emptyNote(box, 'No rollback possible.'))
  else {
    const { divisor, prefix } = magnitudeOf(Math.max(...costs.map(Math.abs)))
    const x = numberAxis([0, plan.steps.length], [box.x, box.x + box.width], {
      title: 'completed steps',
      isTight: true,
      count: isNarrow(paper) ? 5 : 8,
    })
    const y = numberAxis(
      [0, ...costs].map((cost) => cost / divisor),
      [box.y + box.height, box.y],
      { title: `cost, ${prefix}quote; below zero: gain` },
    )
    shapes.push(...frameOf(box, x, y))
    const labels: EndLabel[] = []
    for (const [index, movePips] of moves.entries()) {
      const style = styleOf(index)
      const points = plan.steps.flatMap(({ step, rollback }) => {
        const cost = rollback.costs.find((one) => one.movePips === movePips)?.costQuote
        if (cost == null) return []
        return [
          {
            x: x.scale.at(step + 1),
            y: y.scale.at(inTokens(cost, plan) / divisor),
            row: plan.steps.findIndex((one) => one.step === step),
          },
        ]
      })
      spots.push(...points.map((point) => ({ ...point, series: words(movePips) })))
      shapes.push(...markedLine(points, style))
      const last = points.at(-1)
      if (last) labels.push({ text: words(movePips), y: last.y, style })
    }
    const names = seriesNames(labels, { box, availableWidth: 140, below: height + 6, paper })
    shapes.push(...names.shapes)
    namesHeight = names.height
  }
  return drawing(
    {
      id: 'migration-going-back',
      title: 'Cost of a rollback',
      description: 'One line per price move, by completed steps.',
    },
    {
      columns: ['step', ...moves.map((movePips) => `cost ${words(movePips)}, quote atoms`)],
      rows: plan.steps.map(({ step, rollback }) => [
        `${step}`,
        ...moves.map(
          (movePips) => rollback.costs.find((one) => one.movePips === movePips)?.costQuote ?? null,
        ),
      ]),
    },
    { height: height + namesHeight, shapes, spots },
    paper,
  )
}

const moveOf = ({ movePips }: { movePips: number }) => movePips

const words = (movePips: number) =>
  movePips === 0 ? 'now' : `price ${movePips > 0 ? '+' : '−'}${Math.abs(movePips) / 10_000} %`
