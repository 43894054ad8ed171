import {
  areaBetween,
  type Box,
  chartBox,
  type Drawing,
  drawing,
  emptyNotes,
  frameOf,
  ink,
  isNarrow,
  lineBetween,
  markedLine,
  moved,
  noteOn,
  numberAxis,
  type Paper,
  type Shape,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'
import type { DrawnProgram } from './drawn-program.ts'

const height = 300

const methods = {
  BEFORE_AFTER: 'vs the period before; no control',
  DIFFERENCE_IN_DIFFERENCES: 'vs controls over the same period',
  SYNTHETIC_CONTROL: 'vs a synthetic control',
} as const

/** Measured daily lift of the rewarded venues over their controls, with the forecast. */
export function drawMeasuredLift(program: DrawnProgram, paper: Paper): Drawing {
  const box = chartBox({ x: 66, y: 48, height: 200 }, 30, paper)
  const { payload, evaluations } = program
  const points = evaluations.flatMap(({ dayOfProgram, liftPips }) =>
    liftPips
      ? [
          {
            day: dayOfProgram,
            low: liftPips.lowPips / 10_000,
            estimate: liftPips.estimatePips / 10_000,
            high: liftPips.highPips / 10_000,
          },
        ]
      : [],
  )
  const last = evaluations.at(-1)
  const method = last?.method ? methods[last.method] : null
  const about = {
    id: 'incentive-lift',
    title: 'Rewarded venues vs controls',
    description: last
      ? `${points.length} daily measurements, ${method ?? 'without a valid comparison'}.`
      : 'No measurements yet.',
  }
  const table = tableOf(evaluations)
  if (points.length === 0) {
    const why = last ? `No result: ${last.reasons.join(', ')}` : 'No measurements yet.'
    return drawing(about, table, { height, shapes: emptyNotes(box, why) }, paper)
  }
  const { days } = payload.request
  const forecast = payload.result.forecast.depthLiftPips
  const bounds = forecast ? [forecast.lowPips / 10_000, forecast.highPips / 10_000] : []
  const x = numberAxis([0, days, ...points.map(({ day }) => day)], [box.x, box.x + box.width], {
    title: 'program day',
    isTight: true,
    count: isNarrow(paper) ? 4 : 8,
  })
  const y = numberAxis(
    [0, ...bounds, ...points.flatMap(({ low, high }) => [low, high])],
    [box.y + box.height, box.y],
    { title: 'depth above control, %' },
  )
  const at = (day: number, value: number) => ({ x: x.scale.at(day), y: y.scale.at(value) })
  const style = styleOf(0)
  const end = x.scale.at(days)
  // On narrow paper it would cover the axis labels.
  const isInline = isNarrow(paper) && end < box.x + box.width / 2
  const shapes: Shape[] = [
    ...forecastBand(bounds, (value) => y.scale.at(value), { from: box.x, to: end }),
    ...areaBetween(
      points.map(({ day, low }) => at(day, low)),
      points.map(({ day, high }) => at(day, high)),
      style.color,
      0.2,
    ),
    ...frameOf(box, x, y),
    ...markedLine(
      points.map(({ day, estimate }) => at(day, estimate)),
      style,
    ),
    lineBetween(
      { x: end, y: box.y },
      { x: end, y: box.y + box.height },
      {
        color: ink.axis,
        width: 0.9,
        dash: [3, 2],
      },
    ),
    textAt(end + (isInline ? 4 : -4), box.y + box.height - 6, 'end of rewards', {
      anchor: isInline ? 'start' : 'end',
      size: 9.5,
      halo: ink.paper,
    }),
  ]
  const measured = measuredWords(last?.placeboPPips ?? null, method)
  const keys = legendOn(paper, box, { measured, hasForecast: bounds.length > 0 })
  const drawn = [...moved(shapes, 0, keys.more), ...keys.shapes]
  return drawing(about, table, { height: height + keys.more, shapes: drawn }, paper)
}

function tableOf(evaluations: DrawnProgram['evaluations']): Pick<Drawing, 'columns' | 'rows'> {
  return {
    columns: ['dayOfProgram', 'lowPips', 'estimatePips', 'highPips', 'placeboPPips'],
    rows: evaluations.map(({ dayOfProgram, liftPips, placeboPPips }) => [
      ...[dayOfProgram, liftPips?.lowPips ?? null, liftPips?.estimatePips ?? null],
      ...[liftPips?.highPips ?? null, placeboPPips],
    ]),
  }
}

function forecastBand(
  bounds: readonly number[],
  at: (value: number) => number,
  { from, to }: { from: number; to: number },
): Shape[] {
  const [low, high] = bounds
  if (low === undefined || high === undefined) return []
  const across = (value: number) => [
    { x: from, y: at(value) },
    { x: to, y: at(value) },
  ]
  const { color } = styleOf(1)
  const edge = { color, width: 1, dash: [6, 3] }
  return [
    ...areaBetween(across(low), across(high), color, 0.08),
    { kind: 'line', points: across(low), stroke: edge },
    { kind: 'line', points: across(high), stroke: edge },
  ]
}

function measuredWords(placeboPPips: number | null, method: string | null): string {
  const placebo =
    placeboPPips === null ? '' : `; placebo p-value: ${(placeboPPips / 10_000).toFixed(1)} %`
  return `${method === null ? 'measured' : `measured ${method}`}${placebo}`
}

/**
 * The legend in one line of a report. On a screen the first entry wraps, and the second is below
 * it.
 */
function legendOn(
  paper: Paper,
  { x }: Box,
  { measured, hasForecast }: { measured: string; hasForecast: boolean },
): { readonly shapes: Shape[]; readonly more: number } {
  const isReport = paper.minFontSize === 0
  const left = isReport ? x : 8
  const label = noteOn(paper, { x: left + 24, y: 15 }, measured)
  const own = { color: styleOf(0).color, width: 1.8 }
  const next = isReport ? { x: x + 500, y: 12 } : { x: left, y: 28 + label.more }
  const forecast = { color: styleOf(1).color, width: 1.2, dash: [6, 3] }
  return {
    shapes: [
      lineBetween({ x: left, y: 12 }, { x: left + 18, y: 12 }, own),
      ...label.shapes,
      ...(hasForecast
        ? [
            lineBetween(next, { x: next.x + 18, y: next.y }, forecast),
            textAt(next.x + 24, next.y + 3, 'forecast band'),
          ]
        : []),
    ],
    more: label.more + (isReport || !hasForecast ? 0 : 16),
  }
}
