import type { contract } from '@liquidity-os/contract'
import {
  amountColors,
  type Drawing,
  drawing,
  fitText,
  flowedKeys,
  hatch,
  ink,
  linearScale,
  lineBetween,
  type NamedRows,
  namedRows,
  type Paper,
  type Shape,
  textAt,
  wordsAbove,
} from '@liquidity-os/drawing'
import { dayMilliseconds } from '../../../../units.ts'

type Timeline = contract.LaunchTimeline
type Step = Timeline['events'][number]

const top = 58
/** Drawn steps; the table has all. */
const maxSteps = 60
/** Width of an axis label. */
const dayWidth = 49
const critical = '#c1272d'
const lights = { SATISFIED: '#009e73', OPEN: amountColors.loss, UNKNOWN: ink.axis } as const

/**
 * Gantt chart of steps in topological order. Steps without slack are red, and each gate has a
 * status light.
 */
export function drawGantt(timeline: Timeline, paper: Paper): Drawing {
  const layout = namedRows(paper, { left: 196, rightMargin: 120, height: 18 })
  const steps = timeline.events.slice(0, maxSteps)
  const times = steps.flatMap((step) => [
    Date.parse(step.plannedAt),
    Date.parse(step.earliestStart) + step.durationSeconds * 1000,
  ])
  const launch = Date.parse(timeline.launchAt)
  const now = Date.parse(timeline.evaluatedAt)
  const [from, to] = [
    Math.min(launch - dayMilliseconds, ...times),
    Math.max(launch + dayMilliseconds, ...times),
  ]
  const scale = linearScale([from, to], [layout.left, layout.right])
  const bottom = top + Math.max(1, steps.length) * layout.height
  const shapes: Shape[] = [
    textAt(6, 16, phaseWords(timeline), { size: 11.5, isBold: true }),
    ...daysAxis(launch, [from, to], {
      at: scale.at,
      bottom,
      max: Math.min(9, Math.floor((layout.right - layout.left) / dayWidth)),
    }),
    ...steps.flatMap((step, index) =>
      stepShapes(step, top + index * layout.height, scale.at, layout),
    ),
    upright(scale.at(launch), bottom, ink.text),
    textAt(scale.at(launch), 32, 'launch', { size: 9.5, anchor: 'middle', isBold: true }),
  ]
  if (now > from && now < to) {
    shapes.push(upright(scale.at(now), bottom, ink.axis, [3, 2]))
    shapes.push(textAt(scale.at(now), bottom + 12, 'now', { size: 9, anchor: 'middle' }))
  }
  if (steps.length === 0)
    shapes.push(textAt(6, top + 10, 'No steps planned.', { color: ink.faint }))
  const keys = flowedKeys(keysAt(bottom + 28), paper)
  shapes.push(...keys.shapes)
  return drawing(
    {
      id: 'launch-timeline',
      title: 'Launch timeline',
      description: described(timeline),
    },
    {
      columns: [
        ...['step', 'state', 'planned', 'earliest start', 'latest finish', 'slack, seconds'],
        ...['critical', 'depends on', 'gate', 'gate status'],
      ],
      rows: timeline.events.map((step) => [
        ...[step.key, step.state, step.plannedAt, step.earliestStart, step.latestFinish],
        ...[step.slackSeconds, step.critical ? 'yes' : 'no', step.blockedBy.join(' ')],
        ...[step.gate?.kind ?? null, step.gateResult?.detail ?? null],
      ]),
    },
    { height: bottom + 52 + keys.more, shapes },
    paper,
  )
}

function phaseWords({ phase, launchAt, forecastLaunchAt }: Timeline): string {
  const planned = launchAt.slice(0, 10)
  const slip = Math.round((Date.parse(forecastLaunchAt) - Date.parse(launchAt)) / dayMilliseconds)
  const late = slip > 0 ? `, forecast ${slip} days later` : ''
  return `${phase.toLowerCase()} · launch ${planned}${late}`
}

function described({ events, criticalPath }: Timeline): string {
  const count = (state: Step['state']) => events.filter((step) => step.state === state).length
  const shut = events.filter(({ gateResult }) => gateResult && gateResult.result !== 'SATISFIED')
  return `${events.length} steps: ${count('DONE')} done, ${count('READY')} ready, ${count('BLOCKED')} blocked, ${count('LATE')} late. ${shut.length} gates are not satisfied. Critical: ${criticalPath.join(', ') || 'nothing'}.`.slice(
    0,
    900,
  )
}

const upright = (x: number, bottom: number, color: string, dash: readonly number[] = []) =>
  lineBetween({ x, y: top - 18 }, { x, y: bottom }, { color, width: 1, dash })

