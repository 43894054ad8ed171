import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'

export type Pack = contract.DecisionPack
export type PackRecord = VersionedRecord<Pack>
export type PackInput = contract.DecisionPackInput
export type InputOption = PackInput['options'][number]
export type Option = Pack['options'][number]
export type MetricInput = contract.DecisionMetricInput
export type Metric = contract.DecisionMetric
/** Content with bound figures. */
export type BoundInput = Omit<PackInput, 'options'> & { readonly options: Option[] }
export type Value = Metric['value']

export function integerOf(value: Value | null | undefined): bigint | null {
  if (typeof value === 'number') return BigInt(value)
  return typeof value === 'string' && /^(0|-?[1-9][0-9]{0,77})$/.test(value) ? BigInt(value) : null
}

/** Distance between two integer values. */
export function differenceOf(value: Value | null, from: Value | null): string | null {
  const [a, b] = [integerOf(value), integerOf(from)]
  return a === null || b === null ? null : `${a - b}`
}
