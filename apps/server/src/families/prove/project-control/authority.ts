import type { contract } from '@liquidity-os/contract'
import type { Address, Hex } from 'viem'
import {
  faultOfContractSignature,
  faultOfKeySignature,
  isUndeployed,
} from '../../../integrations/chain/account-signature.ts'
import type { ChainClient } from '../../../integrations/chain/client.ts'
import { isDelegation } from '../../../integrations/chain/delegation.ts'
import type { Pin } from '../../../integrations/chain/finalized.ts'
import { codeAt, readSafe, type SafeAccount } from '../../../integrations/chain/safe-account.ts'
import { checkSafeSignatures } from '../../../integrations/chain/safe-signatures.ts'
import { keccak256 } from '../../../keccak256.ts'
import { safeOf } from './safe-view.ts'

interface AuthorityRequest {
  readonly chainId: number
  readonly digest: Hex
  readonly signature: Hex
  readonly signer: Address
}

/** Signer type and the error in the signature, or null. */
export interface Signed {
  readonly authority: contract.ControlAuthority
  readonly fault: string | null
}

/**
 * Determines the claimant's account type and verifies the signature by its rule. An account without
 * code, or with a delegation, uses ECDSA; any other uses EIP-1271.
 *
 * @throws ChainError from the reads
 */
export async function readSigned(
  client: ChainClient,
  pin: Pin,
  requested: AuthorityRequest,
): Promise<Signed> {
  const { digest, signature, signer: address } = requested
  const code = await codeAt(client, pin, address)
  const isDelegated = isDelegation(code)
  if (code === '0x' || isDelegated) {
    const codeHash = isDelegated ? keccak256(code) : null
    const fault = await faultOfKeySignature(digest, signature, address)
    const signers = fault === null ? [address] : []
    return {
      authority: { kind: 'EOA', address, codeHash, isDelegated, safe: null, signers },
      fault,
    }
  }
  const safe = await readSafe(client, pin, address)
  const { signers, fault } = await contractVerdict(client, pin, { ...requested, safe })
  return {
    authority: {
      kind: safe ? 'SAFE' : 'CONTRACT',
      address,
      codeHash: keccak256(code),
      isDelegated,
      safe: safe && safeOf(safe),
      signers: [...signers],
    },
    fault,
  }
}

/**
 * For a Safe of a known build, the service verifies the signature in addition to the contract. Any
 * other contract verifies alone.
 */
async function contractVerdict(
  client: ChainClient,
  pin: Pin,
  requestedValue: AuthorityRequest & { readonly safe: SafeAccount | null },
): Promise<{ readonly signers: readonly Address[]; readonly fault: string | null }> {
  const { safe, signature: signatures, digest, chainId } = requestedValue
  if (safe === null || safe.singletonName === null || isUndeployed(signatures)) {
    return { signers: [], fault: await faultOfContractSignature(client, pin, requestedValue) }
  }
  return checkSafeSignatures(client, pin, { chainId, safe, digest, signatures })
}
