import type { contract } from '@liquidity-os/contract'
import { valueOfMetric } from '@liquidity-os/engine/research'
import { outcomesOf, type PathPart } from '../../simulate/studies/api.ts'
import type { Receipt } from './receipt.ts'
import { type SealedJson, sealJson } from './sealed-json.ts'

export interface ReceiptTask {
  /** In path order. The trial's arm is the first arm in every path. */
  readonly parts: readonly Pick<PathPart, 'encoded'>[]
  readonly metrics: readonly contract.ResearchMetric[]
  readonly head: Omit<Receipt, 'receiptVersion' | 'paths' | 'metrics'>
}

/** Seals the result of a trial. Pure: the bytes do not depend on how the paths were run. */
export default function sealReceipt({ parts, metrics, head }: ReceiptTask): SealedJson {
  const outcomes = parts.flatMap(outcomesOf).flatMap(([first]) => (first ? [first] : []))
  return sealJson({
    receiptVersion: 'research-receipt-v1',
    ...head,
    paths: outcomes.length,
    metrics: metrics.map((metric) => ({
      metric,
      values: outcomes.map((outcome) => `${valueOfMetric(outcome, metric)}`),
    })),
  } satisfies Receipt)
}
