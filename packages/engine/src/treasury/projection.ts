import { type Coverage, liquidityCoverage, type Tiers } from '../stress/coverage.ts'
import {
  type CourseMonth,
  committedCourse,
  type DueItem,
  type MonthlyFlows,
  paidCertainties,
  treasuryCourse,
} from './course.ts'
import { flowAmounts } from './flow-amounts.ts'
import { pricesAlong } from './price-path.ts'
import { type Runway, runwayOf } from './runway.ts'
import {
  type Level,
  MILLION,
  ONE_X36,
  type ProjectedFlow,
  type ProjectedScenario,
  type TreasuryTerms,
  type View,
} from './terms.ts'

/** A runway with COMMITTED inflow only, and one with expected inflow. */
export type RunwayViews = Readonly<Record<View, Runway>>

/** A treasury in one scenario. */
export interface ScenarioProjection {
  readonly scenarioId: string
  /** By month and asset. */
  readonly pricesX36: readonly (readonly (bigint | null)[])[]
  /** The net view under the treasury's rules. The own token is sold only if they allow it. */
  readonly months: readonly CourseMonth[]
  readonly runway: {
    readonly cash: RunwayViews
    readonly liquid: RunwayViews
    /** Null if the own token is not sold. */
    readonly withOwnToken: RunwayViews | null
  }
  /** The month of least cash, the first of equals. */
  readonly trough: { readonly month: number; readonly cashQuote: bigint }
  readonly belowFloorMonth: number | null
  readonly depletionMonth: number | null
  readonly coverage: Coverage
}

/** Projects a treasury in one scenario, at every level and in both views. */
export function projectScenario(
  terms: TreasuryTerms,
  scenario: ProjectedScenario,
): ScenarioProjection {
  const pricesX36 = scenarioPrices(terms, scenario)
  const flows = {
    gross: monthlyFlows(terms, scenario, 'gross'),
    net: monthlyFlows(terms, scenario, 'net'),
  }
  const lasts = (level: Level, view: View) =>
    runwayOf(committedCourse(terms, flows[view], pricesX36, level), terms.firstMonthX3)
  const views = (level: Level): RunwayViews => ({
    gross: lasts(level, 'gross'),
    net: lasts(level, 'net'),
  })
  const months = treasuryCourse(terms, flows.net, pricesX36, policyLevel(terms))
  const short = months.find(({ committedPaid: { paid, due } }) => paid < due)
  const low = months.find(({ cashQuote }) => cashQuote < terms.minimumCashQuote)
  return {
    scenarioId: scenario.scenarioId,
    pricesX36,
    months,
    runway: {
      cash: views('cash'),
      liquid: views('liquid'),
      withOwnToken: terms.ownToken === null ? null : views('withOwnToken'),
    },
    trough: months.reduce(
      (least, { month, cashQuote }) => (cashQuote < least.cashQuote ? { month, cashQuote } : least),
      { month: months[0]!.month, cashQuote: months[0]!.cashQuote },
    ),
    belowFloorMonth: low?.month ?? null,
    depletionMonth: short?.month ?? null,
    coverage: coverageOf(terms, months[0]!, pricesX36[terms.elapsed]!),
  }
}

/** Sales level that the treasury's rules allow. */
export const policyLevel = ({ ownToken }: TreasuryTerms): Level =>
  ownToken === null ? 'liquid' : 'withOwnToken'

/** Prices by month and asset along the paths of a scenario. */
export function scenarioPrices(
  { assets, months }: TreasuryTerms,
  { paths }: ProjectedScenario,
): (bigint | null)[][] {
  const courses = assets.map(({ priceX36 }, place) =>
    priceX36 === null ? null : pricesAlong(priceX36, paths[place]!, months),
  )
  return Array.from({ length: months }, (_, month) => courses.map((one) => one?.[month] ?? null))
}

/**
 * Flows of a view by month. UNCERTAIN ones count in the net view only, by their probability.
 *
 * @param weightOf another weight of a flow, millionths
 */
export function monthlyFlows(
  { assets, flows, months }: TreasuryTerms,
  scenario: ProjectedScenario,
  view: View,
  weightOf: (flow: ProjectedFlow) => bigint = probabilityOf,
): MonthlyFlows {
  const inflows = Array.from({ length: months }, () => assets.map(() => 0n))
  const due: DueItem[][] = Array.from({ length: months }, () => [])
  for (const flow of flows) {
    const isIn = flow.direction === 'INFLOW'
    const counts = isIn && view === 'gross' ? ['COMMITTED'] : paidCertainties(view === 'net')
    if (!counts.includes(flow.certainty)) continue
    const { id, asset, certainty } = flow
    for (const [month, amount] of flowAmounts(flow, scenario, weightOf(flow)).entries()) {
      if (amount === 0n) continue
      if (isIn) inflows[month]![asset]! += amount
      else due[month]!.push({ id, asset, certainty, amount, dueAt: flow.dueAt[month]! })
    }
  }
  return { inflows, due }
}

/** Weight of a flow in a projection without random draws, in millionths. */
export const probabilityOf = ({ certainty, probabilityPips }: ProjectedFlow): bigint =>
  certainty === 'UNCERTAIN' ? BigInt(probabilityPips ?? 0) : MILLION

/** Coverage of the first month in the shape of the liquidity coverage ratio; the own token is no stock. */
function coverageOf(
  { holdings, haircutPips }: TreasuryTerms,
  first: CourseMonth,
  prices: readonly (bigint | null)[],
): Coverage {
  const values = [0n, 0n, 0n, 0n, 0n]
  for (const [place, { asset, tier }] of holdings.entries()) {
    if (tier === 4) continue
    values[tier]! += (first.holdings[place]!.opening * (prices[asset] ?? 0n)) / ONE_X36
  }
  const tiers = values.map((valueQuote, tier) => ({
    valueQuote,
    haircutPips: haircutPips[tier]!,
  })) as unknown as Tiers
  return liquidityCoverage(tiers, first.dueQuote + first.arrearsQuote, first.inflowQuote)
}
