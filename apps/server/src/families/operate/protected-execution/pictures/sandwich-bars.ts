import {
  amountColors,
  type Drawing,
  drawing,
  ink,
  lineBetween,
  type Paper,
  printShort,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { layoutTextRows, rowWords, type TextRows, titlesOf } from './detail-rows.ts'
import { type DrawnPlan, nameOf } from './drawn-plan.ts'

const usual = { left: 220, rightMargin: 160, height: 34 } as const

/** Upper bound of sandwich loss and the largest attack found, per leg and by route. */
export function drawSandwichBars({ plan }: DrawnPlan, paper: Paper): Drawing {
  const places = layoutTextRows(paper, usual)
  const whole = 10 ** plan.pair.quoteDecimals
  const rows = plan.legs
    .map((leg) => {
      const bound = Number(leg.sandwichBoundQuote) / whole
      // The found loss is in sold atoms; next to its bound it appears as a share.
      const max = Number(leg.sandwich?.boundSell ?? 0)
      const share = max === 0 ? 0 : Number(leg.sandwich?.foundSell ?? 0) / max
      return { leg, bound, found: bound * share }
    })
    .toSorted((a, b) => (a.leg.route < b.leg.route ? -1 : a.leg.route > b.leg.route ? 1 : 0))
  const largest = rows.reduce((max, { bound }) => Math.max(max, bound), 0)
  const titles = titlesOf(places, [
    ...(['leg and route', 'outline: upper bound; filled: best attack found'] as const),
    'bound, quote',
  ])
  const top = 40 + titles.more
  const bottom = top + rows.length * places.height
  return drawing(
    {
      id: 'execution-sandwich',
      title: 'Sandwich exposure by route',
      description: rows
        .map(
          ({ leg, bound }) =>
            `Leg ${leg.legIndex} by ${leg.route}: at most ${printShort(bound)} of the quote.`,
        )
        .join(' '),
    },
    {
      columns: [
        'leg',
        'route',
        'bound, quote atoms',
        'bound, sold atoms',
        'found, sold atoms',
        'front-run, sold atoms',
      ],
      rows: rows.map(({ leg }) => [
        ...[`${leg.legIndex}`, leg.route, leg.sandwichBoundQuote, leg.sandwich?.boundSell ?? '0'],
        ...[leg.sandwich?.foundSell ?? '0', leg.sandwich?.frontRunSell ?? '0'],
      ]),
    },
    {
      height: bottom + 22,
      shapes: [
        ...titles.shapes,
        ...rows.flatMap(({ leg, bound, found }, index) =>
          bar(leg, { bound, found, largest, top: top + index * places.height }, places),
        ),
      ],
    },
    paper,
  )
}

function bar(
  leg: DrawnPlan['plan']['legs'][number],
  { bound, found, largest, top }: Record<'bound' | 'found' | 'largest' | 'top', number>,
  places: TextRows,
): Shape[] {
  const { left, right, drop } = places
  const width = (amount: number) => (largest === 0 ? 0 : (amount / largest) * (right - left))
  const name = nameOf(leg.kind, leg.sourceId, leg.maker)
  const isSafe = leg.sandwich === null
  const figure = isSafe ? '0' : printShort(bound)
  const words = rowWords(
    places,
    {
      name: `${leg.legIndex}  ${name}`,
      below: leg.route,
      figure,
      isBold: { name: true, figure: !isSafe },
    },
    { top, words: 10 },
  )
  const y = top + drop
  return [
    ...words.labels,
    lineBetween({ x: left, y }, { x: left, y: y + 20 }, { color: ink.axis, width: 0.8 }),
    ...(isSafe
      ? [
          textAt(left + 8, y + 14, 'its price is signed and cannot move', {
            size: 9.5,
            color: ink.faint,
          }),
        ]
      : [
          {
            kind: 'rect' as const,
            x: left,
            y: y + 3,
            width: Math.max(1, width(bound)),
            height: 14,
            fill: null,
            stroke: { color: amountColors.loss, width: 1.2 },
          },
          {
            kind: 'rect' as const,
            x: left,
            y: y + 3,
            width: Math.max(0.5, width(found)),
            height: 14,
            fill: amountColors.loss,
          },
        ]),
    ...words.figure,
  ]
}
