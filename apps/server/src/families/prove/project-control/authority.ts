import type { contract } from '@liquidity-os/contract'
import { type Address, type Hex, keccak256 } from 'viem'
import {
  faultOfContractSignature,
  faultOfKeySignature,
} from '../../../outside/chain/account-signature.ts'
import type { ChainClient } from '../../../outside/chain/client.ts'
import type { Pin } from '../../../outside/chain/finalized.ts'
import { isDelegation } from '../../../outside/chain/running-code.ts'
import { codeAt, readSafe } from '../../../outside/chain/safe-account.ts'
import { safeOf } from './safe-view.ts'

/** Who signed, and what is wrong with the signature; null where nothing is. */
export interface Signed {
  readonly authority: contract.ControlAuthority
  readonly fault: string | null
}

/**
 * Reads what the claimant is and holds the signature to the rule of such an account: the key of an account without
 * code or with a delegation, EIP-1271 of any other.
 *
 * @throws ChainError as the reads do
 */
export async function readSigned(
  client: ChainClient,
  pin: Pin,
  asked: { readonly digest: Hex; readonly signature: Hex; readonly signer: Address },
): Promise<Signed> {
  const { digest, signature, signer: address } = asked
  const code = await codeAt(client, pin, address)
  const isDelegated = isDelegation(code)
  if (code === '0x' || isDelegated) {
    const codeHash = isDelegated ? keccak256(code) : null
    return {
      authority: { kind: 'EOA', address, codeHash, isDelegated, safe: null },
      fault: await faultOfKeySignature(digest, signature, address),
    }
  }
  const [safe, fault] = await Promise.all([
    readSafe(client, pin, address),
    faultOfContractSignature(client, pin, asked),
  ])
  return {
    authority: {
      ...{ kind: safe ? 'SAFE' : 'CONTRACT', address, codeHash: keccak256(code), isDelegated },
      safe: safe && safeOf(safe),
    },
    fault,
  }
}
