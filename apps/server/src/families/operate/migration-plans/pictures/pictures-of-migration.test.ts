import { responseExamples } from '@liquidity-os/contract'
import { pictureToSvg, type Shape, screenPaper, widthOf } from '@liquidity-os/drawing'
import { unreadable } from '@liquidity-os/drawing/testing'
import { describe, expect, it } from 'vitest'
import type { DrawnPlan, DrawnState } from './migration-course.ts'
import { picturesOfMigration } from './pictures-of-migration.ts'

type Step = DrawnPlan['steps'][number]
const example = (id: string) => (responseExamples[id] as { data: unknown }).data
const kinds = ['REMOVE', 'COLLECT', 'APPROVE', 'MINT', 'REVOKE_APPROVAL', 'VERIFY'] as const

/** A plan of so many steps after the example, with values of every sign, and some ways back closed. */
function planOf(count: number, floors: number): DrawnPlan {
  const { payload } = example('createMigrationPlans') as { payload: DrawnPlan }
  const floor = payload.request.constraints.minDepth[0]!
  const minDepth = Array.from({ length: floors }, (_, at) => ({
    ...floor,
    bandPips: floor.bandPips + at,
    quote: `${10 ** (at + 12)}`,
  }))
  const depth = minDepth.map((one, at) => ({ ...one, quote: `${4 * 10 ** (16 + at)}` }))
  const steps = Array.from({ length: count }, (_, step): Step => {
    const kind = kinds[step % kinds.length]!
    const moves = { COLLECT: 1, MINT: -1 }[kind as 'COLLECT'] ?? 0
    const delta = { base: `${moves * 5 * 10 ** 18}`, quote: `${moves * 3 * 10 ** 16}` }
    const isOut = step % kinds.length === 1 || step % kinds.length === 2
    return {
      ...payload.steps[0]!,
      step,
      kind,
      pointOfNoReturn: step % 5 === 4,
      expected: {
        delta,
        liquidity: '7',
        depth,
        wallet: isOut
          ? { base: `${5 * 10 ** 18}`, quote: `${3 * 10 ** 16}` }
          : { base: '0', quote: '0' },
      },
      rollback: {
        ...payload.steps[0]!.rollback,
        costs: [-200_000, 0, 200_000].map((movePips) => ({
          movePips,
          costQuote: step % 5 === 4 ? null : `${(step - 3) * movePips * 10 ** 9}`,
        })),
      },
    }
  })
  const request = { ...payload.request, constraints: { ...payload.request.constraints, minDepth } }
  return { ...payload, request, steps, start: { ...payload.start, depth } }
}

function stateOf(plan: DrawnPlan, done: number): DrawnState {
  const state = example('getMigrationPlanState') as DrawnState
  return {
    ...state,
    step: done,
    simulatedVsRealized: plan.steps.slice(0, done).map(({ step, kind, expected }) => ({
      way: 'FORWARD',
      step,
      kind,
      state: step % 4 === 3 ? 'DIVERGED' : 'VERIFIED',
      simulated: expected.delta,
      block: plan.simulatedAt,
      realized: { delta: expected.delta, liquidity: '7', tokenId: null, depth: expected.depth },
    })),
  }
}

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

describe.each([
  [1, 0, 0],
  [6, 1, 4],
  [14, 1, 14],
  [90, 5, 33],
  [400, 12, 400],
])('%i steps, %i floors, %i of them done', (count, floors, done) => {
  const plan = planOf(count, floors)
  const drawn = picturesOfMigration(plan, stateOf(plan, done))

  it('draws everything within its page, the same every time', () => {
    for (const { picture } of drawn) {
      const places = picture.shapes.flatMap(edgesOf)
      expect(places.flat().every(Number.isFinite)).toBe(true)
      const outside = places.filter(
        ([x, y]) => x < 0 || x > picture.width || y < 0 || y > picture.height,
      )
      expect([picture.id, outside]).toEqual([picture.id, []])
      const svg = pictureToSvg(picture)
      expect(svg).not.toMatch(/NaN|Infinity|undefined|null/)
      expect(svg.match(/<text/g)?.length ?? 0).toBe(svg.match(/<\/text>/g)?.length ?? 0)
    }
    const again = picturesOfMigration(plan, stateOf(plan, done))
    expect(again).toEqual(drawn)
  })

  it.each([280, 360, 760])('can be read on a screen of %i pixels', (width) => {
    for (const { picture } of picturesOfMigration(plan, stateOf(plan, done), screenPaper(width)))
      expect([picture.id, unreadable(picture)]).toEqual([picture.id, []])
  })

  it('has every figure in a table: one row for each step and floor', () => {
    const [rail, depth, funds, back] = drawn.map(({ columns, rows }) => {
      expect(rows.every((row) => row.length === columns.length)).toBe(true)
      return rows.length
    })
    expect([rail, funds, back]).toEqual([count, count + 1, count])
    expect(depth).toBe(floors * (count + 1))
  })

  it('shows the executed moves, and the points without rollback', () => {
    const [rail] = drawn
    const shown = Math.min(count, 60)
    const marks = rail!.picture.shapes.filter((shape) => shape.kind === 'mark')
    const crosses = marks.filter(({ form }) => form === 'cross')
    expect(crosses).toHaveLength(
      plan.steps.slice(0, shown).filter((one) => one.pointOfNoReturn).length,
    )
    const filled = marks.filter(({ form, isHollow }) => form !== 'cross' && !isHollow)
    expect(filled).toHaveLength(Math.min(done, shown))
  })
})
