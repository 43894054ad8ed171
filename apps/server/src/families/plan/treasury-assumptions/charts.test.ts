import { readFileSync } from 'node:fs'
import { pictureToSvg, screenPaper } from '@liquidity-os/drawing'
import { describe, expect, it } from 'vitest'
import {
  drawAssumptions,
  drawnAssumptions,
} from '../../../../../../docs/pictures/draw-assumptions.ts'
import type { DrawnAssumptions } from './element-changes.ts'
import { lineAmounts } from './line-amounts.ts'
import { normalForm } from './normal-form.ts'
import assumptionPictures from './pictures/draw-task.ts'
import { input, line, scenario, weth } from './testing/sets.ts'

const drawn = drawnAssumptions()
const of = (change: Parameters<typeof input>[0]): DrawnAssumptions => ({
  assumptions: normalForm(input(change)),
  assets: [],
  changes: [],
})
const manyPrices = Array.from({ length: 64 }, (_, index) => ({
  assetKey: `eip155:1/erc20:0x${index.toString(16).padStart(40, '0')}`,
  path: { kind: 'LINEAR', movePips: index } as const,
}))
const textsOf = ({ picture }: ReturnType<typeof assumptionPictures>[number]) =>
  picture.shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))

describe.each([
  ['of a plan that moved', drawn],
  ['of nothing', of({ lines: [] })],
  [
    'of the most there can be',
    of({
      label: 'W'.repeat(120),
      lines: Array.from({ length: 400 }, (_, index) =>
        line({
          lineId: `line-${index}`,
          label: 'W'.repeat(120),
          category: 'W'.repeat(60),
          amount: `${10n ** 77n}`,
          assetKey: weth,
          growthAnnualPips: 2_000_000,
        }),
      ),
      scenarios: [scenario(), scenario({ scenarioId: 'all', prices: manyPrices })],
    }),
  ],
])('pictures %s', (_what, one) => {
  it.each(assumptionPictures(one).map((each) => [each.picture.id, each] as const))(
    '%s is drawn inside its frame, without a figure that is none',
    (_id, { picture, columns, rows }) => {
      expect(pictureToSvg(picture)).not.toMatch(/NaN|Infinity|undefined|\[object/)
      expect(picture.description.length).toBeGreaterThan(10)
      for (const row of rows) expect(row).toHaveLength(columns.length)
      for (const shape of picture.shapes) {
        if (shape.kind !== 'text') continue
        expect(shape.y).toBeLessThan(picture.height)
        expect(shape.x).toBeLessThanOrEqual(picture.width)
      }
    },
  )
})

it('marks the change of each line since the previous version with a sign and the old value', () => {
  const [lines, scenarios] = assumptionPictures(drawn)
  expect(lines!.rows.map((row) => [row[0], row.at(-1)])).toEqual([
    ['audit', 'ADDED'],
    ['fees', 'CHANGED'],
    ['grants', ''],
    ['payroll', 'CHANGED'],
    ['listing', 'REMOVED'],
  ])
  const changes = lines!.rows.map((row) => row[5])
  expect(changes).toEqual(
    expect.arrayContaining([
      ...['+ new', '~ amount was 42,000 USD', '− removed', '~ probabilityPips was 90 %'],
    ]),
  )
  expect(textsOf(lines!)).toContain('minimumCashQuote was 600,000 USD.')
  expect(scenarios!.rows.map((row) => [row[0], row.at(-1)])).toEqual([
    ['base', ''],
    ['rally', 'ADDED'],
    ['winter', 'CHANGED'],
  ])
})

it('sum a line over the horizon as projections do', () => {
  const [lines] = assumptionPictures(drawn)
  const [first] = drawn.assumptions.lines
  const total = lineAmounts(first!, drawn.assumptions).reduce((sum, atoms) => sum + atoms, 0n)
  expect(lines!.rows[0]).toContain(`${total}`)
})

it('have a table of all lines where only some are drawn', () => {
  const many = Array.from({ length: 100 }, (_, index) => line({ lineId: `line-${index}` }))
  const [lines] = assumptionPictures(of({ lines: many }))
  expect(lines!.rows).toHaveLength(100)
  expect(textsOf(lines!)).toContain('60 more in the table.')
})

it('are those of the documentation', () => {
  // Otherwise: node docs/pictures/draw-assumptions.ts
  for (const [name, svg] of drawAssumptions()) {
    const path = new URL(`../../../../../../docs/pictures/${name}`, import.meta.url)
    expect(svg).toBe(readFileSync(path, 'utf8'))
  }
})

it.each([280, 600])('mark a removed line at %i pixels', (width) => {
  const long = line({ lineId: 'listing', label: 'The fee of a listing at a second venue' })
  const removed = { path: '/lines/listing', from: long, to: null }
  const assumptions = { ...drawn.assumptions, lines: [] }
  const paper = screenPaper(width)
  const [lines] = assumptionPictures({ ...drawn, assumptions, changes: [removed] }, paper)
  expect(textsOf(lines!).join(' ')).toContain('− removed')
  expect(lines!.rows).toHaveLength(1)
})
