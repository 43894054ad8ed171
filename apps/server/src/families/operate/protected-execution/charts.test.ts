import { pictureToSvg, type Shape, widthOf } from '@liquidity-os/drawing'
import { describe, expect, it } from 'vitest'
import type { DrawnPlan } from './drawn-plan.ts'
import draw from './pictures/draw-task.ts'
import { drawnPlan } from './testing/drawn-plans.ts'

const edgesOf = (shape: Shape): [number, number][] => {
  switch (shape.kind) {
    case 'rect':
      return [
        [shape.x, shape.y],
        [shape.x + shape.width, shape.y + shape.height],
      ]
    case 'line':
    case 'area':
      return shape.points.map(({ x, y }) => [x, y])
    case 'mark':
      return [[shape.x, shape.y]]
    case 'text': {
      const width = widthOf(shape.text, shape.size, shape.isBold)
      const left = { start: 0, middle: width / 2, end: width }[shape.anchor]
      return [
        [shape.x - left, shape.y - shape.size],
        [shape.x - left + width, shape.y],
      ]
    }
  }
}

describe.each<[string, DrawnPlan]>([
  ['one leg, no set and nothing yet', drawnPlan({ legs: 1, others: 0, beads: 0, set: false })],
  ['three legs of six sources', drawnPlan({ legs: 3, others: 3, beads: 3, set: true })],
  ['sixteen legs of forty sources', drawnPlan({ legs: 16, others: 24, beads: 9, set: true })],
  ['a purchase', { ...drawnPlan({ legs: 2, others: 1, beads: 5, set: true, side: 'BUY' }) }],
])('%s', (_, drawn) => {
  it('are drawn within their pages, the same every time, with every figure in a table', () => {
    const drawings = draw(drawn)
    expect(drawings).toHaveLength(4)
    for (const { picture, columns, rows } of drawings) {
      const places = picture.shapes.flatMap(edgesOf)
      const outside = places.filter(
        ([x, y]) => !(x >= 0 && x <= picture.width && y >= 0 && y <= picture.height),
      )
      expect([picture.id, outside]).toEqual([picture.id, []])
      expect(pictureToSvg(picture)).not.toMatch(/NaN|Infinity|undefined|\[object/)
      expect(rows.every((row) => row.length === columns.length)).toBe(true)
    }
    expect(draw(drawn)).toEqual(drawings)
    const [ladder, stairs, lanes, sandwich] = drawings.map(({ rows }) => rows.length)
    const { plan, set, beads } = drawn
    const sources = set ? set.quotes.length + set.pools.length : plan.legs.length
    // A step begins and ends.
    expect([ladder, stairs, sandwich]).toEqual([sources, 2 * plan.legs.length, plan.legs.length])
    expect(lanes).toBe(plan.legs.length + beads.length)
  })
})

it('a price that is used is filled, one that is not is hollow with its reason', () => {
  const [ladder] = draw(drawnPlan({ legs: 2, others: 2, beads: 0, set: true }))
  const marks = ladder?.picture.shapes.filter((shape) => shape.kind === 'mark') ?? []
  // The legend has one of each.
  const hollow = marks.map(({ isHollow }) => isHollow)
  expect([hollow.filter((one) => one).length, hollow.length]).toEqual([3, 6])
  const texts = ladder?.picture.shapes.flatMap((one) => (one.kind === 'text' ? [one.text] : []))
  expect(texts?.filter((text) => text.endsWith('NOT_BETTER'))).toHaveLength(2)
  expect(ladder?.rows.map((row) => row[2])).toEqual(['3', '3', '2.996', '2.992'])
})
