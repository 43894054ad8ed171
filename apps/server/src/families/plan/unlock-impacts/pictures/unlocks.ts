import type { contract } from '@liquidity-os/contract'
import {
  amountColors,
  areaBetween,
  type Box,
  chartBox,
  type Drawing,
  type Drawn,
  drawing,
  emptyNote,
  frameOf,
  ink,
  isNarrow,
  lineBetween,
  numberAxis,
  type Paper,
  type Point,
  type Shape,
  spotsOf,
  textAt,
} from '@liquidity-os/drawing'

type Impact = contract.UnlockImpact

const height = 404

/**
 * The upper and the lower chart share the days. On narrow paper the title of the upper one needs
 * two lines.
 */
const boxesOn = (paper: Paper): { readonly steps: Box; readonly band: Box } => ({
  steps: chartBox({ x: 66, y: 34, height: 130 }, 24, paper),
  band: chartBox({ x: 66, y: 222, height: 140 }, 24, paper),
})

/** Cumulative unlocks, with the expected price impact and its limit. */
export function drawUnlocks(impact: Impact, paper: Paper): Drawing {
  const boxes = boxesOn(paper)
  const { band } = boxes
  const { days, request, peaks } = impact
  const limit = (request.limitPips ?? 50_000) / 10_000
  const about = {
    id: 'unlock-impact',
    title: 'Unlocks and price impact',
    description: peaks
      ? `Over ${days.length} days, ${impact.daysBeyondLimit} of them beyond the limit of ${limit} %. The base case peaks on ${peaks.base.date}.`
      : 'No known volume or venue.',
  }
  const table = {
    columns: [
      'date',
      'unlocked, atoms',
      'impact low, pips',
      'impact base, pips',
      'impact high, pips',
    ],
    rows: days.map(({ date, unlocked, impactPips: { low, base, high } }) => [
      date,
      unlocked,
      low,
      base,
      high,
    ]),
  }
  const [first] = days
  if (!first) {
    const shapes = [emptyNote(band, 'No known volume or venue.')]
    return drawing(about, table, { height, shapes }, paper)
  }
  const title = `day, from ${first.date}`
  const x = numberAxis([0, days.length], [band.x, band.x + band.width], {
    title,
    count: isNarrow(paper) ? 5 : 8,
    isTight: true,
  })
  const lower = drawBand(impact, x, { band, limit })
  const shapes = [...drawSteps(impact, x, boxes), ...lower.shapes]
  return drawing(about, table, { height, shapes, spots: lower.spots }, paper)
}

type Axis = ReturnType<typeof numberAxis>

function drawSteps(
  { days, tokenDecimals, cliffs }: Impact,
  x: Axis,
  { steps, band }: ReturnType<typeof boxesOn>,
): Shape[] {
  const unit = 10 ** (tokenDecimals ?? 0)
  let sum = 0
  const levels = days.map(({ unlocked }) => (sum += Number(BigInt(unlocked)) / unit))
  const y = numberAxis([0, sum], [steps.y + steps.height, steps.y], {
    title: `unlocked since window start, ${tokenDecimals === null ? 'atoms' : 'tokens'}`,
    count: 4,
  })
  const edge = levels.flatMap((level, day): Point[] => {
    const at = y.scale.at(level)
    return [
      { x: x.scale.at(day), y: at },
      { x: x.scale.at(day + 1), y: at },
    ]
  })
  const baseline = edge.map((point) => ({ x: point.x, y: y.scale.at(0) }))
  const bare = { ...x, ticks: [], title: '' }
  const marks = cliffs.flatMap(({ date }): Shape[] => {
    const day = days.findIndex((one) => one.date === date)
    const at = x.scale.at(day)
    const stroke = { color: amountColors.loss, width: 0.8, dash: [2, 3] }
    return day < 0 || cliffs.length > 24
      ? []
      : [lineBetween({ x: at, y: steps.y }, { x: at, y: band.y + band.height }, stroke)]
  })
  return [
    ...frameOf(steps, bare, y),
    ...marks,
    ...areaBetween(edge, baseline, amountColors.net, 0.25),
    { kind: 'line', points: edge, stroke: { color: amountColors.net, width: 1.4 } },
  ]
}

function drawBand(
  { days }: Impact,
  x: Axis,
  { band, limit }: { band: Box; limit: number },
): Required<Pick<Drawn, 'shapes' | 'spots'>> {
  const percent = (name: 'low' | 'base' | 'high') =>
    days.map(({ impactPips }) => impactPips[name] / 10_000)
  const [low, base, high] = [percent('low'), percent('base'), percent('high')]
  const y = numberAxis([0, limit, ...high], [band.y + band.height, band.y], {
    title: 'price decline, % (band: low to high case)',
  })
  const points = (values: readonly number[]) =>
    values.map((value, day) => ({ x: x.scale.at(day + 0.5), y: y.scale.at(value) }))
  const at = y.scale.at(limit)
  const shapes: Shape[] = [
    ...frameOf(band, x, y),
    ...areaBetween(points(low), points(high), amountColors.gain, 0.18),
    { kind: 'line', points: points(base), stroke: { color: amountColors.gain, width: 1.6 } },
    lineBetween(
      { x: band.x, y: at },
      { x: band.x + band.width, y: at },
      { color: amountColors.loss, width: 1.3, dash: [6, 3] },
    ),
    textAt(band.x + band.width - 4, at - 5, `limit ${limit} %`, {
      size: 10,
      anchor: 'end',
      color: amountColors.loss,
      halo: ink.paper,
    }),
  ]
  const places = points(base).map((point) => ({ ...point, series: 'base case' }))
  return { shapes, spots: spotsOf(places) }
}
