import { blockOf } from '../../../../integrations/chain/block-of.ts'
import { ChainError } from '../../../../integrations/chain/chain-error.ts'
import { ask } from '../../../../integrations/chain/client.ts'
import { readContract } from '../../../../integrations/chain/contract-call.ts'
import { blockArgument, pinBlock } from '../../../../integrations/chain/finalized.ts'
import { safeAbi } from '../../../../integrations/chain/periphery-abis.ts'
import { limits } from '../../../../limits.ts'
import { sql } from '../../../../store/database/sql.ts'
import { subjectOf } from '../plan-events.ts'
import type { Realized, StepRecord, Transition } from '../plan-types.ts'
import { callsHashOf } from '../planning/calls.ts'
import { limitsOf } from '../planning/make-plan.ts'
import { depthOf } from '../planning/measured-depth.ts'
import type { Decided } from './decide-transition.ts'
import { invariantsOf } from './invariants.ts'
import { validatePrecondition } from './preconditions.ts'
import type { Situation } from './situation.ts'
import { depthFindings, stepFindings } from './step-findings.ts'
import { firedRules } from './stop-rules.ts'
import type { TransitionContext } from './transition-context.ts'

type Of<K extends Transition['transition']> = Extract<Transition, { transition: K }>

const textOf = (depth: ReturnType<typeof depthOf>) =>
  depth.map((rung) => ({ ...rung, quote: `${rung.quote}` }))

/** Checks every condition again before a step is sent. */
export async function decideSubmitted(
  context: TransitionContext,
  transition: Of<'STEP_SUBMITTED'>,
): Promise<Decided> {
  const { request, plan, way, history } = context
  const record = context.step(transition.step)!
  const situation = await context.situation()
  const verifiedAt = history.carriedOut.at(-1)?.at ?? null
  const faults = validatePrecondition(plan, record, situation, {
    way,
    now: request.now,
    verifiedAt,
  })
  if (Object.keys(faults).length > 0) {
    throw request.fail('LIQUIDITY_MIGRATION_PRECONDITION', { fieldErrors: faults })
  }
  return {
    move: { kind: 'STEP_SUBMITTED', step: transition.step },
    step: transition.step,
    ...('txHash' in transition
      ? { txHash: transition.txHash }
      : { safeTxHash: transition.safeTxHash }),
    nonce: transition.nonce,
    situation,
  }
}

/** Checks that a transaction is finalized and makes exactly the calls of the step. */
export async function decideConfirmed(
  context: TransitionContext,
  transition: Of<'STEP_CONFIRMED'>,
): Promise<Decided> {
  const { request, history } = context
  const record = context.step(transition.step)!
  const found = await context.finalTransaction(transition.txHash)
  const mismatch = (message: string) =>
    request.fail('LIQUIDITY_MIGRATION_CALL_MISMATCH', {
      fieldErrors: { 'payload.txHash': [message] },
    })
  const { flight } = history
  if (await isUsed(context, transition.txHash)) throw mismatch('belongs to another step')
  if (!found.areCallsSuccessful) throw mismatch('had no effect; report the step as failed')
  const isSafe = flight?.safeTxHash != null
  if (isSafe && found.safeTxHash !== flight.safeTxHash) {
    throw mismatch(`executes ${found.safeTxHash}, not ${flight.safeTxHash}`)
  }
  const isReplaced = !isSafe && flight?.txHash !== transition.txHash
  // A transaction can be sent again with more gas: another hash with the same nonce.
  if (isReplaced && `${found.nonce}` !== flight?.nonce) throw mismatch(`is not ${flight?.txHash}`)
  const callsHash = found.calls === null ? null : callsHashOf(found.calls.map(lowered))
  const planned = callsHashOf(record.calls.map(lowered))
  if (callsHash !== planned) throw mismatch('does not make exactly the calls of the step')
  return {
    move: { kind: 'STEP_CONFIRMED', step: transition.step },
    step: transition.step,
    txHash: transition.txHash,
    situation: await context.situation(),
  }
}

const lowered = ({ to, value, data }: StepRecord['calls'][number]) => ({
  to: to.toLowerCase(),
  value,
  data: data.toLowerCase(),
})

/** One transaction executes one step of one plan. */
async function isUsed({ request, current }: TransitionContext, txHash: string): Promise<boolean> {
  const { records, organizationId } = request
  const [rows] = await records.query([
    sql`select 1 as used from events where organization_id = ${organizationId}
      and subject_id = ${current.record.id} and body::jsonb #>> '{payload,move,kind}' = 'STEP_CONFIRMED'
      and body::jsonb #>> '{payload,txHash}' = ${txHash} limit 1`,
  ])
  return (rows ?? []).length > 0
}

/** Verifies the effect of a step. A deviation pauses the plan. */
export async function decideVerified(
  context: TransitionContext,
  transition: Of<'STEP_VERIFIED'>,
): Promise<Decided> {
  const { plan, history, way } = context
  const record = context.step(transition.step)!
  const { step } = transition
  if (record.kind === 'SOAK') return decideSoaked(context, record)
  const situation = await context.situation()
  const depth = textOf(depthOf(situation.worlds, limitsOf(plan.request)))
  const txHash = history.flight?.txHash
  const done =
    record.kind === 'VERIFY' || !txHash
      ? null
      : await context.realized(record, await context.finalTransaction(txHash))
  const realized = done && { ...done, depth }
  const own = realized
    ? stepFindings(plan, record, realized, situation, way)
    : way === 'BACK'
      ? []
      : depthFindings(plan, record, situation)
  const findings = [...own, ...brokenInvariants(context, record, realized, situation)]
  const outcome = findings.length === 0 ? 'WITHIN' : 'OUTSIDE'
  return {
    move: { kind: 'STEP_VERIFIED', step, outcome },
    step,
    ...(txHash ? { txHash } : {}),
    ...(realized ? { realized } : {}),
    findings,
    situation,
  }
}

