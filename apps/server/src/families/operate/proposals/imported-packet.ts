import type { contract } from '@liquidity-os/contract'
import type { SealedRecord } from '@liquidity-os/evidence'
import type { ProviderAccess, Services } from '../../../services.ts'
import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { admittedPacket, buildEventPayload, unvalidated } from './admit-packet.ts'
import { derivedPayload } from './derive-payload.ts'
import { proposals } from './records.ts'

type Payload = contract.ProposalWorkspace

/** A packet prepared outside the organization, and the importing user. */
export interface Imported {
  readonly input: contract.ProposalWorkspaceInput
  readonly importedBy: string
  readonly importedFrom: NonNullable<Payload['importedFrom']>
  readonly reason: string
  readonly evidenceHashes: readonly string[]
}

/**
 * First version of an imported proposal, derived like any other. It records its origin and has no
 * approvals.
 */
export async function importedPacket(
  records: TenantRecords,
  services: ProviderAccess & Pick<Services, 'config'>,
  { input, importedBy, importedFrom, reason, evidenceHashes }: Imported,
): Promise<{ sealed: SealedRecord<Payload>; change: Change }> {
  const deriving = await admittedPacket(records, input, importedBy)
  const payload = { ...(await derivedPayload(records, services, deriving)), importedFrom }
  return proposals.first(records, {
    status: unvalidated(payload).length > 0 ? 'DRAFT' : 'VALIDATED',
    payload,
    reason,
    evidenceHashes,
    event: 'proposal.created',
    eventPayload: { ...buildEventPayload(payload), importedFrom: importedFrom.eventId },
  })
}

type Previewed = Pick<Payload, 'simulation' | 'packets' | 'flags'>

/**
 * Preview of a packet without storing it.
 *
 * @throws Failure like an import
 */
export async function previewedPacket(
  records: TenantRecords,
  services: ProviderAccess & Pick<Services, 'config'>,
  { input, importedBy }: Pick<Imported, 'input' | 'importedBy'>,
): Promise<Previewed> {
  return derivedPayload(records, services, await admittedPacket(records, input, importedBy))
}
