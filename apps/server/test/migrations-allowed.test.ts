// @module-tag long
// @covers apps/server/src/families/operate/migration-plans

import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  create,
  type Desk,
  decisionFor,
  move,
  must,
  type Plan,
  planOf,
  startDesk,
  started,
  stateOf,
  stopDesk,
  submit,
} from './support/migrating.ts'

let desk: Desk
beforeAll(async () => {
  desk = await startDesk()
})
afterAll(() => stopDesk(desk))

const allowed = async (id: string) => (await stateOf(desk, id)).allowedTransitions
const drafted = async () => (await create(desk)).data
const validated = async () => {
  const { id } = await drafted()
  await must(desk, id, 'VALIDATE')
  return planOf(desk, id)
}
const approved = async () => {
  const plan = await validated()
  await decisionFor(desk, plan)
  return plan
}
const paused = async () => {
  const plan = await started(desk)
  await must(desk, plan.id, 'PAUSE')
  return plan
}

/** Everything that a transition says beside its name, for a plan of the states below. */
async function terms(plan: Plan, transition: string): Promise<Record<string, unknown>> {
  if (transition === 'ROLLBACK') return { checkpoint: 0 }
  if (transition !== 'START') return {}
  const current = await planOf(desk, plan.id)
  const acknowledgedNoReturn = current.payload.steps.flatMap(({ step, pointOfNoReturn }) =>
    pointOfNoReturn ? [step] : [],
  )
  return { decision: await decisionFor(desk, current), acknowledgedNoReturn }
}

/** Frees the wallet for the next plan. */
async function end({ id }: Plan): Promise<void> {
  if ((await allowed(id)).includes('CANCEL')) await must(desk, id, 'CANCEL')
}

const states: [string, () => Promise<Plan>, string[]][] = [
  ['a draft', drafted, ['VALIDATE', 'CANCEL']],
  ['one that was validated', validated, ['VALIDATE', 'CANCEL']],
  ['one that was approved', approved, ['VALIDATE', 'START', 'CANCEL']],
  ['one that rests', paused, ['RESUME', 'ROLLBACK', 'CANCEL']],
  ['one that is under way', () => started(desk), ['STEP_SUBMITTED', 'PAUSE', 'ROLLBACK', 'CANCEL']],
]

it.each(states)('of %s each that is offered is taken now', async (_, make, expected) => {
  const probe = await make()
  const offered = await allowed(probe.id)
  expect(offered).toEqual(expected)
  await end(probe)
  for (const transition of offered.filter((one) => one !== 'STEP_SUBMITTED')) {
    const plan = await make()
    const response = await move(desk, plan.id, transition, await terms(plan, transition))
    expect([transition, response.status, response.fieldErrors]).toEqual([transition, 201, {}])
    await end(plan)
  }
})

it('offers no start without a decision that holds, and none is taken', async () => {
  const plan = await validated()
  expect(await allowed(plan.id)).not.toContain('START')
  const revoked = await decisionFor(desk, plan, { status: 'REVOKED' })
  const expired = await decisionFor(desk, plan, {
    payload: { review: { required: 1, expiresAt: '2020-01-01T00:00:00.000Z' } },
  })
  const other = await decisionFor(desk, { id: plan.id, resourceVersion: `0x${'9'.repeat(64)}` })
  for (const decision of [revoked, expired, other]) {
    expect(await allowed(plan.id)).not.toContain('START')
    const response = await move(desk, plan.id, 'START', { decision, acknowledgedNoReturn: [] })
    expect(response.code).toBe('LIQUIDITY_MIGRATION_NOT_APPROVED')
  }
  await decisionFor(desk, plan)
  expect(await allowed(plan.id)).toContain('START')
})

it('offers a step to be sent where it is taken, and no start to another plan of the wallet', async () => {
  const [plan, other] = [await started(desk), await approved()]
  expect(await allowed(other.id)).toEqual(['VALIDATE', 'CANCEL'])
  const response = await move(desk, other.id, 'START', await terms(other, 'START'))
  expect(response.code).toBe('LIQUIDITY_MIGRATION_POSITION_BUSY')
  expect(await allowed(plan.id)).toContain('STEP_SUBMITTED')
  await submit(desk, plan.id, plan.payload.steps[0]!)
  expect(await allowed(plan.id)).not.toContain('STEP_SUBMITTED')
})
