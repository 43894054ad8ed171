// @module-tag long
// @covers apps/server/src/families/operate/migration-plans

import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  carryOut,
  type Desk,
  execute,
  faultsOf,
  fromPair,
  move,
  must,
  one,
  planOf,
  planRequest,
  startDesk,
  started,
  stateOf,
  stopDesk,
  submit,
  swapOnWide,
} from './support/migrating.ts'

let desk: Desk
beforeAll(async () => {
  desk = await startDesk()
})
afterAll(() => stopDesk(desk))

/** Walks the way back to its end. */
async function walkBack(id: string): Promise<void> {
  const { payload } = await planOf(desk, id)
  for (const step of payload.back!.steps) await carryOut(desk, id, step)
}

it('pauses after a foreign trade, and returns to the end', async () => {
  const plan = await started(desk)
  const [remove, collect] = plan.payload.steps
  await carryOut(desk, plan.id, remove!)
  // What the pool owes was fixed by the withdrawal, so it is the depth that somebody moves.
  await submit(desk, plan.id, collect!)
  const { transactionHash: txHash } = await execute(desk, collect!)
  await swapOnWide(desk, 300n * one)
  await must(desk, plan.id, 'STEP_CONFIRMED', { step: 1, txHash })
  const { payload } = await must(desk, plan.id, 'STEP_VERIFIED', { step: 1 })
  expect(payload).toMatchObject({ from: 'ACTIVE', to: 'PAUSED' })
  expect(payload.findings).not.toEqual([])
  const state = await stateOf(desk, plan.id)
  expect(state).toMatchObject({ phase: 'PAUSED', pause: 'DIVERGED', step: 2 })
  expect(state.simulatedVsRealized.map((one) => one.state)).toEqual(['VERIFIED', 'DIVERGED'])
  expect(state.allowedTransitions).toEqual(['RESUME', 'ROLLBACK'])
  await must(desk, plan.id, 'ROLLBACK', { checkpoint: 0 })
  expect(await stateOf(desk, plan.id)).toMatchObject({ phase: 'ROLLING_BACK', way: 'BACK' })
  expect((await planOf(desk, plan.id)).status).toBe('PAUSED')
  await walkBack(plan.id)
  const end = await planOf(desk, plan.id)
  expect(end.status).toBe('RETIRED')
  expect(end.payload.back!.steps.map(({ kind }) => kind)).toEqual([
    ...['APPROVE', 'MINT', 'REVOKE_APPROVAL'],
  ])
  const after = await stateOf(desk, plan.id)
  expect(after.invariants.find(({ code }) => code === 'VALUE_CONSERVATION')).toMatchObject({
    ok: true,
  })
})

it('rolls back from the middle: minted liquidity returns to its source', async () => {
  const to = {
    positions: [
      { venue: desk.venues.tight, tickLower: 600, tickUpper: 6000, sharePips: 1_000_000 },
    ],
  }
  const request = { from: fromPair(desk), to, constraints: wide() }
  const plan = await started(desk, planRequest(desk, request))
  const kinds = plan.payload.steps.map(({ kind }) => kind)
  expect(kinds).toContain('SWAP')
  const minted = kinds.indexOf('MINT')
  for (const step of plan.payload.steps.slice(0, minted + 1)) await carryOut(desk, plan.id, step)
  await must(desk, plan.id, 'PAUSE')
  const { payload } = await must(desk, plan.id, 'ROLLBACK', { checkpoint: 0 })
  expect(payload).toMatchObject({ from: 'PAUSED', to: 'ROLLING_BACK' })
  const { back } = (await planOf(desk, plan.id)).payload
  expect(back!.steps.map(({ kind }) => kind)).toEqual([
    ...['REVOKE_APPROVAL', 'REMOVE', 'COLLECT', 'APPROVE', 'SWAP', 'APPROVE', 'MINT'],
    'REVOKE_APPROVAL',
  ])
  // Half of the way, then it is planned anew, and what is undone is not undone again.
  for (const step of back!.steps.slice(0, 3)) await carryOut(desk, plan.id, step)
  await must(desk, plan.id, 'ROLLBACK', { checkpoint: 0 })
  const again = (await planOf(desk, plan.id)).payload.back!
  expect(again.steps.map(({ kind }) => kind)).toEqual([
    ...['APPROVE', 'SWAP', 'APPROVE', 'MINT', 'REVOKE_APPROVAL'],
  ])
  await walkBack(plan.id)
  expect((await planOf(desk, plan.id)).status).toBe('RETIRED')
  const { simulatedVsRealized } = await stateOf(desk, plan.id)
  for (const { way, realized, simulated } of simulatedVsRealized) {
    if (way === 'BACK' && realized) expect(realized.delta).toEqual(simulated)
  }
})

it('continues after a failure with the rest, simulated again', async () => {
  const plan = await started(desk, planRequest(desk, { constraints: wide() }))
  const [remove, collect, approval] = plan.payload.steps
  await carryOut(desk, plan.id, remove!)
  await carryOut(desk, plan.id, collect!)
  const sent = await submit(desk, plan.id, approval!)
  const unproven = await move(desk, plan.id, 'STEP_FAILED', { step: 2 })
  expect(unproven.code).toBe('LIQUIDITY_MIGRATION_FAILURE_UNPROVEN')
  // The owners use the nonce for something else.
  await execute(desk, { calls: [{ to: desk.base, value: '0', data: '0x18160ddd' }] })
  const failed = await must(desk, plan.id, 'STEP_FAILED', { step: 2 })
  expect(failed.payload).toMatchObject({ to: 'PAUSED' })
  expect(sent.payload.safeTxHash).not.toBeNull()
  await must(desk, plan.id, 'RESUME')
  const resumed = await planOf(desk, plan.id)
  expect(resumed.payload.steps.slice(0, 2)).toEqual(plan.payload.steps.slice(0, 2))
  expect(resumed.payload.steps.filter(({ kind }) => kind === 'REMOVE')).toHaveLength(1)
  expect(resumed.payload.steps.slice(-3).map(({ kind }) => kind)).toEqual([
    ...['MINT', 'REVOKE_APPROVAL', 'VERIFY'],
  ])
  for (const step of resumed.payload.steps.slice(2)) await carryOut(desk, plan.id, step)
  await must(desk, plan.id, 'COMPLETE')
  expect((await planOf(desk, plan.id)).status).toBe('COMPLETED')
})

const wide = () => ({
  ...planRequest(desk).constraints,
  maxSlippagePips: 200_000,
  twapDeviationPips: 1_000_000,
})

it('leaves a history that holds, with every name where the plans have it', async () => {
  expect(await faultsOf(desk)).toEqual([])
})
