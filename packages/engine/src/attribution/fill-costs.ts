import { divideHalfEven } from '../numerics/half-even.ts'

/** Why a wallet differs from what the pools say, with its part of the residual. */
export interface ResidualPart {
  readonly cause:
    | 'BASE_LOST_IN_TRANSFER'
    | 'BASE_REBATE'
    | 'QUOTE_LOST_IN_TRANSFER'
    | 'QUOTE_REBATE'
    | 'NOT_TAKEN_FROM_POOLS'
  /** Quote atoms, above zero against the trader. */
  readonly amount: bigint
}

/**
 * The cost of a fill, part by part: quote atoms, above zero against the trader. The parts add up exactly
 * to `shortfall`; null is what the evidence cannot tell, and counts as nothing.
 */
export interface FillCosts {
  /** The market moved between decision and arrival; null without a decision price. */
  readonly delay: bigint | null
  /** It moved while the order was worked, without the attacker's part. */
  readonly timing: bigint
  /** Half the quoted spread; zero on a curve. */
  readonly spread: bigint
  /** The order's own weight on the price, fee excluded; null where the state of a market is unknown. */
  readonly impact: bigint | null
  readonly fees: bigint
  /** What the sandwich took; zero without one, null where the state of a market is unknown. */
  readonly mev: bigint | null
  /** Impact and sandwich together, which the amounts alone tell. */
  readonly impactPlusMev: bigint
  /** Wallet against pools: transfer fees, rebates, leftovers. Zero for plain tokens; null without the wallet. */
  readonly residual: bigint | null
  readonly residualParts: readonly ResidualPart[]
  /** Null where the native asset has no price in quote. */
  readonly gas: bigint | null
  /** All of it: what the fill cost more than the base was worth when it was decided. */
  readonly shortfall: bigint
  /** The consecutive totals T0 to T8; T4 and T5 are null where the state of a market is unknown. */
  readonly totals: readonly (bigint | null)[]
}

/** Parts of several fills together, with what was never filled. */
export interface OrderCosts extends Omit<FillCosts, 'totals' | 'residualParts'> {
  /** What the base was worth when it was decided, signed as a cost. */
  readonly decided: bigint
  /** Of the base that was not filled; null where it cannot be told. */
  readonly opportunity: bigint | null
}

/** The names of the parts, in the order in which the totals follow each other. */
export const COST_PARTS = [
  ...(['delay', 'timing', 'spread', 'impact', 'fees', 'mev', 'residual', 'gas'] as const),
] as const
export type CostPart = (typeof COST_PARTS)[number]

/** @throws CostIdentityError when the parts of a fill do not add up to its shortfall */
export function assertCostIdentity(costs: Omit<FillCosts, 'totals' | 'residualParts'>): void {
  const { delay, timing, spread, impact, fees, mev, impactPlusMev, residual, gas } = costs
  const rest = (delay ?? 0n) + timing + spread + fees + (residual ?? 0n) + (gas ?? 0n)
  const isSplit = impact === null || mev === null || impact + mev === impactPlusMev
  if (isSplit && rest + impactPlusMev === costs.shortfall) return
  throw new CostIdentityError({ parts: rest + impactPlusMev, shortfall: costs.shortfall })
}

/**
 * Adds up the costs of the fills of one order and what was never filled:
 * `delay + timing + spread + impact + fees + mev + residual + gas + opportunity = shortfall`.
 *
 * A part that one fill cannot tell is null in the sum; impact and sandwich together stay known.
 *
 * @param opportunity cost of the base that was not filled; null when unknown
 * @throws CostIdentityError when the parts do not add up
 */
export function sumCosts(fills: readonly FillCosts[], opportunity: bigint | null): OrderCosts {
  const sumOf = (read: (costs: FillCosts) => bigint) =>
    fills.reduce((sum, costs) => sum + read(costs), 0n)
  const orNull = (read: (costs: FillCosts) => bigint | null) =>
    fills.some((costs) => read(costs) === null) ? null : sumOf((costs) => read(costs) ?? 0n)
  const filled = {
    decided: sumOf(({ totals }) => totals[0] ?? 0n),
    delay: orNull(({ delay }) => delay),
    timing: sumOf(({ timing }) => timing),
    spread: sumOf(({ spread }) => spread),
    impact: orNull(({ impact }) => impact),
    fees: sumOf(({ fees }) => fees),
    mev: orNull(({ mev }) => mev),
    impactPlusMev: sumOf(({ impactPlusMev }) => impactPlusMev),
    residual: orNull(({ residual }) => residual),
    gas: orNull(({ gas }) => gas),
  }
  const known = (part: 'delay' | 'residual' | 'gas') => sumOf((costs) => costs[part] ?? 0n)
  const shortfall = sumOf((costs) => costs.shortfall)
  const parts = filled.timing + filled.spread + filled.fees + filled.impactPlusMev
  const all = parts + known('delay') + known('residual') + known('gas')
  if (all !== shortfall) throw new CostIdentityError({ parts: all, shortfall })
  return { ...filled, opportunity, shortfall: shortfall + (opportunity ?? 0n) }
}

/**
 * Parts of a sum in millionths of a reference, rounded half to even in such a way that they add up exactly
 * to the rounded sum: each is the difference of two consecutive rounded running totals.
 *
 * @param parts     in the order in which they follow each other
 * @param reference what a million stands for; its sign does not count
 * @returns null for a reference of zero
 */
export function partsInPips(
  parts: readonly bigint[],
  reference: bigint,
): { parts: bigint[]; total: bigint } | null {
  const unit = reference < 0n ? -reference : reference
  if (unit === 0n) return null
  let sum = 0n
  let reached = 0n
  const pips = parts.map((part) => {
    sum += part
    const next = divideHalfEven(sum * 1_000_000n, unit)
    const step = next - reached
    reached = next
    return step
  })
  return { parts: pips, total: reached }
}

/** The parts of a cost do not add up; nothing may be stored of it. */
export class CostIdentityError extends Error {
  constructor(facts: { readonly parts: bigint; readonly shortfall: bigint }) {
    super(`the parts add up to ${facts.parts}, the shortfall is ${facts.shortfall}`)
    this.name = 'CostIdentityError'
  }
}
