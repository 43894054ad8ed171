import { readFileSync } from 'node:fs'
import { pictureToSvg } from '@liquidity-os/drawing'
import { describe, expect, it } from 'vitest'
import { drawAllocation, drawnPlan } from '../../../../../../../docs/pictures/draw-allocation.ts'
import { allocationPictures } from './allocation-pictures.ts'
import { type DrawnPlan, shown } from './drawn.ts'

const plan = await drawnPlan()
const nothing: DrawnPlan = {
  payload: {
    ...plan.payload,
    allocation: [],
    achieved: [],
    frontier: [],
    shadowPrices: [],
    capitalQuote: '0',
  },
}
const textsOf = (drawn: ReturnType<typeof allocationPictures>[number]) =>
  drawn.picture.shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))

/** A target far below what there is already. */
const [achieved] = plan.payload.achieved
const plenty: DrawnPlan = {
  payload: {
    ...plan.payload,
    achieved: [{ ...achieved!, beforeQuote: '2300000000000000000000000000', exactQuote: '1' }],
  },
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
  for (const [, , after, wanted] of depth!.rows) {
    expect(textsOf(depth!)).toContain(`${shown(Number(after))} of ${shown(Number(wanted))}`)
  }
  const circles = frontier!.picture.shapes.filter(
    (shape) => shape.kind === 'mark' && shape.form === 'circle',
  )
  expect(circles).toHaveLength(frontier!.rows.length)
  expect(prices!.rows.length).toBeGreaterThan(1)
  for (const [, change] of prices!.rows) {
    expect(textsOf(prices!)).toContain(shown(Number(change)))
  }
  for (const [, option, value] of flow!.rows) {
    expect(textsOf(flow!).some((text) => text === `${option}  ${shown(Number(value))}`)).toBe(true)
  }
})

it('are those of the documentation', async () => {
  for (const [name, svg] of await drawAllocation()) {
    const file = new URL(`../../../../../../../docs/pictures/${name}`, import.meta.url)
    // Otherwise: node docs/pictures/draw-allocation.ts
    expect(svg).toBe(readFileSync(file, 'utf8'))
  }
})
