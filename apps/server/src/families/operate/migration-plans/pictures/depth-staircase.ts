import {
  chartBox,
  type Drawing,
  drawing,
  emptyNote,
  frameOf,
  isNarrow,
  magnitudeOf,
  numberAxis,
  type Paper,
  type Place,
  type Point,
  panelBoxes,
  type Shape,
  spotsOf,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'
import { type DrawnPlan, type DrawnState, inTokens, realizedSteps } from './migration-course.ts'

type Rung = DrawnPlan['start']['depth'][number]

/**
 * Depth after each step against its minimum: simulated values as a staircase, realized values as
 * marks.
 */
export function drawDepthStaircase(plan: DrawnPlan, state: DrawnState, paper: Paper): Drawing {
  const floors = plan.request.constraints.minDepth
  const realized = realizedSteps(state)
  // A single minimum uses the full width.
  const { boxes, height } =
    floors.length === 1
      ? { boxes: [chartBox({ x: 64, y: 40, height: 190 }, 36, paper)], height: 270 }
      : panelBoxes(floors.length, 150, 8, paper)
  const rows: (string | null)[][] = []
  const places: Place[] = []
  const shapes: Shape[] = floors.flatMap((floor, index) => {
    const box = boxes[index]!
    const of = (rungs: readonly Rung[]) =>
      rungs.find(({ bandPips, side }) => bandPips === floor.bandPips && side === floor.side)?.quote
    const simulated = [
      of(plan.start.depth),
      ...plan.steps.map(({ expected }) => of(expected.depth)),
    ].map((quote) => quote ?? '0')
    const found = plan.steps.flatMap(({ step }) => {
      const quote = of(realized.get(step)?.realized?.depth ?? [])
      return quote === undefined ? [] : [{ at: step + 1, quote }]
    })
    const amounts = [...simulated, floor.quote, ...found.map(({ quote }) => quote), '0'].map(
      (quote) => inTokens(quote, plan),
    )
    const { divisor, prefix } = magnitudeOf(Math.max(...amounts))
    const x = numberAxis([0, simulated.length - 1], [box.x, box.x + box.width], {
      title: 'completed steps',
      isTight: true,
      count: isNarrow(paper) ? 3 : 5,
    })
    const y = numberAxis(
      amounts.map((amount) => amount / divisor),
      [box.y + box.height, box.y],
      { title: `${prefix}quote` },
    )
    const pointOf = (at: number, quote: string): Point => ({
      x: x.scale.at(at),
      y: y.scale.at(inTokens(quote, plan) / divisor),
    })
    const name = `${floor.bandPips / 10_000} %, ${floor.side}`
    for (const [at, quote] of simulated.entries()) {
      const seen = found.find((one) => one.at === at)?.quote ?? null
      rows.push([`${floor.bandPips}`, floor.side, `${at}`, quote, seen, floor.quote])
      places.push({ ...pointOf(at, quote), series: name })
    }
    const stairs = simulated.flatMap((quote, at): Point[] =>
      at === 0
        ? [pointOf(0, quote)]
        : [{ x: x.scale.at(at), y: pointOf(0, simulated[at - 1]!).y }, pointOf(at, quote)],
    )
    const [line, limit, mark] = [styleOf(0), styleOf(1), styleOf(2)]
    const edge = pointOf(0, floor.quote).y
    return [
      ...frameOf(box, x, y),
      textAt(box.x, box.y - 24, name, { isBold: true }),
      { kind: 'line', points: stairs, stroke: { color: line.color, width: 1.6 } },
      {
        kind: 'line',
        points: [
          { x: box.x, y: edge },
          { x: box.x + box.width, y: edge },
        ],
        stroke: { color: limit.color, width: 1.4, dash: [6, 3] },
      },
      textAt(box.x + 4, edge - 4, 'floor', { color: limit.color, halo: '#ffffff' }),
      ...found.map(({ at, quote }): Shape => {
        const { x: left, y: upper } = pointOf(at, quote)
        const form = { form: mark.mark, color: mark.color, isHollow: false, size: 6 } as const
        return { kind: 'mark', x: left, y: upper, ...form }
      }),
    ]
  })
  const nothing = { x: 0, y: 0, width: paper.width, height: 60 }
  return drawing(
    {
      id: 'migration-depth',
      title: 'Depth after each step',
      description: 'Line: simulated depth. Triangles: realized depth on chain. Dashed: floor.',
    },
    {
      columns: [
        'bandPips',
        'side',
        'stepsEnded',
        ...['simulated', 'realized', 'floor'].map((name) => `${name}, quote atoms`),
      ],
      rows: rows,
    },
    {
      height: floors.length === 0 ? 60 : height,
      shapes: floors.length === 0 ? [emptyNote(nothing, 'The plan has no depth floor.')] : shapes,
      spots: spotsOf(places),
    },
    paper,
  )
}
