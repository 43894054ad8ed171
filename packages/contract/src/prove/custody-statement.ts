import Type, { type Static } from 'typebox'
import { ContainerKey } from '../plan/treasury-bucket.ts'
import { AssetKey } from '../plan/treasury-terms.ts'
import { BlockNumber, closed, Hash, list, named, oneOf } from '../scalars.ts'
import { SignedAddress, SignedHash, SignedQuantity, SignedTime } from '../signed-scalars.ts'

/** Custody statement of an authority about a container, and its signature. */

export const EvidenceId = Type.String({
  pattern: '^[a-zA-Z0-9][a-zA-Z0-9:_-]{2,159}$',
  description: 'Name chosen by the organization for the evidence; not in the form of service ids.',
  examples: ['audit-2026:reserve'],
})

export const custodyRelations = ['SELF', 'OWNER', 'SIGNATORY', 'CUSTODIAN'] as const

const Holding = closed({ assetKey: AssetKey, quantity: SignedQuantity })

export const CustodyStatement = named(
  'CustodyStatement',
  closed(
    {
      statementVersion: Type.Literal('treasury-custody-statement-v1'),
      evidenceId: EvidenceId,
      organizationHash: SignedHash,
      chainId: Type.Integer({
        minimum: 0,
        maximum: 9_007_199_254_740_991,
        description: 'Chain of the container or of `addresses`; 0 if off-chain.',
      }),
      container: ContainerKey,
      controller: Type.String({
        minLength: 1,
        maxLength: 80,
        description: 'Signer: an address, or the provider id of a custodian.',
        examples: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
      }),
      relation: oneOf(
        custodyRelations,
        'Relation of the controller to the container. SELF: the account itself. OWNER: the return value of its `owner()` (ERC-173). SIGNATORY: an owner of a Safe that alone reaches its threshold. CUSTODIAN: the custodian of the account.',
      ),
      holdings: list(Holding, 64, {
        minItems: 1,
        description: 'Exact container balances at the block, each asset once.',
      }),
      blockNumber: Type.Optional(BlockNumber),
      blockHash: Type.Optional(SignedHash),
      addresses: Type.Optional(
        list(SignedAddress, 64, {
          description: "Custodian's accounts on `chainId`; their balances are summed and compared.",
        }),
      ),
      purpose: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Purpose of the statement.',
        examples: ['Reserve at month end'],
      }),
      issuedAt: SignedTime,
      expiresAt: SignedTime,
      nonce: SignedHash,
    },
    {
      description:
        'Signed statement, used exactly as sent without normalization. EIP-712 has the domain { name: "Liquidity OS Treasury Custody", version: "1", chainId, salt: organizationHash } and the type CustodyStatement(string statementVersion,string evidenceId,bytes32 organizationHash,string container,address controller,string relation,Holding[] holdings,uint256 blockNumber,bytes32 blockHash,address[] addresses,string purpose,uint64 issuedAt,uint64 expiresAt,bytes32 nonce)Holding(string assetKey,uint256 quantity), with times in Unix seconds. Ed25519 is over `liquidity-os/treasury-custody-statement/v1`, a line feed and the RFC 8785 form.',
    },
  ),
)
export type CustodyStatement = Static<typeof CustodyStatement>

const hexSignature = (bytes: string, description: string) =>
  Type.String({ pattern: `^0x([0-9a-f]{2})${bytes}$`, description })

const KeySignature = closed({
  scheme: Type.Literal('EIP712_EOA', { description: 'Signature by an account with a key.' }),
  signature: hexSignature('{65}', 'r, s in the lower half, v of 27 or 28.'),
  signer: Type.Optional(SignedAddress),
})

const SafeSignature = closed({
  scheme: Type.Literal('EIP712_SAFE', {
    description: 'Signature by a Safe, verified by its contract.',
  }),
  signature: hexSignature(
    '{0,8192}',
    'Packed signatures of owners over the SafeMessage of the digest, ascending by owner; 0x if the message was signed on chain.',
  ),
  signer: Type.Optional(SignedAddress),
})

const CustodianSignature = closed({
  scheme: Type.Literal('ED25519', {
    description: 'Signature by a key of a registered CUSTODIAN provider.',
  }),
  signature: Type.String({
    pattern: '^[A-Za-z0-9+/]{86}==$',
    description: 'The 64 bytes in base64.',
  }),
  providerId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 80, description: 'Only the controller.' }),
  ),
  providerKeyResourceVersion: Type.Optional(Hash),
})

export const CustodySignature = named(
  'CustodySignature',
  Type.Union([KeySignature, SafeSignature, CustodianSignature], {
    description:
      '`signer` and `providerId`, if given, are the controller. `providerKeyResourceVersion` is the version of the provider with the signing keys; 412 if another version is current.',
  }),
)
export type CustodySignature = Static<typeof CustodySignature>
