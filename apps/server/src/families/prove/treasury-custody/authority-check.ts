import { sweepOverdue } from '../../../jobs/overdue.ts'
import { takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import type { Services } from '../../../services.ts'
import type { Change } from '../../../store/records/change.ts'
import { headsStatement } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { lapsedAuthority } from './account-authority.ts'
import { isLive } from './face.ts'
import { custodyEvidence } from './records.ts'

/** Reads the authority behind all evidence of a chain again; what others decide than signed it, or otherwise, lapses. */
export function checkAuthorities(services: Services): Promise<void> {
  return sweepOverdue(services, {
    actor: 'custody-authorities',
    overdue: (organizationId) =>
      headsStatement(organizationId, 'TreasuryCustodyEvidence', {
        status: ['ACTIVE'],
        order: 'OLDEST',
      }),
    end: (records, id) => lapse(records, services, id),
  })
}

async function lapse(
  records: TenantRecords,
  services: Services,
  id: string,
): Promise<Change | null> {
  const current = await custodyEvidence.current(records, id)
  if (!current) throw new Error(`There is no custody evidence ${id}.`)
  const { payload } = current.record
  const { statement, receipt } = payload
  // A custodian signs by the keys of its provider, which every reading of the evidence names.
  const isOfChain = receipt.authority.kind !== 'CUSTODIAN'
  if (!isLive(current.record, records.now) || !isOfChain) return null
  const { chainId, evidenceId, container } = statement
  const { chains } = await takeSnapshot(records, services, [chainId], 'chainId')
  // The snapshot is of this chain.
  const chain = chains.get(chainId)!
  const detail = await lapsedAuthority(chain, statement, receipt.authority)
  if (detail === null) return null
  const block = { chainId, number: chain.block.number, hash: chain.block.hash }
  const at = new Date(records.now).toISOString()
  return custodyEvidence.next(records, current, {
    ...{ status: 'REVOKED', reason: 'The authority that signed has changed' },
    payload: { ...payload, lapse: { at, block, detail: detail.slice(0, 500) } },
    event: 'treasury.custody.authority_changed',
    eventPayload: { evidenceId, container, block, detail: detail.slice(0, 500) },
  }).change
}
