import { expect, it } from 'vitest'
import { blocksOf } from './heat.ts'
import { layout } from './layout.ts'
import {
  type ChartSeries,
  type ChartSpec,
  cellSeries,
  columnsOf,
  named,
  usedClasses,
} from './spec.ts'

const met = Array.from({ length: 24 }, () => 'MET')
const gaps = Array.from({ length: 24 }, () => 'GAP')
const mixed = [
  ...Array.from({ length: 12 }, () => 'MET'),
  ...Array.from({ length: 12 }, () => 'GAP'),
]
const rows = [gaps, gaps, mixed, met, met]
const isGap = (value: string | null) => value === 'GAP'

it('covers each cell exactly once', () => {
  const covered = new Map<string, string | null>()
  for (const { value, columns, rows: span } of blocksOf(rows, isGap))
    for (let row = span.from; row < span.to; row += 1)
      for (let column = columns.from; column < columns.to; column += 1) {
        expect(covered.has(`${row} ${column}`)).toBe(false)
        covered.set(`${row} ${column}`, value)
      }
  const cells = rows.flatMap((row, at) => row.map((value, column) => [`${at} ${column}`, value]))
  expect(covered).toEqual(new Map(cells as [string, string][]))
})

it('joins equal cells of a row, and rows without measurements', () => {
  expect(blocksOf(rows, isGap)).toEqual([
    { value: 'GAP', columns: { from: 0, to: 24 }, rows: { from: 0, to: 2 } },
    { value: 'MET', columns: { from: 0, to: 12 }, rows: { from: 2, to: 3 } },
    { value: 'GAP', columns: { from: 12, to: 24 }, rows: { from: 2, to: 3 } },
    { value: 'MET', columns: { from: 0, to: 24 }, rows: { from: 3, to: 4 } },
    { value: 'MET', columns: { from: 0, to: 24 }, rows: { from: 4, to: 5 } },
  ])
})

it('leaves a missing cell empty', () => {
  expect(blocksOf([['MET', undefined, 'MET']], isGap)).toHaveLength(2)
})

it('draws a column of texts like cells with an empty class', () => {
  const rows = [
    ['Owner', 'a single key', '', 'MATERIAL', 'changed'],
    ['Name', 'Demo token', '', '', 'equal'],
  ]
  const about = { id: 'texts', kind: 'heat', title: 'Texts', summary: 'Two texts.' } as const
  const classes = [{ value: 'MATERIAL', label: 'Material', tone: 'warn' }] as const
  const specOf = (series: readonly ChartSeries[]): ChartSpec => ({
    ...about,
    x: named,
    table: {
      columns: columnsOf({ name: 'Name', now: 'Now', none: '', kind: 'Kind', change: 'Change' }),
      rows,
    },
    series,
    classes,
  })
  const texts = cellSeries('name', { now: 'Now', change: ['Change', 'kind'] })
  const cells = texts.map(
    (one): ChartSeries => ({
      ...one,
      mark: 'cell',
      y: [one.y[1] ? one.y[0]! : 'none', one.y.at(-1)!],
    }),
  )
  expect(texts.map(({ mark }) => mark)).toEqual(['text', 'cell'])
  expect(layout(specOf(texts), 760)).toEqual(layout(specOf(cells), 760))
  expect(usedClasses(classes, ['', null])).toEqual([])
})
