import type { contract } from '@liquidity-os/contract'

/**
 * Result of a trial: outcomes per path and all inputs. It contains no time and no run id, so equal
 * trials have equal receipts.
 */
export interface Receipt {
  readonly receiptVersion: 'research-receipt-v1'
  readonly trialKey: contract.TrialKey
  readonly protocolHash: string
  readonly captureHash: string
  readonly specHash: string
  readonly seed: string
  readonly engineVersion: string
  readonly engineBuildHash: string
  readonly inputs: contract.StudyResult['evidence']['inputs']
  readonly blocks: contract.StudyResult['evidence']['blocks']
  readonly assumptions: contract.StudyResult['evidence']['assumptions']
  readonly gaps: contract.StudyResult['gaps']
  readonly paths: number
  /** Whole numbers in path order, as decimals. */
  readonly metrics: readonly {
    readonly metric: contract.ResearchMetric
    readonly values: readonly string[]
  }[]
}

/** All metrics of a protocol, without duplicates, in contract order. */
export function metricsOf({
  primary,
  guardrails,
  secondary,
}: contract.ResearchProtocol): contract.ResearchMetric[] {
  const named = new Set([
    ...[primary.metric, ...secondary],
    ...guardrails.map(({ metric }) => metric),
  ])
  return [...named].sort()
}

export const unitOf = (metric: contract.ResearchMetric) =>
  metric === 'TIME_IN_RANGE' ? ('PIPS' as const) : ('QUOTE_ATOMS' as const)
