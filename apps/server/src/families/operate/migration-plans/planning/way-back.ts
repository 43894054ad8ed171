import type { PlanAmounts, PlanStep } from '@liquidity-os/engine/migration'
import { blockOf } from '../../../../integrations/chain/block-of.ts'
import { limits } from '../../../../limits.ts'
import type { Services } from '../../../../services.ts'
import { peripheryOf } from '../deciding/periphery.ts'
import type { Situation } from '../deciding/situation.ts'
import type { CarriedOut, PlanHistory } from '../plan-events.ts'
import { keyOf, type LiquidityLocation, type PlanPayload, type PlanVenue } from '../plan-types.ts'
import { stepRecords } from '../step-records.ts'
import { callTermsOf, limitsOf } from './make-plan.ts'
import { planInThread } from './plan-in-thread.ts'
import { exact, sumOf } from './plan-step.ts'
import type { BackTask } from './plan-task.ts'

type Done = BackTask['done'][number]

/**
 * Rollback to a checkpoint from the current chain state, with its calls. Effects undone by an
 * earlier rollback are excluded.
 *
 * @param locations positions of `situation`, sources first
 */
export async function planWayBack(
  services: Pick<Services, 'awaited'>,
  terms: {
    plan: PlanPayload
    history: PlanHistory
    venues: readonly PlanVenue[]
    locations: readonly LiquidityLocation[]
    situation: Situation
    checkpoint: number
    now: number
  },
): Promise<NonNullable<PlanPayload['back']>> {
  const { plan, history, venues, locations, situation, checkpoint, now } = terms
  const { carriedOut } = history
  const forward = carriedOut.filter(({ way, step }) => way === 'FORWARD' && step >= checkpoint)
  const back = carriedOut.filter(({ way }) => way === 'BACK')
  const answer = await planInThread(services.awaited, {
    ask: 'BACK',
    worlds: situation.worlds,
    wallet: fundsOf(carriedOut),
    limits: limitsOf(plan.request),
    done: undoable(forward, back, locations, situation),
    approved: findOpenApprovals(carriedOut),
  })
  const deadline = BigInt(Math.floor(now / 1000) + limits.migrationBackSeconds)
  const periphery = peripheryOf(plan.request.pair.chainId, plan.request.contracts)
  const callTerms = callTermsOf(plan.request, venues, periphery, deadline)
  return {
    checkpoint,
    plannedAt: blockOf(plan.request.pair.chainId, situation.block),
    possible: answer.possible,
    costQuote: `${answer.costQuote}`,
    steps: stepRecords(answer.steps, callTerms, 0),
  }
}

/** Net wallet amounts from all steps, at least 0. */
export function fundsOf(carriedOut: readonly CarriedOut[]): PlanAmounts {
  const { base, quote } = sumOf(
    carriedOut.flatMap(({ realized }) => (realized ? [exact(realized.delta)] : [])),
  )
  return { base: base > 0n ? base : 0n, quote: quote > 0n ? quote : 0n }
}

/** Venues with an open approval: neither used nor revoked. */
export function findOpenApprovals(carriedOut: readonly CarriedOut[]): string[] {
  const openVenues = new Set<string>()
  for (const { subject } of carriedOut) {
    const world = subject?.venueId
    if (!world) continue
    if (subject.kind === 'APPROVE') openVenues.add(world)
    // A swap and a withdrawal consume their whole allowance; a deposit may leave a rest.
    if (['REVOKE_APPROVAL', 'SWAP', 'REMOVE'].includes(subject.kind)) openVenues.delete(world)
  }
  return [...openVenues]
}

function undoable(
  forward: readonly CarriedOut[],
  back: readonly CarriedOut[],
  locations: readonly LiquidityLocation[],
  { liquidity }: Situation,
): Done[] {
  const remaining = new Map(
    locations.map((location, index) => [nameOf(location), liquidity[index] ?? 0n]),
  )
  const restored = new Map<string, PlanAmounts>()
  for (const one of back) {
    if (one.subject?.kind !== 'MINT' || !one.realized) continue
    const location = nameOf(locationOf(one))
    const before = restored.get(location) ?? { base: 0n, quote: 0n }
    restored.set(location, sumOf([before, exact(one.realized.delta)]))
  }
  let swapsUndone = back.filter(({ subject }) => subject?.kind === 'SWAP').length
  const done: Done[] = []
  // Last to first, because swaps were undone in that order.
  for (const one of forward.toReversed()) {
    const found = doneOf(one, remaining, restored)
    if (found === null) continue
    if (found.step.kind === 'SWAP' && swapsUndone > 0) swapsUndone -= 1
    else done.unshift(found)
  }
  return done
}

function doneOf(
  one: CarriedOut,
  remaining: Map<string, bigint>,
  restored: Map<string, PlanAmounts>,
): Done | null {
  const { subject, realized } = one
  if (!subject?.venueId || !realized) return null
  const { kind, venueId: world } = subject
  const delta = exact(realized.delta)
  const liquidity = BigInt(realized.liquidity)
  if (kind === 'SWAP' && subject.swap) {
    const step: PlanStep = { kind, world, side: subject.swap.side, amountIn: 0n }
    return { step, delta, liquidity }
  }
  if (!subject.position) return null
  const location = locationOf(one)
  const [name, position] = [nameOf(location), keyOf(location)]
  if (kind === 'MINT') {
    const there = remaining.get(name) ?? 0n
    const undone = liquidity < there ? liquidity : there
    remaining.set(name, there - undone)
    if (undone === 0n) return null
    return { step: { kind, world, position, amounts: delta }, delta, liquidity: undone }
  }
  if (kind !== 'REMOVE' && kind !== 'COLLECT') return null
  const already = restored.get(name) ?? { base: 0n, quote: 0n }
  restored.delete(name)
  const step: PlanStep =
    kind === 'REMOVE' ? { kind, world, position, liquidity } : { kind, world, position }
  const rest = sumOf([delta, already])
  const atLeastNothing = (amount: bigint) => (amount > 0n ? amount : 0n)
  return {
    step,
    liquidity,
    delta: { base: atLeastNothing(rest.base), quote: atLeastNothing(rest.quote) },
  }
}

/** Position that a step changed. A deposit names its minted token. */
function locationOf({ subject, realized }: CarriedOut): LiquidityLocation {
  const { position, venueId } = subject!
  return {
    venueId: venueId!,
    owner: position!.owner as LiquidityLocation['owner'],
    tickLower: position!.tickLower,
    tickUpper: position!.tickUpper,
    tokenId: position!.tokenId ?? realized?.tokenId ?? null,
  }
}

const nameOf = (location: LiquidityLocation) => {
  const { owner, tickLower, tickUpper } = keyOf(location)
  return [location.venueId, owner, tickLower, tickUpper].join('|')
}

/** Unique positions that the plan minted. */
export function mintedPlaces(carriedOut: readonly CarriedOut[]): LiquidityLocation[] {
  const minted = carriedOut
    .filter(({ subject, realized }) => subject?.kind === 'MINT' && realized !== null)
    .map(locationOf)
  return [...new Map(minted.map((location) => [nameOf(location), location])).values()]
}
