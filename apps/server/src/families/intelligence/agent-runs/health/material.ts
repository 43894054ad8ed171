import type { contract } from '@liquidity-os/contract'
import type { LastSweep } from '../../anomalies/api.ts'
import { type Material, requestOf } from '../assessed/documents.ts'

/**
 * Assessment rules of a report. They are sealed with the request, so that later rules do not affect
 * earlier reports.
 */
export interface HealthRules {
  readonly rulesVersion: 'health-rules-v1'
  /**
   * A venue is stale after this many of its index intervals, but not before a minimum age in
   * seconds. A further multiple marks it critical.
   */
  readonly staleIntervals: number
  readonly staleLeastSeconds: number
  readonly staleEscalation: number
  /** Maximum age of a vault snapshot. */
  readonly snapshotSeconds: number
  /** Notice period before a policy expires, in seconds. */
  readonly policyNoticeSeconds: number
}

/** The request, sealed with the captured data. */
export interface HealthRequest {
  readonly rules: HealthRules
  readonly requestVersion: 'health-request-v1'
  readonly subject: contract.HealthSubject
  readonly question: string | null
  /** Moment of the assessment. */
  readonly asOf: string
}

export const healthRequestOf = (material: Material): HealthRequest =>
  requestOf<HealthRequest>(material, 'health-rules-v1')

/**
 * Time up to which each venue was swept for incidents, in Unix seconds. Null if no sweep was
 * sealed.
 */
export function sweptTo({ documents }: Material): LastSweep['sweptTo'] | null {
  const found = documents.find(({ item }) => item.source.kind === 'JOB')
  return found ? (found.content as LastSweep).sweptTo : null
}
