import {
  type Box,
  chartBox,
  type Drawing,
  drawing,
  emptyNotes,
  fitText,
  flowedKeys,
  frameOf,
  ink,
  isNarrow,
  letterOn,
  lineBetween,
  numberAxis,
  type Paper,
  printFigure,
  type Shape,
  styleOf,
  textAt,
  widthOf,
} from '@liquidity-os/drawing'
import { type DrawnPlan, decimalsOf, meanPriceOf, nameOf, priceOf } from './drawn-plan.ts'

/** Width for the leg names at the right of the chart. Screens use a larger font. */
const boxOn = (paper: Paper): Box =>
  chartBox({ x: 84, y: 40, height: 230 }, paper.minFontSize === 0 ? 176 : 230, paper)

interface Step {
  readonly leg: DrawnPlan['plan']['legs'][number]
  readonly name: string
  /** Quote per base: mean of the leg, and marginal. */
  readonly mean: number
  readonly last: number
  /** Sold amount in whole tokens. */
  readonly amount: number
}

/**
 * The marginal price of every leg over the sold amount, best first, with the mean price as a line
 * across each leg.
 */
export function drawStaircase({ plan }: DrawnPlan, paper: Paper): Drawing {
  const box = boxOn(paper)
  const steps = stepsOf(plan)
  return drawing(
    {
      id: 'execution-staircase',
      title: 'Marginal price by leg',
      description:
        steps.length === 0
          ? 'No leg has a price.'
          : steps
              .map(
                ({ name, last, amount }) =>
                  `${name}: ${printFigure(amount)} at ${printFigure(last)}.`,
              )
              .join(' '),
    },
    {
      columns: ['leg', 'source', 'sold', 'mean price', 'marginal price'],
      rows: steps.map(({ leg, name, amount, mean, last }) => [
        ...[`${leg.legIndex}`, name, `${amount}`, `${mean}`, `${last}`],
      ]),
    },
    steps.length === 0
      ? { height: heightOf(box), shapes: emptyNotes(box, 'no leg has a price') }
      : chart(steps, box, paper),
    paper,
  )
}

function stepsOf(plan: DrawnPlan['plan']): Step[] {
  const { sell } = decimalsOf(plan)
  const sign = plan.side === 'SELL' ? -1 : 1
  return plan.legs
    .flatMap((leg): Step[] => {
      const mean = meanPriceOf(leg, plan)
      if (mean === null) return []
      const last = leg.marginalPriceX36 === null ? mean : priceOf(leg.marginalPriceX36, plan)
      const name = nameOf(leg.kind, leg.sourceId, leg.maker)
      return [{ leg, mean, last, name, amount: Number(leg.sellAmount) / 10 ** sell }]
    })
    .toSorted((a, b) => sign * (a.mean - b.mean))
}

const heightOf = ({ y, height }: Box) => y + height + 48

function chart(
  steps: readonly Step[],
  box: Box,
  paper: Paper,
): { readonly height: number; readonly shapes: Shape[] } {
  const ticks = { count: isNarrow(paper) ? 3 : 5 }
  const total = steps.reduce((sum, { amount }) => sum + amount, 0)
  const x = numberAxis([0, total], [box.x, box.x + box.width], {
    title: 'sold, whole tokens',
    isTight: true,
    ...ticks,
  })
  const y = numberAxis(
    steps.flatMap(({ mean, last }) => [mean, last]),
    [box.y + box.height, box.y],
    { title: 'quote per base; step: marginal price, dashes: mean' },
  )
  let at = 0
  const stairs = steps.map(({ mean, last, amount }, index): Shape[] => {
    const [from, to] = [x.scale.at(at), x.scale.at(at + amount)]
    at += amount
    const { color } = styleOf(index)
    const top = y.scale.at(last)
    const line = y.scale.at(mean)
    return [
      // A tick instead of a bar, because the axis does not start at zero.
      lineBetween({ x: from, y: top }, { x: to, y: top }, { color, width: 4 }),
      lineBetween(
        ...([
          { x: from, y: line },
          { x: to, y: line },
        ] as const),
        { color: ink.text, width: 1.2, dash: [4, 3] },
      ),
    ]
  })
  const frame = frameOf(box, x, y)
  const height = heightOf(box)
  if (!isNarrow(paper)) {
    const keys = steps.map((step, index) =>
      keyOf(step, index, { x: box.x + box.width + 20, y: 52 + index * 16, paper }),
    )
    const shapes = [...frame, ...stairs.flatMap((stair, index) => [...stair, ...keys[index]!])]
    return { height, shapes }
  }
  const keys = flowedKeys(
    steps.map((step, index) => keyOf(step, index, { x: 10, y: height + 8, paper })),
    paper,
  )
  return {
    height: height + keys.more + 18,
    shapes: [...frame, ...stairs.flat(), ...keys.shapes],
  }
}

/** The leg of a step with its marginal price, which is never truncated on a screen. */
function keyOf(
  { name, last }: Step,
  index: number,
  { x, y, paper }: { x: number; y: number; paper: Paper },
): Shape[] {
  const { color, mark: form } = styleOf(index)
  const availableWidth = paper.minFontSize === 0 ? 160 : paper.width - x - 18
  const letter = letterOn(paper, 9.5)
  const price = `: ${printFigure(last)}`
  const label =
    paper.minFontSize === 0
      ? fitText(`${name}${price}`, availableWidth, letter)
      : `${fitText(name, availableWidth - widthOf(price, letter), letter)}${price}`
  return [
    { kind: 'mark', form, x, y, size: 8, color, isHollow: false },
    textAt(x + 10, y + 4, label, { size: 9.5 }),
  ]
}
