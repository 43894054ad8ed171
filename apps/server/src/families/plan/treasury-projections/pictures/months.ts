import type { contract } from '@liquidity-os/contract'
import {
  amountColors,
  chartBox,
  type Drawing,
  drawing,
  emptyNote,
  flowedKeys,
  frameOf,
  isNarrow,
  moved,
  numberAxis,
  type Paper,
  type Shape,
  spotsOf,
  textAt,
} from '@liquidity-os/drawing'
import { unitsOf } from './cash.ts'

type Projection = contract.TreasuryProjection

const keyShapes = [
  [textAt(220, 14, '■ comes', { color: amountColors.gain })],
  [textAt(290, 14, '■ paid', { color: amountColors.net })],
  [textAt(370, 14, '■ unmet', { color: amountColors.loss })],
]

/** Monthly inflow, payments and shortfall, for the scenario with the shortest liquid runway. */
export function drawMonths(projection: Projection, paper: Paper): Drawing {
  const keys = flowedKeys(keyShapes, paper)
  // On narrow paper the legend is below the scenario name.
  const down = isNarrow(paper) ? 18 + keys.more : 0
  const box = chartBox({ x: 66, y: 44 + down, height: 200 }, 20, paper)
  const height = 286 + down
  const [worst] = projection.scenarios.toSorted(
    (a, b) => a.runway.liquid.net.monthsX3 - b.runway.liquid.net.monthsX3,
  )
  const months = worst?.months ?? []
  const about = {
    id: 'projection-months',
    title: 'Inflows, payments and unmet amounts',
    description: worst
      ? `${worst.scenarioId}, with the shortest liquid runway, over ${months.length} months.`
      : 'No data could be read.',
  }
  const table = {
    columns: [
      'month',
      'inflow, atoms',
      'due, atoms',
      'arrears, atoms',
      'paid, atoms',
      'unmet, atoms',
    ],
    rows: months.map(({ month, inflowQuote, dueQuote, arrearsQuote, paidQuote, unmetQuote }) => [
      ...[month, inflowQuote, dueQuote, arrearsQuote, paidQuote, unmetQuote],
    ]),
  }
  if (!worst) {
    return drawing(
      about,
      table,
      { height, shapes: [emptyNote(box, 'No data could be read.')] },
      paper,
    )
  }
  const units = (atoms: string) => unitsOf(projection, atoms)
  const x = numberAxis([0.5, months.length + 0.5], [box.x, box.x + box.width], {
    title: `month, from ${projection.startMonth}`,
    count: isNarrow(paper) ? 5 : 8,
    isTight: true,
  })
  const values = months.flatMap(({ inflowQuote, paidQuote, unmetQuote }) => [
    units(inflowQuote),
    -units(paidQuote) - units(unmetQuote),
  ])
  const y = numberAxis([0, ...values], [box.y + box.height, box.y], { title: 'quote' })
  const wide = (0.6 * box.width) / months.length
  const bar = (month: number, from: number, to: number, fill: string): Shape => ({
    kind: 'rect',
    x: x.scale.at(month + 1) - wide / 2,
    width: wide,
    fill,
    y: y.scale.at(Math.max(from, to)),
    height: Math.abs(y.scale.at(from) - y.scale.at(to)),
  })
  const shapes: Shape[] = [
    textAt(6, 14, worst.scenarioId, { size: 11, isBold: true }),
    ...(isNarrow(paper) ? moved(keys.shapes, 0, 18) : keyShapes.flat()),
    ...frameOf(box, x, y),
  ]
  for (const [month, { inflowQuote, paidQuote, unmetQuote }] of months.entries()) {
    const paid = units(paidQuote)
    shapes.push(bar(month, 0, units(inflowQuote), amountColors.gain))
    shapes.push(bar(month, 0, -paid, amountColors.net))
    shapes.push(bar(month, -paid, -paid - units(unmetQuote), amountColors.loss))
  }
  const places = months.map(({ inflowQuote }, index) => ({
    x: x.scale.at(index + 1),
    y: y.scale.at(units(inflowQuote)),
    series: worst.scenarioId,
  }))
  return drawing(about, table, { height, shapes, spots: spotsOf(places) }, paper)
}
