import type { contract } from '@liquidity-os/contract'
import { safeCallOf, sourceOf } from '../../../market/proposals/agreed-packets.ts'
import type { Receipt } from '../../prove/vaults/api.ts'
import { signedOf } from './derive-payload.ts'
import type { Evidence } from './safe-evidence.ts'

type Payload = contract.ProposalWorkspace

/** Marks one more packet of a proposal as executed. After the last one the proposal is EXECUTED. */
export function withExecution(
  payload: Payload,
  {
    evidence,
    receipt,
    reconciliation,
  }: {
    readonly evidence: Evidence
    readonly receipt: Receipt
    readonly reconciliation: Payload['reconciliation']
  },
): Payload {
  const { packet, nonce } = evidence
  const { chainId, safeAddress } = payload.action
  const packets = payload.packets.map((one): contract.ProposalPacket => {
    if (one.packetIndex !== packet.packetIndex) return one
    // The hashes now use the nonce of the actual execution.
    const { hashes } = signedOf({ chainId, safeAddress }, safeCallOf(one), nonce, true)
    return {
      ...one,
      hashes,
      state: 'EXECUTED',
      safeEvidence: sourceOf(receipt),
      executedNonce: `${nonce}`,
    }
  })
  const isDone = packets.every(({ state }) => state === 'EXECUTED')
  return { ...payload, packets, ...(isDone ? { phase: 'EXECUTED', reconciliation } : {}) }
}
