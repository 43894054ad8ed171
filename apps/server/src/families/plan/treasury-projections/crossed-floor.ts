import type { contract } from '@liquidity-os/contract'
import { isForStudyOnly } from '../../../market/treasury/active-records.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Note } from '../../event-details.ts'
import { treasuryProjections } from './records.ts'

type Projection = contract.TreasuryProjection
type Scenario = Projection['scenarios'][number]

/**
 * Publishes scenarios whose controlled cash crosses the minimum within the horizon, in either
 * direction. The comparison uses the last projection of the same assumptions; a first projection is
 * compared with one above the minimum. Values of all holdings are informative, so self-reported
 * holdings cannot suppress the event. Projections for study only, with earlier assumptions or
 * markets of the caller, neither publish nor serve for comparison.
 */
export async function floorNotes(
  records: TenantRecords,
  { request, scenarios, minimumCashQuote, computation }: Projection,
): Promise<Note[]> {
  if (isForStudyOnly(computation.gaps)) return []
  const earlier = await treasuryProjections.find(records, { order: 'NEWEST', limit: 50 })
  const before = earlier.find(
    ({ status, payload }) =>
      status !== 'ABSTAINED' &&
      payload.request.assumptions.id === request.assumptions.id &&
      !isForStudyOnly(payload.computation.gaps),
  )
  const wasBelow = new Set(
    before?.payload.scenarios.flatMap((scenario) =>
      controlledFloor(scenario).isBelow ? [scenario.scenarioId] : [],
    ),
  )
  const crossed = scenarios.flatMap((scenario) => {
    const { scenarioId, belowFloorMonth, depletionMonth } = scenario
    const controlled = controlledFloor(scenario)
    if (controlled.isBelow === wasBelow.has(scenarioId)) return []
    const allHoldings = floorOf(belowFloorMonth, depletionMonth)
    return [{ scenarioId, ...controlled, allHoldings }]
  })
  if (crossed.length === 0) return []
  const eventPayload = { minimumCashQuote, before: before?.id ?? null, scenarios: crossed }
  return [['treasury.projection.threshold_crossed', eventPayload]]
}

const floorOf = (belowFloorMonth: string | null, depletionMonth: string | null) => ({
  isBelow: belowFloorMonth !== null,
  belowFloorMonth,
  depletionMonth,
})

/** An older projection counts all holdings only. */
const controlledFloor = ({ belowFloorMonth, depletionMonth, ...controlled }: Scenario) =>
  floorOf(
    controlled.controlledBelowFloorMonth === undefined
      ? belowFloorMonth
      : controlled.controlledBelowFloorMonth,
    controlled.controlledDepletionMonth === undefined
      ? depletionMonth
      : controlled.controlledDepletionMonth,
  )