function daysAxis(
  launch: number,
  [from, to]: readonly [number, number],
  { at, bottom, max }: { at: (value: number) => number; bottom: number; max: number },
): Shape[] {
  const span = (to - from) / dayMilliseconds
  const step =
    [1, 7, 14, 30, 60, 90, 180, 365, 730, 1825, 3650].find((days) => span / days <= max) ?? 18_250
  const shapes: Shape[] = []
  for (
    let n = Math.ceil((from - launch) / dayMilliseconds / step);
    launch + n * step * dayMilliseconds <= to;
    n += 1
  ) {
    const x = at(launch + n * step * dayMilliseconds)
    shapes.push(lineBetween({ x, y: top - 8 }, { x, y: bottom }, { color: ink.grid, width: 0.7 }))
    if (n === 0) continue
    const days = n * step
    shapes.push(
      textAt(x, top - 12, `${days > 0 ? '+' : '−'}${Math.abs(days)} d`, {
        size: 8.5,
        anchor: 'middle',
        color: ink.faint,
      }),
    )
  }
  return shapes
}

function stepShapes(
  step: Step,
  rowTop: number,
  at: (value: number) => number,
  layout: NamedRows,
): Shape[] {
  const { left, right, drop } = layout
  const y = rowTop + drop
  const color = step.critical ? critical : step.state === 'DONE' ? '#7f9fb5' : amountColors.gain
  const [begin, end] = spanOf(step)
  const x = at(begin)
  const width = Math.max(2, at(end) - x)
  const planned = at(Date.parse(step.plannedAt))
  const box = { x, y: y + 3, width, height: 9 }
  const gate = step.gateResult
  const light: Shape[] = step.gate
    ? [
        {
          kind: 'mark',
          form: 'circle',
          size: 7,
          ...(layout.isNarrow ? { x: left + 4, y: y - 7.5 } : { x: right + 12, y: y + 7.5 }),
          color: lights[gate?.result ?? 'UNKNOWN'],
          isHollow: step.state === 'DONE',
        },
      ]
    : []
  const words = wordsAbove(
    { ...layout, left: left + (step.gate ? 12 : 0) },
    { name: step.title, value: stateWords(step), top: y, isBold: step.critical },
  )
  return [
    ...(layout.isNarrow
      ? words
      : [
          textAt(6, y + 11, fitText(step.title, left - 20, 9.5, step.critical), {
            size: 9.5,
            isBold: step.critical,
            color: step.state === 'DONE' ? ink.faint : ink.text,
          }),
        ]),
    // The bar of a late step shows its delay.
    ...(x > planned + 1
      ? [
          lineBetween(
            { x: planned, y: y + 7.5 },
            { x, y: y + 7.5 },
            { color, width: 1, dash: [2, 2] },
          ),
        ]
      : []),
    step.durationSeconds === 0
      ? ({
          kind: 'mark',
          form: 'diamond',
          x,
          y: y + 7.5,
          size: 9,
          color,
          isHollow: false,
        } as const)
      : ({ kind: 'rect', ...box, fill: step.state === 'BLOCKED' ? '#ffffff' : color } as const),
    ...(step.state === 'BLOCKED' && step.durationSeconds > 0
      ? [
          { kind: 'rect', ...box, fill: null, stroke: { color, width: 1 } } as const,
          ...hatch(box, color),
        ]
      : []),
    ...light,
    ...(layout.isNarrow
      ? []
      : [textAt(right + 20, y + 11, stateWords(step), { size: 8.5, color: ink.faint })]),
  ]
}

/**
 * Open steps start at their earliest start. Completed steps run from the planned time to
 * completion.
 */
function spanOf({ plannedAt, earliestStart, doneAt, durationSeconds }: Step): [number, number] {
  if (doneAt === null) {
    const start = Date.parse(earliestStart)
    return [start, start + durationSeconds * 1000]
  }
  return [Math.min(Date.parse(plannedAt), Date.parse(doneAt)), Date.parse(doneAt)]
}

function stateWords({ state, slackSeconds, critical: isCritical }: Step): string {
  if (state === 'DONE') return 'done'
  if (isCritical) return `${state.toLowerCase()}, critical`
  return `${state.toLowerCase()}, ${Math.round((slackSeconds * 1000) / dayMilliseconds)} d slack`
}

function keysAt(y: number): Shape[][] {
  const swatch = (x: number, color: string, text: string): Shape[] => [
    { kind: 'rect', x, y: y - 7, width: 12, height: 8, fill: color },
    textAt(x + 17, y, text, { size: 9, color: ink.faint }),
  ]
  const light = (x: number, color: string, text: string): Shape[] => [
    { kind: 'mark', form: 'circle', x: x + 6, y: y - 3, size: 7, color, isHollow: false },
    textAt(x + 17, y, text, { size: 9, color: ink.faint }),
  ]
  const box = { x: 222, y: y - 7, width: 12, height: 8 }
  return [
    swatch(6, critical, 'critical'),
    swatch(76, amountColors.gain, 'slack'),
    swatch(146, '#7f9fb5', 'done'),
    [...hatch(box, amountColors.gain), textAt(239, y, 'blocked', { size: 9, color: ink.faint })],
    light(310, lights.SATISFIED, 'gate met'),
    light(400, lights.OPEN, 'gate not met'),
    light(490, lights.UNKNOWN, 'gate not read'),
  ]
}
