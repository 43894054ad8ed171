import type { contract } from '@liquidity-os/contract'

/** What a trial leaves: its outcomes path by path, and all they were made of. It holds no time and no name of a run. */
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

/** Every metric of which a protocol speaks, once, in the order of the contract. */
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
