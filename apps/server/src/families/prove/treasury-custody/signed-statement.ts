import type { contract } from '@liquidity-os/contract'
import { H, type Hash } from '@liquidity-os/evidence'
import { type Address, type Hex, hashTypedData } from 'viem'

type Statement = contract.CustodyStatement

/** Domain of statements signed by Ed25519, and of their hash. */
export const statementTag = 'treasury-custody-statement/v1'

const types = {
  CustodyStatement: [
    { name: 'statementVersion', type: 'string' },
    { name: 'evidenceId', type: 'string' },
    { name: 'organizationHash', type: 'bytes32' },
    { name: 'container', type: 'string' },
    { name: 'controller', type: 'address' },
    { name: 'relation', type: 'string' },
    { name: 'holdings', type: 'Holding[]' },
    { name: 'blockNumber', type: 'uint256' },
    { name: 'blockHash', type: 'bytes32' },
    { name: 'addresses', type: 'address[]' },
    { name: 'purpose', type: 'string' },
    { name: 'issuedAt', type: 'uint64' },
    { name: 'expiresAt', type: 'uint64' },
    { name: 'nonce', type: 'bytes32' },
  ],
  Holding: [
    { name: 'assetKey', type: 'string' },
    { name: 'quantity', type: 'uint256' },
  ],
} as const

const secondsOf = (time: string) => BigInt(Date.parse(time) / 1000)

/**
 * The EIP-712 document of a statement about an on-chain account, as wallets show it.
 *
 * @param statement with canonical scalars and its block
 */
export function typedStatement(statement: Statement & { blockNumber: number; blockHash: string }) {
  const { chainId, organizationHash, holdings, addresses = [] } = statement
  return {
    domain: {
      name: 'Liquidity OS Treasury Custody',
      version: '1',
      chainId,
      salt: organizationHash as Hex,
    },
    types,
    primaryType: 'CustodyStatement',
    message: {
      ...statement,
      organizationHash: organizationHash as Hex,
      controller: statement.controller as Address,
      holdings: holdings.map(({ assetKey, quantity }) => ({
        assetKey,
        quantity: BigInt(quantity),
      })),
      blockNumber: BigInt(statement.blockNumber),
      blockHash: statement.blockHash as Hex,
      addresses: addresses as Address[],
      issuedAt: secondsOf(statement.issuedAt),
      expiresAt: secondsOf(statement.expiresAt),
      nonce: statement.nonce as Hex,
    },
  } as const
}

export const digestOf = (statement: Parameters<typeof typedStatement>[0]): Hex =>
  hashTypedData(typedStatement(statement))

export const statementHashOf = (statement: Statement): Hash => H(statementTag, statement)
export const signatureHashOf = (signature: contract.CustodySignature): Hash =>
  H('treasury-custody-signature/v1', signature)

export { organizationHash as organizationHashOf } from '@liquidity-os/evidence'
