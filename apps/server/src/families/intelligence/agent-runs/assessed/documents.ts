import type { contract, Ref } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import type { Run } from '../records.ts'
import { openJson } from '../sealed-json.ts'

export interface Document {
  readonly item: contract.CapturedItem
  readonly content: unknown
}

/** All inputs of an assessment. */
export interface Material {
  readonly captureHash: string
  readonly gaps: NonNullable<contract.AgentRun['capture']>['gaps']
  readonly documents: readonly Document[]
}

/** A sealed record of a kind. */
export interface Sealed<Payload> {
  readonly evidenceId: string
  readonly record: VersionedRecord<Payload>
}

/**
 * Reads the sealed bytes of a report and checks each item against its hash.
 *
 * @throws Error if bytes are missing or differ
 */
export async function sealedMaterial(
  records: TenantRecords,
  { capture, captureHash }: Run,
): Promise<Material> {
  if (!capture || captureHash === null) throw new Error('The run has no capture.')
  const documents: Document[] = []
  for (const item of capture.items) {
    documents.push({ item, content: openJson(await records.artifact(item.contentHash)) })
  }
  return { captureHash, gaps: capture.gaps, documents }
}

/** The sealed records of a kind, in the order of their ids. */
export function sealedOf<Payload>(
  { documents }: Material,
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

/** The sealed record of one version; undefined if it was not sealed. */
export function sealedAt<Payload>(
  { documents }: Material,
  { id, resourceVersion }: Ref,
): Sealed<Payload> | undefined {
  const found = documents.find(
    ({ item: { source } }) =>
      source.kind === 'RECORD' && source.id === id && source.resourceVersion === resourceVersion,
  )
  return (
    found && {
      evidenceId: found.item.evidenceId,
      record: found.content as VersionedRecord<Payload>,
    }
  )
}

/**
 * The sealed request.
 *
 * @param version the rules version that this version of the service supports
 * @throws Error if no request was sealed, or if its rules version is unknown
 */
export function requestOf<Request extends { readonly rules: { readonly rulesVersion: string } }>(
  { documents }: Material,
  version: Request['rules']['rulesVersion'],
): Request {
  const found = documents.find(({ item }) => item.source.kind === 'REQUEST')
  if (!found) throw new Error('The request of the run is not sealed.')
  const requested = found.content as Request
  if (requested.rules.rulesVersion === version) return requested
  throw new Error(`Unknown rules version: ${requested.rules.rulesVersion}.`)
}
