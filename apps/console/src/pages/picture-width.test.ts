import { expect, it } from 'vitest'
import { readableWidth, requestedWidth } from './picture-width.ts'

const drawn = (...sizes: number[]) =>
  `<svg viewBox="0 0 760 300">${sizes.map((size) => `<text font-size="${size}">a</text>`).join('')}</svg>`

it('shows a picture so wide that its smallest letters have eleven pixels, and no wider than it is drawn for large ones', () => {
  expect(readableWidth(drawn(10, 9.5, 14))).toBe(880)
  expect(readableWidth(drawn(12, 14))).toBe(760)
  expect(readableWidth(drawn())).toBe(760)
})

it('requests a layout that fits its sheet, in steps', () => {
  expect([0, 312, 328, 719.5, 1080, 2000].map(requestedWidth)).toEqual([
    280, 280, 320, 680, 1080, 1080,
  ])
})
