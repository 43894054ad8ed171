// @module-tag long
// @covers apps/server/src/families/operate/migration-plans

import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  create,
  type Desk,
  execute,
  faultsOf,
  move,
  must,
  planOf,
  planRequest,
  startDesk,
  stopDesk,
  submit,
} from './support/migrating.ts'
import { approved, current, propose, submit as register } from './support/proposing.ts'
import { callOperation } from './support/requests.ts'
import { newMember } from './support/service.ts'
import { observed, proveControl, theVault, type Vaulted } from './support/vaults.ts'

let desk: Desk
let scene: Vaulted
beforeAll(async () => {
  desk = await startDesk()
  const { owner, safe, base, chain } = desk
  const entry = await callOperation<{ id: string }>(owner, 'createTreasuryEntries', {
    body: {
      payload: {
        entryKind: 'ASSET',
        label: 'Depth',
        purpose: 'LIQUIDITY_PROGRAM',
        asset: `eip155:31337/erc20:${base.toLowerCase()}`,
        container: { kind: 'SAFE', chainId: 31_337, address: safe },
      },
      reason: 'For the test',
    },
  })
  scene = { owner, safe, entryId: entry.data.id }
  await proveControl({ chain } as never, scene)
  await observed(desk.service, scene)
})
afterAll(() => stopDesk(desk))

it('starts by a packet that people agreed to, and each step is registered by the packet that it is', async () => {
  const { service, owner, operator, safe } = desk
  const plan = (await create(desk, planRequest(desk))).data
  await must(desk, plan.id, 'VALIDATE')
  const validated = await planOf(desk, plan.id)
  const vault = await theVault(owner)
  const reviewers = [
    await newMember(service, owner.organizationId, 'REVIEWER'),
    await newMember(service, owner.organizationId, 'REVIEWER'),
  ] as const
  const payload = (more: object = {}, calls?: object[]) => ({
    title: 'Move to the tighter pool',
    summary: '',
    vaultId: vault.id,
    action: {
      actionType: 'VENUE_CALLS',
      chainId: 31_337,
      safeAddress: safe,
      ...(calls ? { calls } : {}),
    },
    plan: { id: validated.id, resourceVersion: validated.resourceVersion },
    review: {
      required: 2,
      expiresAt: new Date(service.clock.read() + 86_400_000).toISOString(),
    },
    ...more,
  })
  const other = await propose(operator, payload({}, [{ to: safe, value: '1', data: '0x' }]))
  expect([other.status, other.code]).toEqual([422, 'LIQUIDITY_PROPOSAL_PLAN_MISMATCH'])
  const made = await propose(operator, payload())
  expect([made.code, made.fieldErrors]).toEqual(['', {}])
  const steps = validated.payload.steps.filter(({ calls }) => calls.length > 0)
  expect(made.data.payload.packets).toHaveLength(steps.length)
  expect(made.data.payload.simulation.state).toBe('COMPLETE')
  const blocks = made.data.payload.flags.filter(({ severity }) => severity === 'BLOCK')
  expect(blocks).toEqual([])
  const early = await move(desk, plan.id, 'START', {
    decision: { id: made.data.id, resourceVersion: made.data.resourceVersion },
    acknowledgedNoReturn: [],
  })
  expect(early.code).toBe('LIQUIDITY_MIGRATION_NOT_APPROVED')
  const packet = await approved({ reviewers } as never, made.data.id)
  const acknowledgedNoReturn = validated.payload.steps
    .filter(({ pointOfNoReturn }) => pointOfNoReturn)
    .map(({ step }) => step)
  const decision = { id: packet.id, resourceVersion: packet.resourceVersion }
  await must(desk, plan.id, 'START', { decision, acknowledgedNoReturn })
  for (const step of validated.payload.steps) {
    if (step.calls.length > 0) {
      await submit(desk, plan.id, step)
      const { transactionHash } = await execute(desk, step)
      const response = await register(operator, packet.id, transactionHash)
      expect([response.code, response.fieldErrors]).toEqual(['', {}])
      await must(desk, plan.id, 'STEP_CONFIRMED', { step: step.step, txHash: transactionHash })
    }
    await must(desk, plan.id, 'STEP_VERIFIED', { step: step.step })
  }
  await must(desk, plan.id, 'COMPLETE')
  expect((await planOf(desk, plan.id)).status).toBe('COMPLETED')
  expect((await current(owner, packet.id)).status).toBe('COMPLETED')
  expect(await faultsOf(desk)).toEqual([])
})
