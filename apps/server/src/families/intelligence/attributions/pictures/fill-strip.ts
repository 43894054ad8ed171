import {
  amountColors,
  chartBox,
  type Drawing,
  drawing,
  emptyNote,
  flowedKeys,
  frameOf,
  hatch,
  ink,
  linearScale,
  lineBetween,
  numberAxis,
  type Paper,
  type Shape,
  spotsOf,
  styleOf,
  textAt,
  usualPaper,
} from '@liquidity-os/drawing'
import { type Attribution, tokenPrice, tokens } from './attribution.ts'

const height = 318

interface Step {
  readonly txHash: string
  readonly block: number
  readonly before: number
  readonly atFill: number
  readonly after: number
  readonly paid: number
}

/**
 * Fills in sequence on the path of the mid price: price without attacker, price after the
 * front-run, final price and price paid. Lines separate blocks.
 */
export function drawFillStrip(attribution: Attribution, paper: Paper = usualPaper): Drawing {
  const box = chartBox({ x: 76, y: 40, height: 200 }, 16, paper)
  const { request, fills } = attribution
  const steps = fills.flatMap((fill): Step[] => {
    const { beforePriceX18, metPriceX18, afterPriceX18 } = fill
    if (beforePriceX18 === null || metPriceX18 === null || afterPriceX18 === null) return []
    if (fill.base === '0') return []
    const price = (text: string) => tokenPrice(text, request)
    const { baseDecimals, quoteDecimals } = request.pair
    return [
      {
        txHash: fill.txHash,
        block: fill.block.number,
        before: price(beforePriceX18),
        atFill: price(metPriceX18),
        after: price(afterPriceX18),
        paid: tokens(fill.quote, quoteDecimals) / tokens(fill.base, baseDecimals),
      },
    ]
  })
  const about = {
    id: 'attribution.fills',
    title: 'Fills and mid price',
    description:
      'For each fill: mid before it with and without the attacker, mid after it, and price paid.',
  }
  const columns = ['txHash', 'block', 'before', 'met', 'after', 'paid']
  const rows = steps.map((step) => [
    ...[step.txHash, step.block, step.before, step.atFill, step.after, step.paid],
  ])
  if (steps.length === 0) {
    const shapes = [emptyNote(box, 'No fill could be analyzed.')]
    return drawing(about, { columns, rows }, { height, shapes }, paper)
  }
  const arrival = attribution.arrival.priceX18
  const start = arrival === null ? steps[0]!.before : tokenPrice(arrival, request)
  const values = [
    start,
    ...steps.flatMap(({ before, atFill, after, paid }) => [before, atFill, after, paid]),
  ]
  const y = numberAxis(values, [box.y + box.height, box.y], {
    title: 'quote tokens per base token',
  })
  const slot = box.width / (steps.length + 1)
  const x = {
    scale: linearScale([0, steps.length + 1], [box.x, box.x + box.width]),
    ticks: [
      { value: 0.25, label: 'arrival' },
      ...steps.flatMap(({ block }, index) =>
        steps[index - 1]?.block === block ? [] : [{ value: index + 1, label: `${block}` }],
      ),
    ],
    title: 'fills in chain order, by block',
  }
  const shapes: Shape[] = frameOf(box, x, y)
  const path = [{ x: box.x, y: y.scale.at(start) }]
  for (const [index, step] of steps.entries()) {
    const middle = box.x + (index + 1) * slot
    const half = Math.min(14, slot / 5)
    if (steps[index - 1]?.block !== step.block) {
      const at = middle - slot / 2
      const stroke = { color: ink.axis, width: 0.7, dash: [2, 3] }
      shapes.push(lineBetween({ x: at, y: box.y }, { x: at, y: box.y + box.height }, stroke))
    }
    path.push({ x: middle - half, y: y.scale.at(step.atFill) })
    path.push({ x: middle + half, y: y.scale.at(step.after) })
    shapes.push(...attackerBar(step, middle - half, y.scale.at))
    const mark = { kind: 'mark', size: 7 } as const
    shapes.push(
      {
        ...mark,
        form: 'circle',
        x: middle - half,
        y: y.scale.at(step.before),
        color: blue,
        isHollow: true,
      },
      {
        ...mark,
        form: 'circle',
        x: middle + half,
        y: y.scale.at(step.after),
        color: blue,
        isHollow: false,
      },
      {
        ...mark,
        form: 'diamond',
        x: middle,
        y: y.scale.at(step.paid),
        color: '#000000',
        isHollow: false,
      },
    )
  }
  shapes.push({ kind: 'line', points: path, stroke: { color: blue, width: 1.2 } })
  const keys = flowedKeys(keyShapes(), paper)
  const places = steps.map(({ paid }, index) => ({
    x: box.x + (index + 1) * slot,
    y: y.scale.at(paid),
    series: 'fills',
  }))
  const drawn = {
    height: height + keys.more,
    shapes: [...shapes, ...keys.shapes],
    spots: spotsOf(places),
  }
  return drawing(about, { columns, rows }, drawn, paper)
}

const blue = styleOf(0).color

/** From the fill price without the attack to the price after the front-run. */
function attackerBar({ before, atFill }: Step, x: number, at: (value: number) => number): Shape[] {
  if (before === atFill) return []
  const [a, b] = [at(before), at(atFill)]
  const bar = { x: x - 4, y: Math.min(a, b), width: 8, height: Math.max(0.8, Math.abs(a - b)) }
  const color = amountColors.loss
  const stroke = { color, width: 0.8 }
  return [{ kind: 'rect', ...bar, fill: ink.paper, stroke }, ...hatch(bar, color, 3)]
}

function keyShapes(): Shape[][] {
  const y = height - 10
  const mark = { kind: 'mark', y: y - 4, size: 7 } as const
  const caption = { color: ink.faint }
  return [
    [
      { ...mark, form: 'circle', x: 82, color: blue, isHollow: true },
      textAt(90, y, 'mid before, without the attacker', caption),
    ],
    [
      { ...mark, form: 'circle', x: 290, color: blue, isHollow: false },
      textAt(298, y, 'mid after', caption),
    ],
    [
      { ...mark, form: 'diamond', x: 376, color: '#000000', isHollow: false },
      textAt(384, y, 'price paid in the pools', caption),
    ],
    [
      ...hatch({ x: 532, y: y - 9, width: 10, height: 10 }, amountColors.loss, 3),
      textAt(548, y, 'price impact of the attacker', caption),
    ],
  ]
}
