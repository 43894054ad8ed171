import { expect, it } from 'vitest'
import { breakText, hatch, widthOf } from './picture.ts'

it('a box beyond all paper is hatched with a bounded number of lines', () => {
  expect(hatch({ x: 0, y: 0, width: 1e12, height: 18 }, '#000', 5).length).toBeLessThan(1000)
  expect(hatch({ x: 0, y: 0, width: 40, height: 20 }, '#000', 5)).toHaveLength(11)
})

it('breaks a text between words, and a word where no line holds it, and loses nothing', () => {
  const hash = `0x${'4f'.repeat(32)}`
  const lines = breakText(`sealed before the data: ${hash} and after`, 120, 11)
  for (const line of lines) expect(widthOf(line, 11)).toBeLessThanOrEqual(120)
  expect(lines[0]).toBe('sealed before the')
  expect(lines.join('').replaceAll(' ', '')).toBe(`sealedbeforethedata:${hash}andafter`)
  expect(lines.at(-1)).toMatch(/ and after$/)
  expect(breakText('', 120, 11)).toEqual([])
})

it('breaks bold letters earlier, which are wider', () => {
  const text = 'wider than others'
  const availableWidth = widthOf(text, 11)
  expect(breakText(text, availableWidth, 11)).toEqual([text])
  expect(breakText(text, availableWidth, 11, true)).toEqual(['wider than', 'others'])
})
