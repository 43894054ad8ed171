import type { contract } from '@liquidity-os/contract'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Protocol, Run } from './records.ts'
import { openJson, protocolHashOf } from './sealed-json.ts'

/** An approved protocol, with its bytes. */
export interface SealedProtocol {
  readonly protocol: Protocol
  readonly content: Uint8Array
  readonly protocolHash: contract.ResearchReport['protocolHash']
}

/**
 * The sealed protocol of a run.
 *
 * @throws Error if its hash differs from the one in the run
 */
export async function sealedProtocol(
  records: TenantRecords,
  { plan, protocolHash }: Pick<Run, 'plan' | 'protocolHash'>,
): Promise<SealedProtocol> {
  if (!plan || protocolHash === null) throw new Error('The protocol is not sealed.')
  const content = await records.artifact(plan.draftArtifact)
  const protocol = openJson<Protocol>(content)
  if (protocolHashOf(protocol) !== protocolHash) {
    throw new Error(`The protocol does not match the hash ${protocolHash}.`)
  }
  return { protocol, content, protocolHash }
}
