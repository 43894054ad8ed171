import {
  type Drawing,
  drawing,
  emptyNote,
  frameOf,
  hatch,
  isNarrow,
  lineBetween,
  magnitudeOf,
  numberAxis,
  type Paper,
  printShort,
  type Shape,
  styleOf,
  textAt,
  wrapText,
} from '@liquidity-os/drawing'
import { type DrawnMarket, inTokens } from './drawn-market.ts'

const wordRoom = 170
const top = 44
const rowHeight = 32

/** Depth that is there against the depth that is wanted; hatched what is missing. */
export function drawGaps(market: DrawnMarket, paper: Paper): Drawing {
  const left = isNarrow(paper) ? 74 : 90
  const right = paper.width - (isNarrow(paper) ? 110 : wordRoom)
  const targets = market.targets.map((target) => ({
    band: `${target.side === 'BUY' ? 'up' : 'down'} ${target.bandPips / 10_000} %`,
    wanted: inTokens(target.targetQuote, market),
    actual: inTokens(target.actualQuote, market),
    missing: inTokens(target.shortfallQuote, market),
  }))
  const { divisor, prefix } = magnitudeOf(
    Math.max(0, ...targets.flatMap(({ wanted, actual }) => [wanted, actual])),
  )
  const box = {
    x: left,
    y: top,
    width: right - left,
    height: Math.max(2, targets.length) * rowHeight,
  }
  const x = numberAxis(
    [0, ...targets.flatMap(({ wanted, actual }) => [wanted / divisor, actual / divisor])],
    [left, right],
    { title: `depth, ${prefix}quote tokens` },
  )
  const shapes: Shape[] = targets.flatMap(({ band, wanted, actual, missing }, place): Shape[] => {
    const y = top + place * rowHeight + 7
    const to = (value: number) => x.scale.at(value / divisor)
    const there = { x: left, y, width: Math.max(0, to(actual) - left), height: 18 }
    const gap = { x: to(actual), y, width: Math.max(0, to(wanted) - to(actual)), height: 18 }
    const [have, want] = [styleOf(0).color, styleOf(1).color]
    return [
      textAt(left - 8, y + 13, band, { anchor: 'end', size: 10.5 }),
      { kind: 'rect', ...there, fill: have },
      ...(missing > 0 ? hatch(gap, want, 5) : []),
      lineBetween(
        { x: to(wanted), y: y - 4 },
        { x: to(wanted), y: y + 22 },
        {
          color: want,
          width: 2.2,
        },
      ),
      textAt(right + 14, y + 13, missing > 0 ? `${printShort(missing)} missing` : 'reached', {
        size: 10.5,
      }),
    ]
  })
  const said = 'No VALIDATED intent names a depth to be reached now.'
  const room = isNarrow(paper) ? { ...box, x: 0, width: paper.width } : box
  const empty = wrapText(said, paper.width - 16, 11).map((line, row) =>
    emptyNote({ ...room, y: room.y + row * 16 }, line),
  )
  return drawing(
    {
      id: 'map-targets',
      title: 'Depth against its targets',
      description:
        targets
          .map(
            ({ band, wanted, actual }) =>
              `${band}: ${printShort(actual)} of ${printShort(wanted)}.`,
          )
          .join(' ') || said,
    },
    {
      columns: ['side', 'bandPips', 'targetQuote', 'actualQuote', 'shortfallQuote'],
      rows: market.targets.map(({ side, bandPips, targetQuote, actualQuote, shortfallQuote }) => [
        ...[side, bandPips, targetQuote, actualQuote, shortfallQuote],
      ]),
    },
    {
      height: box.y + box.height + 46,
      shapes:
        targets.length === 0
          ? empty
          : [
              ...frameOf(box, x, { scale: x.scale, ticks: [], title: '' }),
              ...shapes,
              ...legend(isNarrow(paper) ? 2 : left),
            ],
    },
    paper,
  )
}

function legend(left: number): Shape[] {
  const [have, want] = [styleOf(0).color, styleOf(1).color]
  const gap = { x: left + 110, y: 14, width: 18, height: 11 }
  return [
    { kind: 'rect', x: left, y: 14, width: 18, height: 11, fill: have },
    textAt(left + 24, 23, 'there'),
    ...hatch(gap, want, 5),
    textAt(gap.x + 24, 23, 'missing'),
    lineBetween({ x: left + 224, y: 11 }, { x: left + 224, y: 27 }, { color: want, width: 2.2 }),
    textAt(left + 232, 23, 'wanted'),
  ]
}
