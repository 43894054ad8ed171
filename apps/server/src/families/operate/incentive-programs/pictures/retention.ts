import {
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
  numberAxis,
  type Paper,
  type Shape,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'
import type { DrawnProgram } from './drawn-program.ts'

/** Width of the forecast to the right of the chart. */
const expectedWidth = { wide: 130, narrow: 60 } as const
function boxOn(paper: Paper): Box {
  const box = chartBox({ x: 66, y: 44, height: 190 }, expectedWidth.wide, paper)
  return isNarrow(paper) ? { ...box, width: paper.width - box.x - expectedWidth.narrow } : box
}

const height = 286
const horizonDays = 60

/** Lift remaining after the last reward, and the forecast retention. */
export function drawRetention(program: DrawnProgram, paper: Paper): Drawing {
  const box = boxOn(paper)
  const { payload, evaluations } = program
  const measured = evaluations.at(-1)?.retention ?? []
  const expected = payload.result.retention
  const about = {
    id: 'incentive-retention',
    title: 'Lift retained after the rewards',
    description:
      measured.length === 0
        ? 'No measurements after the end yet.'
        : measured
            .map(({ daysAfter, keptPips }) => `${daysAfter} days after: ${keptPips / 10_000} %.`)
            .join(' '),
  }
  const table = {
    columns: ['daysAfter', 'keptPips'],
    rows: measured.map(({ daysAfter, keptPips }) => [Number(daysAfter), keptPips]),
  }
  const bounds = expected ? [expected.lowPips / 10_000, expected.highPips / 10_000] : []
  if (measured.length === 0 && bounds.length === 0) {
    const words = 'No measurements after the end yet, and no forecast.'
    return drawing(about, table, { height, shapes: emptyNotes(box, words) }, paper)
  }
  const points = measured.map(({ daysAfter, keptPips }) => ({
    day: Number(daysAfter),
    percent: keptPips / 10_000,
  }))
  const x = numberAxis([0, horizonDays], [box.x, box.x + box.width], {
    title: 'days after the end',
    isTight: true,
    count: isNarrow(paper) ? 3 : 6,
  })
  const y = numberAxis(
    [0, 100, ...bounds, ...points.map(({ percent }) => percent)],
    [box.y + box.height, box.y],
    { title: 'share of the reached lift, %' },
  )
  const at = (day: number, value: number) => ({ x: x.scale.at(day), y: y.scale.at(value) })
  const shapes: Shape[] = [
    ...expectedBar(expected, (value) => y.scale.at(value), box, paper),
    ...frameOf(box, x, y),
    ...markedLine([at(0, 100), ...points.map(({ day, percent }) => at(day, percent))], styleOf(0)),
    ...points.flatMap(({ day, percent }): Shape[] => {
      const place = at(day, percent)
      // The forecast is right of the last point.
      const isLast = day === horizonDays
      return [
        {
          kind: 'mark',
          form: 'circle',
          ...place,
          size: 7,
          color: styleOf(0).color,
          isHollow: false,
        },
        textAt(place.x + (isLast ? -8 : 8), place.y - 8, `${percent.toFixed(0)} %`, {
          anchor: isLast ? 'end' : 'start',
          halo: ink.paper,
        }),
      ]
    }),
    ...(points.length === 0
      ? [
          textAt(box.x + box.width / 2, box.y + 60, 'No measurements yet.', {
            anchor: 'middle',
            color: ink.faint,
          }),
        ]
      : []),
  ]
  return drawing(about, table, { height, shapes }, paper)
}

type Expected = DrawnProgram['payload']['result']['retention']

/** Forecast interval at the end of the horizon. */
function expectedBar(
  expected: Expected,
  at: (value: number) => number,
  box: Box,
  paper: Paper,
): Shape[] {
  if (!expected) return []
  const { color } = styleOf(1)
  const x = box.x + box.width + (isNarrow(paper) ? 16 : 34)
  const [low, high] = [at(expected.lowPips / 10_000), at(expected.highPips / 10_000)]
  const words = expected.isMeasured ? 'forecast' : 'assumed, no earlier measurement'
  return [
    lineBetween({ x, y: low }, { x, y: high }, { color, width: 2 }),
    ...[low, high].map((y) => lineBetween({ x: x - 5, y }, { x: x + 5, y }, { color, width: 1.4 })),
    {
      kind: 'mark',
      form: 'square',
      x,
      y: at(expected.estimatePips / 10_000),
      size: 7,
      color,
      isHollow: false,
    },
    textAt(paper.width - 4, box.y - 24, words, { anchor: 'end', color }),
    textAt(
      x + 10,
      at(expected.estimatePips / 10_000) + 3.5,
      `${Math.round(expected.estimatePips / 10_000)} %`,
      {
        color,
      },
    ),
  ]
}
