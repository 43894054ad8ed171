import {
  chartBox,
  type Drawing,
  drawing,
  emptyNote,
  frameOf,
  ink,
  isNarrow,
  numberAxis,
  type Paper,
  printFigure,
  type Shape,
  spotsOf,
  styleOf,
  textAt,
  usualPaper,
} from '@liquidity-os/drawing'
import type { Attribution } from './attribution.ts'

const height = 262
const places = 40

/** Impact of the order next to the square-root law, for sizes up to twice the order. */
export function drawSquareRoot(attribution: Attribution, paper: Paper = usualPaper): Drawing {
  const box = chartBox({ x: 66, y: 30, height: 190 }, 24, paper)
  const { benchmark, filledBase } = attribution
  const about = {
    id: 'attribution.square-root',
    title: 'Impact vs the square-root law',
    description: 'The curve σ·√(Q/V) over the order size, and the measured impact.',
  }
  const columns = ['ofDailyVolumePercent', 'expectedPips', 'actualPips']
  if (!benchmark || benchmark.actualPips === null) {
    const shapes = [emptyNote(box, 'No measured day before the order, or no impact.')]
    return drawing(about, { columns, rows: [] }, { height, shapes }, paper)
  }
  const share = (Number(filledBase) / Number(benchmark.dailyVolumeBase)) * 100
  const curve = Array.from({ length: places + 1 }, (_, index) => {
    const size = (2 * share * index) / places
    return { size, pips: benchmark.dailyVolatilityPips * Math.sqrt(size / 100) }
  })
  const rows = [
    ...curve.map(({ size, pips }) => [size, pips, null]),
    [share, benchmark.expectedPips, benchmark.actualPips],
  ]
  const x = numberAxis([0, 2 * share], [box.x, box.x + box.width], {
    title: 'order size, % of daily volume',
    count: isNarrow(paper) ? 3 : 5,
    isTight: true,
  })
  const pips = [0, benchmark.actualPips, ...curve.map((point) => point.pips)]
  const shares = pips.map((one) => one / 10_000)
  const y = numberAxis(shares, [box.y + box.height, box.y], { title: 'impact, %' })
  const points = curve.map((point) => ({
    x: x.scale.at(point.size),
    y: y.scale.at(point.pips / 10_000),
  }))
  const [law, order] = [styleOf(0), styleOf(1)]
  const at = { x: x.scale.at(share), y: y.scale.at(benchmark.actualPips / 10_000) }
  const expected = { x: at.x, y: y.scale.at(benchmark.expectedPips / 10_000) }
  const mark = { kind: 'mark', size: 8 } as const
  const shapes: Shape[] = [
    ...frameOf(box, x, y),
    { kind: 'line', points, stroke: { color: law.color, width: 1.6 } },
    { kind: 'line', points: [expected, at], stroke: { color: ink.axis, width: 0.8, dash: [2, 2] } },
    { ...mark, form: 'circle', ...expected, color: law.color, isHollow: true },
    { ...mark, form: 'diamond', ...at, color: order.color, isHollow: false },
    // Right label below the curve, left label next to it, so that they never overlap.
    textAt(
      expected.x + 8,
      expected.y + 14,
      `expected ${printFigure(benchmark.expectedPips / 10_000)} %`,
      {
        halo: ink.paper,
      },
    ),
    textAt(at.x - 8, at.y - 6, `measured ${printFigure(benchmark.actualPips / 10_000)} %`, {
      halo: ink.paper,
      anchor: 'end',
    }),
  ]
  const placed = [
    ...points.map((point) => ({ ...point, series: 'square-root law' })),
    { ...at, series: 'order' },
  ]
  return drawing(about, { columns, rows }, { height, shapes, spots: spotsOf(placed) }, paper)
}
