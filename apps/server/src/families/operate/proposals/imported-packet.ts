import type { contract } from '@liquidity-os/contract'
import type { SealedRecord } from '@liquidity-os/evidence'
import type { ProviderAccess, Services } from '../../../services.ts'
import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { admittedPacket, told, unvalidated } from './admit-packet.ts'
import { derivedPayload } from './derive-payload.ts'
import { proposals } from './records.ts'

type Payload = contract.ProposalWorkspace

/** A packet that somebody outside of the organization prepared, and who brings it in. */
export interface Imported {
  readonly input: contract.ProposalWorkspaceInput
  readonly importedBy: string
  readonly importedFrom: NonNullable<Payload['importedFrom']>
  readonly reason: string
  readonly evidenceHashes: readonly string[]
}

/** The first version of a proposal that is derived as any other, and says where it came from; nobody has approved it. */
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
    eventPayload: { ...told(payload), importedFrom: importedFrom.eventId },
  })
}

type Previewed = Pick<Payload, 'simulation' | 'packets' | 'flags'>

/**
 * What a packet would come to now, of which nothing is kept.
 *
 * @throws Failure as an import would
 */
export async function previewedPacket(
  records: TenantRecords,
  services: ProviderAccess & Pick<Services, 'config'>,
  { input, importedBy }: Pick<Imported, 'input' | 'importedBy'>,
): Promise<Previewed> {
  return derivedPayload(records, services, await admittedPacket(records, input, importedBy))
}
