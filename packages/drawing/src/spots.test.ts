import { expect, it } from 'vitest'
import { drawing } from './drawing.ts'
import { screenPaper, usualPaper } from './paper.ts'
import { spotsOf, spotsOfSvg, spotsOn } from './spots.ts'
import { pictureToSvg } from './svg.ts'

const about = { id: 'a', title: 'A', description: 'A.' }
const table = { columns: ['at'], rows: [[1], [2], [3]] }

it('a chart for a screen contains the positions of its table rows, and returns them', () => {
  const series = 'wide <& "narrow"'
  const spots = spotsOf([{ x: 10.04, y: 20, series }, null, { x: 30, y: 0.55, series: 'other' }])
  const { picture } = drawing(about, table, { height: 50, shapes: [], spots }, screenPaper(360))
  const svg = pictureToSvg(picture)
  expect(spotsOfSvg(svg)).toEqual([
    { x: 10, y: 20, row: 0, series },
    { x: 30, y: 0.6, row: 2, series: 'other' },
  ])
})

it('paper is not pointed at: its pictures carry nothing', () => {
  const spots = spotsOf([{ x: 10, y: 20, series: '' }])
  const { picture } = drawing(about, table, { height: 50, shapes: [], spots }, usualPaper)
  expect(pictureToSvg(picture)).not.toContain('metadata')
  expect(spotsOfSvg(pictureToSvg(picture))).toEqual([])
})

it('rows that were placed keep their number in the table', () => {
  const rows = [{ a: 1 }, { a: 2 }]
  const placed = new Map([[rows[1]!, { x: 1, y: 2, series: 's' }]])
  expect(spotsOn(rows, placed)).toEqual([{ x: 1, y: 2, series: 's', row: 1 }])
})
