import {
  areaBetween,
  type Box,
  chartBox,
  type Drawing,
  drawing,
  emptyNotes,
  flowedKeys,
  frameOf,
  ink,
  isNarrow,
  lineBetween,
  magnitudeOf,
  markedLine,
  moved,
  numberAxis,
  type Paper,
  type Point,
  printShort,
  type Shape,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'
import { type DrawnProgram, inTokens } from './drawn-program.ts'

/** On narrow paper the three-line title needs space below the legend. */
const boxOn = (paper: Paper) =>
  chartBox({ x: 70, y: isNarrow(paper) ? 72 : 44, height: 220 }, 30, paper)

const objectives = {
  TRADER_COST_SAVED: 'trader cost saved minus rewards and dilution, quote tokens',
  DEPTH_DAYS: 'depth summed over days, quote tokens',
  VOLUME: 'additional volume, quote tokens',
} as const

/** Maximum benefit by spend with its interval, and the chosen program. */
export function drawFrontier(program: DrawnProgram, paper: Paper): Drawing {
  const box = boxOn(paper)
  const height = box.y + box.height + 46
  const { request, result } = program.payload
  const rows = result.frontier.map(({ spendQuote, low, mean, high }) => [
    ...[spendQuote, low, mean, high],
  ])
  const table = { columns: ['spendQuote', 'low', 'mean', 'high'], rows }
  const points = result.frontier.map(({ spendQuote, low, mean, high }) => ({
    spend: inTokens(spendQuote, program),
    low: inTokens(low, program),
    mean: inTokens(mean, program),
    high: inTokens(high, program),
  }))
  const chosen = chosenOf(program)
  const about = {
    id: 'incentive-frontier',
    title: 'Benefit by reward spend',
    description:
      points.length === 0
        ? 'A pilot forecasts no benefit.'
        : `Best benefit at ${points.length} spend levels, with a ${request.confidencePips / 10_000} % band. ${chosen ? `The program spends ${printShort(chosen.spend)}.` : ''}`,
  }
  if (points.length === 0) {
    const words = 'A pilot forecasts no benefit. It measures how liquidity responds.'
    return drawing(about, table, { height, shapes: emptyNotes(box, words) }, paper)
  }
  const amounts = points.flatMap(({ low, mean, high }) => [low, mean, high])
  const { divisor, prefix } = magnitudeOf(Math.max(...amounts.map(Math.abs)))
  const x = numberAxis(
    [0, ...points.map(({ spend }) => spend), ...(chosen ? [chosen.spend] : [])],
    [box.x, box.x + box.width],
    { title: 'total rewards, quote tokens', count: isNarrow(paper) ? 3 : 5 },
  )
  const y = numberAxis(
    [0, ...amounts, ...(chosen ? [chosen.benefit] : [])].map((one) => one / divisor),
    [box.y + box.height, box.y],
    { title: `${prefix}${objectives[request.objective]}` },
  )
  const at = (spend: number, value: number) => ({
    x: x.scale.at(spend),
    y: y.scale.at(value / divisor),
  })
  const style = styleOf(0)
  const shapes: Shape[] = [
    ...areaBetween(
      points.map(({ spend, low }) => at(spend, low)),
      points.map(({ spend, high }) => at(spend, high)),
      style.color,
      0.16,
    ),
    ...frameOf(box, x, y),
    ...markedLine(
      points.map(({ spend, mean }) => at(spend, mean)),
      style,
    ),
    ...(chosen ? chosenMark(at(chosen.spend, chosen.benefit), chosen.spend, box) : []),
  ]
  const keys = flowedKeys(keysAt(box, request.confidencePips), paper)
  const drawn = [...moved(shapes, 0, keys.more), ...keys.shapes]
  return drawing(about, table, { height: height + keys.more, shapes: drawn }, paper)
}

function chosenOf(program: DrawnProgram): { spend: number; benefit: number } | null {
  const { request, result } = program.payload
  const { cost, net, depthLift, volumeLift } = result.forecast
  const benefit =
    request.objective === 'DEPTH_DAYS'
      ? depthLift && inTokens(depthLift.mean, program) * request.days
      : request.objective === 'VOLUME'
        ? volumeLift && inTokens(volumeLift.mean, program)
        : net && inTokens(net.mean, program)
  return benefit === null ? null : { spend: inTokens(cost.mean, program), benefit }
}

function chosenMark(at: Point, spend: number, box: Box): Shape[] {
  const bottom = box.y + box.height
  const { color } = styleOf(1)
  const isRight = at.x > box.x + box.width / 2
  return [
    lineBetween(at, { x: at.x, y: bottom }, { color, width: 1, dash: [4, 3] }),
    { kind: 'mark', form: 'diamond', ...at, size: 10, color, isHollow: false },
    textAt(at.x + (isRight ? -10 : 10), bottom - 10, `program: ${printShort(spend)}`, {
      anchor: isRight ? 'end' : 'start',
      isBold: true,
      size: 10.5,
      halo: ink.paper,
    }),
  ]
}

function keysAt({ x }: Box, confidencePips: number): Shape[][] {
  const { color } = styleOf(0)
  const y = 14
  const corners = (top: number) => [
    { x: x + 360, y: top },
    { x: x + 378, y: top },
  ]
  return [
    [
      ...areaBetween(corners(y + 4), corners(y - 6), color, 0.16),
      textAt(x + 384, y + 3, `${confidencePips / 10_000} % band`),
    ],
    [
      lineBetween({ x: x + 480, y }, { x: x + 498, y }, { color, width: 1.6 }),
      textAt(x + 504, y + 3, 'mean of draws'),
    ],
  ]
}
