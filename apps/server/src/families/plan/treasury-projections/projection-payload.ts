import type { contract } from '@liquidity-os/contract'
import type {
  CourseMonth,
  Fan,
  ScenarioProjection,
  TreasuryPaths,
} from '@liquidity-os/engine/treasury'
import { monthStart } from '../../../market/treasury/months.ts'
import { required } from '../../../required.ts'
import type { Opening } from './opening-balances.ts'
import type { ProjectionResult } from './project-task.ts'
import { type KnownAsset, stocks } from './projected-terms.ts'

type Projection = contract.TreasuryProjection
type Told = Projection['scenarios'][number]

/** YYYY-MM of a month of the horizon, from 0. */
export const monthName = (startMonth: string, month: number): string =>
  new Date(monthStart(startMonth, month)).toISOString().slice(0, 7)

/** What the figures of the engine are about. */
export interface ToldOf {
  readonly startMonth: string
  readonly assets: readonly KnownAsset[]
  readonly openings: readonly Opening[]
}

/**
 * A scenario as it is kept: in decimal strings, months by their names.
 *
 * @param controlled the same scenario of what is controlled alone
 */
export function toldScenario(
  of: ToldOf,
  projected: ScenarioProjection,
  controlled: ScenarioProjection,
): Told {
  const { startMonth } = of
  const name = (month: number | null) => (month === null ? null : monthName(startMonth, month))
  const { coverage, runway } = projected
  return {
    scenarioId: projected.scenarioId,
    months: projected.months.map((month) =>
      toldMonth(of, month, projected.pricesX36[month.month] ?? []),
    ),
    runway,
    controlledRunway: controlled.runway,
    controlledCashQuote: controlled.months.map(({ cashQuote }) => `${cashQuote}`),
    controlledTrough: toldTrough(startMonth, controlled),
    controlledBelowFloorMonth: name(controlled.belowFloorMonth),
    controlledDepletionMonth: name(controlled.depletionMonth),
    trough: toldTrough(startMonth, projected),
    belowFloorMonth: name(projected.belowFloorMonth),
    depletionMonth: name(projected.depletionMonth),
    coveragePips: coverage.coveragePips === null ? null : `${coverage.coveragePips}`,
  }
}

const toldTrough = (startMonth: string, { trough }: ScenarioProjection): Told['trough'] => ({
  month: monthName(startMonth, trough.month),
  cashQuote: `${trough.cashQuote}`,
})

function toldMonth(
  { startMonth, assets, openings }: ToldOf,
  month: CourseMonth,
  prices: readonly (bigint | null)[],
): Told['months'][number] {
  const of = stocks(assets, openings)
  const places = new Map(assets.map(({ assetKey }, place) => [assetKey, place]))
  const keyOf = (place: number) => required(of[place], `stock ${place} of the projection`).assetKey
  return {
    month: monthName(startMonth, month.month),
    holdings: month.holdings.flatMap((row, place) => {
      const stock = of[place]
      if (!stock || (row.opening === 0n && row.inflow === 0n && row.received === 0n)) return []
      const price = prices[places.get(stock.assetKey) ?? -1]
      return [
        {
          assetKey: stock.assetKey,
          tier: stock.tier,
          isDirect: stock.isDirect,
          priceX36: price == null ? null : `${price}`,
          opening: `${row.opening}`,
          inflow: `${row.inflow}`,
          outflow: `${row.outflow}`,
          received: `${row.received}`,
          sold: `${row.sold}`,
          closing: `${row.closing}`,
        },
      ]
    }),
    conversions: month.conversions.map(({ from, to, sold, received, costQuote }) => ({
      from: keyOf(from),
      to: keyOf(to),
      sold: `${sold}`,
      received: `${received}`,
      costQuote: `${costQuote}`,
    })),
    inflowQuote: `${month.inflowQuote}`,
    dueQuote: `${month.dueQuote}`,
    arrearsQuote: `${month.arrearsQuote}`,
    paidQuote: `${month.paidQuote}`,
    unmetQuote: `${month.unmetQuote}`,
    cashQuote: `${month.cashQuote}`,
    liquidQuote: `${month.liquidQuote}`,
  }
}

/** What is opened with, summed by asset, tier and kind of stock. */
export function toldOpening({ assets, openings }: ToldOf): Projection['opening'] {
  const prices = new Map(assets.map(({ assetKey, price }) => [assetKey, price?.priceX36 ?? null]))
  const groups = Map.groupBy(
    openings,
    ({ assetKey, tier, isDirect }) => `${assetKey} ${tier} ${isDirect}`,
  )
  return [...groups.keys()].sort().flatMap((key) => {
    const some = groups.get(key) ?? []
    const [first] = some
    if (!first) return []
    const sum = (member: 'quantity' | 'restricted' | 'reserved') =>
      some.reduce((all, one) => all + one[member], 0n)
    const { assetKey, tier, isDirect } = first
    return [
      {
        assetKey,
        tier,
        isDirect,
        priceX36: prices.get(assetKey) ?? null,
        quantity: `${sum('quantity')}`,
        restricted: `${sum('restricted')}`,
        reserved: `${sum('reserved')}`,
        free: `${sum('quantity') - sum('restricted') - sum('reserved')}`,
      },
    ]
  })
}

/** Drawn paths as they are kept. */
export function toldSimulation(
  { simulation, controlledSimulation }: ProjectionResult,
  more: { scenarioId: string; observedDays: number; movingAssets: string[] },
): Projection['monteCarlo'] {
  if (simulation === null || controlledSimulation === null) return null
  const { model, paths, cashFlowAtRiskQuote } = simulation
  return {
    model,
    paths,
    ...more,
    ...toldPaths(simulation),
    controlled: toldPaths(controlledSimulation),
    cashFlowAtRiskQuote: cashFlowAtRiskQuote.map(String),
  }
}

/** What of drawn paths depends on the holdings that count. */
const toldPaths = ({ unmetByMonthPips, cashQuote, ...drawn }: TreasuryPaths) => ({
  unmetByMonthPips: [...unmetByMonthPips],
  runwayMonthsX3: drawn.runwayMonthsX3,
  beyondHorizonPips: drawn.beyondHorizonPips,
  cashQuote: cashQuote.map(fanText),
})

const fanText = ({ p05, p25, p50, p75, p95 }: Fan<bigint>): Fan<string> => ({
  p05: `${p05}`,
  p25: `${p25}`,
  p50: `${p50}`,
  p75: `${p75}`,
  p95: `${p95}`,
})
