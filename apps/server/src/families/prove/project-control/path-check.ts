import type { contract } from '@liquidity-os/contract'
import { sweepOverdue } from '../../../jobs/overdue.ts'
import { takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import type { ProviderAccess, RecordSweeping } from '../../../services.ts'
import type { Change } from '../../../store/records/change.ts'
import { headsStatement } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { claimOf } from './claim-of.ts'
import type { WalkedPath } from './control-path.ts'
import { readPath } from './read-control.ts'
import { controlProofs } from './records.ts'
import { isWeaker, strengthOf } from './strength.ts'

/**
 * Rereads the path of every active proof. A proof lapses if its path no longer leads to the
 * claimant, or is weaker.
 */
export function checkPaths(services: RecordSweeping & ProviderAccess): Promise<void> {
  return sweepOverdue(services, {
    actor: 'project-control-paths',
    overdue: (organizationId) =>
      headsStatement(organizationId, 'ProjectControlProof', {
        status: ['ACTIVE'],
        order: 'OLDEST',
      }),
    end: (records, id) => expireProof(records, services, id),
  })
}

async function expireProof(
  records: TenantRecords,
  services: ProviderAccess,
  id: string,
): Promise<Change | null> {
  const current = await controlProofs.current(records, id)
  if (!current) throw new Error(`Control proof ${id} does not exist.`)
  const { status, payload } = current.record
  if (status !== 'ACTIVE') return null
  const { chainId } = payload
  const { detail, blockHash } = await pathNow(records, services, payload)
  if (detail === null) return null
  const at = new Date(records.now).toISOString()
  return controlProofs.next(records, current, {
    status: 'REVOKED',
    reason: 'The control path has changed',
    payload: { ...payload, lapse: { at, blockHash, detail } },
    event: 'project_control.path_changed',
    eventPayload: { chainId, token: payload.token, claimant: payload.claimant, blockHash, detail },
  }).change
}

/**
 * Reads the path of a proof again at the latest finalized block.
 *
 * @returns the change since the proof, or null, with the block of the read
 * @throws Failure 503 if the chain is unavailable
 */
export async function pathNow(
  records: TenantRecords,
  services: ProviderAccess,
  proof: contract.ProjectControlProof,
): Promise<{ readonly detail: string | null; readonly blockHash: `0x${string}` }> {
  const { chainId, strength } = proof
  const { chains } = await takeSnapshot(records, services, [chainId], 'chainId')
  // The snapshot contains the requested chain.
  const chain = chains.get(chainId)!
  const detail = whatChanged(await readPath(chain, claimOf(proof)), strength)
  return { detail, blockHash: chain.block.hash }
}

/** Change since the proof as text, or null. */
function whatChanged(
  { hops, fault }: WalkedPath,
  proven: Parameters<typeof isWeaker>[0],
): string | null {
  if (fault) {
    const { hop, from, to, detail } = fault
    return `step ${hop + 1}, from ${from} to ${to}: ${from} ${detail}`
  }
  const strength = strengthOf(hops)
  return isWeaker(strength, proven) ? `is ${strength}, was ${proven}` : null
}
