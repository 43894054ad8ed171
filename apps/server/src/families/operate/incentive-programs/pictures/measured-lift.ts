import {
  areaBetween,
  type Drawing,
  drawing,
  drawingWidth,
  emptyNote,
  frameOf,
  ink,
  lineBetween,
  markedLine,
  numberAxis,
  type Shape,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'
import type { DrawnProgram } from './drawn-program.ts'

const box = { x: 66, y: 48, width: drawingWidth - 96, height: 200 }
const height = 300

const methods = {
  BEFORE_AFTER: 'against the time before; no control was named',
  DIFFERENCE_IN_DIFFERENCES: 'against the controls, as they moved meanwhile',
  SYNTHETIC_CONTROL: 'against a synthetic control',
} as const

/** The lift of the rewarded venues over their controls, day by day as it was measured, beside its forecast. */
export function drawMeasuredLift(program: DrawnProgram): Drawing {
  const { payload, evaluations } = program
  const points = evaluations.flatMap(({ dayOfProgram, liftPips }) =>
    liftPips
      ? [
          {
            ...{ day: dayOfProgram, low: liftPips.lowPips / 10_000 },
            ...{ estimate: liftPips.estimatePips / 10_000, high: liftPips.highPips / 10_000 },
          },
        ]
      : [],
  )
  const last = evaluations.at(-1)
  const method = last?.method ? methods[last.method] : null
  const about = {
    id: 'incentive-lift',
    title: 'Rewarded venues against their controls',
    description: last
      ? `${points.length} daily measurements, ${method ?? 'without one that could be compared'}.`
      : 'Nothing was measured yet.',
  }
  const table = tableOf(evaluations)
  if (points.length === 0) {
    const why = last
      ? `Nothing can be said: ${last.reasons.join(', ')}`
      : 'Nothing was measured yet.'
    return drawing(about, table, { height, shapes: [emptyNote(box, why)] })
  }
  const { days } = payload.request
  const forecast = payload.result.forecast.depthLiftPips
  const bounds = forecast ? [forecast.lowPips / 10_000, forecast.highPips / 10_000] : []
  const x = numberAxis([0, days, ...points.map(({ day }) => day)], [box.x, box.x + box.width], {
    ...{ title: 'day of the program', isTight: true, count: 8 },
  })
  const y = numberAxis(
    [0, ...bounds, ...points.flatMap(({ low, high }) => [low, high])],
    [box.y + box.height, box.y],
    { title: 'depth above the control, %' },
  )
  const at = (day: number, value: number) => ({ x: x.scale.at(day), y: y.scale.at(value) })
  const style = styleOf(0)
  const end = x.scale.at(days)
  const shapes: Shape[] = [
    ...forecastBand(bounds, (value) => y.scale.at(value), end),
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
        ...{ color: ink.axis, width: 0.9, dash: [3, 2] },
      },
    ),
    textAt(end - 4, box.y + box.height - 6, 'end of the rewards', {
      ...{ anchor: 'end', size: 9.5, halo: ink.paper },
    }),
    ...legend(bounds.length > 0, last?.placeboPPips ?? null, method),
  ]
  return drawing(about, table, { height, shapes })
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
  end: number,
): Shape[] {
  const [low, high] = bounds
  if (low === undefined || high === undefined) return []
  const across = (value: number) => [
    { x: box.x, y: at(value) },
    { x: end, y: at(value) },
  ]
  const { color } = styleOf(1)
  const edge = { color, width: 1, dash: [6, 3] }
  return [
    ...areaBetween(across(low), across(high), color, 0.08),
    { kind: 'line', points: across(low), stroke: edge },
    { kind: 'line', points: across(high), stroke: edge },
  ]
}

function legend(hasForecast: boolean, placeboPPips: number | null, method: string | null): Shape[] {
  const [measured, forecast] = [styleOf(0), styleOf(1)]
  const placebo =
    placeboPPips === null ? '' : `; as large by chance: ${(placeboPPips / 10_000).toFixed(1)} %`
  return [
    lineBetween(
      { x: box.x, y: 12 },
      { x: box.x + 18, y: 12 },
      {
        ...{ color: measured.color, width: 1.8 },
      },
    ),
    textAt(box.x + 24, 15, `measured ${method ?? ''}${placebo}`),
    ...(hasForecast
      ? [
          lineBetween(
            { x: box.x + 500, y: 12 },
            { x: box.x + 518, y: 12 },
            {
              ...{ color: forecast.color, width: 1.2, dash: [6, 3] },
            },
          ),
          textAt(box.x + 524, 15, 'band of the forecast'),
        ]
      : []),
  ]
}
