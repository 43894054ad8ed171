import {
  type Box,
  type Drawing,
  type Drawn,
  drawing,
  emptyNote,
  frameOf,
  numberAxis,
  type Paper,
  panelBoxes,
  type Shape,
  spotsOf,
  styleOf,
  textAt,
  timeUnitOf,
} from '@liquidity-os/drawing'
import { required } from '../../../../required.ts'
import type { ScorePayload } from '../active-score.ts'

type Point = ScorePayload['course'][number]

interface Panel {
  readonly title: string
  readonly unit: string
  /** Lines, each with its name. */
  readonly lines: readonly { readonly name: string; readonly of: (point: Point) => number | null }[]
}

/** Depth, cost, spread and deviation over the window, side by side; a hole is left where nothing was sampled. */
export function drawCourse(score: ScorePayload, paper: Paper): Drawing {
  const { course, request } = score
  const tokens = (atoms: string | null) =>
    atoms === null ? null : Number(atoms) / 10 ** request.pair.quoteDecimals
  const percent = (pips: number | null) => (pips === null ? null : pips / 10_000)
  const panels: Panel[] = [
    {
      title: 'Depth within 2 %',
      unit: 'quote tokens',
      lines: [
        { name: 'buying', of: (point) => tokens(point.depthBuyQuote) },
        { name: 'selling', of: (point) => tokens(point.depthSellQuote) },
      ],
    },
    {
      title: 'Cost of the reference size, worse side',
      unit: '%',
      lines: [{ name: 'cost', of: (point) => percent(point.slippagePips) }],
    },
    {
      title: 'Spread',
      unit: '%',
      lines: [{ name: 'spread', of: (point) => percent(point.spreadPips) }],
    },
    {
      title: 'Distance of prices',
      unit: '% beyond the fee',
      lines: [{ name: 'distance', of: (point) => percent(point.deviationPips) }],
    },
  ]
  const { boxes, height } = panelBoxes(panels.length, 110, 0, paper)
  const drawn = panels.map((panel, place) => panelOf(panel, boxes[place]!, course))
  const shapes = drawn.flatMap((one) => one.shapes)
  const spots = drawn.flatMap((one) => one.spots)
  const columns = [
    'from',
    'samples',
    ...panels.flatMap(({ lines }) => lines.map(({ name }) => name)),
  ]
  const rows = course.map((point) => [
    point.from,
    point.samples,
    ...panels.flatMap(({ lines }) => lines.map(({ of }) => of(point))),
  ])
  const about = { id: 'score-course', title: 'The market over the window' }
  const sampled = course.filter(({ samples }) => samples > 0).length
  const description = `Medians of ${course.length} stretches of the window, of which ${sampled} were sampled.`
  return drawing({ ...about, description }, { columns, rows }, { height, shapes, spots }, paper)
}

function panelOf(
  { title, unit, lines }: Panel,
  box: Box,
  course: readonly Point[],
): Required<Pick<Drawn, 'shapes' | 'spots'>> {
  const values = lines.flatMap(({ of }) => course.flatMap((point) => of(point) ?? []))
  const heading = textAt(box.x, box.y - 22, title, { size: 11, isBold: true })
  if (values.length === 0)
    return { shapes: [heading, emptyNote(box, 'Nothing was sampled.')], spots: [] }
  const first = Date.parse(required(course[0], 'stretch of the course').from)
  const secondsOf = (point: Point) => (Date.parse(point.from) - first) / 1000
  const time = timeUnitOf(Math.max(1, secondsOf(course.at(-1)!)))
  const x = numberAxis(
    course.map((point) => secondsOf(point) / time.seconds),
    [box.x, box.x + box.width],
    { title: `since the begin, ${time.name}`, isTight: true },
  )
  const y = numberAxis([0, ...values], [box.y + box.height, box.y], { title: unit, count: 4 })
  const drawn = lines.flatMap(({ of }, index) =>
    stretchesOf(course, of).map((stretch) => ({ index, stretch })),
  )
  const at = (point: Point, value: number) => ({
    x: x.scale.at(secondsOf(point) / time.seconds),
    y: y.scale.at(value),
  })
  const shapes = [
    heading,
    ...frameOf(box, x, y),
    ...drawn.flatMap(({ index, stretch }) =>
      lineOf(
        stretch.map(({ point, value }) => at(point, value)),
        index,
      ),
    ),
    ...(lines.length > 1 ? legendOf(lines, box) : []),
  ]
  const spots = lines.flatMap(({ name, of }) =>
    spotsOf(
      course.map((point) => {
        const value = of(point)
        const series = lines.length > 1 ? `${title}, ${name}` : title
        return value === null ? null : { ...at(point, value), series }
      }),
    ),
  )
  return { shapes, spots }
}

/** Neighbouring points with a value. */
function stretchesOf(course: readonly Point[], of: (point: Point) => number | null) {
  const stretches: { point: Point; value: number }[][] = [[]]
  for (const point of course) {
    const value = of(point)
    if (value === null) stretches.push([])
    else stretches.at(-1)!.push({ point, value })
  }
  return stretches.filter((stretch) => stretch.length > 0)
}

function lineOf(points: readonly { x: number; y: number }[], index: number): Shape[] {
  const { color, dash, mark } = styleOf(index)
  const [only, second] = points
  if (second === undefined) {
    return only ? [{ kind: 'mark', form: mark, ...only, size: 4, color, isHollow: false }] : []
  }
  return [{ kind: 'line', points, stroke: { color, width: 1.4, dash } }]
}

function legendOf(lines: Panel['lines'], box: Box): Shape[] {
  return lines.flatMap(({ name }, index): Shape[] => {
    const { color, dash } = styleOf(index)
    const x = box.x + box.width - 66 * (lines.length - index)
    const y = box.y - 25
    const points = [
      { x, y },
      { x: x + 16, y },
    ]
    return [
      { kind: 'line', points, stroke: { color, width: 1.6, dash } },
      textAt(x + 20, y + 3, name, { size: 9.5 }),
    ]
  })
}
