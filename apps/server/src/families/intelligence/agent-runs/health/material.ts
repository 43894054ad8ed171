import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'

/** What was asked, as it is sealed with what was captured. */
export interface AskedHealth {
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

/** @throws Error where the request was not sealed */
export function askedOf({ documents }: HealthMaterial): AskedHealth {
  const found = documents.find(({ item }) => item.source.kind === 'REQUEST')
  if (!found) throw new Error('What was asked is not sealed.')
  return found.content as AskedHealth
}
