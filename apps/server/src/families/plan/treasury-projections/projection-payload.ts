import type { contract, Encodable } from '@liquidity-os/contract'
import type { CourseMonth, ScenarioProjection } from '@liquidity-os/engine/treasury'
import { monthStart } from '../../../market/treasury/months.ts'
import { required } from '../../../required.ts'
import type { Opening } from './opening-balances.ts'
import type { ProjectionResult } from './project-task.ts'
import { type KnownAsset, stocks } from './projected-terms.ts'

/** The projection before `encode` writes its amounts. */
export type ProjectionFigures = Encodable<contract.TreasuryProjection>
type Scenario = ProjectionFigures['scenarios'][number]

/** YYYY-MM of a month of the horizon, from 0. */
export const monthName = (startMonth: string, month: number): string =>
  new Date(monthStart(startMonth, month)).toISOString().slice(0, 7)

/** The start, assets and balances of the engine run; its results reference them by index. */
export interface ProjectedBooks {
  readonly startMonth: string
  readonly assets: readonly KnownAsset[]
  readonly openings: readonly Opening[]
}

/** @param controlled the scenario for controlled holdings only */
export function scenarioFigures(
  books: ProjectedBooks,
  projected: ScenarioProjection,
  controlled: ScenarioProjection,
): Scenario {
  const { startMonth } = books
  const name = (month: number | null) => (month === null ? null : monthName(startMonth, month))
  const { coverage, runway } = projected
  return {
    scenarioId: projected.scenarioId,
    months: projected.months.map((month) =>
      monthFigures(books, month, projected.pricesX36[month.month] ?? []),
    ),
    runway,
    controlledRunway: controlled.runway,
    controlledCashQuote: controlled.months.map(({ cashQuote }) => cashQuote),
    controlledTrough: troughFigures(startMonth, controlled),
    controlledBelowFloorMonth: name(controlled.belowFloorMonth),
    controlledDepletionMonth: name(controlled.depletionMonth),
    trough: troughFigures(startMonth, projected),
    belowFloorMonth: name(projected.belowFloorMonth),
    depletionMonth: name(projected.depletionMonth),
    coveragePips: coverage.coveragePips,
  }
}

const troughFigures = (startMonth: string, { trough }: ScenarioProjection): Scenario['trough'] => ({
  month: monthName(startMonth, trough.month),
  cashQuote: trough.cashQuote,
})

function monthFigures(
  { startMonth, assets, openings }: ProjectedBooks,
  month: CourseMonth,
  prices: readonly (bigint | null)[],
): Scenario['months'][number] {
  const of = stocks(assets, openings)
  const places = new Map(assets.map(({ assetKey }, index) => [assetKey, index]))
  const keyOf = (itemIndex: number) =>
    required(of[itemIndex], `stock ${itemIndex} of the projection`).assetKey
  return {
    ...month,
    month: monthName(startMonth, month.month),
    holdings: month.holdings.flatMap((row, index) => {
      const stock = of[index]
      if (!stock || (row.opening === 0n && row.inflow === 0n && row.received === 0n)) return []
      return [{ ...stock, ...row, priceX36: prices[places.get(stock.assetKey) ?? -1] ?? null }]
    }),
    conversions: month.conversions.map((conversion) => ({
      ...conversion,
      from: keyOf(conversion.from),
      to: keyOf(conversion.to),
    })),
  }
}

/** Opening balances, summed by asset, tier, and whether the treasury holds them directly. */
export function openingFigures({ assets, openings }: ProjectedBooks): ProjectionFigures['opening'] {
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
        quantity: sum('quantity'),
        restricted: sum('restricted'),
        reserved: sum('reserved'),
        free: sum('quantity') - sum('restricted') - sum('reserved'),
      },
    ]
  })
}

export function simulationFigures(
  { simulation, controlledSimulation }: ProjectionResult,
  more: { scenarioId: string; observedDays: number; movingAssets: string[] },
): ProjectionFigures['monteCarlo'] {
  if (simulation === null || controlledSimulation === null) return null
  return { ...simulation, ...more, controlled: controlledSimulation }
}
