import type { contract } from '@liquidity-os/contract'
import { DEFAULT_HAIRCUT_PIPS } from '@liquidity-os/engine/stress'

type Input = contract.TreasuryAssumptionInput
type AssumptionSet = contract.TreasuryAssumptionSet
type Price = AssumptionSet['scenarios'][number]['prices'][number]

export const defaultHorizonMonths = 24

/** Identifier of a price: its asset or its tier. */
export const priceKey = (price: Price): string => ('tier' in price ? price.tier : price.assetKey)

/**
 * Set with defaults filled in, and lines, scenarios and prices sorted by name. Equivalent sets
 * become identical.
 */
export function normalForm(input: Input): AssumptionSet {
  const { horizonMonths = defaultHorizonMonths, haircuts = {}, ownTokenPolicy } = input
  const [T0, T1, T2, T3, T4] = DEFAULT_HAIRCUT_PIPS
  const order = ['T1', 'T2', 'T3', ...(ownTokenPolicy.mode === 'SELL' ? ['T4' as const] : [])]
  return {
    ...input,
    horizonMonths,
    haircuts: { T0, T1, T2, T3, T4, ...haircuts },
    conversionOrder: input.conversionOrder ?? (order as AssumptionSet['conversionOrder']),
    lines: sortedBy(input.lines, ({ lineId }) => lineId),
    scenarios: sortedBy(input.scenarios, ({ scenarioId }) => scenarioId).map((scenario) => ({
      ...scenario,
      prices: sortedBy(scenario.prices, priceKey),
    })),
  }
}

/** By code units, independent of locale. */
function sortedBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0))
}
