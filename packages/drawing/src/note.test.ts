import { expect, it } from 'vitest'
import { letterOn, noteOn } from './note.ts'
import { screenPaper, usualPaper } from './paper.ts'
import { widthOf } from './picture.ts'

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
