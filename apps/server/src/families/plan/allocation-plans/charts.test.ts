import { readFileSync } from 'node:fs'
import { pictureToSvg, printValue } from '@liquidity-os/drawing'
import { describe, expect, it } from 'vitest'
import { drawAllocation, drawnPlan } from '../../../../../../docs/pictures/draw-allocation.ts'
import type { AllocationPlan } from './allocation-input.ts'
import allocationPictures from './pictures/draw-task.ts'

const plan = await drawnPlan()
const nothing: AllocationPlan = {
  ...plan,
  allocation: [],
  achieved: [],
  frontier: [],
  shadowPrices: [],
  capitalQuote: '0',
}
const textsOf = (drawn: ReturnType<typeof allocationPictures>[number]) =>
  drawn.picture.shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))

/** A target far below what there is already. */
const [achieved] = plan.achieved
const plenty: AllocationPlan = {
  ...plan,
  achieved: [{ ...achieved!, beforeQuote: '2300000000000000000000000000', exactQuote: '1' }],
}

describe.each([
  ['of a plan', plan],
  ['of nothing', nothing],
  ['of plenty before', plenty],
])('pictures %s', (_, of) => {
  it.each(allocationPictures(of).map((one) => [one.picture.id, one] as const))(
    '%s is drawn inside its frame, without a figure that is none',
    (_id, { picture }) => {
      const svg = pictureToSvg(picture)
      expect(svg).not.toMatch(/NaN|Infinity|undefined/)
      expect(svg.match(/<svg/g)).toHaveLength(1)
      expect(svg.trim().endsWith('</svg>')).toBe(true)
      for (const shape of picture.shapes) {
        if (shape.kind !== 'rect') continue
        expect(shape.width).toBeGreaterThanOrEqual(0)
        expect(shape.x).toBeGreaterThanOrEqual(0)
        expect(shape.x + shape.width).toBeLessThanOrEqual(picture.width)
        expect(shape.y + shape.height).toBeLessThanOrEqual(picture.height)
      }
      expect(picture.description.length).toBeGreaterThan(10)
    },
  )
})

it('draw every figure of their tables', () => {
  const [depth, frontier, prices, flow] = allocationPictures(plan)
  const rounded = (cell: unknown) => printValue(Math.round(Number(cell)))
  for (const [, before, added, after, wanted] of depth!.rows) {
    expect(textsOf(depth!)).toContain(`${rounded(after)} of ${rounded(wanted)}`)
    expect(Number(before) + Number(added)).toBeCloseTo(Number(after), 9)
  }
  expect(frontier!.rows.filter(([kind]) => kind === 'Attainable')).toHaveLength(
    plan.frontier.length,
  )
  expect(frontier!.rows.at(-1)).toEqual(['Plan', expect.any(String), '100'])
  expect(prices!.rows.length).toBeGreaterThan(1)
  for (const [name, , , change] of prices!.rows)
    expect(textsOf(prices!)).toEqual(expect.arrayContaining([name, change]))
  for (const [, to, , amount] of flow!.rows)
    expect(textsOf(flow!)).toEqual(expect.arrayContaining([to, amount]))
})

it('price the next 100 quote of the constraint that changes the capital most', () => {
  const prices = allocationPictures(plan)[2]!
  const [most] = plan.shadowPrices
    .filter(({ stage }) => stage === 'CAPITAL')
    .toSorted((a, b) => Number(b.quotePerUnitX18) - Number(a.quotePerUnitX18))
  const [, change, kind, , constraint] = prices.rows[0]!
  expect([constraint, kind]).toEqual([most!.constraint, 'TARGET'])
  expect(Number(change)).toBeCloseTo(Number(most!.quotePerUnitX18) / 1e16, 6)
})

it('are those of the documentation', async () => {
  for (const [name, svg] of await drawAllocation()) {
    const file = new URL(`../../../../../../docs/pictures/${name}`, import.meta.url)
    // Otherwise: node docs/pictures/draw-allocation.ts
    expect(svg).toBe(readFileSync(file, 'utf8'))
  }
})
