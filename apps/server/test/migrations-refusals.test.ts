import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  constraints,
  create,
  type Desk,
  decisionFor,
  executeSafe,
  fromPair,
  move,
  must,
  one,
  type Plan,
  planOf,
  planRequest,
  startDesk,
  stopDesk,
} from './support/migrating.ts'
import { callOperation } from './support/requests.ts'

let desk: Desk
const unknown = `0x${'9'.repeat(64)}`
const tooLarge = `${2n ** 256n}`
beforeAll(async () => {
  desk = await startDesk()
})
afterAll(() => stopDesk(desk))

const target = (change: object = {}) => ({
  to: {
    positions: [
      {
        venue: desk.venues.tight,
        tickLower: -6000,
        tickUpper: 6000,
        sharePips: 1_000_000,
        ...change,
      },
    ],
  },
})
const source = (change: object) => ({
  from: {
    wallet: desk.safe,
    positions: [{ ...planRequest(desk).from.positions[0], ...change }],
  },
})
const limited = (change: object) => ({ constraints: { ...constraints, ...change } })
const nobody = '0x000000000000000000000000000000000000dEaD'

describe('a plan', () => {
  it.each<[string, string, () => object]>([
    [
      'INPUT_INVALID',
      'payload.pair.quote',
      () => ({ pair: { ...planRequest(desk).pair, quote: desk.base } }),
    ],
    [
      'INPUT_INVALID',
      'payload.pair.chainId',
      () => ({ pair: { ...planRequest(desk).pair, chainId: 1 } }),
    ],
    ['INPUT_INVALID', 'payload.from.positions.0.owner', () => source({ owner: nobody })],
    ['INPUT_INVALID', 'payload.from.wallet', () => source({ owner: nobody })],
    ['INPUT_INVALID', 'payload.to.positions', () => target({ sharePips: 999_999 })],
    ['INPUT_INVALID', 'payload.to.positions.0.tickLower', () => target({ tickLower: -6001 })],
    ['INPUT_INVALID', 'payload.to.positions.0.tickUpper', () => target({ tickUpper: -6000 })],
    [
      'INPUT_INVALID',
      'payload.constraints.priceBandX18',
      () => limited({ priceBandX18: ['2', '1'] }),
    ],
    ['INPUT_INVALID', 'payload.constraints.maxStepQuote', () => limited({ maxStepQuote: '0' })],
    ['INPUT_INVALID', 'payload.constraints.maxStepQuote', () => limited({ maxStepQuote: '1' })],
    [
      'INPUT_INVALID',
      'payload.constraints.deadline',
      () => limited({ deadline: '2020-01-01T00:00:00Z' }),
    ],
    [
      'INPUT_INVALID',
      'payload.costs.nativePriceX18',
      () => ({ costs: { gas: { constantWei: '1' }, nativePriceX18: '0' } }),
    ],
    ['INPUT_INVALID', 'payload.withoutPilot', () => ({ withoutPilot: undefined })],
    ['INPUT_INVALID', 'payload.withoutPilot', () => ({ pilot: { stop: [] } })],
    [
      'INPUT_INVALID',
      'payload.pilot.stop.0.kind',
      () => ({ withoutPilot: undefined, pilot: { stop: [{ kind: 'DRAWDOWN', pips: 1 }] } }),
    ],
    ['INPUT_INVALID', 'payload.from.positions.0.tokenId', () => source({ tokenId: tooLarge })],
    [
      'INPUT_INVALID',
      'payload.constraints.priceBandX18.1',
      () => limited({ priceBandX18: ['1', tooLarge] }),
    ],
    ['POSITION_INVALID', 'payload.from.positions', () => source({ tokenId: `${2n ** 256n - 1n}` })],
    ['POSITION_INVALID', 'payload.from.positions', () => source({ tokenId: '999' })],
    ['POSITION_INVALID', 'payload.from.positions', () => source({ tokenId: '1' })],
    ['POSITION_INVALID', 'payload.from.positions', () => source({ tickLower: -60 })],
    ['POSITION_INVALID', 'payload.from.positions.0', () => source({ tokenId: undefined })],
    ['CONTRACT_UNKNOWN', 'payload.contracts.positionManager', () => ({ contracts: {} })],
    [
      'CONTRACT_UNKNOWN',
      'payload.contracts.positionManager',
      () => ({ contracts: { positionManager: desk.chain.contracts.swapRouter } }),
    ],
    [
      'CONTRACT_UNKNOWN',
      'payload.contracts.v2Router',
      () => ({ from: fromPair(desk), contracts: { ...contracts(), v2Router: nobody } }),
    ],
    [
      'VENUE_NOT_VALIDATED',
      'payload.from.positions.0.venue',
      () => source({ venue: desk.venues.fresh }),
    ],
    [
      'FLOOR_UNREACHABLE',
      'payload.constraints.minDepth.0',
      () => limited({ minDepth: [{ bandPips: 20_000, side: 'SELL', quote: `${10n ** 30n}` }] }),
    ],
    [
      'STEP_REFUSED',
      'payload.constraints.maxSlippagePips',
      () => ({ ...target({ tickLower: 600 }), ...limited({ maxSlippagePips: 1 }) }),
    ],
    [
      'STEP_REFUSED',
      'payload.constraints.priceBandX18',
      () => limited({ priceBandX18: [`${2n * one}`, `${3n * one}`] }),
    ],
  ])('is refused with %s at %s', async (code, path, change) => {
    const response = await create(desk, planRequest(desk, change() as Record<string, unknown>))
    expect([response.code, Object.keys(response.fieldErrors)]).toEqual([
      `LIQUIDITY_MIGRATION_${code}`,
      expect.arrayContaining([path]),
    ])
  })

  it.each([
    ['payload.constraints.maxStepQuote', () => limited({ maxStepQuote: tooLarge })],
    [
      'payload.constraints.minDepth.0.quote',
      () => limited({ minDepth: [{ bandPips: 20_000, side: 'SELL', quote: tooLarge }] }),
    ],
    [
      'payload.pilot.stop.0.minQuote',
      () => ({
        withoutPilot: undefined,
        pilot: {
          stop: [{ kind: 'DEPTH_BELOW', bandPips: 20_000, minQuote: tooLarge, timeSharePips: 0 }],
        },
      }),
    ],
  ])('is refused with an amount that no word of the chain holds at %s', async (path, change) => {
    const response = await create(desk, planRequest(desk, change() as Record<string, unknown>))
    expect([response.code, Object.keys(response.fieldErrors)]).toEqual([
      'LIQUIDITY_INVALID_REQUEST',
      expect.arrayContaining([path]),
    ])
  })

  it('is refused where no number of tranches keeps a floor, with the band and the step', async () => {
    const { depth } = (await create(desk)).data.payload.start
    const now = depth.find(({ side }) => side === 'SELL')!
    const floor = { ...now, quote: `${BigInt(now.quote) - 1n}` }
    const response = await create(desk, planRequest(desk, limited({ minDepth: [floor] })))
    expect(response.code).toBe('LIQUIDITY_MIGRATION_FLOOR_UNREACHABLE')
    const [[message]] = Object.values(response.fieldErrors) as [[string]]
    expect(message).toMatch(
      /^step 0, REMOVE, of a plan in 64 tranches leaves depth \d+ within 20000 pips/,
    )
  })

  it('names no venue and no allocation that is not there, or that is another organization’s', async () => {
    const missing = { ...desk.venues.wide, resourceVersion: unknown }
    const allocation = {
      id: 'allocation_plan_00000000000000000000000000000001',
      resourceVersion: unknown,
    }
    for (const change of [source({ venue: missing }), { to: { allocation } }]) {
      const response = await create(desk, planRequest(desk, change))
      expect([response.status, response.code]).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
    }
    const foreign = await create(desk, planRequest(desk), desk.foreignOwner)
    expect([foreign.status, foreign.code]).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
  })

  it('has unknown members at no level', async () => {
    for (const change of [{ surprise: 1 }, target({ surprise: 1 }), limited({ surprise: 1 })]) {
      const response = await create(desk, planRequest(desk, change))
      expect([response.status, response.code]).toEqual([400, 'LIQUIDITY_INVALID_REQUEST'])
    }
  })
})

