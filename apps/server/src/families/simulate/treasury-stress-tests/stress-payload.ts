import type { contract, Encodable } from '@liquidity-os/contract'
import { dayCostX18, exitDepth, type ScenarioOutcome } from '@liquidity-os/engine/stress'
import { engineVenues } from '../../../market/exit-venues.ts'
import type { ReadMarket } from './read-markets.ts'
import { type HeldLot, worthOf } from './read-portfolio.ts'
import type { ReadReturns } from './read-returns.ts'
import type { RequestedScenario } from './requested-scenarios.ts'
import { type BreakingPoint, metricOf, type StressResult, type StressTask } from './stress-task.ts'

type Input = contract.TreasuryStressInput
/** The study before `encode` writes its amounts. */
export type StudyFigures = Encodable<contract.TreasuryStressStudy>
type Outcome = NonNullable<StudyFigures['before']>

const tierName = (tier: number) => `T${tier}` as contract.TreasuryTier

/** @param controlled the outcome for controlled holdings only */
export function outcomeFigures(
  outcome: ScenarioOutcome,
  controlled: ScenarioOutcome,
  { limits = [] }: Input,
): Outcome {
  return {
    counted: outcome.counted,
    ownToken: outcome.apart,
    unsold: outcome.unsold.map(({ assetId, tier, ...lot }) => ({
      ...lot,
      assetKey: assetId,
      tier: tierName(tier),
    })),
    coverage: outcome.coverage,
    runwayMonthsX3: outcome.runwayMonthsX3,
    depths: outcome.depths.map(({ venueId, quote }) => ({ venueId, depthQuote: quote })),
    lastSaleDay: outcome.lastDay,
    drivers: outcome.drivers,
    proxies: [...new Set(outcome.flags.map(({ assetId }) => assetId))],
    breaches: breachesOf(outcome, limits),
    controlled: {
      ...controlled.counted,
      drivers: controlled.drivers,
      coveragePips: controlled.coverage.coveragePips,
      runwayMonthsX3: controlled.runwayMonthsX3,
      breaches: breachesOf(controlled, limits),
    },
  }
}

const breachesOf = (
  outcome: ScenarioOutcome,
  limits: NonNullable<Input['limits']>,
): Outcome['breaches'] =>
  limits.flatMap(({ metric, threshold }) => {
    const value = metricOf(outcome, metric)
    return value !== null && value < BigInt(threshold) ? [{ metric, threshold, value }] : []
  })

export function scenarioFigures(
  requestedValue: readonly RequestedScenario[],
  { scenarios, controlled }: StressResult,
  request: Input,
): StudyFigures['scenarios'] {
  return requestedValue.flatMap((scenario, index) => {
    const outcome = scenarios[index]
    const alone = controlled.scenarios[index]
    if (!outcome || !alone) return []
    return [{ ...scenario, ...outcomeFigures(outcome, alone, request) }]
  })
}

export function reverseFigures(
  { reverse = [] }: Input,
  result: StressResult,
): StudyFigures['reverse'] {
  return reverse.flatMap((query, index) => {
    const found = result.reverse[index]
    if (!found) return []
    return [{ ...query, ...breakingPoint(found), controlled: breakingPoint(found.controlled) }]
  })
}

const breakingPoint = ({ legs, ...point }: BreakingPoint) => ({ ...point, legsAtSeverity: legs })

export const holdingFigures = (lot: HeldLot): StudyFigures['holdings'][number] => ({
  ...lot,
  isLocked: lot.lockedDays !== 0,
  markQuote: lot.priceX36 === null ? null : worthOf(lot),
})

/** A volatility of the caller counts where no returns of the asset are known. */
export function volatilityOf(
  { markets = [] }: Input,
  { series }: ReadReturns,
  assetKey: string,
): { source: StudyFigures['markets'][number]['volatilitySource']; volatility: number | null } {
  const known = series.find((one) => one.assetKey === assetKey)
  if (known) {
    const source = known.source === 'CALLER_SUPPLIED' ? 'CALLER_SUPPLIED' : 'OBSERVED'
    return { source, volatility: known.volatility }
  }
  const declared = markets.find((one) => one.assetKey === assetKey)
  return declared
    ? { source: 'DECLARED', volatility: declared.dailyVolatilityPips / 1e6 }
    : { source: 'NONE', volatility: null }
}

export function marketFigures(
  request: Input,
  returns: ReadReturns,
  market: ReadMarket,
): StudyFigures['markets'][number] {
  const { source, volatility } = volatilityOf(request, returns, market.assetKey)
  const depths = exitDepth(engineVenues(market.venues), [])
  return {
    ...market,
    volatilitySource: source,
    dailyVolatilityPips: volatility === null ? null : Math.round(volatility * 1e6),
    venues: market.venues.map((venue, index) => ({
      ...venue,
      depthQuote: depths[index]?.quote ?? 0n,
    })),
  }
}

/** Planned sales, and the cost of an even sale on each of its days by the same law. */
export function executionFigures(
  { sales, sale }: StressTask,
  { executions }: StressResult,
): StudyFigures['executions'] {
  return executions.flatMap(({ assetKey, kappa, holdings, expectedCost, standardDeviation }) => {
    const planned = sales.find((one) => one.assetKey === assetKey)
    if (!planned) return []
    const daily = BigInt(Math.round(planned.dailyVolume))
    const volume = { daily, volatility: planned.dailyVolatility }
    const even = planned.quantity / BigInt(sale.days)
    return [
      {
        assetKey,
        quantity: planned.quantity,
        days: sale.days,
        evenCostPips: Number(dayCostX18(even, { volume, poolCost: null, y: sale.y }) / 10n ** 12n),
        kappaX6: Math.round(kappa * 1e6),
        holdings: holdings.map((held) => BigInt(Math.round(held))),
        expectedCostQuote: BigInt(Math.ceil(expectedCost)),
        standardDeviationQuote: BigInt(Math.ceil(standardDeviation)),
      },
    ]
  })
}
