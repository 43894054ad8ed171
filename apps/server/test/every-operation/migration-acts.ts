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
  started,
} from '../support/migrating.ts'
import { callOperation } from '../support/requests.ts'
import type { Act } from './scene-state.ts'

const reason = 'For the walk'
const evidenceHashes = [`0x${'ab'.repeat(32)}`]
const hash = `0x${'9'.repeat(64)}`
const zeros = '0'.repeat(32)

/** Ends any plan that uses the wallet; only one plan can use it at a time. */
async function freeWallet(desk: Desk): Promise<void> {
  const { data: plans } = await callOperation<Plan[]>(desk.owner, 'listMigrationPlans')
  for (const { id, status } of plans) {
    if (status !== 'ACTIVE' && status !== 'PAUSED') continue
    const failed = await move(desk, id, 'STEP_FAILED', { step: 0 })
    if (failed.code === 'LIQUIDITY_MIGRATION_FAILURE_UNPROVEN') {
      await spendNonce(desk)
      await must(desk, id, 'STEP_FAILED', { step: 0 })
    }
    await must(desk, id, 'ROLLBACK', { checkpoint: 0 })
  }
}

/** The Safe owners use its nonce for a call without transfers. */
async function spendNonce({ chain, safe, base }: Desk): Promise<void> {
  await executeSafe(chain, safe, [{ to: base, data: '0x18160ddd' }])
  await chain.mine(3)
}

async function startedAlone(desk: Desk): Promise<Plan> {
  await freeWallet(desk)
  // Advances the finalized block each time, even if the wallet was free.
  await desk.chain.mine(1)
  return started(desk)
}

/** A plan with a submitted step under a nonce that the Safe has since used for another call. */
async function inFlight(desk: Desk): Promise<Plan> {
  const { id } = await startedAlone(desk)
  await must(desk, id, 'STEP_SUBMITTED', { step: 0, safeTxHash: hash, nonce: '0' })
  return planOf(desk, id)
}

async function validated(desk: Desk): Promise<Plan> {
  await freeWallet(desk)
  const { data } = await create(desk)
  await must(desk, data.id, 'VALIDATE')
  return planOf(desk, data.id)
}

/** Transitions of a plan, which is created again for each one. */
const transitions = (
  setUpPlan: (desk: Desk) => Promise<Plan>,
  makeTransitions: (desk: Desk, plan: Plan) => readonly object[] | Promise<readonly object[]>,
): Act<Desk> => ({
  stage: async (desk) => {
    const plan = await setUpPlan(desk)
    const { id, resourceVersion } = plan
    const made = await makeTransitions(desk, plan)
    return {
      request: { params: { id } },
      bodies: made.map((one) => ({ payload: { resourceVersion, ...one }, evidenceHashes, reason })),
    }
  },
})

export const migrationActs: Readonly<Record<string, Act<Desk> | readonly Act<Desk>[]>> = {
  createMigrationPlans: {
    stage: async (desk) => {
      const { venues } = desk
      const target = { venue: venues.tight, tickLower: 600, tickUpper: 6000, sharePips: 1_000_000 }
      const tight = {
        ...constraints,
        maxStepQuote: `${2500n * one}`,
        minSecondsBetweenSteps: 60,
        minDepth: [{ bandPips: 20_000, side: 'SELL', quote: `${15n * one}` }],
      }
      const loose = { ...constraints, maxSlippagePips: 200_000, twapDeviationPips: 1_000_000 }
      const costs = { gas: { constantWei: '1000000000' }, nativePriceX18: `${2000n * one}` }
      const stop = [
        { kind: 'DEPTH_BELOW', bandPips: 20_000, minQuote: '1000', timeSharePips: 100_000 },
        { kind: 'SLIPPAGE_ABOVE', sizeQuote: '1000', side: 'BUY', maxPips: 500, timeSharePips: 0 },
        { kind: 'OUT_OF_RANGE', timeSharePips: 100_000 },
        { kind: 'PRICE_BELOW', priceX18: `${one / 4n}` },
      ]
      const { withoutPilot: _, ...piloted } = planRequest(desk, {
        pilot: { sharePips: 100_000, soakSeconds: 600, stop },
      })
      const fluctuating = { meanWei: '1000000000', persistencePips: 1, deviationPips: 1 }
      const payloads = [
        planRequest(desk, {
          constraints: tight,
          costs: { ...costs, tipWei: '1000000', l1DataFeeWei: '1000000' },
        }),
        piloted,
        planRequest(desk, {
          from: fromPair(desk),
          to: { positions: [target] },
          constraints: loose,
          costs: { ...costs, gas: fluctuating },
        }),
        // Rejected: this allocation plan does not exist.
        planRequest(desk, {
          to: { allocation: { id: `allocation_plan_${zeros}`, resourceVersion: hash } },
        }),
      ]
      return {
        echoes: ['request'],
        bodies: payloads.map((payload) => ({ payload, evidenceHashes, reason })),
      }
    },
  },
  appendMigrationPlanTransition: [
    transitions(
      async (desk) => (await create(desk)).data,
      () => [{ transition: 'VALIDATE' }],
    ),
    transitions(validated, async (desk, plan) => {
      const decision = await decisionFor(desk, plan)
      const start = { transition: 'START', decision, acknowledgedNoReturn: [] }
      // Rejected: no step is irreversible.
      return [start, { ...start, acknowledgedNoReturn: [0] }]
    }),
    transitions(startedAlone, () => {
      const sent = { transition: 'STEP_SUBMITTED', step: 0, nonce: '0' }
      return [
        { ...sent, safeTxHash: hash },
        { ...sent, txHash: hash },
        { transition: 'ROLLBACK', checkpoint: 0 },
      ]
    }),
    transitions(inFlight, () => [
      // Rejected: this transaction does not exist.
      { transition: 'STEP_CONFIRMED', step: 0, txHash: hash },
      { transition: 'STEP_FAILED', step: 0, txHash: hash },
    ]),
  ],
}
