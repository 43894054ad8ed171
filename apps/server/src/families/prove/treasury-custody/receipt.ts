import type { contract } from '@liquidity-os/contract'
import { type PrivateKey, sign } from '@liquidity-os/evidence'
import { signatureHashOf, statementHashOf } from './signed-statement.ts'
import type { Claim, Verified } from './verified.ts'

type Receipt = contract.CustodyReceipt

/** Signature domain of receipts. A third party verifies them with the service's published keys. */
export const receiptTag = 'custody-receipt/v1'

export function signReceipt(claim: Claim, verified: Verified, key: PrivateKey): Receipt {
  const { statement, signature, now } = claim
  const { authority, signedDigest, snapshot, holdings, assurance, limitations } = verified
  const body: Omit<Receipt, 'serviceSignature'> = {
    receiptVersion: 'treasury-custody-receipt-v1',
    evidenceId: statement.evidenceId,
    statementHash: statementHashOf(statement),
    signatureHash: signatureHashOf(signature),
    signedDigest,
    verifiedAt: new Date(now).toISOString(),
    snapshot,
    statementBlock: holdings ? blockOf(statement.chainId, holdings.block) : null,
    authority,
    checks: checksOf(claim, verified),
    observed: holdings ? holdings.observed : statement.holdings.map(selfReportedHolding),
    assurance,
    limitations: [...limitations, 'LIABILITIES_NOT_STATED'],
    currentSpendabilityEstablished: false,
    executionAuthorityGranted: false,
    executionPerformed: false,
    servicePublicKey: key.publicKey.raw,
    serviceKeyId: key.publicKey.keyId,
  }
  return { ...body, serviceSignature: sign(key, receiptTag, body) }
}

type Block = NonNullable<Verified['holdings']>['block']

const blockOf = (
  chainId: number,
  { number, hash, stateRoot, timestamp, isHashVerified }: Block,
): Receipt['statementBlock'] => ({
  chainId,
  number,
  hash,
  stateRoot,
  isHashVerified,
  timestamp: new Date(timestamp * 1000).toISOString(),
})

const selfReportedHolding = ({
  assetKey,
  quantity,
}: contract.CustodyStatement['holdings'][number]) => ({
  assetKey,
  quantity,
  evidenceHashes: [],
  proof: 'SIGNED' as const,
})

function checksOf({ statement }: Claim, { holdings, snapshot, checkTexts, authority }: Verified) {
  const pass = (check: Receipt['checks'][number]['check'], detail: string) => ({
    check,
    result: 'PASS' as const,
    detail,
  })
  const absent = (check: Receipt['checks'][number]['check']) => ({
    check,
    result: 'NOT_APPLICABLE' as const,
    detail: 'The statement covers no on-chain holdings.',
  })
  const head = snapshot?.chains[0]
  const at = head ? `finalized block ${head.blockNumber}` : 'the current version of the provider'
  return [
    pass('TIMES', `Issued ${statement.issuedAt}, valid until ${statement.expiresAt}.`),
    pass('ORGANIZATION', 'The statement names this organization.'),
    holdings
      ? pass('BLOCK', `Block ${holdings.block.number} is finalized and from the last day.`)
      : absent('BLOCK'),
    pass('AUTHORITY', `Read as ${authority.kind} at ${at}.`),
    pass('SIGNATURE', checkTexts.signature),
    pass('CONTROL', checkTexts.control),
    holdings
      ? pass(
          'HOLDINGS',
          `Each of ${holdings.observed.length} holdings matches exactly at its block.`,
        )
      : absent('HOLDINGS'),
    pass('NONCE', 'No other evidence of this organization has this nonce.'),
  ]
}
