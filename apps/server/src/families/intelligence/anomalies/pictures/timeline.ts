import {
  type Axis,
  areaBetween,
  type Box,
  chartBox,
  type Drawing,
  drawing,
  emptyNote,
  flowedKeys,
  frameOf,
  hatch,
  ink,
  isNarrow,
  lineBetween,
  magnitudeOf,
  moved,
  numberAxis,
  type Paper,
  type Point,
  type Shape,
  spotsOf,
  styleOf,
  textAt,
  timeUnitOf,
} from '@liquidity-os/drawing'
import { type DrawnAnomaly, inWords, readable, unitWords } from './drawn-anomaly.ts'

const bar = { y: 262, height: 12 }
const height = 330
/** Half width of the band: samples outside count as unusual. */
const cutMilli = 3500

type Feature = NonNullable<DrawnAnomaly['feature']>
type Place = (time: string) => number

/** The newest samples over time with the band of the baseline; flagged ones are marked, CRITICAL times hatched below. */
export function drawTimeline(anomaly: DrawnAnomaly, paper: Paper): Drawing {
  const box = chartBox({ x: 66, y: 52, height: 190 }, 24, paper)
  const { course, feature, kind } = anomaly
  const unit = feature?.unit ?? 'QUOTE_ATOMS'
  const about = {
    id: 'anomaly-timeline',
    title: `${inWords(kind)} over time`.replace(/^./, (letter) => letter.toUpperCase()),
    description: descriptionOf(anomaly),
  }
  const rows = course.map(({ at, value, isFlagged }) => [at, value, isFlagged ? 'flagged' : ''])
  const table = {
    columns: ['at', unit === 'PIPS' ? 'pips' : 'value, quote atoms', 'flagged'],
    rows,
  }
  const [first, last] = [course[0], course.at(-1)]
  if (!first || !last) {
    const shapes = [emptyNote(box, 'No stored samples for this anomaly.')]
    return drawing(about, table, { height, shapes }, paper)
  }
  const values = course.map(({ value }) => readable(value, unit, anomaly))
  const band = bandOf(anomaly)
  const { divisor, prefix } = magnitudeOf(Math.max(...values.map(Math.abs)))
  const y = numberAxis(
    [...values, ...(band ? [band.low, band.high, band.median] : [])].map((one) => one / divisor),
    [box.y + box.height, box.y],
    { title: `${prefix}${unitWords(unit)}` },
  )
  const { axis, at } = timeAxis(first.at, anomaly.at > last.at ? anomaly.at : last.at, {
    box,
    count: isNarrow(paper) ? 3 : 5,
  })
  const points = course.map(({ at: time }, index) => ({
    x: at(time),
    y: y.scale.at(values[index]! / divisor),
  }))
  const shapes: Shape[] = [
    ...(band ? bandShapes(band, (value) => y.scale.at(value / divisor), box) : []),
    ...frameOf({ ...box, height: bar.y + bar.height + 6 - box.y }, axis, y),
    ...linesOf(course, points, anomaly.cadenceSeconds),
    ...points.flatMap((point, index): Shape[] =>
      course[index]!.isFlagged
        ? [{ kind: 'mark', form: 'diamond', ...point, size: 6.5, color: flag, isHollow: false }]
        : [],
    ),
    ...spansOf(anomaly, first.at, { at, box }),
    ...openedMark(anomaly, first.at, { at, box }),
  ]
  const keys = flowedKeys(keysAt(box, band !== null, anomaly.criticalAt.length > 0), paper)
  const drawn = [...moved(shapes, 0, keys.more), ...keys.shapes]
  const spots = spotsOf(
    points.map(({ x, y: upper }) => ({ x, y: upper + keys.more, series: inWords(kind) })),
  )
  return drawing(about, table, { height: height + keys.more, shapes: drawn, spots }, paper)
}

const flag = styleOf(1).color
const line = styleOf(0).color

function descriptionOf({ course, explanation, outcome, reasons }: DrawnAnomaly): string {
  if (outcome === null) return `Result withheld: ${reasons.join(', ')}.`
  const flagged = course.filter(({ isFlagged }) => isFlagged).length
  return `${course.length} samples, ${flagged} flagged. ${explanation}`
}

/**
 * Median and cut of the baseline. A divergence has no band, because it is compared with paths at
 * one moment.
 */
function bandOf(anomaly: DrawnAnomaly) {
  const { feature, kind } = anomaly
  if (!feature || kind === 'SIMULATED_REALIZED_DIVERGENCE') return null
  const of = (value: bigint) => readable(value, feature.unit, anomaly)
  const [median, cut] = [BigInt(feature.median), cutOf(feature)]
  return { low: of(median - cut), median: of(median), high: of(median + cut) }
}

const cutOf = ({ scale4 }: Feature) => (BigInt(scale4) * BigInt(cutMilli)) / 10_000_000n

