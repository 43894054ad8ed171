import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { LastSweep } from '../../anomalies/face.ts'

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

/** A sealed item and what it says. */
export interface Document {
  readonly item: contract.CapturedItem
  readonly content: unknown
}

/** A sealed record of a kind. */
export interface Sealed<Payload> {
  readonly evidenceId: string
  readonly record: VersionedRecord<Payload>
}

/** Everything that a report of health is made of. */
export interface HealthMaterial {
  readonly captureHash: string
  readonly gaps: NonNullable<contract.AgentRun['capture']>['gaps']
  readonly documents: readonly Document[]
}

/** The sealed records of a kind, in the order of their ids. */
export function sealedOf<Payload>(
  { documents }: HealthMaterial,
  resourceType: string,
): Sealed<Payload>[] {
  return documents
    .filter(
      ({ item }) => item.source.kind === 'RECORD' && item.source.resourceType === resourceType,
    )
    .map(({ item, content }) => ({
      evidenceId: item.evidenceId,
      record: content as VersionedRecord<Payload>,
    }))
    .toSorted((a, b) => (a.record.id < b.record.id ? -1 : 1))
}

/** @throws Error where the request was not sealed, or is to be judged by rules that this version does not know */
export function askedOf({ documents }: HealthMaterial): AskedHealth {
  const found = documents.find(({ item }) => item.source.kind === 'REQUEST')
  if (!found) throw new Error('What was asked is not sealed.')
  const asked = found.content as AskedHealth
  if (asked.rules.rulesVersion === 'health-rules-v1') return asked
  throw new Error(`There are no rules ${asked.rules.rulesVersion}.`)
}

/** How far each venue was looked through for incidents, Unix seconds; null where no sweep was sealed. */
export function sweptTo({ documents }: HealthMaterial): LastSweep['sweptTo'] | null {
  const found = documents.find(({ item }) => item.source.kind === 'JOB')
  return found ? (found.content as LastSweep).sweptTo : null
}
