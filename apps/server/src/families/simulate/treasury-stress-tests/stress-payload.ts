import type { contract } from '@liquidity-os/contract'
import { dayCostX18, exitDepth, type ScenarioOutcome } from '@liquidity-os/engine/stress'
import { engineVenues } from '../../../market/exit-venues.ts'
import type { AskedScenario } from './asked-scenarios.ts'
import type { ReadMarket } from './read-markets.ts'
import { type HeldLot, worthOf } from './read-portfolio.ts'
import type { ReadReturns } from './read-returns.ts'
import { type BreakingPoint, metricOf, type StressResult, type StressTask } from './stress-task.ts'

type Input = contract.TreasuryStressInput
type Study = contract.TreasuryStressStudy
type Told = contract.TreasuryStressOutcome

const tierName = (tier: number) => `T${tier}` as contract.TreasuryTier
const told = (amount: bigint | null) => (amount === null ? null : `${amount}`)

/**
 * An outcome as it is kept.
 *
 * @param controlled the same of what is controlled alone
 */
export function toldOutcome(
  outcome: ScenarioOutcome,
  controlled: ScenarioOutcome,
  { limits = [] }: Input,
): Told {
  const { counted, apart, coverage } = outcome
  return {
    counted: toldTotals(counted),
    ownToken: toldTotals(apart),
    unsold: outcome.unsold.map(({ assetId, tier, quantity, markQuote, cause }) => ({
      assetKey: assetId,
      tier: tierName(tier),
      cause,
      quantity: `${quantity}`,
      markQuote: `${markQuote}`,
    })),
    coverage: {
      stockQuote: `${coverage.stockQuote}`,
      netOutflowQuote: `${coverage.netOutflowQuote}`,
      coveragePips: told(coverage.coveragePips),
    },
    runwayMonthsX3: told(outcome.runwayMonthsX3),
    depths: outcome.depths.map(({ venueId, quote }) => ({ venueId, depthQuote: `${quote}` })),
    lastSaleDay: outcome.lastDay,
    drivers: toldDrivers(outcome),
    proxies: [...new Set(outcome.flags.map(({ assetId }) => assetId))],
    breaches: breachesOf(outcome, limits),
    controlled: {
      ...toldTotals(controlled.counted),
      drivers: toldDrivers(controlled),
      coveragePips: told(controlled.coverage.coveragePips),
      runwayMonthsX3: told(controlled.runwayMonthsX3),
      breaches: breachesOf(controlled, limits),
    },
  }
}

const toldDrivers = ({ drivers }: ScenarioOutcome): Told['drivers'] =>
  drivers.map(({ subject, lossQuote }) => ({ subject, lossQuote: `${lossQuote}` }))

const breachesOf = (
  outcome: ScenarioOutcome,
  limits: NonNullable<Input['limits']>,
): Told['breaches'] =>
  limits.flatMap(({ metric, threshold }) => {
    const value = metricOf(outcome, metric)
    return value !== null && value < BigInt(threshold)
      ? [{ metric, threshold, value: `${value}` }]
      : []
  })

const toldTotals = (totals: ScenarioOutcome['counted']) => ({
  beforeQuote: `${totals.beforeQuote}`,
  markQuote: `${totals.markQuote}`,
  realisableQuote: `${totals.realisableQuote}`,
  lossQuote: `${totals.lossQuote}`,
})

export function toldScenarios(
  asked: readonly AskedScenario[],
  { scenarios, controlled }: StressResult,
  request: Input,
): Study['scenarios'] {
  return asked.flatMap(({ scenarioId, label, origin, legs }, place) => {
    const outcome = scenarios[place]
    const alone = controlled.scenarios[place]
    if (!outcome || !alone) return []
    return [{ scenarioId, label, origin, legs: [...legs], ...toldOutcome(outcome, alone, request) }]
  })
}

export function toldReverse({ reverse = [] }: Input, result: StressResult): Study['reverse'] {
  return reverse.flatMap((asked, place) => {
    const found = result.reverse[place]
    if (!found) return []
    return [{ ...asked, ...toldBreaking(found), controlled: toldBreaking(found.controlled) }]
  }) as Study['reverse']
}

const toldBreaking = ({ severityX6, reached, value, legs }: BreakingPoint) => ({
  severityX6,
  reached,
  value: told(value),
  legsAtSeverity: [...legs],
})

export const toldHolding = (lot: HeldLot): Study['holdings'][number] => ({
  entryId: lot.entryId,
  assetKey: lot.assetKey,
  tier: lot.tier,
  isDirect: lot.isDirect,
  container: lot.container,
  quantity: `${lot.quantity}`,
  priceX36: lot.priceX36,
  isLocked: lot.lockedDays !== 0,
  control: lot.control,
  lockedDays: lot.lockedDays,
  markQuote: lot.priceX36 === null ? null : `${worthOf(lot)}`,
})

/** A volatility of the caller counts where no returns of the asset are known. */
export function volatilityOf(
  { markets = [] }: Input,
  { series }: ReadReturns,
  assetKey: string,
): { source: Study['markets'][number]['volatilitySource']; volatility: number | null } {
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

export function toldMarket(
  request: Input,
  returns: ReadReturns,
  { assetKey, volumeSource, dailyVolume, observedDays, venues }: ReadMarket,
): Study['markets'][number] {
  const { source, volatility } = volatilityOf(request, returns, assetKey)
  const depths = exitDepth(engineVenues(venues), [])
  return {
    assetKey,
    volumeSource,
    dailyVolume: told(dailyVolume),
    observedDays,
    volatilitySource: source,
    dailyVolatilityPips: volatility === null ? null : Math.round(volatility * 1e6),
    venues: venues.map(({ venueId, observation, quoteKey, block }, place) => ({
      venueId,
      observation,
      quoteKey,
      block,
      depthQuote: `${depths[place]?.quote ?? 0n}`,
    })),
  }
}

/** Planned sales as they are kept, beside what an even sale costs on each of its days by the same law. */
export function toldExecutions(
  { sales, sale }: StressTask,
  { executions }: StressResult,
): Study['executions'] {
  return executions.flatMap(({ assetKey, kappa, holdings, expectedCost, standardDeviation }) => {
    const planned = sales.find((one) => one.assetKey === assetKey)
    if (!planned) return []
    const daily = BigInt(Math.round(planned.dailyVolume))
    const volume = { daily, volatility: planned.dailyVolatility }
    const even = planned.quantity / BigInt(sale.days)
    return [
      {
        assetKey,
        quantity: `${planned.quantity}`,
        days: sale.days,
        evenCostPips: Number(dayCostX18(even, { volume, poolCost: null, y: sale.y }) / 10n ** 12n),
        kappaX6: Math.round(kappa * 1e6),
        holdings: holdings.map((held) => BigInt(Math.round(held)).toString()),
        expectedCostQuote: BigInt(Math.ceil(expectedCost)).toString(),
        standardDeviationQuote: BigInt(Math.ceil(standardDeviation)).toString(),
      },
    ]
  })
}
