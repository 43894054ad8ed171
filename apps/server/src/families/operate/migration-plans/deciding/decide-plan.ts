import type { FieldErrors } from '@liquidity-os/contract'
import type { Address } from 'viem'
import { Failure } from '../../../../failure.ts'
import { readContract } from '../../../../integrations/chain/contract-call.ts'
import { pinBlock } from '../../../../integrations/chain/finalized.ts'
import { allowanceAbi } from '../../../../integrations/chain/periphery-abis.ts'
import { limits } from '../../../../limits.ts'
import type { Transition } from '../plan-types.ts'
import { limitsOf, makePlan } from '../planning/make-plan.ts'
import { brokenFloors, depthOf } from '../planning/measured-depth.ts'
import { restOf } from '../planning/resume-plan.ts'
import { planWayBack } from '../planning/way-back.ts'
import { natureOf } from '../step-records.ts'
import { isApprovedBy } from './approving-decision.ts'
import type { Decided } from './decide-transition.ts'
import type { Reading } from './situation.ts'
import type { TransitionContext } from './transition-context.ts'

type Of<K extends Transition['transition']> = Extract<Transition, { transition: K }>

/** Simulates the plan again at a fresh block. Approval then applies to the resulting steps. */
export async function decideValidated(context: TransitionContext): Promise<Decided> {
  const { request, plan } = context
  const { records, services, now } = request
  const computed = await makePlan(records, services, {
    request: plan.request,
    venues: await context.venues(),
    targets: plan.targets,
    remainder: null,
    requireFresh: (reading) => requireFresh(reading, now),
  })
  const payload = { ...computed.payload, back: null, decision: null }
  const forward = payload.steps.map(natureOf)
  return { move: { kind: 'VALIDATE', forward }, step: null, situation: computed.situation, payload }
}

/** With the `finalized` tag, even the newest finalized block lags the head. */
function requireFresh({ head, finality }: Reading, now: number): void {
  const lag = finality === 'finalized' ? limits.migrationFinalityLagSeconds : 0
  const age = Math.floor(now / 1000) - head.timestamp
  if (age <= limits.migrationBlockSeconds + lag) return
  throw new Failure('LIQUIDITY_MIGRATION_STALE', {
    message: `The finalized block ${head.number} is ${age} seconds old.`,
  })
}

export async function decideStarted(
  { request, current, plan }: TransitionContext,
  transition: Of<'START'>,
): Promise<Decided> {
  const { id, resourceVersion } = current.record
  const isApproved = await isApprovedBy(request.records, transition.decision, {
    id,
    resourceVersion,
  })
  if (!isApproved) {
    throw request.fail('LIQUIDITY_MIGRATION_NOT_APPROVED', {
      fieldErrors: {
        'payload.decision': [
          `must approve ${id} at ${resourceVersion}, but ${transition.decision.id} does not`,
        ],
      },
    })
  }
  const unreturnable = plan.steps.flatMap(({ step, pointOfNoReturn }) =>
    pointOfNoReturn ? [step] : [],
  )
  const acknowledged = transition.acknowledgedNoReturn.toSorted((a, b) => a - b)
  if (acknowledged.join() !== unreturnable.join()) {
    throw request.fail('LIQUIDITY_MIGRATION_NO_RETURN_UNACKNOWLEDGED', {
      fieldErrors: { 'payload.acknowledgedNoReturn': [`must be [${unreturnable.join(', ')}]`] },
    })
  }
  const payload = { ...plan, decision: transition.decision }
  return { move: { kind: 'START' }, step: null, situation: null, payload }
}

/** Simulates the remaining steps again from the current chain state. */
export async function decideResumed(context: TransitionContext): Promise<Decided> {
  const { request, plan, history } = context
  const { records, services, actor } = request
  const venues = await context.venues()
  const { steps } = await restOf(records, services, { plan, history, venues })
  const payload = { ...plan, steps: [...plan.steps.slice(0, history.machine.done), ...steps] }
  const rest = steps.map(natureOf)
  const byOwner = actor.role === 'OWNER'
  const situation = await context.situation()
  return { move: { kind: 'RESUME', byOwner, rest }, step: null, situation, payload }
}