function bandShapes(
  { low, median, high }: { low: number; median: number; high: number },
  at: (value: number) => number,
  box: Box,
): Shape[] {
  const across = (value: number): Point[] => [
    { x: box.x, y: Math.min(Math.max(at(value), box.y), box.y + box.height) },
    { x: box.x + box.width, y: Math.min(Math.max(at(value), box.y), box.y + box.height) },
  ]
  const [from, to] = across(median) as [Point, Point]
  return [
    ...areaBetween(across(low), across(high), line, 0.13),
    lineBetween(from, to, { color: line, width: 1, dash: [5, 3] }),
  ]
}

/** Time axis in a suitable unit, counted back from the evaluated moment. */
function timeAxis(
  from: string,
  to: string,
  { box, count }: { box: Box; count: number },
): { axis: Axis; at: Place } {
  const end = Date.parse(to) / 1000
  const span = Math.max(1, end - Date.parse(from) / 1000)
  const unit = timeUnitOf(span)
  const axis = numberAxis([-span / unit.seconds, 0], [box.x, box.x + box.width], {
    title: `time before ${to.slice(0, 16).replace('T', ' ')} UTC, ${unit.name}`,
    isTight: true,
    count,
  })
  return { axis, at: (time) => axis.scale.at((Date.parse(time) / 1000 - end) / unit.seconds) }
}

/** Consecutive samples; gaps stay visible. */
function linesOf(
  course: DrawnAnomaly['course'],
  points: readonly Point[],
  cadenceSeconds: number,
): Shape[] {
  const usual = course
    .slice(1)
    .map(({ at }, index) => Date.parse(at) - Date.parse(course[index]!.at))
  const gap = Math.max(cadenceSeconds * 1000, Math.min(...usual, Infinity)) * 1.5
  const stretches: Point[][] = []
  for (const [place, point] of points.entries()) {
    if (place === 0 || usual[place - 1]! > gap) stretches.push([point])
    else stretches.at(-1)!.push(point)
  }
  return stretches.map((stretch): Shape => {
    const [only, second] = stretch
    return second || !only
      ? { kind: 'line', points: stretch, stroke: { color: line, width: 1.4 } }
      : { kind: 'mark', form: 'circle', ...only, size: 3, color: line, isHollow: false }
  })
}

/** CRITICAL periods, on a strip below the samples. */
function spansOf(
  { criticalAt }: DrawnAnomaly,
  first: string,
  { at, box }: { at: Place; box: Box },
): Shape[] {
  return criticalAt.flatMap(({ from, to }): Shape[] => {
    if (to < first) return []
    const x = Math.max(box.x, at(from))
    const span = { x, ...bar, width: Math.max(2, at(to) - x) }
    const stroke = { color: flag, width: 0.8 }
    return [{ kind: 'rect', ...span, fill: ink.paper, stroke }, ...hatch(span, flag, 4)]
  })
}

function openedMark(
  { openedAt }: DrawnAnomaly,
  first: string,
  { at, box }: { at: Place; box: Box },
): Shape[] {
  if (openedAt === null || openedAt < first) return []
  const x = at(openedAt)
  const isRight = x > box.x + box.width / 2
  const stroke = { color: ink.text, width: 0.9, dash: [3, 2] }
  return [
    lineBetween({ x, y: box.y }, { x, y: bar.y + bar.height }, stroke),
    textAt(x + (isRight ? -5 : 5), box.y + 10, 'opened', {
      anchor: isRight ? 'end' : 'start',
      halo: ink.paper,
    }),
  ]
}

function keysAt(box: Box, hasBand: boolean, isCritical: boolean): Shape[][] {
  const y = 16
  const band = { x: box.x, y: y - 8, width: 18, height: 10 }
  const critical = { x: box.x + 400, y: y - 8, width: 18, height: 10 }
  const flagged = { kind: 'mark', form: 'diamond', size: 6.5, color: flag } as const
  return [
    hasBand
      ? [
          ...areaBetween(
            [
              { x: band.x, y: band.y + band.height },
              { x: band.x + band.width, y: band.y + band.height },
            ],
            [
              { x: band.x, y: band.y },
              { x: band.x + band.width, y: band.y },
            ],
            line,
            0.13,
          ),
          lineBetween(
            { x: band.x, y: y - 3 },
            { x: band.x + 18, y: y - 3 },
            {
              color: line,
              width: 1,
              dash: [5, 3],
            },
          ),
          textAt(band.x + 24, y, 'baseline: median and robust z-score 3.5'),
        ]
      : [],
    [
      { ...flagged, x: box.x + 290, y: y - 3, isHollow: false },
      textAt(box.x + 299, y, 'flagged sample'),
    ],
    isCritical
      ? [
          ...hatch(critical, flag, 4),
          { kind: 'rect', ...critical, fill: null, stroke: { color: flag, width: 0.8 } } as const,
          textAt(critical.x + 24, y, 'CRITICAL'),
        ]
      : [],
  ]
}
