// @module-tag long
// @covers apps/server/src/families/operate/migration-plans

import { positionManagerAbi } from '@liquidity-os/localchain'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expireMigrations } from '../src/families/operate/migration-plans/migration-deadline.ts'
import {
  carryOut,
  constraints,
  create,
  type Desk,
  execute,
  faultsOf,
  move,
  must,
  one,
  pass,
  planOf,
  planRequest,
  type State,
  startDesk,
  started,
  stateOf,
  stopDesk,
  submit,
  swapOnWide,
} from './support/migrating.ts'
import { callOperation } from './support/requests.ts'

let desk: Desk
beforeAll(async () => {
  desk = await startDesk()
})
afterAll(() => stopDesk(desk))

it('soaks for its time, and a fired stop rule leaves the decision to an owner', async () => {
  const stop = [{ kind: 'PRICE_BELOW', priceX18: `${(one * 999n) / 1000n}` }]
  const { withoutPilot: _, ...request } = planRequest(desk, {
    pilot: { sharePips: 100_000, soakSeconds: 600, stop },
    constraints: { ...constraints, maxSlippagePips: 100_000 },
  })
  // The rule looks at the target, so the target is where the trade will be.
  const to = {
    positions: [
      { venue: desk.venues.wide, tickLower: -12_000, tickUpper: 12_000, sharePips: 1_000_000 },
    ],
  }
  const plan = await started(desk, { ...request, to })
  const soak = plan.payload.steps.find(({ kind }) => kind === 'SOAK')!
  for (const step of plan.payload.steps.slice(0, soak.step)) await carryOut(desk, plan.id, step)
  const early = await move(desk, plan.id, 'STEP_VERIFIED', { step: soak.step })
  expect([early.code, Object.keys(early.fieldErrors)]).toEqual([
    'LIQUIDITY_MIGRATION_PRECONDITION',
    ['SOAK'],
  ])
  await swapOnWide(desk, 10n * one)
  const fired = await must(desk, plan.id, 'STEP_VERIFIED', { step: soak.step })
  expect(fired.payload).toMatchObject({
    to: 'PAUSED',
    findings: [expect.stringMatching(/PRICE_BELOW/)],
  })
  expect(await stateOf(desk, plan.id)).toMatchObject({ phase: 'PAUSED', pause: 'STOP_RULE' })
  const offeredTo = async (by: Desk['owner']) =>
    (await callOperation<State>(by, 'getMigrationPlanState', { params: { id: plan.id } })).data
      .allowedTransitions
  expect(await offeredTo(desk.operator)).not.toContain('RESUME')
  expect(await offeredTo(desk.owner)).toContain('RESUME')
  const response = await move(desk, plan.id, 'RESUME', {}, desk.operator)
  expect([response.status, response.code]).toEqual([403, 'LIQUIDITY_ROLE_REQUIRED'])
  await must(desk, plan.id, 'RESUME', {}, desk.owner)
  expect((await planOf(desk, plan.id)).status).toBe('ACTIVE')
  await must(desk, plan.id, 'ROLLBACK', { checkpoint: 0 })
  for (const step of (await planOf(desk, plan.id)).payload.back!.steps) {
    await carryOut(desk, plan.id, step)
  }
  expect((await planOf(desk, plan.id)).status).toBe('RETIRED')
})

it('sends nothing while the price is far from its reference, or a wait is not over', async () => {
  const plan = await started(
    desk,
    planRequest(desk, {
      constraints: { ...constraints, minSecondsBetweenSteps: 60, twapDeviationPips: 1000 },
    }),
  )
  const submitted = (step: number) =>
    move(desk, plan.id, 'STEP_SUBMITTED', { step, safeTxHash: `0x${'9'.repeat(64)}`, nonce: '0' })
  await swapOnWide(desk, 20n * one)
  const far = await submitted(0)
  expect([far.code, Object.keys(far.fieldErrors)]).toEqual([
    'LIQUIDITY_MIGRATION_PRECONDITION',
    ['PRICE_NEAR_REFERENCE'],
  ])
  await must(desk, plan.id, 'CANCEL')
  const other = await started(
    desk,
    planRequest(desk, { constraints: { ...constraints, minSecondsBetweenSteps: 60 } }),
  )
  await carryOut(desk, other.id, other.payload.steps[0]!)
  const early = await move(desk, other.id, 'STEP_SUBMITTED', {
    step: 1,
    safeTxHash: `0x${'9'.repeat(64)}`,
    nonce: '0',
  })
  expect(Object.keys(early.fieldErrors)).toEqual(['MINIMUM_WAIT'])
  desk.service.clock.advance(60_000)
  await carryOut(desk, other.id, other.payload.steps[1]!)
  await must(desk, other.id, 'ROLLBACK', { checkpoint: 0 })
  for (const step of (await planOf(desk, other.id)).payload.back!.steps) {
    await carryOut(desk, other.id, step)
  }
})

