import type { contract } from '@liquidity-os/contract'
import {
  COST_PARTS,
  type FillCosts,
  type OrderCosts,
  partsInPips,
} from '@liquidity-os/engine/attribution'

type FillRecord = contract.ExecutionAttribution['fills'][number]
type Payload = contract.ExecutionAttribution
export type Amounts = NonNullable<FillRecord['components']>
export type InPips = NonNullable<FillRecord['componentsPips']>

const text = (amount: bigint | null) => amount?.toString() ?? null

/** Record form of the parts of a fill. */
export function amountsOf(costs: Omit<FillCosts, 'totals' | 'residualParts'>): Amounts {
  return {
    delay: text(costs.delay),
    timing: text(costs.timing),
    spread: text(costs.spread),
    impact: text(costs.impact),
    fees: text(costs.fees),
    mev: text(costs.mev),
    impactPlusMev: text(costs.impactPlusMev),
    residual: text(costs.residual),
    gas: text(costs.gas),
    shortfall: costs.shortfall.toString(),
  }
}

/** Cost components of an order, including the opportunity cost of unfilled base. */
export function orderAmounts(costs: OrderCosts): NonNullable<Payload['components']> {
  return { ...amountsOf(costs), opportunity: text(costs.opportunity) }
}

/**
 * Cost components in pips of the base value at decision. Like the amounts, they add up exactly to
 * the shortfall.
 *
 * @returns null if that value is 0, or so small that a component overflows
 */
export function pipsOf(
  costs: Omit<FillCosts, 'totals' | 'residualParts'>,
  decided: bigint,
): InPips | null {
  return inPips(costs, decided, 0n)?.parts ?? null
}

export function orderPips(costs: OrderCosts): Payload['componentsPips'] {
  const found = inPips(costs, costs.decided, costs.opportunity ?? 0n)
  if (!found) return null
  const opportunity = costs.opportunity === null ? null : found.opportunity
  return { ...found.parts, opportunity }
}

const maxPips = 1_000_000_000n

function inPips(
  costs: Omit<FillCosts, 'totals' | 'residualParts'>,
  decided: bigint,
  opportunity: bigint,
): { parts: InPips; opportunity: number } | null {
  const isSplit = costs.impact !== null && costs.mev !== null
  // If the two cannot be separated, their sum counts as impact.
  const amounts = COST_PARTS.map((part) =>
    isSplit
      ? costs[part]
      : part === 'impact'
        ? costs.impactPlusMev
        : part === 'mev'
          ? null
          : costs[part],
  )
  const found = partsInPips([...amounts.map((amount) => amount ?? 0n), opportunity], decided)
  if (!found) return null
  const all = [...found.parts, found.total]
  if (all.some((pips) => pips > maxPips || pips < -maxPips)) return null
  const pips = (part: (typeof COST_PARTS)[number]) => {
    const index = COST_PARTS.indexOf(part)
    // An index of COST_PARTS matches an index of the pips.
    return amounts[index] === null ? null : Number(found.parts[index]!)
  }
  const [impact, mev] = [pips('impact'), pips('mev')]
  return {
    parts: {
      delay: pips('delay'),
      timing: pips('timing'),
      spread: pips('spread'),
      impact: isSplit ? impact : null,
      fees: pips('fees'),
      mev: isSplit ? mev : null,
      impactPlusMev: isSplit ? (impact ?? 0) + (mev ?? 0) : impact,
      residual: pips('residual'),
      gas: pips('gas'),
      shortfall: Number(found.total),
    },
    opportunity: Number(found.parts[COST_PARTS.length] ?? 0n),
  }
}

/** Cost of a reverted transaction: gas only. */
export function gasOnly(gas: bigint | null): FillCosts {
  const none = { delay: 0n, timing: 0n, spread: 0n, impact: 0n, fees: 0n, mev: 0n, residual: 0n }
  const spent = gas ?? 0n
  return {
    ...none,
    impactPlusMev: 0n,
    residualParts: [],
    gas,
    shortfall: spent,
    totals: [0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, spent],
  }
}
