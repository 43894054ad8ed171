// @covers docs/charts.md apps/server/src/families/**/charts.ts
import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { type ChartSpec, drawChart, screenPaper } from '@liquidity-os/drawing'
import { unreadable } from '@liquidity-os/drawing/testing'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const files = globSync('apps/server/src/families/*/*/charts.ts', { cwd: root })

/** What a spec may need of the kit: types and numbers, no shapes and no places. */
const allowed = [
  ...['ChartAxis', 'ChartClass', 'ChartGap', 'ChartMarker', 'ChartPanel', 'ChartSeries'],
  ...['ChartSpec', 'ChartTable', 'ChartTone', 'decimalOf', 'printChange', 'printValue'],
]
const maxLines = 40

const importedNames = (source: string) =>
  [...source.matchAll(/import (?:type )?\{([^}]*)\} from '@liquidity-os\/drawing[^']*'/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.replace(/^\s*type /, '').trim())
    .filter((name) => name !== '')

/** Functions of a file with their lengths. */
const functionsOf = (source: string) =>
  [...source.matchAll(/^(?:export )?function (\w+)[\s\S]*?^\}/gm)].map(([text, name]) => ({
    name,
    lines: text.split('\n').length,
  }))

describe.each(files)('%s', (file) => {
  const source = readFileSync(join(root, file), 'utf8')

  it('describes its charts without shapes and places', () => {
    expect(importedNames(source).filter((name) => !allowed.includes(name))).toEqual([])
    expect(source).not.toMatch(/#[0-9a-f]{6}|fontSize|\bkind: '(rect|text|area|line)'/)
  })

  it(`has no function of more than ${maxLines} lines`, () => {
    expect(functionsOf(source).filter(({ lines }) => lines > maxLines)).toEqual([])
  })
})

it('finds the charts of families', () => expect(files.length).toBeGreaterThanOrEqual(3))

type CashChart = (months: readonly object[]) => ChartSpec

/** The function that the page shows, as it stands there. */
async function chartOfPage(): Promise<CashChart> {
  const page = readFileSync(join(root, 'docs/charts.md'), 'utf8')
  const [, source = ''] = /```ts\n(import [\s\S]*?)```/.exec(page) ?? []
  const kit = new URL('../../../packages/drawing/src/index.ts', import.meta.url).href
  const code = stripTypeScriptTypes(source).replace('@liquidity-os/drawing', kit)
  const { cashChart } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    cashChart: CashChart
  }
  return cashChart
}

it('the example of the page is drawn at every width', async () => {
  const cashChart = await chartOfPage()
  const weth = (amount: number) => `${BigInt(amount) * 10n ** 18n}`
  const months = ['01', '02', '03', '04'].map((month, index) => ({
    month: `2026-${month}-01T00:00:00Z`,
    inflowAtoms: weth(3),
    outflowAtoms: weth(5 + index),
    balanceAtoms: index === 1 ? null : weth(60 - 4 * index),
  }))
  for (const width of [280, 360, 760, 1120]) {
    for (const own of [months, months.slice(0, 1), []]) {
      const { picture, rows } = drawChart(cashChart(own), screenPaper(width))
      expect(unreadable(picture)).toEqual([])
      expect(rows).toHaveLength(own.length)
    }
  }
  expect(cashChart(months).summary).toBe('Balance at the end: 48 WETH.')
  const { picture } = drawChart(cashChart(months), screenPaper(760))
  const texts = picture.shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
  expect(texts).toEqual(expect.arrayContaining(['Amount, WETH', 'Hatched: balance not read']))
})
