import type { contract } from '@liquidity-os/contract'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Note } from '../../told-besides.ts'
import { treasuryProjections } from './records.ts'

type Projection = contract.TreasuryProjection

/**
 * What is told of scenarios whose cash falls below its floor within the horizon where the last projection of the same
 * assumptions said that it does not, or the other way round. A first projection is held against one that stays above.
 */
export async function floorNotes(
  records: TenantRecords,
  { request, scenarios, minimumCashQuote }: Projection,
): Promise<Note[]> {
  const earlier = await treasuryProjections.find(records, { order: 'NEWEST', limit: 50 })
  const before = earlier.find(
    ({ status, payload }) =>
      status !== 'ABSTAINED' && payload.request.assumptions.id === request.assumptions.id,
  )
  const wasBelow = new Set(
    before?.payload.scenarios.flatMap(({ scenarioId, belowFloorMonth }) =>
      belowFloorMonth === null ? [] : [scenarioId],
    ),
  )
  const crossed = scenarios.flatMap(({ scenarioId, belowFloorMonth, depletionMonth }) => {
    const isBelow = belowFloorMonth !== null
    if (isBelow === wasBelow.has(scenarioId)) return []
    return [{ scenarioId, isBelow, belowFloorMonth, depletionMonth }]
  })
  if (crossed.length === 0) return []
  const told = { minimumCashQuote, before: before?.id ?? null, scenarios: crossed }
  return [['treasury.projection.threshold_crossed', told]]
}
