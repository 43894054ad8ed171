import type { contract } from '@liquidity-os/contract'
import { importPublicKey, verify } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import { Failure } from '../../../failure.ts'
import {
  findProvider,
  type ProviderPayload,
  type ProviderRecord,
} from '../../../integrations/providers/chain-providers.ts'
import { takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import type { ProviderAccess } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { signatureInvalid } from './account-authority.ts'
import { assuranceOf, observeHoldings, statementBlock } from './observe-holdings.ts'
import { statementTag } from './signed-statement.ts'
import type { Claim, Verified } from './verified.ts'

type CustodianSignature = Extract<contract.CustodySignature, { scheme: 'ED25519' }>

/**
 * Verifies a custodian's statement: a key of its provider must have signed it, and the listed
 * deposit addresses must hold the stated amount in total. Without addresses only the signature is
 * verified.
 *
 * @throws Failure 412 or 422 for a failed step, 503 if the chain is unavailable
 */
export async function verifyCustodian(
  records: TenantRecords,
  services: ProviderAccess,
  claim: Claim & { readonly signature: CustodianSignature },
): Promise<Verified> {
  const { statement, signature } = claim
  const provider = await custodianOf(records, statement.controller)
  requireVersion(provider, signature)
  const { publicKeys } = provider.payload
  const key = publicKeys
    .map(importPublicKey)
    .find((one) => verify(one, statementTag, statement, signature.signature))
  if (!key) throw signatureInvalid(`must be a signature by a key of ${statement.controller}`)
  const { id, resourceVersion, sequence } = provider
  const authority: Verified['authority'] = {
    kind: 'CUSTODIAN',
    providerId: statement.controller,
    providerRecordId: id,
    providerKeyResourceVersion: resourceVersion,
    publicKey: key.raw,
    keyId: key.keyId,
    flags: [],
  }
  const base = {
    authority,
    signedDigest: null,
    checkTexts: {
      signature: `Key ${key.keyId} of the provider signed the statement.`,
      control: 'The custodian holds the account. Its other liabilities are not stated.',
    },
    // Serializes with a concurrent change of the provider's keys.
    expects: [{ id, sequence }],
  } as const
  const { addresses = [], chainId } = statement
  if (addresses.length === 0) {
    return {
      ...base,
      snapshot: null,
      holdings: null,
      assurance: 'SIGNATURE_ONLY',
      limitations: ['CUSTODIAN_WORD_ONLY'],
    }
  }
  const snapshot = await takeSnapshot(records, services, [chainId], 'statement.chainId')
  const head = snapshot.chains.get(chainId)
  if (!head) throw new Error(`The snapshot has no chain ${chainId}.`)
  const block = await statementBlock(head, claim)
  const holdings = await observeHoldings(
    { ...head, block },
    addresses as readonly Address[],
    statement,
  )
  return {
    ...base,
    snapshot: snapshot.view,
    holdings,
    assurance: assuranceOf(holdings),
    // The custodian's exclusive ownership of the addresses for this account is unverified.
    limitations: [...snapshot.limitations, 'ADDRESSES_OF_CUSTODIAN_UNPROVEN'],
  }
}

async function custodianOf(records: TenantRecords, providerId: string): Promise<ProviderRecord> {
  const id = await findProvider(records, providerId)
  const found = id ? await records.current<ProviderPayload>('Provider', id) : null
  if (found?.record.status === 'ACTIVE' && found.record.payload.kind === 'CUSTODIAN') {
    return found.record
  }
  throw new Failure('LIQUIDITY_PROVIDER_UNKNOWN', {
    fieldErrors: {
      'statement.controller': [`must name an active CUSTODIAN provider, got ${providerId}`],
    },
  })
}

function requireVersion(
  { resourceVersion }: ProviderRecord,
  { providerKeyResourceVersion: named }: CustodianSignature,
): void {
  if (named === undefined || named === resourceVersion) return
  throw new Failure('LIQUIDITY_CUSTODY_AUTHORITY_CHANGED', {
    fieldErrors: {
      'signature.providerKeyResourceVersion': [`must be ${resourceVersion}, got ${named}`],
    },
  })
}
