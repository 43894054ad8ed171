import type { contract } from '@liquidity-os/contract'
import { valueOfMetric } from '@liquidity-os/engine/research'
import { outcomesOf, type PathPart } from '../../simulate/studies/api.ts'
import type { Receipt } from './receipt.ts'
import { type SealedJson, sealJson } from './sealed-json.ts'

export interface ReceiptTask {
  /** In path order; the arm of the trial is the first of each path. */
  readonly parts: readonly Pick<PathPart, 'encoded'>[]
  readonly metrics: readonly contract.ResearchMetric[]
  readonly head: Omit<Receipt, 'receiptVersion' | 'paths' | 'metrics'>
}

/** Seals what a trial came to. Pure: however its paths were run, the bytes are the same. */
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
