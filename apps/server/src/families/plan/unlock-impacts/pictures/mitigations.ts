import type { contract } from '@liquidity-os/contract'
import {
  amountColors,
  chartBox,
  type Drawing,
  drawing,
  emptyNote,
  frameOf,
  isNarrow,
  lineBetween,
  markedLine,
  numberAxis,
  type Paper,
  type Shape,
  seriesNames,
  styleOf,
} from '@liquidity-os/drawing'

type Impact = contract.UnlockImpact

const labelWidth = 170
const height = 288

const words = {
  LINEARISE: 'sold evenly',
  OTC_CARVE_OUT: 'part placed OTC',
  ADD_DEPTH: 'with more depth',
  AC_PROGRAM: 'sold by a program',
} as const

/** Expected daily impact, without and with each mitigation. */
export function drawMitigations(impact: Impact, paper: Paper): Drawing {
  const box = chartBox({ x: 66, y: 34, height: 210 }, labelWidth, paper)
  const { days, mitigations, request } = impact
  const lines = [
    { name: 'expected', values: days.map(({ impactPips }) => impactPips.base / 10_000) },
    ...mitigations.map(({ kind, curve, days: length }) => ({
      name: `${words[kind]}${length === null || kind === 'ADD_DEPTH' ? '' : `, ${length} days`}`,
      values: curve.map((pips) => pips / 10_000),
    })),
  ].filter(({ values }) => values.length > 0)
  const limit = (request.limitPips ?? 50_000) / 10_000
  const about = {
    id: 'unlock-mitigations',
    title: 'Mitigations vs the price limit',
    description: `Price decline on each day, expected and under ${mitigations.length} mitigations. The dashed line is the limit of ${limit} %.`,
  }
  const table = {
    columns: [
      'mitigation',
      'quantity, atoms',
      'days',
      'peak before, pips',
      'peak after, pips',
      'cost, quote atoms',
    ],
    rows: mitigations.map(
      ({ kind, quantity, days: length, beforePeakPips, peakImpactPips, costQuote }) => [
        ...[kind, quantity, length, beforePeakPips, peakImpactPips, costQuote],
      ],
    ),
  }
  if (lines.length === 0) {
    const shapes = [emptyNote(box, 'No known volume or venue.')]
    return drawing(about, table, { height, shapes }, paper)
  }
  const longest = Math.max(...lines.map(({ values }) => values.length))
  const x = numberAxis([1, longest], [box.x, box.x + box.width], {
    title: 'day',
    count: isNarrow(paper) ? 5 : 8,
    isTight: true,
  })
  const y = numberAxis(
    [0, limit, ...lines.flatMap(({ values }) => values)],
    [box.y + box.height, box.y],
    {
      title: 'price decline, %',
    },
  )
  const at = y.scale.at(limit)
  const shapes: Shape[] = [
    ...frameOf(box, x, y),
    lineBetween(
      { x: box.x, y: at },
      { x: box.x + box.width, y: at },
      { color: amountColors.loss, width: 1.3, dash: [6, 3] },
    ),
  ]
  const drawn = lines.map(({ name, values }, index) => ({
    text: name,
    style: styleOf(index),
    points: values.map((value, day) => ({ x: x.scale.at(day + 1), y: y.scale.at(value) })),
  }))
  for (const { points, style } of drawn) {
    shapes.push(
      points.length > 40
        ? { kind: 'line', points, stroke: { color: style.color, width: 1.5 } }
        : markedLine(points, style)[0]!,
    )
    shapes.push(...(points.length > 40 ? [] : markedLine(points, style).slice(1)))
  }
  const labels = drawn.map(({ text, style, points }) => ({
    text,
    style,
    y: points.at(-1)?.y ?? at,
  }))
  const names = seriesNames(labels, { box, availableWidth: labelWidth, below: height + 4, paper })
  shapes.push(...names.shapes)
  return drawing(about, table, { height: height + names.height, shapes }, paper)
}
