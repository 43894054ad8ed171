import {
  chartBox,
  type Drawing,
  drawing,
  frameOf,
  isNarrow,
  lineBetween,
  numberAxis,
  type Paper,
  type Shape,
  spotsOf,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'
import { type DrawnPlan, shown, tokensOf } from './drawn.ts'

/** Attainment of all targets by capital, with the position of the plan. */
export function drawFrontier(plan: DrawnPlan, paper: Paper): Drawing {
  const box = chartBox({ x: 62, y: 40, height: 230 }, 38, paper)
  const { frontier, capitalQuote, achieved } = plan.payload
  const rows = frontier.map(({ capitalQuote: capital, minAttainmentPips }) => ({
    capital: tokensOf(plan, capital),
    percent: minAttainmentPips === null ? null : minAttainmentPips / 10_000,
  }))
  const x = numberAxis([0, ...rows.map(({ capital }) => capital)], [box.x, box.x + box.width], {
    title: 'capital, quote',
    count: isNarrow(paper) ? 3 : 5,
  })
  const y = numberAxis([0, 100], [box.y + box.height, box.y], { title: 'minimum attainment, %' })
  const places = rows.map(({ capital, percent }) =>
    percent === null
      ? null
      : { x: x.scale.at(capital), y: y.scale.at(percent), series: 'attainment by capital' },
  )
  const points = places.flatMap((place) => (place ? [{ x: place.x, y: place.y }] : []))
  const style = styleOf(0)
  const shapes: Shape[] = frameOf(box, x, y)
  if (points.length > 1) {
    shapes.push({ kind: 'line', points, stroke: { color: style.color, width: 1.8 } })
  }
  for (const point of points) {
    shapes.push({
      kind: 'mark',
      form: 'circle',
      ...point,
      size: 4.5,
      color: style.color,
      isHollow: true,
    })
  }
  const chosen = {
    capital: tokensOf(plan, capitalQuote),
    percent: achieved.reduce((low, one) => Math.min(low, one.attainmentPips), 1_000_000) / 10_000,
  }
  if (achieved.length > 0) {
    const at = { x: x.scale.at(chosen.capital), y: y.scale.at(chosen.percent) }
    const bottom = box.y + box.height
    shapes.push(
      lineBetween(at, { x: at.x, y: bottom }, { color: '#d55e00', width: 1, dash: [4, 3] }),
    )
    shapes.push({
      kind: 'mark',
      form: 'diamond',
      ...at,
      size: 10,
      color: '#d55e00',
      isHollow: false,
    })
    const isRight = at.x > box.x + box.width / 2
    shapes.push(
      textAt(at.x + (isRight ? -10 : 10), bottom - 12, `plan: ${shown(chosen.capital)}`, {
        size: 10.5,
        anchor: isRight ? 'end' : 'start',
        isBold: true,
        halo: '#ffffff',
      }),
    )
  }
  return drawing(
    {
      id: 'allocation-frontier',
      title: 'Target attainment by capital',
      description: `Minimum share of the targets that each capital can meet, in ${rows.length} steps. The plan uses ${shown(chosen.capital)} and meets ${shown(chosen.percent)} %.`,
    },
    {
      columns: ['capital', 'minimum attainment, %'],
      rows: rows.map(({ capital, percent }) => [capital, percent]),
    },
    { height: box.y + box.height + 46, shapes, spots: spotsOf(places) },
    paper,
  )
}
