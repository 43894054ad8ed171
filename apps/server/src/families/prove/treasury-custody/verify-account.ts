import type { contract } from '@liquidity-os/contract'
import { type Address, getAddress } from 'viem'
import { requireNoProtocol } from '../../../market/treasury/protocol-containers.ts'
import { takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import type { ProviderAccess } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { keyAuthority, requireControl, safeAuthority } from './account-authority.ts'
import { assuranceOf, observeHoldings, statementBlock } from './observe-holdings.ts'
import { digestOf, type typedStatement } from './signed-statement.ts'
import type { Claim, Verified } from './verified.ts'

type Receipt = contract.CustodyReceipt

/**
 * Verifies a statement by a key or a Safe about an on-chain account. The authority is read at the
 * finalized head, the holdings at the statement's block.
 *
 * @throws Failure 412 or 422 for a failed step, 503 if the chain is unavailable
 */
export async function verifyAccount(
  records: TenantRecords,
  services: ProviderAccess,
  claim: Claim,
): Promise<Verified> {
  const { statement, signature } = claim
  const { chainId } = statement
  const controller = statement.controller as Address
  const container = getAddress(statement.container.slice(-42))
  const snapshot = await takeSnapshot(records, services, [chainId], 'statement.chainId')
  const chain = snapshot.chains.get(chainId)
  if (!chain || signature.scheme === 'ED25519')
    throw new Error('The statement does not claim an on-chain account.')
  await requireNoProtocol(records, chain, container, 'statement.container')
  const digest = digestOf(statement as Parameters<typeof typedStatement>[0])
  const block = await statementBlock(chain, claim)
  const authority =
    signature.scheme === 'EIP712_EOA'
      ? await keyAuthority(chain, controller, digest, signature)
      : await safeAuthority(chain, block, controller, digest, signature)
  const control = await requireControl(chain, statement, container)
  const holdings = await observeHoldings({ ...chain, block }, [container], statement)
  const unknown = unknownCode(authority)
  return {
    authority,
    signedDigest: digest,
    snapshot: snapshot.view,
    holdings,
    assurance: unknown.length > 0 ? 'CHAIN_READ' : assuranceOf(holdings),
    limitations: [...snapshot.limitations, ...unknown],
    checkTexts: { signature: signedBy(authority), control },
    expects: [],
  }
}

/** Unknown contract code could return any answer, so this is a limitation. */
function unknownCode(authority: Receipt['authority']): string[] {
  if (authority.kind !== 'SAFE') return []
  const { singletonName, fallbackHandlerName } = authority
  return [
    ...(singletonName === null ? ['SINGLETON_UNKNOWN'] : []),
    ...(fallbackHandlerName === null ? ['FALLBACK_HANDLER_UNKNOWN'] : []),
  ]
}

function signedBy(authority: Receipt['authority']): string {
  if (authority.kind !== 'SAFE') return 'The key of the controller signed the digest.'
  const { signers, threshold, owners } = authority
  const by =
    signers.length === 0
      ? 'The message was signed on chain'
      : `${signers.length} of ${owners.length} owners signed (${threshold} required)`
  return `${by}; isValidSignature of the Safe confirms it.`
}
