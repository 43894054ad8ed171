import type { contract } from '@liquidity-os/contract'
import type { Certainty } from '@liquidity-os/engine/treasury'
import { monthStart } from '../../../market/treasury/months.ts'
import { dueBetween, dueByMonth, firstDueAt } from '../../../market/treasury/schedule.ts'
import type { Entry } from './read-sources.ts'

type AssumptionSet = contract.TreasuryAssumptionSet

/** A line or an obligation over the months of the horizon. */
export interface Flow {
  readonly id: string
  readonly assetKey: string
  readonly direction: 'INFLOW' | 'OUTFLOW'
  readonly certainty: Certainty
  readonly probabilityPips?: number
  readonly growthAnnualPips: number
  /** True for a line of the assumptions. */
  readonly isAssumed: boolean
  readonly due: readonly bigint[]
  readonly dueAt: readonly number[]
}

/** Obligations in the projection: those of entries without a linked assumption line. */
export function countedObligations(entries: readonly Entry[], { lines }: AssumptionSet) {
  const linked = new Set(lines.map(({ obligation }) => obligation?.id))
  return entries.flatMap(({ id, payload }) =>
    payload.entryKind === 'OBLIGATION' && !linked.has(id) ? [{ id, payload }] : [],
  )
}

/**
 * Monthly amounts of lines and obligations. For lines, amounts due before the snapshot are dropped.
 * For obligations, unsettled earlier amounts are due at once. UNCERTAIN obligations appear in the
 * ladder, but are not paid.
 *
 * @param snapshotAt milliseconds since 1970
 */
export function projectedFlows(
  set: AssumptionSet,
  entries: readonly Entry[],
  snapshotAt: number,
): Flow[] {
  const obligations = countedObligations(entries, set).filter(
    ({ payload }) => payload.obligation.certainty !== 'UNCERTAIN',
  )
  return [
    ...set.lines.map((line) => lineFlow(line, set, snapshotAt)),
    ...obligations.map(({ id, payload }) => obligationFlow(id, payload, set, snapshotAt)),
  ]
}

/** Number of lines with amounts due before the snapshot, within the months of the set. */
export function droppedLines(set: AssumptionSet, snapshotAt: number): number {
  const from = monthStart(set.startMonth)
  return set.lines.filter(
    ({ amount, schedule }) =>
      from < snapshotAt && dueBetween({ amount: BigInt(amount), schedule }, from, snapshotAt) > 0n,
  ).length
}

function lineFlow(
  line: contract.TreasuryAssumptionLine,
  set: AssumptionSet,
  snapshotAt: number,
): Flow {
  const { lineId, assetKey, direction, certainty, probabilityPips, growthAnnualPips } = line
  const due = { amount: BigInt(line.amount), schedule: line.schedule }
  return {
    id: lineId,
    assetKey,
    direction,
    certainty,
    growthAnnualPips,
    isAssumed: true,
    ...(probabilityPips === undefined ? {} : { probabilityPips }),
    due: dueByMonth(due, set, snapshotAt),
    dueAt: dueTimes(line.schedule, set, snapshotAt),
  }
}

function obligationFlow(
  id: string,
  { asset, obligation, settled }: contract.TreasuryObligation,
  set: AssumptionSet,
  snapshotAt: number,
): Flow {
  const owed = { amount: BigInt(obligation.amount), schedule: obligation.schedule }
  let before = 0n
  const due = Array.from({ length: set.horizonMonths }, (_, month) => {
    const end = monthStart(set.startMonth, month + 1)
    if (end <= snapshotAt) return 0n
    const until = dueBetween(owed, 0, end) - BigInt(settled)
    const open = until > 0n ? until : 0n
    const fresh = open - before
    before = open
    return fresh
  })
  return {
    id,
    assetKey: asset,
    direction: 'OUTFLOW',
    certainty: obligation.certainty,
    growthAnnualPips: 0,
    isAssumed: false,
    due,
    // Overdue amounts come first, because they were due before the month.
    dueAt: dueTimes(obligation.schedule, set, 0),
  }
}

/** First due date in each month; the start of the month if no amount is due. */
function dueTimes(
  schedule: contract.TreasurySchedule,
  { startMonth, horizonMonths }: AssumptionSet,
  since: number,
): number[] {
  return Array.from({ length: horizonMonths }, (_, month) => {
    const from = month === 0 ? since : Math.max(since, monthStart(startMonth, month))
    return firstDueAt(schedule, from)
  })
}
