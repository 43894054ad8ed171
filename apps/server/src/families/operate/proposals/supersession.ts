import { type contract, isFinal, type Ref } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import type { HandlerRequest } from '../../../http/handler.ts'
import { phaseOf } from '../../../market/proposals/agreed-packets.ts'
import type { Current } from '../../../store/records/tenant-records.ts'
import type { Vault } from '../autonomy-policies/api.ts'
import { ended } from './phases.ts'
import { proposals } from './records.ts'

/** A packet that another one replaces. */
export interface Superseded {
  readonly current: Current<contract.ProposalWorkspace>
  readonly payload: contract.ProposalWorkspace
}

/**
 * Packet that a new one replaces. It must have the same vault and preparer, and be neither executed
 * nor expired. Unexecuted packets of a series are revoked with it.
 *
 * @throws Failure 404, 412 or 409 LIQUIDITY_PROPOSAL_SUPERSESSION
 */
export async function supersededBy(
  { records, actor, now }: Pick<HandlerRequest<unknown>, 'records' | 'actor' | 'now'>,
  { id, resourceVersion }: Ref,
  vault: Vault,
): Promise<Superseded> {
  const at = 'payload.supersedes'
  const current = await proposals.current(records, id)
  if (!current) {
    throw new Failure('LIQUIDITY_SOURCE_UNAVAILABLE', {
      fieldErrors: { [at]: [`must name a proposal of this organization, got ${id}`] },
    })
  }
  const { record } = current
  if (record.resourceVersion !== resourceVersion) {
    throw new Failure('LIQUIDITY_SOURCE_VERSION_CHANGED', {
      fieldErrors: {
        [at]: [`must be the version ${record.resourceVersion}, got ${resourceVersion}`],
      },
    })
  }
  const { vaultId, preparedBy } = record.payload
  const faults = [
    ...(vaultId === vault.id ? [] : [`must be for ${vault.id}, got a proposal for ${vaultId}`]),
    ...(preparedBy.userId === actor.userId
      ? []
      : [`must be prepared by you, got a proposal prepared by ${preparedBy.userId}`]),
    ...(isFinal(proposals.declared, record.status) || phaseOf(record, now) === 'EXPIRED'
      ? [`must be open or approved, got ${phaseOf(record, now)}`]
      : []),
  ]
  if (faults.length > 0) {
    throw new Failure('LIQUIDITY_PROPOSAL_SUPERSESSION', { fieldErrors: { [at]: faults } })
  }
  return { current, payload: ended(record.payload, 'RETIRED') }
}
