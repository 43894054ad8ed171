import { committedCourse, type DueItem, inPaymentOrder, type MonthlyFlows } from './course.ts'
import { flowAmounts } from './flow-amounts.ts'
import { monthlyFlows, policyLevel, probabilityOf, scenarioPrices } from './projection.ts'
import { runwayOf } from './runway.ts'
import { MILLION, type ProjectedFlow, type ProjectedScenario, type TreasuryTerms } from './terms.ts'

export interface LineSensitivity {
  readonly id: string
  /** Change of the runway in thousandths of a month, if the line is a fifth larger or smaller. */
  readonly moreX3: number
  readonly lessX3: number
}

const FIFTH_MORE = 1_200_000n
const FIFTH_LESS = 800_000n

/**
 * Runs each assumed line a fifth larger and smaller against the net runway, under the treasury's
 * rules.
 *
 * Flows are computed once, and one line is varied at a time. Adjacent payments in the same asset
 * are merged, which changes a sale by at most an atom and preserves the order. A course ends with
 * its runway.
 */
export function lineSensitivity(
  terms: TreasuryTerms,
  scenario: ProjectedScenario,
): LineSensitivity[] {
  const prices = scenarioPrices(terms, scenario)
  const steady = netFlows(terms, scenario)
  const runway = (flows: MonthlyFlows) =>
    runwayOf(committedCourse(terms, flows, prices, policyLevel(terms)), terms.firstMonthX3).monthsX3
  const base = runway(steady)
  const varied = (flow: ProjectedFlow, factor: bigint) => {
    const changes = changesOf(flow, scenario, factor)
    return changes.every((change) => change === 0n)
      ? 0
      : runway(withChanges(steady, flow, changes)) - base
  }
  return terms.flows.flatMap((flow) =>
    flow.isAssumed
      ? [{ id: flow.id, moreX3: varied(flow, FIFTH_MORE), lessX3: varied(flow, FIFTH_LESS) }]
      : [],
  )
}

/** Payments of a month that the sensitivity makes of one treasury, at most; see `projectionWork`. */
export const groupedPayments = (terms: TreasuryTerms, scenario: ProjectedScenario): number =>
  netFlows(terms, scenario).due.reduce((sum, { length }) => sum + length, 0)

interface GroupedFlows extends MonthlyFlows {
  /** Index of the merged payment for each item, by month and name. */
  readonly placeOf: readonly ReadonlyMap<string, number>[]
}

function netFlows(terms: TreasuryTerms, scenario: ProjectedScenario): GroupedFlows {
  const { inflows, due } = monthlyFlows(terms, scenario, 'net')
  const grouped = due.map((items) => neighbours(items.toSorted(inPaymentOrder)))
  return {
    inflows,
    due: grouped.map(({ payments }) => payments),
    placeOf: grouped.map(({ placeOf }) => placeOf),
  }
}

function neighbours(items: readonly DueItem[]) {
  const payments: DueItem[] = []
  const placeOf = new Map<string, number>()
  for (const item of items) {
    const last = payments.at(-1)
    const isNext = last?.asset === item.asset && last.certainty === item.certainty
    if (isNext) payments[payments.length - 1] = { ...last, amount: last.amount + item.amount }
    else payments.push(item)
    placeOf.set(item.id, payments.length - 1)
  }
  return { payments, placeOf }
}

function changesOf(flow: ProjectedFlow, scenario: ProjectedScenario, factor: bigint): bigint[] {
  const weight = probabilityOf(flow)
  const before = flowAmounts(flow, scenario, weight)
  const after = flowAmounts(flow, scenario, (weight * factor) / MILLION)
  return after.map((amount, month) => amount - before[month]!)
}

/** The given flows, with changes only in the row or payment of one line. */
function withChanges(
  { inflows, due, placeOf }: GroupedFlows,
  { id, asset, direction }: ProjectedFlow,
  changes: readonly bigint[],
): MonthlyFlows {
  if (direction === 'INFLOW') {
    return {
      due,
      inflows: inflows.map((row, month) =>
        changes[month] === 0n ? row : row.with(asset, row[asset]! + changes[month]!),
      ),
    }
  }
  return {
    inflows,
    due: due.map((payments, month) => {
      const place = placeOf[month]!.get(id)
      if (place === undefined || changes[month] === 0n) return payments
      const paid = payments[place]!
      return payments.with(place, { ...paid, amount: paid.amount + changes[month]! })
    }),
  }
}
