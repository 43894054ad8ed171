import type { contract } from '@liquidity-os/contract'
import {
  areaBetween,
  chartBox,
  type Drawing,
  drawing,
  fitText,
  frameOf,
  isNarrow,
  legendRows,
  numberAxis,
  type Paper,
  type Shape,
  spotsOf,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'

type Plan = contract.LaunchPlan

const barHeight = 22
const monthsLabel = 'months after the launch'

/** Exact allocation of the supply, and the circulating amount by month. */
export function drawSupply({ request, computed }: Plan, paper: Paper): Drawing {
  const { allocations, totalSupply } = request
  const whole = Number(totalSupply)
  const shapes: Shape[] = [textAt(6, 16, 'Allocations', { size: 11.5, isBold: true })]
  let x = 6
  const availableWidth = paper.width - 12
  for (const [index, { bucket, tokens }] of allocations.entries()) {
    const share = Number(tokens) / whole
    const width = availableWidth * share
    const { color } = styleOf(index)
    shapes.push({
      kind: 'rect',
      x,
      y: 26,
      width: Math.max(0.5, width - 1),
      height: barHeight,
      fill: color,
    })
    const label = fitText(`${bucket} ${(share * 100).toFixed(1)} %`, width - 6, 9.5)
    if (!isNarrow(paper) && width > 44) shapes.push(textAt(x + 4, 62, label, { size: 9.5 }))
    x += width
  }
  const entries = allocations.map(({ bucket, tokens }, index) => ({
    text: `${bucket} ${((Number(tokens) / whole) * 100).toFixed(1)} %`,
    style: styleOf(index),
  }))
  // Labels do not fit below narrow bars, so a legend lists them in rows.
  const names = isNarrow(paper)
    ? legendRows(entries, { x: 6, y: 64, width: paper.width - 12 })
    : { shapes: [], height: 0 }
  shapes.push(...names.shapes)
  const box = chartBox({ x: 56, y: 104 + names.height, height: 150 }, 28, paper)
  const points = computed.circulating.map(({ tokens }, month) => ({
    month,
    share: (Number(tokens) / whole) * 100,
  }))
  const xAxis = numberAxis([0, points.length - 1], [box.x, box.x + box.width], {
    title: monthsLabel,
    count: 6,
    isTight: true,
  })
  const yAxis = numberAxis([0, 100], [box.y + box.height, box.y], {
    title: 'unlocked, % of supply',
  })
  const upper = points.map(({ month, share }) => ({
    x: xAxis.scale.at(month),
    y: yAxis.scale.at(share),
  }))
  const lower = points.map(({ month }) => ({ x: xAxis.scale.at(month), y: yAxis.scale.at(0) }))
  const { color } = styleOf(0)
  shapes.push(...frameOf(box, xAxis, yAxis))
  shapes.push(...areaBetween(lower, upper, color, 0.25))
  shapes.push({ kind: 'line', points: upper, stroke: { color, width: 1.6 } })
  const first = points[0]?.share ?? 0
  return drawing(
    {
      id: 'launch-supply',
      title: 'Supply and unlocked share',
      description: `${allocations.length} allocations of a supply of ${totalSupply.replaceAll(/\B(?=(\d{3})+$)/g, ',')} atoms. ${first.toFixed(2)} % of the supply is unlocked at the launch, ${(points.at(-1)?.share ?? 0).toFixed(2)} % five years later.`,
    },
    {
      columns: ['time', 'unlocked, token atoms'],
      rows: computed.circulating.map(({ at, tokens }) => [at, tokens]),
    },
    {
      height: 300 + names.height,
      shapes,
      spots: spotsOf(upper.map((point) => ({ ...point, series: 'unlocked' }))),
    },
    paper,
  )
}
