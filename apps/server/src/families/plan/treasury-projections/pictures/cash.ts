import type { contract } from '@liquidity-os/contract'
import {
  areaBetween,
  type Box,
  chartBox,
  type Drawing,
  drawing,
  emptyNote,
  frameOf,
  ink,
  isNarrow,
  lineBetween,
  markedLine,
  numberAxis,
  type Paper,
  type Shape,
  seriesNames,
  spotsOf,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'

type Projection = contract.TreasuryProjection

const labelWidth = 150
const height = 296

/** Quote atoms in whole units, with chart precision. */
export const unitsOf = ({ quoteDecimals }: Projection, atoms: string): number =>
  Number(BigInt(atoms)) / 10 ** quoteDecimals

/** Month-end cash by scenario, with the fan of simulated paths and the minimum. */
export function drawCash(projection: Projection, paper: Paper): Drawing {
  const box = chartBox({ x: 66, y: 34, height: 220 }, labelWidth, paper)
  const { scenarios, monteCarlo, minimumCashQuote } = projection
  const fans = (monteCarlo?.controlled ?? monteCarlo)?.cashQuote ?? []
  const about = {
    id: 'projection-cash',
    title: 'Cash by month',
    description: described(projection),
  }
  const table = {
    columns: [
      ...['scenario', 'month', 'cash, atoms', 'p05, atoms', 'p50, atoms', 'p95, atoms'],
      'cash of controlled holdings, atoms',
      ...['controlled p05, atoms', 'controlled p50, atoms', 'controlled p95, atoms'],
    ],
    rows: scenarios.flatMap(({ scenarioId, months, controlledCashQuote }) =>
      months.map(({ month, cashQuote }, index) => {
        const paths = scenarioId === monteCarlo?.scenarioId ? monteCarlo : null
        const drawn = paths?.cashQuote[index]
        const controlled = paths?.controlled?.cashQuote[index]
        return [
          ...[scenarioId, month, cashQuote],
          ...[drawn?.p05 ?? null, drawn?.p50 ?? null, drawn?.p95 ?? null],
          controlledCashQuote?.[index] ?? null,
          ...[controlled?.p05 ?? null, controlled?.p50 ?? null, controlled?.p95 ?? null],
        ]
      }),
    ),
  }
  if (scenarios.length === 0) {
    return drawing(
      about,
      table,
      { height, shapes: [emptyNote(box, 'No data could be read.')] },
      paper,
    )
  }
  const units = (atoms: string) => unitsOf(projection, atoms)
  const floor = units(minimumCashQuote)
  const values = [
    ...[0, floor],
    ...scenarios.flatMap((scenario) => cashOf(scenario).map(units)),
    ...fans.flatMap(({ p05, p95 }) => [units(p05), units(p95)]),
  ]
  const longest = Math.max(...scenarios.map(({ months }) => months.length))
  const x = numberAxis([1, longest], [box.x, box.x + box.width], {
    title: `month, from ${projection.startMonth}`,
    count: isNarrow(paper) ? 5 : 8,
    isTight: true,
  })
  const y = numberAxis(values, [box.y + box.height, box.y], { title: 'cash (T0 and T1), quote' })
  const at = (month: number, value: number) => ({ x: x.scale.at(month + 1), y: y.scale.at(value) })
  const shapes: Shape[] = frameOf(box, x, y)
  for (const [low, high] of [['p05', 'p95'] as const, ['p25', 'p75'] as const]) {
    const edge = (name: typeof low | typeof high) =>
      fans.map((fan, month) => at(month, units(fan[name])))
    if (fans.length > 0) shapes.push(...areaBetween(edge(low), edge(high), '#0072b2', 0.14))
  }
  if (floor > 0) shapes.push(...floorLine(y.scale.at(floor), box))
  const lines = scenarios.map((scenario, index) => ({
    text: scenario.scenarioId,
    style: styleOf(index),
    points: cashOf(scenario).map((cash, month) => at(month, units(cash))),
  }))
  for (const { points, style } of lines) shapes.push(...markedLine(points, style))
  const labels = lines.flatMap(({ text, style, points }) => {
    const end = points.at(-1)
    return end ? [{ text, style, y: end.y }] : []
  })
  const names = seriesNames(labels, { box, availableWidth: labelWidth, below: height + 4, paper })
  shapes.push(...names.shapes)
  const places = lines.flatMap(({ text, points }) =>
    points.map((point) => ({ ...point, series: text })),
  )
  return drawing(
    about,
    table,
    { height: height + names.height, shapes, spots: spotsOf(places) },
    paper,
  )
}

/** Controlled cash at each month end; for older projections all cash. */
const cashOf = ({ months, controlledCashQuote }: Projection['scenarios'][number]) =>
  controlledCashQuote ?? months.map(({ cashQuote }) => cashQuote)

function floorLine(y: number, box: Box): Shape[] {
  const stroke = { color: '#000000', width: 1.1, dash: [5, 3] }
  return [
    lineBetween({ x: box.x, y }, { x: box.x + box.width, y }, stroke),
    // Below the line if the label does not fit above.
    textAt(box.x + 4, y < box.y + 12 ? y + 13 : y - 4, 'minimum cash', {
      size: 10,
      halo: ink.paper,
    }),
  ]
}

function described({ scenarios, monteCarlo }: Projection): string {
  const troughs = scenarios.map(
    ({ scenarioId, trough, controlledTrough = trough }) =>
      `${scenarioId} has its minimum in ${controlledTrough.month}`,
  )
  const drawn = monteCarlo ? `; the area covers 90 % of ${monteCarlo.paths} paths` : ''
  const hasControlled = scenarios.some(
    ({ months, controlledCashQuote }) =>
      controlledCashQuote?.some((cash, index) => cash !== months[index]?.cashQuote) ?? false,
  )
  const asserted = hasControlled ? ' Lines and area count proven and attested holdings.' : ''
  return `Cash at the end of each month: ${troughs.join(', ') || 'no data could be read'}${drawn}.${asserted}`
}
