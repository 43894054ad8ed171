import { expect, it } from 'vitest'
import { hatch } from './picture.ts'

it('a box beyond all paper is hatched with a bounded number of lines', () => {
  expect(hatch({ x: 0, y: 0, width: 1e12, height: 18 }, '#000', 5).length).toBeLessThan(1000)
  expect(hatch({ x: 0, y: 0, width: 40, height: 20 }, '#000', 5)).toHaveLength(11)
})
