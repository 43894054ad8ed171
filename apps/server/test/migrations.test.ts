// @module-tag long
// @covers apps/server/src/families/operate/migration-plans

import { readFileSync, writeFileSync } from 'node:fs'
import { drawCharts, pictureToSvg, usualPaper } from '@liquidity-os/drawing'
import { erc20Abi } from '@liquidity-os/localchain'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrationCharts } from '../src/families/operate/migration-plans/charts.ts'
import {
  carryOut,
  create,
  type Desk,
  execute,
  faultsOf,
  fromPair,
  move,
  must,
  one,
  pass,
  planOf,
  planRequest,
  startDesk,
  started,
  stateOf,
  stopDesk,
} from './support/migrating.ts'

let desk: Desk
beforeAll(async () => {
  desk = await startDesk()
})
afterAll(() => stopDesk(desk))

it('moves a position to another fee tier: every step equals its simulation, in atoms', async () => {
  const pilot = { sharePips: 100_000, soakSeconds: 60, stop: [] }
  const { withoutPilot: _, ...request } = planRequest(desk, { pilot })
  const plan = await started(desk, request)
  expect(plan.payload.steps.map(({ kind }) => kind)).toEqual([
    ...['REMOVE', 'COLLECT', 'APPROVE', 'MINT', 'REVOKE_APPROVAL', 'VERIFY', 'SOAK', 'VERIFY'],
    ...['REMOVE', 'COLLECT', 'APPROVE', 'MINT', 'REVOKE_APPROVAL', 'VERIFY'],
  ])
  for (const step of plan.payload.steps) {
    if (step.kind === 'SOAK') await pass(desk, 120)
    await carryOut(desk, plan.id, step)
  }
  const state = await stateOf(desk, plan.id)
  expect(state.invariants.filter(({ ok }) => !ok)).toEqual([])
  expect(state.checkpoints).toHaveLength(plan.payload.steps.length + 1)
  for (const { realized, simulated, state: outcome } of state.simulatedVsRealized) {
    expect(outcome).toBe('VERIFIED')
    if (realized) expect(realized.delta).toEqual(simulated)
  }
  await must(desk, plan.id, 'COMPLETE')
  expect((await planOf(desk, plan.id)).status).toBe('COMPLETED')
  expect((await stateOf(desk, plan.id)).allowedTransitions).toEqual([])
  const charts = migrationCharts({ plan: (await planOf(desk, plan.id)).payload, state })
  for (const { picture } of drawCharts(charts, usualPaper)) {
    const file = new URL(`../../../docs/pictures/${picture.id}.svg`, import.meta.url)
    const svg = pictureToSvg(picture)
    if (process.env.UPDATE_PICTURES) writeFileSync(file, svg)
    // Otherwise: UPDATE_PICTURES=1 npx vitest run apps/server/test/migrations.test.ts
    expect(svg).toBe(readFileSync(file, 'utf8'))
  }
})

it('moves liquidity of a pair into a pool that is created on the way, and a range of another', async () => {
  const { tight, fresh } = desk.venues
  const positions = [
    { venue: tight, tickLower: -6000, tickUpper: 6000, sharePips: 600_000 },
    { venue: fresh, tickLower: -12_000, tickUpper: 12_000, sharePips: 400_000 },
  ]
  const made = await create(desk, planRequest(desk, { from: fromPair(desk), to: { positions } }))
  expect(made.code).toBe('')
  const plan = await started(desk, planRequest(desk, { from: fromPair(desk), to: { positions } }))
  const kinds = plan.payload.steps.map(({ kind }) => kind)
  expect(kinds.slice(0, 3)).toEqual(['APPROVE', 'REMOVE', 'CREATE_POOL'])
  // 1.0001^−6000 and its inverse; a pair has neither ticks nor edges.
  const edges = {
    lowerPriceX36: expect.stringMatching(/^5488\d{32}$/),
    upperPriceX36: expect.stringMatching(/^18220\d{32}$/),
  }
  expect(plan.payload.targets[0]).toMatchObject(edges)
  const placed = (kind: string) => plan.payload.steps.find((step) => step.kind === kind)?.position
  expect(placed('REMOVE')).toMatchObject({ lowerPriceX36: null, upperPriceX36: null })
  expect(plan.payload.steps.map(({ position }) => position)).toContainEqual(
    expect.objectContaining({ tickLower: -6000, ...edges }),
  )
  for (const step of plan.payload.steps) await carryOut(desk, plan.id, step)
  const { simulatedVsRealized } = await stateOf(desk, plan.id)
  for (const { realized, simulated } of simulatedVsRealized) {
    if (realized) expect(realized.delta).toEqual(simulated)
  }
  const allow = (amount: bigint) =>
    execute(desk, {
      calls: [
        {
          to: desk.base,
          value: '0',
          data: encodeFunctionData({
            abi: erc20Abi,
            functionName: 'approve',
            args: [desk.chain.contracts.positionManager, amount],
          }),
        },
      ],
    })
  await allow(1n)
  const early = await move(desk, plan.id, 'COMPLETE')
  expect([early.code, early.fieldErrors]).toEqual([
    'LIQUIDITY_MIGRATION_INCOMPLETE',
    { 'state.approvals': [expect.stringMatching(/may spend 1 of/)] },
  ])
  await allow(0n)
  await must(desk, plan.id, 'COMPLETE')
  expect(BigInt(plan.payload.steps[1]!.expected.delta.base)).toBeGreaterThan(100n * one)
})

it('leaves a history that holds, with every name where the plans have it', async () => {
  expect(await faultsOf(desk)).toEqual([])
})
