import Type, { type Static } from 'typebox'
import { TreasurySnapshot } from '../plan/treasury-computation.ts'
import { AssetKey } from '../plan/treasury-terms.ts'
import {
  Address,
  AtomicAmount,
  BlockNumber,
  ChainId,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  RecordId,
  Timestamp,
} from '../scalars.ts'

/** Signed result of the service's custody evidence verification. */

const Flags = list(Type.String({ maxLength: 80 }), 8, {
  description:
    "DELEGATED_EOA: its code is a delegation of EIP-7702. MODULE_CAN_MOVE_FUNDS: a module can move the Safe's assets without its owners.",
})

const KeyAuthority = closed({
  kind: Type.Literal('EOA', { description: 'The account of a key.' }),
  address: Address,
  codeHash: Hash,
  flags: Flags,
})

const SafeAuthority = closed({
  kind: Type.Literal('SAFE', { description: 'A multi-signature account.' }),
  address: Address,
  version: Type.String({ maxLength: 40 }),
  owners: list(Address, 256),
  threshold: Type.Integer({ minimum: 1, description: 'Signatures that are needed.' }),
  messageHash: Hash,
  signers: list(Address, 256, {
    description: 'Recovered owner signers; empty if the message was signed on chain.',
  }),
  modules: list(Address, 1000),
  guard: orNull(Address),
  moduleGuard: orNull(Address),
  fallbackHandler: orNull(Address),
  fallbackHandlerName: orNull(Type.String({ maxLength: 80 })),
  singleton: Address,
  singletonName: orNull(Type.String({ maxLength: 80 })),
  singletonCodeHash: Hash,
  codeHash: Hash,
  flags: Flags,
})

const CustodianAuthority = closed({
  kind: Type.Literal('CUSTODIAN', { description: 'A registered provider.' }),
  providerId: Type.String({ maxLength: 80 }),
  providerRecordId: RecordId,
  providerKeyResourceVersion: Hash,
  publicKey: Type.String({ maxLength: 60, description: 'Raw Ed25519 key in base64.' }),
  keyId: Type.String({ maxLength: 16 }),
  flags: Flags,
})

const Check = closed({
  check: oneOf(
    ['TIMES', 'ORGANIZATION', 'BLOCK', 'AUTHORITY', 'SIGNATURE', 'CONTROL', 'HOLDINGS', 'NONCE'],
    'Check.',
  ),
  result: oneOf(
    ['PASS', 'NOT_APPLICABLE'],
    'Result of the check. A statement with a failed check is rejected and has no receipt.',
  ),
  detail: Type.String({ maxLength: 500 }),
})

const Observed = closed({
  assetKey: AssetKey,
  quantity: AtomicAmount,
  proof: oneOf(
    ['MERKLE', 'READ', 'SIGNED'],
    'MERKLE: proven with the state root of the block. READ: reported by a provider. SIGNED: stated by the custodian alone.',
  ),
  evidenceHashes: list(Hash, 64, { description: 'Artifacts for verification by third parties.' }),
})

const StatementBlock = closed({
  chainId: ChainId,
  number: BlockNumber,
  hash: Hash,
  stateRoot: Hash,
  timestamp: Timestamp,
  isHashVerified: Type.Boolean({
    description: 'True if the hash was recomputed from the header fields.',
  }),
})

const never = (description: string) => Type.Literal(false, { description })

export const CustodyReceipt = named(
  'CustodyReceipt',
  closed({
    receiptVersion: Type.Literal('treasury-custody-receipt-v1'),
    evidenceId: Type.String({ maxLength: 160 }),
    statementHash: Hash,
    signatureHash: Hash,
    signedDigest: orNull(Hash),
    verifiedAt: Timestamp,
    snapshot: orNull(TreasurySnapshot),
    statementBlock: orNull(StatementBlock),
    authority: Type.Union([KeyAuthority, SafeAuthority, CustodianAuthority]),
    checks: list(Check, 8),
    observed: list(Observed, 64, {
      description: 'Values read at the statement block, in the order of the holdings.',
    }),
    assurance: oneOf(
      ['CHAIN_PROVEN', 'CHAIN_READ', 'SIGNATURE_ONLY'],
      'CHAIN_PROVEN: every holding is proven with the state root, and the authority runs known code. CHAIN_READ: read from the chain. SIGNATURE_ONLY: stated by a custodian.',
    ),
    limitations: list(Type.String({ maxLength: 80 }), 16),
    currentSpendabilityEstablished: never(
      'Always false: history never shows the spendable amount.',
    ),
    executionAuthorityGranted: never('Always false: evidence grants no authority.'),
    executionPerformed: never('Always false: no transaction was sent.'),
    servicePublicKey: Type.String({ maxLength: 60, description: 'Raw Ed25519 key in base64.' }),
    serviceKeyId: Type.String({
      maxLength: 16,
      description: 'First 16 hex digits of the SHA-256 of the key.',
    }),
    serviceSignature: Type.String({
      maxLength: 100,
      description:
        'Ed25519 in base64 over `liquidity-os/custody-receipt/v1`, a line feed and the RFC 8785 form of the receipt without this field.',
    }),
  }),
)
export type CustodyReceipt = Static<typeof CustodyReceipt>
