import Type, { type Static } from 'typebox'
import {
  Address,
  ChainId,
  closed,
  Hash,
  list,
  mapOf,
  named,
  oneOf,
  orNull,
  Reason,
  RecordId,
  Timestamp,
} from '../scalars.ts'
import { ControlMethod, ControlPath } from './project-control-path.ts'

export const ControlNonce = Type.String({
  pattern: '^[A-Za-z0-9]{32}$',
  description: 'Challenge identifier; makes its message unique.',
  examples: ['Zq3rT8mWk1xY6vB0nHs5dLf2PcJ7aGe9'],
})

const ControlFormat = oneOf(
  ['EIP4361', 'EIP712'],
  'EIP4361: a message of text (Sign-In with Ethereum). EIP712: typed data with the same fields.',
)

const via = list(Address, 3, {
  description:
    'Contracts between the token and the claimant, starting at the token, such as a proxy admin, a timelock or a Safe.',
})

export const ProjectControlChallengeInput = named(
  'ProjectControlChallengeInput',
  closed({
    chainId: ChainId,
    token: Address,
    claimant: Address,
    method: ControlMethod,
    role: Type.Optional(Hash),
    via: Type.Optional(via),
    deploymentTxHash: Type.Optional(Hash),
    format: ControlFormat,
    reason: Reason,
  }),
)
export type ProjectControlChallengeInput = Static<typeof ProjectControlChallengeInput>

const text = (description: string) => Type.String({ maxLength: 500, description })

const ControlTypedData = named(
  'ProjectControlTypedData',
  closed({
    domain: closed({
      name: text('Name of the domain.'),
      version: text('Version of the domain.'),
      chainId: ChainId,
      salt: Hash,
    }),
    types: mapOf(
      list(closed({ name: text('Name of the field.'), type: text('Type of the field.') }), 16),
      'Fields of each type, in order; EIP712Domain is among them.',
    ),
    primaryType: Type.Literal('ProjectControl', { description: 'The type that is signed.' }),
    message: closed({
      domain: text('Requesting host.'),
      claimant: Address,
      statement: text('Text of the signed statement.'),
      uri: text('URI of the service.'),
      chainId: ChainId,
      nonce: ControlNonce,
      issuedAt: text('Time in whole seconds.'),
      expirationTime: text('Time in whole seconds.'),
      resources: list(text('URN.'), 8),
    }),
  }),
)
export type ControlTypedData = Static<typeof ControlTypedData>

const members = {
  nonce: ControlNonce,
  format: ControlFormat,
  message: orNull(
    Type.String({
      maxLength: 4000,
      description: 'Exact text to sign (EIP-191); null for typed data.',
    }),
  ),
  typedData: orNull(ControlTypedData),
  digest: Hash,
  chainId: ChainId,
  token: Address,
  tokenSymbol: orNull(
    Type.String({
      maxLength: 32,
      description: 'Token symbol from the contract; null unless plain text.',
    }),
  ),
  claimant: Address,
  method: ControlMethod,
  role: orNull(Hash),
  via,
  deploymentTxHash: orNull(Hash),
  path: ControlPath,
  issuedAt: Timestamp,
  expiresAt: Timestamp,
  proofId: orNull(RecordId),
}

export const ProjectControlChallenge = named('ProjectControlChallenge', closed(members))
export type ProjectControlChallenge = Static<typeof ProjectControlChallenge>

export const ProjectControlChallengeView = named(
  'ProjectControlChallengeView',
  closed({
    id: RecordId,
    status: oneOf(
      ['OPEN', 'CONSUMED', 'EXPIRED'],
      'OPEN: awaits the response. CONSUMED: used by `proofId`. EXPIRED: its ten minutes have passed.',
    ),
    ...members,
  }),
)
export type ProjectControlChallengeView = Static<typeof ProjectControlChallengeView>
