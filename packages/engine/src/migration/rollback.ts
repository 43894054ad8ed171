import { midPrice, swapToPrice } from '../amm/swap.ts'
import { positionKey } from '../amm/v3/pool.ts'
import type { PositionKey } from '../amm/v3/state.ts'
import { quoteValue } from '../depth/value.ts'
import type { PairAmounts, PlanLimits, PlanStep, StepOutcome, World } from './plan.ts'
import { isEmpty, simulatePlan } from './simulate-plan.ts'

/** Cost of a return from the current state to the start of a plan. */
export interface Rollback {
  readonly steps: readonly PlanStep[]
  /** Whether every step back could be sent. */
  readonly possible: boolean
  /** Loss in quote atoms against the initial wallet, at the mid price of the source world. */
  readonly costQuote: bigint
}

/**
 * No limits apply to rollback steps: a necessary rollback cannot choose its price. Only the
 * contract can reject a step.
 */
const NO_LIMITS: PlanLimits = {
  minDepth: [],
  priceBand: { lowest: { num: 0n, den: 1n }, highest: { num: 1n, den: 0n } },
  maxSlippagePips: 1_000_000,
}

/**
 * Undoes the executed steps, last first. Minted liquidity is removed and collected, swaps are
 * reversed, and liquidity from old positions is minted again with the remaining funds. The cost is
 * the wallet's shortfall before the new mint, compared to unmoved liquidity removed now.
 *
 * @param start worlds and wallet before the first step
 * @param outcomes of the executed steps, none refused
 * @param movePips moves every world's price first, for the cost of a later rollback
 */
export function rollbackOf(
  start: { readonly worlds: Readonly<Record<string, World>>; readonly wallet: PairAmounts },
  outcomes: readonly StepOutcome[],
  movePips = 0,
): Rollback {
  const last = outcomes.at(-1)
  if (last === undefined) return { steps: [], possible: true, costQuote: 0n }
  const worlds = moveAll(last.worlds, movePips)
  const backwards = outcomes.toReversed()
  const owed = owedOf(outcomes)
  const unwinding = [...merged(backwards.flatMap(unwind)), ...owed]
  const unwound = simulatePlan(worlds, last.wallet, unwinding, NO_LIMITS)
  const freed = unwound.at(-1)?.wallet ?? last.wallet
  const collected = owed.length === 0 ? [] : unwound.slice(-owed.length)
  const restoring = restore([...backwards, ...collected], freed)
  const restored = simulatePlan(unwound.at(-1)?.worlds ?? worlds, freed, restoring, NO_LIMITS)
  return {
    steps: [...unwinding, ...restoring],
    possible: [...unwound, ...restored].every(({ refusal }) => refusal === null),
    costQuote: costOf(start, outcomes, freed, movePips),
  }
}

/** Uncollected withdrawals that the contract still owes. */
function owedOf(outcomes: readonly StepOutcome[]): PlanStep[] {
  const owed = new Map<string, PlanStep>()
  for (const { step } of outcomes) {
    if (step.kind !== 'REMOVE' && step.kind !== 'COLLECT') continue
    const { world, position } = step
    const key = `${world} ${positionKey(position)}`
    if (step.kind === 'COLLECT') owed.delete(key)
    else if (isRanged(position)) owed.set(key, { kind: 'COLLECT', world, position })
  }
  return [...owed.values()]
}

/** Withdrawals from one position between two swaps as one, so that a long plan costs no more than a short one. */
function merged(steps: readonly PlanStep[]): PlanStep[] {
  const found: PlanStep[] = []
  let places = new Map<string, number>()
  for (const step of steps) {
    if (step.kind === 'SWAP') places = new Map()
    if (step.kind !== 'REMOVE' && step.kind !== 'COLLECT') {
      found.push(step)
      continue
    }
    const key = `${step.kind} ${step.world} ${positionKey(step.position)}`
    const place = places.get(key)
    const earlier = place === undefined ? undefined : found[place]
    if (place === undefined || earlier?.kind !== step.kind) {
      places.set(key, found.push(step) - 1)
    } else if (step.kind === 'REMOVE' && earlier.kind === 'REMOVE') {
      found[place] = { ...step, liquidity: earlier.liquidity + step.liquidity }
    }
  }
  return found
}

