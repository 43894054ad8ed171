import { responseExamples } from '@liquidity-os/contract'
import { drawCharts, pictureToSvg, screenPaper, usualPaper } from '@liquidity-os/drawing'
import { unreadable } from '@liquidity-os/drawing/testing'
import { describe, expect, it } from 'vitest'
import { type DrawnMigration, migrationCharts } from './charts.ts'

type DrawnPlan = DrawnMigration['plan']
type DrawnState = DrawnMigration['state']

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
    quote: `${10n ** BigInt(at + 12)}`,
  }))
  const depth = minDepth.map((one, at) => ({ ...one, quote: `${4n * 10n ** BigInt(16 + at)}` }))
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

describe.each([
  [1, 0, 0],
  [6, 1, 4],
  [14, 1, 14],
  [90, 5, 33],
  [400, 12, 400],
])('%i steps, %i floors, %i of them done', (count, floors, done) => {
  const plan = planOf(count, floors)
  const charts = migrationCharts({ plan, state: stateOf(plan, done) })

  it('draws the same picture every time', () => {
    for (const { picture } of drawCharts(charts, usualPaper))
      expect(pictureToSvg(picture)).not.toMatch(/NaN|Infinity|undefined|null/)
    const again = migrationCharts({ plan, state: stateOf(plan, done) })
    expect(drawCharts(again, usualPaper)).toEqual(drawCharts(charts, usualPaper))
  })

  it.each([280, 360, 760])('is readable on a screen of %i pixels', (width) => {
    for (const { picture } of drawCharts(charts, screenPaper(width)))
      expect([picture.id, unreadable(picture)]).toEqual([picture.id, []])
  })

  it('has every figure in a table: one row for each step and floor', () => {
    const [rail, depth, funds, back] = charts.map(({ table: { columns, rows } }) => {
      expect(rows.every((row) => row.length === columns.length)).toBe(true)
      return rows.length
    })
    expect([rail, funds, back]).toEqual([count, count + 1, count])
    expect(depth).toBe(floors * (count + 1))
  })

  it('shows the executed steps, and those without rollback', () => {
    const { rows } = charts[0]!.table
    const states = rows.map(([, , state]) => state)
    expect(states.filter((state) => /VERIFIED|DIVERGED/.test(state!))).toHaveLength(done)
    const final = rows.filter(([, , , , back]) => back === 'NONE')
    expect(final).toHaveLength(plan.steps.filter((one) => one.pointOfNoReturn).length)
  })
})