it('rests when funds were out of the market for too long, and when some are missing', async () => {
  const plan = await started(desk, planRequest(desk))
  const [remove, collect, approval] = plan.payload.steps
  await carryOut(desk, plan.id, remove!)
  await pass(desk, 4000)
  const late = await carryOut(desk, plan.id, collect!)
  expect(late.payload).toMatchObject({ to: 'PAUSED' })
  expect(late.payload.findings).toEqual([expect.stringMatching(/^OUT_OF_MARKET: 4\d{3} seconds/)])
  await must(desk, plan.id, 'RESUME')
  const resumed = await planOf(desk, plan.id)
  const next = resumed.payload.steps[2]!
  expect(next.kind).toBe(approval!.kind)
  // Whoever signs for the Safe takes some of it away.
  await execute(desk, { calls: [{ to: desk.base, value: '0', data: takeAway }] })
  const short = await carryOut(desk, plan.id, next)
  expect(short.payload.findings).toContainEqual(
    expect.stringMatching(/^VALUE_CONSERVATION: the wallet/),
  )
  const { invariants } = await stateOf(desk, plan.id)
  expect(invariants.filter(({ ok }) => !ok).map(({ code }) => code)).toEqual([
    ...['VALUE_CONSERVATION', 'OUT_OF_MARKET'],
  ])
  await must(desk, plan.id, 'ROLLBACK', { checkpoint: 0 })
  for (const step of (await planOf(desk, plan.id)).payload.back!.steps) {
    await carryOut(desk, plan.id, step)
  }
  expect((await planOf(desk, plan.id)).status).toBe('RETIRED')
})

it('rests when liquidity that no step took is missing from a source', async () => {
  const pilot = { sharePips: 100_000, soakSeconds: 60, stop: [] }
  const { withoutPilot: _, ...request } = planRequest(desk, { pilot })
  const plan = await started(desk, request)
  await carryOut(desk, plan.id, plan.payload.steps[0]!)
  // Whoever signs for the Safe takes a tenth of the position out, past the plan.
  const data = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'decreaseLiquidity',
    args: [
      {
        tokenId: BigInt(desk.tokenId),
        liquidity: 10n ** 20n,
        amount0Min: 0n,
        amount1Min: 0n,
        deadline: 4_102_444_800n,
      },
    ],
  })
  const to = desk.chain.contracts.positionManager
  await execute(desk, { calls: [{ to, value: '0', data }] })
  const short = await carryOut(desk, plan.id, plan.payload.steps[1]!)
  expect(short.payload).toMatchObject({ to: 'PAUSED' })
  expect(short.payload.findings).toContainEqual(
    expect.stringMatching(/^VALUE_CONSERVATION: source 0 holds \d+; the remaining steps need \d+$/),
  )
  await must(desk, plan.id, 'ROLLBACK', { checkpoint: 0 })
  for (const step of (await planOf(desk, plan.id)).payload.back!.steps) {
    await carryOut(desk, plan.id, step)
  }
})

// transfer(0x…dEaD, 10^23)
const takeAway = `0xa9059cbb${'dead'.padStart(64, '0')}${(10n ** 23n).toString(16).padStart(64, '0')}`

it('ends at its deadline: expired where nothing was sent, paused where something was', async () => {
  const until = (seconds: number) => ({
    constraints: {
      ...constraints,
      deadline: new Date(desk.service.clock.read() + seconds * 1000).toISOString(),
    },
  })
  const waiting = (await create(desk, planRequest(desk, until(300)))).data
  const plan = await started(desk, planRequest(desk, until(300)))
  const [first] = plan.payload.steps
  await submit(desk, plan.id, first!)
  await expireMigrations(desk.service.services)
  expect((await planOf(desk, waiting.id)).status).toBe('DRAFT')
  desk.service.clock.advance(301_000)
  await expireMigrations(desk.service.services)
  await expireMigrations(desk.service.services)
  const expired = await planOf(desk, waiting.id)
  expect([expired.status, expired.sequence, expired.createdBy.kind]).toEqual([
    'EXPIRED',
    2,
    'SYSTEM',
  ])
  expect((await planOf(desk, plan.id)).status).toBe('PAUSED')
  expect(await stateOf(desk, plan.id)).toMatchObject({
    phase: 'PAUSED',
    pause: 'DEADLINE',
    isOverdue: true,
    allowedTransitions: ['STEP_CONFIRMED', 'STEP_FAILED'],
  })
  const response = await move(desk, plan.id, 'RESUME')
  expect(response.code).toBe('LIQUIDITY_MIGRATION_IN_FLIGHT')
})

it('simulates on no block that is too old', async () => {
  const plan = (await create(desk)).data
  desk.service.clock.advance(7_200_000)
  const stale = await move(desk, plan.id, 'VALIDATE')
  expect([stale.status, stale.code]).toEqual([409, 'LIQUIDITY_MIGRATION_STALE'])
  await pass(desk, 7200)
  await must(desk, plan.id, 'VALIDATE')
})

it('leaves a history that holds, with every name where the plans have it', async () => {
  expect(await faultsOf(desk)).toEqual([])
})
