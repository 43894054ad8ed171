import { burn, collect, midPrice } from '../amm/swap.ts'
import { burnPair, transferLiquidity } from '../amm/v2/pair.ts'
import { PAIR_ACCOUNT } from '../amm/v2/state.ts'
import { quoteValue } from '../depth/value.ts'
import { balancingSwap, wantsOf } from './balance-funds.ts'
import type {
  PairAmounts,
  PlanLimits,
  PlanStep,
  SourcePosition,
  StepOutcome,
  StepRefusal,
  TargetShare,
  World,
} from './plan.ts'
import { simulatePlan } from './simulate-plan.ts'

/** Source, destination and limits of a liquidity migration. */
export interface MigrationTerms {
  readonly worlds: Readonly<Record<string, World>>
  /** At least one. Empty positions are skipped. */
  readonly sources: readonly SourcePosition[]
  readonly targets: readonly TargetShare[]
  readonly limits: PlanLimits
  /** Largest value of a tranche, quote atoms. */
  readonly maxStepQuote: bigint
  /** A first tranche with an observation period; null starts all tranches at once. */
  readonly pilot: { readonly sharePips: number; readonly soakSeconds: number } | null
  /** Steps that a plan may have; more are refused. */
  readonly maxSteps: number
  /** Funds of the migration already in the wallet. */
  readonly wallet: PairAmounts
  /** A tranche in progress, which must finish first; null if none exists. */
  readonly begun: BegunTranche | null
}

/** A tranche whose funds are out: in the wallet, or still owed by a pool. */
export interface BegunTranche {
  readonly owed: readonly Pick<SourcePosition, 'world' | 'position'>[]
  /** Whether everything was put in, and only the soak of a pilot may be left. */
  readonly isDeposited: boolean
}

/** A step of a plan with the tranche it belongs to; 0 is the pilot. */
export type TrancheOutcome = StepOutcome & { readonly tranche: number }

export type MigrationPlanning =
  | { readonly tranches: number; readonly outcomes: readonly TrancheOutcome[] }
  | {
      readonly tranches: null
      readonly refusal: StepRefusal | 'TRANCHE_TOO_LARGE' | 'TOO_MANY_STEPS'
      /**
       * Number of tranches in the last attempt, and the step that stopped it; null without a
       * simulation.
       */
      readonly tried: number
      readonly stopped: { readonly index: number; readonly outcome: StepOutcome } | null
    }

const MOST_TRANCHES = 64
const MILLION = 1_000_000n

/**
 * Plans the migration in the smallest number of tranches, 1 to 64 plus the pilot. The simulation
 * must satisfy every limit after each step. A tranche removes its share from every source, swaps
 * once if the target ratio requires it, and deposits into the targets by their shares. Leftovers
 * stay in the wallet for the next tranche.
 */
export function planMigration(terms: MigrationTerms): MigrationPlanning {
  const worth = terms.sources.reduce((sum, source) => sum + worthOf(terms.worlds, source), 0n)
  const pilotPips = BigInt(terms.pilot?.sharePips ?? 0)
  const pilotWorth = (worth * pilotPips) / MILLION
  const least = Number(ceilDivide(worth - pilotWorth, terms.maxStepQuote))
  const [start] = simulatePlan(terms.worlds, NOTHING, [{ kind: 'VERIFY' }], terms.limits)
  // A resumed plan may have to repair a depth below its minimum.
  if (start?.refusal && terms.begun === null) {
    const stopped = { index: 0, outcome: start }
    return { tranches: null, refusal: start.refusal, tried: 0, stopped }
  }
  if (pilotWorth > terms.maxStepQuote || least > MOST_TRANCHES) {
    return { tranches: null, refusal: 'TRANCHE_TOO_LARGE', tried: 0, stopped: null }
  }
  let last: MigrationPlanning | null = null
  for (let tranches = Math.max(1, least); tranches <= MOST_TRANCHES; tranches++) {
    const outcomes = carryOut(terms, tranches)
    const end = outcomes.at(-1)
    // Every plan has a first step.
    const stopped = { index: outcomes.length - 1, outcome: end! }
    if (outcomes.length > terms.maxSteps) {
      return { tranches: null, refusal: 'TOO_MANY_STEPS', tried: tranches, stopped }
    }
    if (end?.refusal == null) return { tranches, outcomes }
    last = { tranches: null, refusal: end.refusal, tried: tranches, stopped }
  }
  // The loop ran at least once: the least number is at most the largest.
  return last!
}

const NOTHING: PairAmounts = { base: 0n, quote: 0n }

