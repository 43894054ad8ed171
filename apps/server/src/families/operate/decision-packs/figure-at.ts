import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { valueAt } from '../../json-pointer.ts'
import { runwayAfter } from '../../plan/treasury-projections/api.ts'
import { type Measured, measureAt } from './measure-at.ts'
import type { MetricInput } from './pack-types.ts'

type FigureLocation = Pick<MetricInput, 'pointer' | 'afterSpend'>

/** Pointer of the runway that supports figures after a spend. */
export const runwayPointer = (scenario: number) =>
  `/payload/scenarios/${scenario}/controlledRunway/cash/net/monthsX3`
const runwayPattern = /^\/payload\/scenarios\/(0|[1-9]\d*)\/controlledRunway\/cash\/net\/monthsX3$/

/**
 * Value of a figure. After a spend it is the remaining runway in whole months, a lower bound.
 *
 * @returns undefined if no value exists, or a spend does not affect it
 */
export function figureAt(
  record: VersionedRecord | undefined,
  { pointer, afterSpend }: FigureLocation,
): unknown {
  if (afterSpend === undefined) return valueAt(record, pointer)
  const scenario = runwayScenario(record, pointer)
  if (scenario === null) return undefined
  const after = runwayAfter(scenario.projection, scenario.scenarioId, BigInt(afterSpend))
  return 'fault' in after ? undefined : after.months * 1000
}

/** Measure of a figure from the contract. After a spend, the asset is the spent one. */
export function measureOf(
  record: VersionedRecord,
  { pointer, afterSpend }: FigureLocation,
): Measured {
  const found = measureAt(record, pointer)
  if (afterSpend === undefined || 'problem' in found) return found
  const scenario = runwayScenario(record, pointer)
  if (scenario === null) return { problem: 'a spend does not change this value' }
  const { quoteKey } = scenario.projection
  return { ...found, label: `${found.label} · After the spend`, asset: quoteKey }
}

function runwayScenario(record: VersionedRecord | undefined, pointer: string) {
  const [, scenarioIndex] = runwayPattern.exec(pointer) ?? []
  if (scenarioIndex === undefined || record?.resourceType !== 'TreasuryProjection') return null
  const projection = record.payload as contract.TreasuryProjection
  const scenarioId = projection.scenarios[Number(scenarioIndex)]?.scenarioId
  return scenarioId === undefined ? null : { projection, scenarioId }
}