const contracts = () => planRequest(desk).contracts

describe('a transition', () => {
  let plan: Plan
  beforeAll(async () => {
    plan = (await create(desk)).data
  })

  it('names the version that was looked at', async () => {
    const send = (payload: object, ifMatch?: string) =>
      callOperation(desk.operator, 'appendMigrationPlanTransition', {
        params: { id: plan.id },
        body: { payload, reason: 'For the test' },
        ...(ifMatch ? { ifMatch } : {}),
      })
    const reported = { transition: 'VALIDATE' }
    expect((await send(reported)).code).toBe('LIQUIDITY_STUDIO_PRECONDITION_REQUIRED')
    expect((await send({ ...reported, resourceVersion: unknown })).status).toBe(412)
    const twice = await send({ ...reported, resourceVersion: unknown }, plan.resourceVersion)
    expect(twice.code).toBe('LIQUIDITY_PRECONDITION_AMBIGUOUS')
    expect((await send({ ...reported, surprise: 1 })).status).toBe(400)
    expect((await send({ transition: 'LEAP' })).status).toBe(400)
  })

  it('starts nothing that was not approved in exactly this generation', async () => {
    const early = await move(desk, plan.id, 'START', await decided())
    expect(early.code).toBe('LIQUIDITY_MIGRATION_TRANSITION_REFUSED')
    const draft = await decisionFor(desk, plan)
    await must(desk, plan.id, 'VALIDATE')
    const valid = await planOf(desk, plan.id)
    const over = new Date(desk.service.clock.read() - 1).toISOString()
    const refused = [
      { ...draft },
      { id: 'proposal_00000000000000000000000000000001', resourceVersion: unknown },
      { ...(await decisionFor(desk, valid)), resourceVersion: unknown },
      await decisionFor(desk, valid, { status: 'DRAFT' }),
      await decisionFor(desk, valid, { payload: { phase: 'OPEN' } }),
      await decisionFor(desk, valid, { payload: { review: { expiresAt: over } } }),
      await decisionFor({ ...desk, owner: desk.foreignOwner }, valid),
      desk.venues.wide,
    ]
    for (const decision of refused) {
      const response = await move(desk, plan.id, 'START', { decision, acknowledgedNoReturn: [] })
      expect([response.status, response.code]).toEqual([409, 'LIQUIDITY_MIGRATION_NOT_APPROVED'])
    }
    const decision = await decisionFor(desk, valid)
    const more = { decision, acknowledgedNoReturn: [0] }
    expect((await move(desk, plan.id, 'START', more)).code).toBe(
      'LIQUIDITY_MIGRATION_NO_RETURN_UNACKNOWLEDGED',
    )
    await must(desk, plan.id, 'START', { decision, acknowledgedNoReturn: [] })
  })

  const decided = async () => ({
    decision: await decisionFor(desk, await planOf(desk, plan.id)),
    acknowledgedNoReturn: [],
  })

  it('takes a wallet for one plan at a time', async () => {
    const other = (await create(desk)).data
    await must(desk, other.id, 'VALIDATE')
    const decision = await decisionFor(desk, await planOf(desk, other.id))
    const response = await move(desk, other.id, 'START', { decision, acknowledgedNoReturn: [] })
    expect([response.status, response.code]).toEqual([409, 'LIQUIDITY_MIGRATION_POSITION_BUSY'])
    await must(desk, other.id, 'CANCEL')
    const late = await move(desk, other.id, 'VALIDATE')
    expect(late.code).toBe('LIQUIDITY_MIGRATION_TERMINAL')
  })

  const sent = { step: 0, safeTxHash: unknown, nonce: '0' }
  it('keeps the order of the steps, one in flight at a time', async () => {
    const refusal = async (transition: string, more: object = {}) => {
      const { code, fieldErrors } = await move(desk, plan.id, transition, { ...more })
      return [code.replace('LIQUIDITY_MIGRATION_', ''), ...Object.keys(fieldErrors)]
    }
    const [order, busy] = ['STEP_ORDER', ['IN_FLIGHT', 'payload.transition']]
    expect(await refusal('STEP_SUBMITTED', { ...sent, step: 1 })).toEqual([order, 'payload.step'])
    const unsent = [order, 'payload.transition']
    expect(await refusal('STEP_CONFIRMED', { step: 0, txHash: unknown })).toEqual(unsent)
    expect(await refusal('STEP_VERIFIED', { step: 0 })).toEqual(unsent)
    expect(await refusal('COMPLETE')).toEqual(['INCOMPLETE', 'payload.transition'])
    const nowhere = ['NO_WAY_BACK', 'payload.checkpoint']
    expect(await refusal('ROLLBACK', { checkpoint: 3 })).toEqual(nowhere)
    const { payload } = await must(desk, plan.id, 'STEP_SUBMITTED', await submission())
    // The plan has no version that would say why.
    expect(payload).toMatchObject({ reason: 'For the test', evidenceHashes: [] })
    expect(await refusal('STEP_SUBMITTED', sent)).toEqual(busy)
    expect(await refusal('ROLLBACK', { checkpoint: 0 })).toEqual(busy)
    expect(await refusal('CANCEL')).toEqual(['FUNDS_IN_TRANSIT', 'payload.transition'])
  })

  const submission = async () => {
    const { safeTransaction, safeHash } = await import('./support/migrating.ts')
    const transaction = await safeTransaction(
      desk.chain,
      desk.safe,
      plan.payload.steps[0]!.calls as never,
    )
    return {
      step: 0,
      nonce: `${transaction.nonce}`,
      safeTxHash: safeHash(desk.chain.chainId, desk.safe, transaction),
    }
  }

  it('confirms only a final transaction that makes exactly the calls of the step', async () => {
    const confirm = (txHash: string) => move(desk, plan.id, 'STEP_CONFIRMED', { step: 0, txHash })
    expect((await confirm(unknown)).code).toBe('LIQUIDITY_MIGRATION_NOT_FINAL')
    const { transactionHash: foreign } = await desk.chain.send({
      from: desk.chain.accounts[5]!.address,
      to: desk.base,
      data: '0x18160ddd',
    })
    await desk.chain.mine(3)
    expect((await confirm(foreign)).code).toBe('LIQUIDITY_MIGRATION_CALL_MISMATCH')
    const [{ calls }] = plan.payload.steps as [Plan['payload']['steps'][number]]
    const { transactionHash } = await executeSafe(desk.chain, desk.safe, calls as never)
    expect((await confirm(transactionHash)).code).toBe('LIQUIDITY_MIGRATION_NOT_FINAL')
    await desk.chain.mine(3)
    const response = await confirm(transactionHash)
    expect(response.status).toBe(201)
    expect(await move(desk, plan.id, 'STEP_FAILED', { step: 0 })).toMatchObject({
      code: 'LIQUIDITY_MIGRATION_STEP_ORDER',
    })
  })

  it('is rejected without the permission, and hidden from third parties', async () => {
    expect((await move(desk, plan.id, 'PAUSE', {}, desk.operator)).status).toBe(201)
    const { resourceVersion } = await planOf(desk, plan.id)
    const response = await callOperation(desk.foreignOwner, 'appendMigrationPlanTransition', {
      params: { id: plan.id },
      body: { payload: { transition: 'PAUSE', resourceVersion }, reason: 'For the test' },
    })
    expect([response.status, response.code]).toEqual([404, 'LIQUIDITY_RESOURCE_NOT_FOUND'])
  })
})