export async function decideRolledBack(
  context: TransitionContext,
  { checkpoint }: Of<'ROLLBACK'>,
): Promise<Decided> {
  const { request, plan, history, locations } = context
  const situation = await context.situation()
  const back = await planWayBack(request.services, {
    plan,
    history,
    locations,
    situation,
    checkpoint,
    venues: await context.venues(),
    now: request.now,
  })
  if (!back.possible) {
    throw request.fail('LIQUIDITY_MIGRATION_NO_WAY_BACK', {
      fieldErrors: { 'payload.checkpoint': ['a rollback would currently be rejected'] },
    })
  }
  const steps = back.steps.map(natureOf)
  const payload = { ...plan, back }
  return { move: { kind: 'ROLLBACK', checkpoint, steps }, step: null, situation, payload }
}

/** Requires that all liquidity is in place and all approvals are revoked. */
export async function decideCompleted(context: TransitionContext): Promise<Decided> {
  const { request, plan } = context
  const situation = await context.situation()
  const faults: FieldErrors = {}
  const planLimits = limitsOf(plan.request)
  const broken = brokenFloors(depthOf(situation.worlds, planLimits), planLimits)
  if (broken.length > 0) faults['state.depth'] = broken
  const short = shortTargets(context, situation.liquidity)
  if (short.length > 0) faults['state.targets'] = short
  const open = await openApprovals(context)
  if (open.length > 0) faults['state.approvals'] = open
  if (Object.keys(faults).length > 0) {
    throw request.fail('LIQUIDITY_MIGRATION_INCOMPLETE', { fieldErrors: faults })
  }
  return { move: { kind: 'COMPLETE' }, step: null, situation }
}

/** Minted liquidity must still exist. */
function shortTargets(context: TransitionContext, liquidity: readonly bigint[]): string[] {
  const { history, plan, locations } = context
  const minted = history.carriedOut.filter(
    ({ subject, way }) => subject?.kind === 'MINT' && way === 'FORWARD',
  )
  const expected = minted.reduce((sum, { realized }) => sum + BigInt(realized?.liquidity ?? 0), 0n)
  const sources = plan.request.from.positions.length
  const pairs = locations.slice(sources).filter(({ tokenId }) => tokenId === null)
  // Liquidity of a pair is a token balance that the wallet may have had before.
  const found = liquidity.slice(sources).reduce((sum, one) => sum + one, 0n)
  return found >= expected || pairs.length > 0
    ? []
    : [`must hold liquidity of ${expected}, got ${found}`]
}

async function openApprovals(context: TransitionContext): Promise<string[]> {
  const { plan, wallet, periphery } = context
  const { client, head } = await context.reading()
  const pin = await pinBlock(client, head)
  const { base, quote } = plan.request.pair
  const venues = await context.venues()
  const pairs = venues.filter(({ profile }) => profile.kind === 'UNISWAP_V2')
  const used = new Set(plan.steps.flatMap(({ calls }) => calls.map(({ to }) => to)))
  const tokens = [base, quote, ...pairs.map(({ profile }) => profile.address)].filter((token) =>
    used.has(token),
  )
  const spenders = Object.values(periphery).filter((one): one is Address => one !== null)
  const found = await Promise.all(
    tokens.flatMap((token) =>
      spenders.map(async (spender) => {
        const call = {
          address: token as Address,
          abi: allowanceAbi,
          functionName: 'allowance',
        } as const
        const allowed = await readContract(client, pin, { ...call, args: [wallet, spender] })
        return allowed > 0n
          ? [`must have no open approvals, but ${spender} may spend ${allowed} of ${token}`]
          : []
      }),
    ),
  )
  return found.flat()
}
