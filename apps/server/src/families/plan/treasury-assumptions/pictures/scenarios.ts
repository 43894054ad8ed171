import {
  type Drawing,
  drawing,
  drawingWidth,
  fitText,
  ink,
  lineBetween,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { assetWords } from '../../../../market/treasury/asset-words.ts'
import { priceKey } from '../normal-form.ts'
import {
  type DrawnAssumptions,
  type Element,
  elementsOf,
  fateColors,
  fateLegend,
  fateShapes,
  movedWords,
  percent,
  type Scenario,
} from './drawn.ts'

type Price = Scenario['prices'][number]

const rowHeight = 18
/** Prices of one scenario that are drawn; the table has all. */
const mostPrices = 12

const columns = [
  { title: 'scenario', x: 20, width: 210 },
  { title: 'inflows', x: 236, width: 60 },
  { title: 'outflows', x: 302, width: 60 },
  { title: 'inflows later', x: 368, width: 80 },
  { title: 'prices', x: 454, width: 300 },
] as const

/** In what worlds the lines are projected, with what moved since the version before. */
export function drawScenarios(drawn: DrawnAssumptions): Drawing {
  const { assumptions, changes } = drawn
  const elements = elementsOf(changes, 'scenarios', assumptions.scenarios, (one) => one.scenarioId)
  const shapes: Shape[] = columns.map(({ title, x }) =>
    textAt(x, 18, title, { size: 9.5, isBold: true }),
  )
  let y = 18
  for (const element of elements) {
    shapes.push(rule(y + 5))
    const { shapes: own, bottom } = row(drawn, element, y + rowHeight)
    shapes.push(...own)
    y = bottom
  }
  shapes.push(rule(y + 6), ...fateLegend(elements, y + 22))
  return drawing(
    {
      id: 'assumptions-scenarios',
      title: 'In what worlds it is projected',
      description: elements
        .map(({ value }) => `${value.label}: ${priceWords(value.prices).join(', ')}.`)
        .join(' '),
    },
    {
      columns: [
        ...['scenario', 'label', 'inflows, pips', 'outflows, pips', 'months later', 'prices'],
        'since the version before',
      ],
      rows: elements.map(({ value, fate }) => [
        ...[value.scenarioId, value.label, value.inflowMultiplierPips, value.outflowMultiplierPips],
        ...[value.inflowDelayMonths, priceWords(value.prices).join('; '), fate],
      ]),
    },
    { height: y + 32, shapes },
  )
}

function row(
  drawn: DrawnAssumptions,
  { value, fate, moved }: Element<Scenario>,
  top: number,
): { shapes: Shape[]; bottom: number } {
  const color = fateColors[fate]
  const { label, inflowMultiplierPips, outflowMultiplierPips, inflowDelayMonths, prices } = value
  const share = (pips: number) => `${pips / 10_000} %`
  const words = [
    label,
    share(inflowMultiplierPips),
    share(outflowMultiplierPips),
    inflowDelayMonths === 0 ? '' : `${inflowDelayMonths} months`,
  ]
  const cell = (place: number, text: string, y: number) => {
    const { x, width } = columns[place] ?? columns[0]
    return textAt(x, y, fitText(text, width, 9.5), { size: 9.5, color })
  }
  const told = priceWords(prices)
  const shown = told.slice(0, mostPrices)
  if (told.length > mostPrices) shown.push(`and ${told.length - mostPrices} more, in the table`)
  const shapes = [
    ...words.map((text, place) => cell(place, text, top)),
    ...shown.map((text, place) => cell(columns.length - 1, text, top + place * (rowHeight - 4))),
    ...fateShapes(fate, top, drawingWidth),
  ]
  let bottom = top + (shown.length - 1) * (rowHeight - 4)
  if (moved.length > 0) {
    bottom += rowHeight - 5
    const said = fitText(movedWords(drawn, moved), drawingWidth - 36, 9.5)
    shapes.push(textAt(30, bottom, said, { size: 9.5, color: fateColors.CHANGED }))
  }
  return { shapes, bottom }
}

const rule = (y: number): Shape =>
  lineBetween({ x: 6, y }, { x: drawingWidth - 6, y }, { color: ink.grid, width: 0.8 })

/** What moves, each in a few words; one that says so where nothing does. */
function priceWords(prices: readonly Price[]): string[] {
  const moving = prices.filter(({ path }) => path.kind !== 'HOLD')
  return moving.length === 0
    ? ['all hold']
    : moving.map((price) => {
        const of = 'tier' in price ? price.tier : assetWords(priceKey(price))
        return `${of} ${pathWords(price.path)}`
      })
}

function pathWords(path: Price['path']): string {
  switch (path.kind) {
    case 'HOLD':
      return 'holds'
    case 'STEP':
      return `${percent(path.movePips)} from ${path.month}`
    case 'LINEAR':
      return `${percent(path.movePips)} by the end, evenly`
    case 'PATH': {
      const last = path.movesPips.at(-1) ?? 0
      const least = Math.min(...path.movesPips)
      return `month by month, ${percent(least)} at worst, ${percent(last)} in the end`
    }
  }
}