/** Every step up to the end or the first refusal. */
function carryOut(terms: MigrationTerms, tranches: number): TrancheOutcome[] {
  const { sources, targets, limits } = terms
  const outcomes: TrancheOutcome[] = []
  let worlds = terms.worlds
  let wallet = terms.wallet
  let tranche = 0
  const run = (steps: readonly PlanStep[]): boolean => {
    const done = simulatePlan(worlds, wallet, steps, limits)
    outcomes.push(...done.map((outcome) => ({ ...outcome, tranche })))
    const last = done.at(-1)
    worlds = last?.worlds ?? worlds
    wallet = last?.wallet ?? wallet
    return last?.refusal == null && outcomes.length <= terms.maxSteps
  }
  const left = sources.map(({ liquidity }) => liquidity)
  const move = (shareOf: (index: number) => bigint): boolean => {
    const parts = sources.flatMap((source, index) => {
      const liquidity = shareOf(index)
      left[index] = left[index]! - liquidity
      return liquidity === 0n ? [] : [{ ...source, liquidity }]
    })
    return run(parts.flatMap((part) => withdrawal(worlds, part))) && putIn()
  }
  const putIn = (): boolean => {
    const missing = targets.filter(({ world, opened }) => opened && worlds[world] === undefined)
    const opening = new Map(missing.map(({ world, opened }) => [world, opened!]))
    const swap = balancingSwap(worlds, targets, wallet, sources[0]!.world)
    if (swap && !run([{ kind: 'APPROVE', world: swap.world }, swap])) return false
    for (const [world, opened] of opening) {
      const { market, orientation } = opened
      if (!run([{ kind: 'CREATE_POOL', world, opened: { market, orientation } }])) return false
    }
    return run(deposits(worlds, targets, wallet)) && run([{ kind: 'VERIFY' }])
  }
  const soak = ({ soakSeconds }: NonNullable<MigrationTerms['pilot']>) =>
    run([{ kind: 'SOAK', seconds: soakSeconds }, { kind: 'VERIFY' }])
  const { pilot, begun } = terms
  if (begun) {
    const collected = begun.owed.map(
      ({ world, position }): PlanStep => ({
        kind: 'COLLECT',
        world,
        position,
      }),
    )
    // It is the pilot where that is not over.
    tranche = pilot ? 0 : 1
    if (!begun.isDeposited && (!run(collected) || !putIn())) return outcomes
  }
  if (pilot) {
    const part = (index: number) => (sources[index]!.liquidity * BigInt(pilot.sharePips)) / MILLION
    if (!begun && !move(part)) return outcomes
    if (!soak(pilot)) return outcomes
  }
  if (left.every((liquidity) => liquidity === 0n)) return outcomes
  const rest = [...left]
  for (tranche = 1; tranche <= tranches; tranche++) {
    const isLast = tranche === tranches
    const isMoved = move((index) => (isLast ? left[index]! : rest[index]! / BigInt(tranches)))
    if (!isMoved) return outcomes
  }
  return outcomes
}

/** A pair's tokens are withdrawn by a router, which must be allowed to take them. */
function withdrawal(
  worlds: Readonly<Record<string, World>>,
  { world, position, liquidity }: SourcePosition,
): PlanStep[] {
  const removal: PlanStep = { kind: 'REMOVE', world, position, liquidity }
  return worlds[world]?.market.kind === 'UNISWAP_V3'
    ? [removal, { kind: 'COLLECT', world, position }]
    : [{ kind: 'APPROVE', world }, removal]
}

function deposits(
  worlds: Readonly<Record<string, World>>,
  targets: readonly TargetShare[],
  wallet: PairAmounts,
): PlanStep[] {
  const wants = wantsOf(worlds, targets)
  const base = wants.reduce((sum, want) => sum + want.base, 0n)
  const quote = wants.reduce((sum, want) => sum + want.quote, 0n)
  return targets.flatMap(({ world, position }, index): PlanStep[] => {
    const want = wants[index]!
    const amounts = {
      base: base === 0n ? 0n : (wallet.base * want.base) / base,
      quote: quote === 0n ? 0n : (wallet.quote * want.quote) / quote,
    }
    return [
      { kind: 'APPROVE', world },
      { kind: 'MINT', world, position, amounts },
      { kind: 'REVOKE_APPROVAL', world },
    ]
  })
}

/** Current payout of a source including fees, in quote atoms at its own price. */
function worthOf(worlds: Readonly<Record<string, World>>, source: SourcePosition): bigint {
  if (source.liquidity === 0n) return 0n
  const world = worlds[source.world]
  if (world === undefined) throw new RangeError(`the source has an unknown market, ${source.world}`)
  const { market, orientation } = world
  const [amount0, amount1] = ((): [bigint, bigint] => {
    if (market.kind === 'UNISWAP_V3') {
      const paid = collect(burn(market, source.position, source.liquidity).state, source.position)
      return [paid.amount0, paid.amount1]
    }
    if (market.kind !== 'UNISWAP_V2')
      throw new RangeError(`liquidity cannot be removed from ${market.kind}`)
    const { owner } = source.position
    const paid = burnPair(transferLiquidity(market, owner, PAIR_ACCOUNT, source.liquidity))
    return [paid.amount0, paid.amount1]
  })()
  const [base, quote] = orientation.base === 0 ? [amount0, amount1] : [amount1, amount0]
  return quoteValue(base, midPrice(market, orientation)) + quote
}

const ceilDivide = (num: bigint, den: bigint) => (num + den - 1n) / den
