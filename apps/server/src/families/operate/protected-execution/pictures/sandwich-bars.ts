import {
  amountColors,
  type Drawing,
  drawing,
  fitText,
  ink,
  lineBetween,
  printShort,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { type DrawnPlan, nameOf } from './drawn-plan.ts'

const rowHeight = 34
const left = 220
const right = 600

/** What a sandwich could take from each leg at most, and what the best that was found would; by route. */
export function drawSandwichBars({ plan }: DrawnPlan): Drawing {
  const whole = 10 ** plan.pair.quoteDecimals
  const rows = plan.legs
    .map((leg) => {
      const bound = Number(leg.sandwichBoundQuote) / whole
      // What was found is in what is sold; beside its bound it is a share of it.
      const most = Number(leg.sandwich?.boundSell ?? 0)
      const share = most === 0 ? 0 : Number(leg.sandwich?.foundSell ?? 0) / most
      return { leg, bound, found: bound * share }
    })
    .toSorted((a, b) => (a.leg.route < b.leg.route ? -1 : a.leg.route > b.leg.route ? 1 : 0))
  const largest = rows.reduce((most, { bound }) => Math.max(most, bound), 0)
  const bottom = 40 + rows.length * rowHeight
  return drawing(
    {
      id: 'execution-sandwich',
      title: 'What a sandwich could take, by route',
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
        'front run, sold atoms',
      ],
      rows: rows.map(({ leg }) => [
        ...[`${leg.legIndex}`, leg.route, leg.sandwichBoundQuote, leg.sandwich?.boundSell ?? '0'],
        ...[leg.sandwich?.foundSell ?? '0', leg.sandwich?.frontRunSell ?? '0'],
      ]),
    },
    {
      height: bottom + 22,
      shapes: [
        textAt(14, 22, 'leg and route', { size: 9.5, isBold: true }),
        textAt(left, 22, 'outline: the bound; filled: the best that was found', {
          size: 9.5,
          isBold: true,
        }),
        textAt(right + 14, 22, 'bound, quote', { size: 9.5, isBold: true }),
        ...rows.flatMap(({ leg, bound, found }, place) =>
          bar(leg, { bound, found, largest }, 40 + place * rowHeight),
        ),
      ],
    },
  )
}

function bar(
  leg: DrawnPlan['plan']['legs'][number],
  { bound, found, largest }: { bound: number; found: number; largest: number },
  top: number,
): Shape[] {
  const width = (amount: number) => (largest === 0 ? 0 : (amount / largest) * (right - left))
  const name = nameOf(leg.kind, leg.sourceId, leg.maker)
  const isSafe = leg.sandwich === null
  return [
    textAt(14, top + 10, fitText(`${leg.legIndex}  ${name}`, left - 30, 10), { isBold: true }),
    textAt(14, top + 22, leg.route, { size: 9, color: ink.faint }),
    lineBetween({ x: left, y: top }, { x: left, y: top + 20 }, { color: ink.axis, width: 0.8 }),
    ...(isSafe
      ? [
          textAt(left + 8, top + 14, 'its price is signed: nobody can move it', {
            size: 9.5,
            color: ink.faint,
          }),
        ]
      : [
          {
            kind: 'rect' as const,
            x: left,
            y: top + 3,
            width: Math.max(1, width(bound)),
            height: 14,
            fill: null,
            stroke: { color: amountColors.loss, width: 1.2 },
          },
          {
            kind: 'rect' as const,
            x: left,
            y: top + 3,
            width: Math.max(0.5, width(found)),
            height: 14,
            fill: amountColors.loss,
          },
        ]),
    textAt(right + 14, top + 14, isSafe ? '0' : printShort(bound), { isBold: !isSafe }),
  ]
}
