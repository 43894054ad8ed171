import type { contract } from '@liquidity-os/contract'
import type { LastSweep } from '../../anomalies/api.ts'
import { type Material, requestOf } from '../judged/documents.ts'

/** By what a report is judged; sealed with what was asked, so that later rules judge no earlier report. */
export interface HealthRules {
  readonly rulesVersion: 'health-rules-v1'
  /** A venue is stale after so many of its cadences and at least so long, and critical after so many times that. */
  readonly staleIntervals: number
  readonly staleLeastSeconds: number
  readonly staleEscalation: number
  /** How long a snapshot of a vault counts. */
  readonly snapshotSeconds: number
  /** A policy that ends within so long is told. */
  readonly policyNoticeSeconds: number
}

/** What was asked, as it is sealed with what was captured. */
export interface AskedHealth {
  readonly rules: HealthRules
  readonly requestVersion: 'health-request-v1'
  readonly subject: contract.HealthSubject
  readonly question: string | null
  /** The moment to which everything is judged. */
  readonly asOf: string
}

export const askedOf = (material: Material): AskedHealth =>
  requestOf<AskedHealth>(material, 'health-rules-v1')

/** How far each venue was looked through for incidents, Unix seconds; null where no sweep was sealed. */
export function sweptTo({ documents }: Material): LastSweep['sweptTo'] | null {
  const found = documents.find(({ item }) => item.source.kind === 'JOB')
  return found ? (found.content as LastSweep).sweptTo : null
}
