import type { contract, SourceRef } from '@liquidity-os/contract'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

type Scenario = contract.TreasuryAssumptions['assumptions']['scenarios'][number]

/**
 * A base scenario has no delay, because late payments at current prices are the most common stress
 * scenario.
 */
export function isBase(scenario: Scenario): boolean {
  const { prices, inflowMultiplierPips, outflowMultiplierPips, inflowDelayMonths } = scenario
  const isUnscaled = inflowMultiplierPips === 1_000_000 && outflowMultiplierPips === 1_000_000
  return isUnscaled && inflowDelayMonths === 0 && prices.every(({ path }) => path.kind === 'HOLD')
}

/** The single scenario without changes; every set has exactly one. */
export function baseOf({ scenarios }: { readonly scenarios: readonly Scenario[] }): Scenario {
  const base = scenarios.find(isBase)
  if (!base) throw new Error('The assumptions have no base scenario.')
  return base
}

/** Name of the base scenario in a version of assumptions. */
export async function baseScenarioOf(
  records: TenantRecords,
  { id, resourceVersion }: Pick<SourceRef, 'id' | 'resourceVersion'>,
): Promise<string> {
  const kind = 'TreasuryAssumptions'
  const found = await records.version<contract.TreasuryAssumptions>(kind, id, resourceVersion)
  if (!found) throw new Error(`Assumptions ${id} of version ${resourceVersion} do not exist.`)
  return baseOf(found.record.payload.assumptions).scenarioId
}
