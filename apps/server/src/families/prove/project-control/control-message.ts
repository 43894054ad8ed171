import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { type Address, type Hex, hashMessage, hashTypedData } from 'viem'

/** Content of a control message. Equal facts give equal bytes. */
export interface MessageFacts {
  /** Address of the deployment; the message shows its host. */
  readonly baseUrl: string
  readonly organizationId: string
  readonly chainId: number
  readonly token: Address
  readonly tokenSymbol: string | null
  readonly claimant: Address
  readonly method: contract.ControlMethod
  readonly nonce: string
  /** In whole seconds, as signed. */
  readonly issuedAt: string
  readonly expiresAt: string
}

type Format = contract.ProjectControlChallenge['format']

export interface ControlMessage {
  readonly message: string | null
  readonly typedData: contract.ControlTypedData | null
  readonly digest: Hex
}

/**
 * Message of a challenge in the requested format.
 *
 * @see EIP-4361 over EIP-191; EIP-712
 */
export function controlMessage(facts: MessageFacts, format: Format): ControlMessage {
  if (format === 'EIP4361') {
    const message = textOf(facts)
    return { message, typedData: null, digest: hashMessage(message) }
  }
  const typedData = typedDataOf(facts)
  // These types are wider than those of viem, which expects literals.
  return { message: null, typedData, digest: hashTypedData(typedData as never) }
}

const hashOf = (organizationId: string) => H('organization/v1', { organizationId })

function membersOf(facts: MessageFacts) {
  const { baseUrl, organizationId, chainId, token, tokenSymbol, claimant, method } = facts
  const named = tokenSymbol === null ? token : `${tokenSymbol} ${token}`
  return {
    domain: new URL(baseUrl).host,
    claimant,
    // Uses the organization's id, because a name is unverified user input and would be signed as
    // fact.
    statement: `Prove control of ${named} on chain ${chainId} for ${organizationId}. This moves no funds and grants no permission.`,
    uri: new URL(baseUrl).origin,
    chainId,
    nonce: facts.nonce,
    issuedAt: facts.issuedAt,
    expirationTime: facts.expiresAt,
    resources: [
      `urn:liquidity-os:organization:${hashOf(organizationId)}`,
      `urn:liquidity-os:control:${method}`,
    ],
  }
}

function textOf(facts: MessageFacts): string {
  const stated = membersOf(facts)
  return [
    `${stated.domain} wants you to sign in with your Ethereum account:`,
    ...[stated.claimant, '', stated.statement, ''],
    `URI: ${stated.uri}`,
    'Version: 1',
    `Chain ID: ${stated.chainId}`,
    `Nonce: ${stated.nonce}`,
    `Issued At: ${stated.issuedAt}`,
    `Expiration Time: ${stated.expirationTime}`,
    'Resources:',
    ...stated.resources.map((resource) => `- ${resource}`),
  ].join('\n')
}

const member = (name: string, type: string) => ({ name, type })

function typedDataOf(facts: MessageFacts): contract.ControlTypedData {
  const { organizationId, chainId } = facts
  return {
    domain: {
      name: 'Liquidity OS Project Control',
      version: '1',
      chainId,
      salt: hashOf(organizationId),
    },
    types: {
      EIP712Domain: [
        ...[member('name', 'string'), member('version', 'string')],
        ...[member('chainId', 'uint256'), member('salt', 'bytes32')],
      ],
      ProjectControl: [
        ...[member('domain', 'string'), member('claimant', 'address')],
        ...[member('statement', 'string'), member('uri', 'string')],
        ...[member('chainId', 'uint256'), member('nonce', 'string')],
        ...[member('issuedAt', 'string'), member('expirationTime', 'string')],
        member('resources', 'string[]'),
      ],
    },
    primaryType: 'ProjectControl',
    message: membersOf(facts),
  }
}
