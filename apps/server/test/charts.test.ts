import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { darkTheme, drawChart, layout, screenPaper } from '@liquidity-os/drawing'
import { drawPicture } from '@liquidity-os/drawing/pdf'
import { unreadable } from '@liquidity-os/drawing/testing'
import PDFDocument from 'pdfkit'
import { describe, expect, it } from 'vitest'
import { cashChart } from '../../../docs/pictures/cash-chart.ts'
import { drawCash, drawnMonths } from '../../../docs/pictures/draw-cash.ts'
import { sampleCharts } from '../../../packages/drawing/src/testing/sample-charts.ts'
import { PdfSheet } from '../src/reports/pdf-sheet.ts'

const root = join(import.meta.dirname, '../../..')
const files = [
  ...globSync('apps/server/src/families/*/*/charts.ts', { cwd: root }),
  'docs/pictures/cash-chart.ts',
]

/** What a spec may need of the kit: types and numbers, no shapes and no places. */
const allowed = [
  ...['ChartAxis', 'ChartCells', 'ChartClass', 'ChartGap', 'ChartMarker', 'ChartPanel'],
  ...['ChartSeries', 'ChartSpec', 'ChartTable', 'ChartTone'],
  ...[
    'cellSeries',
    'classedSeries',
    'columnsOf',
    'decimalOf',
    'named',
    'printChange',
    'printValue',
    'usedClasses',
  ],
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

it('finds the charts of families', () => expect(files.length).toBeGreaterThan(3))

const page = readFileSync(join(root, 'docs/charts.md'), 'utf8')

it('the page shows its example unchanged', () => {
  // Otherwise copy the file into the page, and: node docs/pictures/draw-cash.ts
  expect(page).toContain(readFileSync(join(root, 'docs/pictures/cash-chart.ts'), 'utf8'))
  const [name, svg] = drawCash()
  expect(svg).toBe(readFileSync(join(root, 'docs/pictures', name), 'utf8'))
})

it('the example of the page is drawn at every width', () => {
  for (const width of [280, 360, 760, 1120]) {
    for (const months of [drawnMonths, drawnMonths.slice(0, 1), []]) {
      const { picture, rows } = drawChart(cashChart(months), screenPaper(width))
      expect(unreadable(picture)).toEqual([])
      expect(rows).toHaveLength(months.length)
    }
  }
  expect(cashChart(drawnMonths).summary).toBe('Balance at the end: 19.4 WETH.')
  const { picture } = drawChart(cashChart(drawnMonths), screenPaper(760))
  const texts = picture.shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
  expect(texts).toEqual(expect.arrayContaining(['Amount, WETH', 'Hatched: balance not read']))
})

it('charts of each kind are drawn on paper', async () => {
  const document = new PDFDocument({ compress: false, tagged: true })
  const sheet = new PdfSheet(document)
  const bytes = buffer(document)
  for (const spec of Object.values(sampleCharts))
    drawPicture(sheet.document, layout(spec, 760, darkTheme), { x: 40, y: 40 }, 0.6)
  document.end()
  const text = (await bytes).toString('latin1')
  // The dark paper of each chart: #151a21.
  expect(text.match(/0\.082\d* 0\.101\d* 0\.129\d* (sc|scn|rg)/g)?.length).toBeGreaterThan(7)
  expect(text).not.toContain('NaN')
})