/** Missing funds, or funds out of the market too long, stop a plan on its way forward. */
function brokenInvariants(
  { plan, history, way }: TransitionContext,
  record: StepRecord,
  realized: Realized | null,
  situation: Situation,
): string[] {
  if (way === 'BACK') return []
  const block = blockOf(plan.request.pair.chainId, situation.block)
  const subject = subjectOf(record)
  const done = { way, step: record.step, isWithin: true, subject, realized, block, at: '' }
  const progress = { machine: history.machine, carriedOut: [...history.carriedOut, done] }
  return invariantsOf(plan, history, progress, situation)
    .filter(({ code, ok }) => !ok && (code === 'VALUE_CONSERVATION' || code === 'OUT_OF_MARKET'))
    .map(({ code, observed }) => `${code}: ${observed}`)
}

async function decideSoaked(context: TransitionContext, record: StepRecord): Promise<Decided> {
  const { request, plan, history } = context
  const { step } = record
  const situation = await context.situation()
  const since = history.carriedOut.at(-1)?.block
  const soaked = since ? situation.block.timestamp - Date.parse(since.timestamp) / 1000 : 0
  const fired = firedRules(plan, await seenWorlds(context, since?.number ?? situation.block.number))
  const isOver = soaked >= (record.soakSeconds ?? 0)
  if (!isOver && fired.length === 0) {
    throw request.fail('LIQUIDITY_MIGRATION_PRECONDITION', {
      fieldErrors: { SOAK: [`${soaked} of ${record.soakSeconds} seconds have passed`] },
    })
  }
  const outcome = fired.length === 0 ? 'WITHIN' : 'STOP_RULE'
  return { move: { kind: 'STEP_VERIFIED', step, outcome }, step, findings: fired, situation }
}

/** The markets at blocks spread evenly over the soak period, if the provider has the states. */
async function seenWorlds(context: TransitionContext, from: number) {
  const situation = await context.situation()
  const count = limits.migrationSoakBlocks
  const span = situation.block.number - from
  const earlier = Array.from({ length: count - 1 }, (_, index) =>
    Math.floor(from + (span * (index + 1)) / count),
  )
  const blocks = [...new Set(earlier)].filter((block) => block > from && block < from + span)
  const seen: Situation['worlds'][] = []
  for (const block of blocks) {
    try {
      seen.push((await context.situationAt(block)).worlds)
    } catch (error) {
      const isForgotten =
        error instanceof ChainError && error.code === 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE'
      if (!isForgotten) throw error
    }
  }
  return [...seen, situation.worlds]
}

/** A transaction had no effect, or another transaction used its nonce. */
export async function decideFailed(
  context: TransitionContext,
  transition: Of<'STEP_FAILED'>,
): Promise<Decided> {
  const { history, request } = context
  const { flight } = history
  const txHash = transition.txHash ?? flight?.txHash ?? null
  const findings = await failureOf(context, txHash)
  if (findings === null) {
    throw request.fail('LIQUIDITY_MIGRATION_FAILURE_UNPROVEN', {
      fieldErrors: {
        'payload.txHash': [`and the nonce ${flight?.nonce} of the wallet prove no failure`],
      },
    })
  }
  const situation = await context.situation()
  const move = { kind: 'STEP_FAILED', step: transition.step } as const
  return { move, step: transition.step, ...(txHash ? { txHash } : {}), findings, situation }
}

async function failureOf(
  context: TransitionContext,
  txHash: string | null,
): Promise<string[] | null> {
  const { client, head } = await context.reading()
  const { flight } = context.history
  if (txHash !== null && (await hasReceipt(context, txHash))) {
    const found = await context.finalTransaction(txHash)
    const isOwn =
      flight?.safeTxHash != null
        ? found.safeTxHash === flight.safeTxHash
        : txHash === flight?.txHash || `${found.nonce}` === flight?.nonce
    if (!isOwn) return null
    return found.areCallsSuccessful ? null : ['the transaction had no effect']
  }
  const pin = await pinBlock(client, head)
  const { wallet } = context
  const code = await ask<string>(client, 'eth_getCode', [wallet, blockArgument(pin)])
  const nonce =
    code === '0x'
      ? BigInt(await ask<string>(client, 'eth_getTransactionCount', [wallet, blockArgument(pin)]))
      : await readContract(client, pin, { address: wallet, abi: safeAbi, functionName: 'nonce' })
  const isUsed = nonce > BigInt(flight?.nonce ?? '0')
  if (!isUsed) return null
  // The step itself may have used the nonce under an unreported hash.
  return (await hasMoved(context)) ? null : [`another transaction used the nonce ${flight?.nonce}`]
}

async function hasReceipt(context: TransitionContext, txHash: string): Promise<boolean> {
  const { client } = await context.reading()
  return (await ask<object | null>(client, 'eth_getTransactionReceipt', [txHash])) !== null
}

/**
 * True if the wallet or a position changed since the previous step, so a transaction was executed.
 */
async function hasMoved(context: TransitionContext): Promise<boolean> {
  const { history } = context
  const before = history.invariants.find(({ code }) => code === 'VALUE_CONSERVATION')
  const since = before?.block?.number
  if (since === undefined) return false
  const [then, now] = [await context.situationAt(since), await context.situation()]
  const isSame =
    then.wallet.base === now.wallet.base &&
    then.wallet.quote === now.wallet.quote &&
    then.liquidity.every((liquidity, index) => liquidity === now.liquidity[index])
  return !isSame
}
