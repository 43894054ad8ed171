import {
  type Columns,
  columnsOn,
  type Drawing,
  drawing,
  fitText,
  letterOn,
  type Paper,
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
  ruleOn,
  type Scenario,
} from './drawn.ts'

type Price = Scenario['prices'][number]

const rowHeight = 18
/** Drawn prices of one scenario; the table has all. */
const maxPrices = 12

const columns = {
  sign: [0, 14],
  scenario: [20, 230],
  inflows: [236, 296],
  outflows: [302, 362],
  later: [368, 448],
  prices: [454, 754],
} as const
type Name = Exclude<keyof typeof columns, 'sign'>
const titles: Readonly<Record<Name, string>> = {
  scenario: 'scenario',
  inflows: 'inflows',
  outflows: 'outflows',
  later: 'inflow delay',
  prices: 'prices',
}
// The members of a record are its names.
const names = Object.keys(titles) as Name[]
const stacked = [['sign', 'scenario'], ['inflows', 'outflows', 'later'], ['prices']] as const

/** Scenarios of the projection, with the changes since the previous version. */
export function drawScenarios(drawn: DrawnAssumptions, paper: Paper): Drawing {
  const table = columnsOn(paper, columns, stacked)
  const { assumptions, changes } = drawn
  const elements = elementsOf(changes, 'scenarios', assumptions.scenarios, (one) => one.scenarioId)
  const shapes: Shape[] = names.map((name) =>
    table.words(name, 18, titles[name], { size: 9.5, isBold: true }),
  )
  let y = 18 + table.more
  for (const element of elements) {
    shapes.push(ruleOn(paper, y + 5))
    const { shapes: own, bottom } = row(drawn, element, y + rowHeight, {
      table,
      paper,
    })
    shapes.push(...own)
    y = bottom
  }
  const legend = fateLegend(elements, y + 22, paper)
  shapes.push(ruleOn(paper, y + 6), ...legend.shapes)
  return drawing(
    {
      id: 'assumptions-scenarios',
      title: 'Projection scenarios',
      description: elements
        .map(({ value }) => `${value.label}: ${priceWords(value.prices).join(', ')}.`)
        .join(' '),
    },
    {
      columns: [
        ...[
          'scenario',
          'label',
          'inflows, pips',
          'outflows, pips',
          'inflow delay, months',
          'prices',
        ],
        'since the previous version',
      ],
      rows: elements.map(({ value, fate }) => [
        ...[value.scenarioId, value.label, value.inflowMultiplierPips, value.outflowMultiplierPips],
        ...[value.inflowDelayMonths, priceWords(value.prices).join('; '), fate],
      ]),
    },
    { height: y + 32 + legend.more, shapes },
    paper,
  )
}

function row(
  drawn: DrawnAssumptions,
  { value, fate, moved }: Element<Scenario>,
  top: number,
  { table, paper }: { table: Columns<Name>; paper: Paper },
): { shapes: Shape[]; bottom: number } {
  const color = fateColors[fate]
  const { label, inflowMultiplierPips, outflowMultiplierPips, inflowDelayMonths, prices } = value
  const share = (pips: number) => `${pips / 10_000} %`
  const words: Readonly<Record<Exclude<Name, 'prices'>, string>> = {
    scenario: label,
    inflows: share(inflowMultiplierPips),
    outflows: share(outflowMultiplierPips),
    later: inflowDelayMonths === 0 ? '' : `${inflowDelayMonths} months`,
  }
  const cell = (name: Name, text: string, y: number) =>
    table.words(name, y, text, { size: 9.5, color })
  const priceTexts = priceWords(prices)
  const shown = priceTexts.slice(0, maxPrices)
  if (priceTexts.length > maxPrices)
    shown.push(`and ${priceTexts.length - maxPrices} more, in the table`)
  const lines = [
    ...Object.values(table.of).map(({ drop }) => drop),
    ...shown.map((_, index) => table.of.prices.drop + index * (rowHeight - 4)),
  ]
  const drops = paper.minFontSize === 0 ? [0] : lines
  const shapes = [
    ...names.flatMap((name) => (name === 'prices' ? [] : [cell(name, words[name], top)])),
    ...shown.map((text, index) => cell('prices', text, top + index * (rowHeight - 4))),
    ...fateShapes(fate, top, drops, paper),
  ]
  let bottom = top + table.more + (shown.length - 1) * (rowHeight - 4)
  if (moved.length > 0) {
    bottom += rowHeight - 5
    const caption = fitText(movedWords(drawn, moved), paper.width - 36, letterOn(paper, 9.5))
    shapes.push(textAt(30, bottom, caption, { size: 9.5, color: fateColors.CHANGED }))
  }
  return { shapes, bottom }
}

/** Short descriptions of price changes; a fixed text if prices are constant. */
function priceWords(prices: readonly Price[]): string[] {
  const moving = prices.filter(({ path }) => path.kind !== 'HOLD')
  return moving.length === 0
    ? ['all constant']
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
      return `${percent(path.movePips)} by the end, linear`
    case 'PATH': {
      const last = path.movesPips.at(-1) ?? 0
      const min = Math.min(...path.movesPips)
      return `monthly, ${percent(min)} at worst, ${percent(last)} at the end`
    }
  }
}
