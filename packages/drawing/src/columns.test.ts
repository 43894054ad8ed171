import { expect, it } from 'vitest'
import { columnsOn, letterOn, lineOn, linesOn, noteOn, wordsIn } from './columns.ts'
import { screenPaper, usualPaper } from './paper.ts'
import { widthOf } from './picture.ts'

const columns = { mark: [10, 20], name: [30, 330], value: [340, 640], note: [650, 750] } as const
const lines = [
  ['mark', 'name'],
  ['value', 'note'],
] as const
const on = (width: number) => columnsOn(screenPaper(width), columns, lines)

it('keeps the columns of a report at their positions', () => {
  const { of, more, isStacked } = columnsOn(usualPaper, columns, lines)
  expect(of).toEqual({
    mark: { x: 10, end: 20, drop: 0 },
    name: { x: 30, end: 330, drop: 0 },
    value: { x: 340, end: 640, drop: 0 },
    note: { x: 650, end: 750, drop: 0 },
  })
  expect([more, isStacked]).toEqual([0, false])
})

it('stretches columns with a wide screen', () => {
  const { of, more } = on(1520)
  expect(of.name).toEqual({ x: 60, end: 660, drop: 0 })
  expect(more).toBe(0)
})

it('stacks the lines of a narrow row and shares its width', () => {
  const { of, more, isStacked } = on(360)
  expect(of).toEqual({
    // A column of a mark keeps its width; between and beside columns are 8 units.
    mark: { x: 8, end: 18, drop: 0 },
    name: { x: 26, end: 352, drop: 0 },
    // 336 units as 300 to 100.
    value: { x: 8, end: 260, drop: 16 },
    note: { x: 268, end: 352, drop: 16 },
  })
  expect([more, isStacked]).toEqual([16, true])
})

it.each([
  ['start', 8],
  ['middle', 134],
  ['end', 260],
] as const)('anchors words at the %s of their cell, in their line', (anchor, x) => {
  expect(on(360).words('value', 100, 'words', { anchor })).toMatchObject({ x, y: 116, anchor })
})

it('cuts words to their cell at the size in which they are read', () => {
  const cell = { x: 0, end: 60, drop: 0 }
  const text = 'a name of a token'
  const shownOn = (paper: typeof usualPaper) => {
    const shape = wordsIn(paper, cell, 10, text, { size: 8 })
    return shape.kind === 'text' ? shape.text : ''
  }
  const [screen, report] = [shownOn(screenPaper(360)), shownOn(usualPaper)]
  expect(screen).toMatch(/^a.*…$/)
  expect(widthOf(screen, 11)).toBeLessThanOrEqual(60)
  expect(report.length).toBeGreaterThan(screen.length)
})

it('requests larger fonts on a screen only for smaller ones', () => {
  const screen = screenPaper(360)
  expect([letterOn(screen, 9), letterOn(screen, 14), letterOn(usualPaper, 9)]).toEqual([11, 14, 9])
})

it('breaks a sentence on a screen, and says how much higher it is', () => {
  const text = 'What was there before stands in the table, with what it was and when.'
  const { shapes, more } = noteOn(screenPaper(280), { x: 20, y: 50 }, text, { size: 9 })
  expect(shapes.length).toBeGreaterThan(1)
  expect(more).toBe((shapes.length - 1) * 16)
  expect(shapes.map((shape) => (shape.kind === 'text' ? shape.text : '')).join(' ')).toBe(text)
  for (const [index, shape] of shapes.entries())
    expect(shape).toMatchObject({ x: 20, y: 50 + index * 16 })
})

it('cuts a sentence of a report at the end of its line, and draws no empty one on a screen', () => {
  const text = 'A sentence that is wider than any report is. '.repeat(9)
  const { shapes, more } = noteOn(usualPaper, { x: 20, y: 50 }, text)
  expect([shapes.length, more]).toEqual([1, 0])
  const [line] = shapes as { text: string }[]
  expect(line?.text).toMatch(/^A sentence that is wider than any report is\. A .*…$/)
  expect(widthOf(line?.text ?? '', 10)).toBeLessThanOrEqual(usualPaper.width - 40)
  expect(noteOn(screenPaper(280), { x: 20, y: 50 }, '')).toEqual({ shapes: [], more: 0 })
})

it.each([
  ['start', 20],
  ['middle', 70],
  ['end', 120],
] as const)('sets whole words in lines between two edges, at their %s', (anchor, x) => {
  const amount = `−${'9'.repeat(40)}`
  const { shapes, more } = linesOn(screenPaper(280), { x: 20, end: 120, y: 50 }, amount, { anchor })
  expect(shapes.map((shape) => (shape.kind === 'text' ? shape.text : '')).join('')).toBe(amount)
  expect(shapes.at(-1)).toMatchObject({ x, y: 50 + more, anchor })
  expect(more).toBeGreaterThan(0)
})

it('cuts a line in a report, and breaks it on a screen', () => {
  const line = { x: 20, end: 120, y: 50 }
  const amount = '9'.repeat(40)
  const [report, screen] = [usualPaper, screenPaper(280)].map((paper) =>
    lineOn(paper, line, amount, { anchor: 'end' }),
  )
  expect(report).toMatchObject({ shapes: [{ x: 120, y: 50, anchor: 'end' }], more: 0 })
  expect(report!.shapes[0]).toMatchObject({ text: expect.stringMatching(/^9+…$/) })
  expect(screen).toEqual(linesOn(screenPaper(280), line, amount, { anchor: 'end' }))
})
