import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import { Failure } from '../../failure.ts'
import { agreeOnAnswer } from '../../integrations/chain/finalized.ts'
import { protocolAt } from '../../integrations/chain/protocol-shape.ts'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import { type PinnedChain, readFromChain } from './treasury-snapshot.ts'

/**
 * Rejects protocol accounts as containers, because their assets belong to many owners. A chain read
 * failure raises 503.
 *
 * @param field request field that names the account
 * @throws Failure 422 LIQUIDITY_TREASURY_CONTAINER_IS_PROTOCOL with the kind of account
 */
export async function requireNoProtocol(
  records: TenantRecords,
  { chainId, block, clients }: PinnedChain,
  address: Address,
  field: string,
): Promise<void> {
  const known =
    adapterAt(chainId, address) ??
    (await venueAt(records, chainId, address)) ??
    (await readFromChain(() =>
      agreeOnAnswer(clients, (client) => protocolAt(client, block, address)),
    ))
  if (known === null) return
  const message = `must be an account of this organization, got ${known}, whose assets belong to many owners`
  throw new Failure('LIQUIDITY_TREASURY_CONTAINER_IS_PROTOCOL', {
    fieldErrors: { [field]: [message] },
  })
}

const isSame = (one: string | undefined, other: string) =>
  one?.toLowerCase() === other.toLowerCase()

function adapterAt(chainId: number, address: Address): string | null {
  const found = contract.adapters.find(({ contracts }) =>
    contracts.some((one) => one.chainId === chainId && isSame(one.address, address)),
  )
  return found ? `a contract of the adapter ${found.adapterId} (${found.name})` : null
}

/**
 * Matches the address with a validated venue of the organization, its factory, or a position
 * manager.
 */
async function venueAt(
  records: TenantRecords,
  chainId: number,
  address: Address,
): Promise<string | null> {
  const venues: VersionedRecord<contract.VenueProfile>[] = await records.find('VenueProfile', {
    // Other venues name addresses that no chain read has confirmed.
    status: ['VALIDATED'],
  })
  for (const { id, payload } of venues) {
    if (payload.pair.chainId !== chainId) continue
    if (isSame(payload.address, address)) return `the market of the venue ${id}`
    if (isSame(payload.factory, address)) return `the factory of the venue ${id}`
    const isManager = payload.ownedPositions?.some(
      (one) => 'manager' in one && isSame(one.manager, address),
    )
    if (isManager) return `the position manager of the venue ${id}`
  }
  return null
}
