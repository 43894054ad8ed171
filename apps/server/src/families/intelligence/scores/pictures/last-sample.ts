import {
  type Box,
  type Drawing,
  drawing,
  emptyNote,
  flowedKeys,
  frameOf,
  hatch,
  isNarrow,
  linearScale,
  numberAxis,
  type Paper,
  type Point,
  panelBoxes,
  printShort,
  type Shape,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'
import type { ScorePayload } from '../active-score.ts'

const sides = ['BUY', 'SELL'] as const
type Side = (typeof sides)[number]
/** Right of the title of a chart that is narrower keys have no room. */
const leastChart = 300

/** A group of two bars: what buying and what selling comes to. */
interface Group {
  readonly label: string
  readonly values: Readonly<Record<Side, number | null>>
}

/** Depth at each band and the cost of each trade size, both sides, at the last sample. */
export function drawLastSample(score: ScorePayload, paper: Paper): Drawing {
  const tokens = (atoms: string) => Number(atoms) / 10 ** score.request.pair.quoteDecimals
  const bands = [...new Set(score.depth.map(({ bandPips }) => bandPips))]
  const depth = bands.map((bandPips): Group => {
    const of = (side: Side) =>
      score.depth.find((rung) => rung.bandPips === bandPips && rung.side === side)
    const value = (side: Side) => (of(side) ? tokens(of(side)!.quote) : null)
    return { label: `${bandPips / 10_000} %`, values: { BUY: value('BUY'), SELL: value('SELL') } }
  })
  const costs = (score.passportClaims?.usableDepthByTradeSize ?? []).map(
    (row): Group => ({
      label: printShort(tokens(row.tradeSizeQuote)),
      values: { BUY: row.buySlippagePips / 10_000, SELL: row.sellSlippagePips / 10_000 },
    }),
  )
  const { boxes, height } = panelBoxes(2, 170, 0, paper)
  const [first, second] = boxes as [Box, Box]
  const corner = { x: second.x + second.width - 148, y: second.y - 30 }
  const isBelow = isNarrow(paper) || second.width < leastChart
  const shapes = [
    ...barsOf('Depth by band', 'quote tokens', 'distance from the price', depth, first),
    ...barsOf('Cost by trade size', '%', 'size, quote tokens', costs, second),
    ...(isBelow
      ? flowedKeys(keysAt({ x: 0, y: height + 2 }), paper).shapes
      : keysAt(corner).flat()),
  ]
  const rows = [
    ...depth.map(({ label, values }) => ['depth', label, values.BUY, values.SELL]),
    ...costs.map(({ label, values }) => ['cost', label, values.BUY, values.SELL]),
  ]
  return drawing(
    {
      id: 'score-last-sample',
      title: 'The market at the last sample',
      description: 'Depth around the price and the cost of trades, for buying and for selling.',
    },
    { columns: ['what', 'at', 'buying', 'selling'], rows },
    { height: height + (isBelow ? 18 : 0), shapes },
    paper,
  )
}

function barsOf(
  title: string,
  unit: string,
  xTitle: string,
  groups: readonly Group[],
  box: Box,
): Shape[] {
  const heading = textAt(box.x, box.y - 22, title, { size: 11, isBold: true })
  const values = groups.flatMap((group) => sides.flatMap((side) => group.values[side] ?? []))
  if (values.length === 0) return [heading, emptyNote(box, 'There was no sample.')]
  const y = numberAxis([0, ...values], [box.y + box.height, box.y], { title: unit })
  const room = box.width / groups.length
  const x = {
    scale: linearScale([0, groups.length], [box.x, box.x + box.width]),
    ticks: groups.map(({ label }, place) => ({ value: place + 0.5, label })),
    title: xTitle,
  }
  const width = Math.min(26, room * 0.36)
  const shapes: Shape[] = [heading, ...frameOf(box, x, y)]
  for (const [place, group] of groups.entries()) {
    for (const [index, side] of sides.entries()) {
      const value = group.values[side]
      if (value === null) continue
      const top = y.scale.at(value)
      const bar = {
        x: box.x + (place + 0.5) * room + (index - 1) * width,
        y: top,
        width,
        height: box.y + box.height - top,
      }
      shapes.push(...barShapes(bar, index))
    }
  }
  return shapes
}

function barShapes(
  bar: { x: number; y: number; width: number; height: number },
  index: number,
): Shape[] {
  const { color } = styleOf(index)
  if (index === 0) return [{ kind: 'rect', ...bar, fill: color }]
  return [
    { kind: 'rect', ...bar, fill: '#ffffff', stroke: { color, width: 1 } },
    ...hatch(bar, color, 5),
  ]
}

/** How buying and selling are drawn, beside each other. */
function keysAt({ x, y }: Point): Shape[][] {
  return ['buying', 'selling'].map((name, index) => {
    const left = x + 74 * index
    return [
      ...barShapes({ x: left, y, width: 14, height: 9 }, index),
      textAt(left + 19, y + 8, name),
    ]
  })
}