function unwind({ step, delta, liquidity }: StepOutcome): PlanStep[] {
  if (step.kind === 'MINT') {
    const { world, position } = step
    const removed: PlanStep[] = [{ kind: 'REMOVE', world, position, liquidity }]
    // A v2 burn pays at once; only a v3 pool owes.
    return isRanged(position) ? [...removed, { kind: 'COLLECT', world, position }] : removed
  }
  if (step.kind !== 'SWAP') return []
  const { world } = step
  return step.side === 'BUY'
    ? [{ kind: 'SWAP', world, side: 'SELL', amountIn: delta.base }]
    : [{ kind: 'SWAP', world, side: 'BUY', amountIn: delta.quote }]
}

/** Mints back into each position what its withdrawals paid, at most what the wallet still has. */
function restore(backwards: readonly StepOutcome[], freed: PairAmounts): PlanStep[] {
  const withdrawn = new Map<string, { world: string; position: PositionKey; paid: PairAmounts }>()
  for (const { step, delta } of backwards) {
    const isWithdrawal =
      step.kind === 'COLLECT' || (step.kind === 'REMOVE' && !isRanged(step.position))
    if (!isWithdrawal) continue
    const { world, position } = step
    const key = `${world} ${positionKey(position)}`
    const { base, quote } = withdrawn.get(key)?.paid ?? { base: 0n, quote: 0n }
    const paid = { base: base + delta.base, quote: quote + delta.quote }
    withdrawn.set(key, { world, position, paid })
  }
  let left = freed
  return [...withdrawn.values()].flatMap(({ world, position, paid }): PlanStep[] => {
    const amounts = { base: least(paid.base, left.base), quote: least(paid.quote, left.quote) }
    left = { base: left.base - amounts.base, quote: left.quote - amounts.quote }
    return [
      { kind: 'APPROVE', world },
      { kind: 'MINT', world, position, amounts },
      { kind: 'REVOKE_APPROVAL', world },
    ]
  })
}

/** Against a plan that only took the liquidity out, now. */
function costOf(
  start: { readonly worlds: Readonly<Record<string, World>>; readonly wallet: PairAmounts },
  outcomes: readonly StepOutcome[],
  freed: PairAmounts,
  movePips: number,
): bigint {
  const taken = outcomes
    .map(({ step }) => step)
    .filter(({ kind }) => kind === 'REMOVE' || kind === 'COLLECT')
  // The rollback collects owed amounts, so they count on both sides.
  const whole = merged([...taken, ...owedOf(outcomes)])
  const stayed = simulatePlan(moveAll(start.worlds, movePips), start.wallet, whole, NO_LIMITS)
  const would = stayed.at(-1)?.wallet ?? start.wallet
  const world = Object.values(stayed.at(-1)?.worlds ?? start.worlds)[0]
  // A plan has at least the world it took its first step in.
  const price = midPrice(world!.market, world!.orientation)
  return would.quote - freed.quote + quoteValue(would.base - freed.base, price)
}

function isRanged({ tickLower, tickUpper }: { tickLower: number; tickUpper: number }): boolean {
  return tickLower !== tickUpper
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function moveAll(
  worlds: Readonly<Record<string, World>>,
  movePips: number,
): Readonly<Record<string, World>> {
  if (movePips === 0) return worlds
  const factor = BigInt(1_000_000 + movePips)
  const moved = Object.entries(worlds).map(([name, world]) => {
    if (isEmpty(world.market)) return [name, world] as const
    const mid = midPrice(world.market, world.orientation)
    const target = { num: mid.num * factor, den: mid.den * 1_000_000n }
    const { state } = swapToPrice(world.market, world.orientation, target)
    return [name, { ...world, market: state }] as const
  })
  return Object.fromEntries(moved)
}
