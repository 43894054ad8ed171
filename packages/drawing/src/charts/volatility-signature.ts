import { type Figure, numberOf, type Row, rowsOf } from '../figure.ts'
import { type Axis, type Box, emptyNote, frameOf, legendRows, numberAxis } from '../frame.ts'
import type { Paper } from '../paper.ts'
import { lineBetween, type Picture, type Shape, styleOf } from '../picture.ts'
import { linearScale } from '../scale.ts'
import { type Place, spotsOn } from '../spots.ts'
import { type ChartTerms, pictureOf } from './chart.ts'

const height = 300

/**
 * Realized volatility by sampling interval, with two standard errors, and the estimate over its own
 * intervals. Intervals are ordinal, not to scale.
 */
export function drawVolatilitySignature(figure: Figure, _: ChartTerms, paper: Paper): Picture {
  const given = rowsOf(figure)
  const box: Box = { x: 48, y: 30, width: paper.width - 58, height: 190 }
  const observed = given.filter(({ kind }) => kind === 'OBSERVED')
  if (observed.length === 0) {
    const shapes = [emptyNote(box, 'No observed intervals.')]
    return pictureOf(figure, { height, shapes }, paper)
  }
  const x = axisOf(observed, box)
  const percents = given.flatMap((row) => [percentOf(row, 'lowPips'), percentOf(row, 'highPips')])
  const y = numberAxis([0, ...percents], [box.y + box.height, box.y], {
    title: 'volatility per year, %',
  })
  const placed = new Map<Row, Place>()
  const points = observed.map((row, index) => {
    const point = { x: x.scale.at(index), y: y.scale.at(percentOf(row, 'volatilityPips')) }
    placed.set(row, { ...point, series: 'observed' })
    return point
  })
  const [course, estimate] = [styleOf(0), styleOf(1)]
  const stroke = { color: course.color, width: 1.3, dash: course.dash }
  const shapes: Shape[] = [
    ...frameOf(box, x, y),
    ...given
      .filter(({ kind }) => kind === 'ESTIMATE')
      .flatMap((row) => {
        const at = y.scale.at(percentOf(row, 'volatilityPips'))
        placed.set(row, { x: box.x + box.width, y: at, series: 'estimate' })
        return levelsOf(row, { box, y, color: estimate.color })
      }),
    { kind: 'line', points, stroke },
    ...observed.map((row, index) => {
      const ends = (['lowPips', 'highPips'] as const).map((key) => ({
        x: x.scale.at(index),
        y: y.scale.at(percentOf(row, key)),
      }))
      return lineBetween(ends[0]!, ends[1]!, { color: course.color, width: 1 })
    }),
    ...points.map(
      (point): Shape => ({
        kind: 'mark',
        form: course.mark,
        ...point,
        size: 5.5,
        color: course.color,
        isHollow: false,
      }),
    ),
  ]
  const entries = [
    { text: 'realized, with two standard errors', style: course },
    { text: 'estimate, with two standard errors', style: estimate },
  ]
  const legend = legendRows(entries, { x: 8, y: 272, width: paper.width - 16 })
  const spots = spotsOn(given, placed)
  const whole = { height: 272 + legend.height, shapes: [...shapes, ...legend.shapes], spots }
  return pictureOf(figure, whole, paper)
}

const percentOf = (row: Row, key: string): number => (numberOf(row[key]) ?? 0) / 10_000

function axisOf(observed: readonly Row[], box: Box): Axis {
  return {
    scale: linearScale([-0.5, observed.length - 0.5], [box.x, box.x + box.width]),
    ticks: observed.map((row, value) => ({
      value,
      label: intervalText(numberOf(row.seconds) ?? 0),
    })),
    title: 'sampling interval',
  }
}

function intervalText(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400} d`
  if (seconds % 3600 === 0) return `${seconds / 3600} h`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}

/** The estimate as a line, and its errors as thinner ones. */
function levelsOf(row: Row, { box, y, color }: { box: Box; y: Axis; color: string }): Shape[] {
  return (['volatilityPips', 'lowPips', 'highPips'] as const).map((key) => {
    const at = y.scale.at(percentOf(row, key))
    const width = key === 'volatilityPips' ? 1.6 : 0.6
    return lineBetween({ x: box.x, y: at }, { x: box.x + box.width, y: at }, { color, width })
  })
}
