import { divideHalfEven } from '../numerics/half-even.ts'

/** Cause of a difference between wallet and pool amounts, with its share of the residual. */
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
 * Cost parts of a fill, in quote atoms; positive is a cost to the trader. The parts add up exactly
 * to `shortfall`. Null marks a part without evidence, which counts as zero.
 */
export interface FillCosts {
  /** The market moved between decision and arrival; null without a decision price. */
  readonly delay: bigint | null
  /** It moved while the order was worked, without the attacker's part. */
  readonly timing: bigint
  /** Half the quoted spread; zero on a curve. */
  readonly spread: bigint
  /** Price impact of the order, excluding the fee; null if a market state is unknown. */
  readonly impact: bigint | null
  readonly fees: bigint
  /** Cost of the sandwich attack; zero without an attack, null if a market state is unknown. */
  readonly mev: bigint | null
  /** Impact plus sandwich cost, known from the amounts alone. */
  readonly impactPlusMev: bigint
  /** Wallet against pools: transfer fees, rebates, leftovers. Zero for plain tokens; null without the wallet. */
  readonly residual: bigint | null
  readonly residualParts: readonly ResidualPart[]
  /** Null if the native asset has no price in quote. */
  readonly gas: bigint | null
  /** Implementation shortfall: total cost relative to the base value at the decision. */
  readonly shortfall: bigint
  /** The consecutive totals T0 to T8; T4 and T5 are null if a market state is unknown. */
  readonly totals: readonly (bigint | null)[]
}

/** Summed costs of several fills, plus the unfilled part of the order. */
export interface OrderCosts extends Omit<FillCosts, 'totals' | 'residualParts'> {
  /** Value of the base at the decision, signed as a cost. */
  readonly decided: bigint
  /** Opportunity cost of the unfilled base; null if unknown. */
  readonly opportunity: bigint | null
}

/** Names of the parts, in the order of the totals. */
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
 * Adds up the costs of an order's fills and its unfilled part: `delay + timing + spread + impact +
 * fees + mev + residual + gas + opportunity = shortfall`.
 *
 * A part that is null in one fill is null in the sum. The sum of impact and sandwich cost remains
 * known.
 *
 * @param opportunity cost of the unfilled base; null if unknown
 * @throws CostIdentityError if the parts do not add up
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
 * Parts of a sum in millionths of a reference, rounded half to even. Each part is the difference of
 * two consecutive rounded running totals, so the parts add up exactly to the rounded sum.
 *
 * @param parts in order
 * @param reference the value of a million pips; its sign is ignored
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

/** The cost parts do not add up. The caller must not store the result. */
export class CostIdentityError extends Error {
  constructor(facts: { readonly parts: bigint; readonly shortfall: bigint }) {
    super(`the parts add up to ${facts.parts}, the shortfall is ${facts.shortfall}`)
    this.name = 'CostIdentityError'
  }
}
