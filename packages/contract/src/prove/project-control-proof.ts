import Type, { type Static } from 'typebox'
import { versioned } from '../envelope.ts'
import { TreasuryComputation } from '../plan/treasury-computation.ts'
import {
  Address,
  ChainId,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Timestamp,
} from '../scalars.ts'
import { ControlNonce } from './project-control-challenge.ts'
import {
  ControlMethod,
  ControlPath,
  ControlSafe,
  ControlStrength,
  RunningCode,
} from './project-control-path.ts'

const ControlAuthority = named(
  'ProjectControlAuthority',
  closed({
    kind: oneOf(
      ['EOA', 'SAFE', 'CONTRACT'],
      'Signer: an account with a key, a Safe or another contract by EIP-1271.',
    ),
    address: Address,
    codeHash: orNull(Hash),
    isDelegated: Type.Boolean({
      description: 'True if the account with a key runs contract code (EIP-7702).',
    }),
    safe: orNull(ControlSafe),
    signers: list(Address, 1000, {
      description:
        'Keys and contracts with recovered signatures: the account itself, or owners of the Safe; empty for a message approved on chain, and for a contract with unknown rules.',
    }),
  }),
)
export type ControlAuthority = Static<typeof ControlAuthority>

export const ProjectControlProof = named(
  'ProjectControlProof',
  closed({
    chainId: ChainId,
    token: Address,
    claimant: Address,
    claimantKind: oneOf(['EOA', 'SAFE', 'CONTRACT'], 'Kind of the claimant.'),
    method: ControlMethod,
    role: orNull(Hash),
    via: list(Address, 3),
    deploymentTxHash: orNull(Hash),
    path: ControlPath,
    strength: ControlStrength,
    code: RunningCode,
    pending: closed({
      pendingOwner: orNull(Address),
      pendingDefaultAdmin: orNull(Address),
    }),
    otherHolders: orNull(
      list(Address, 200, {
        description:
          'Other holders of the role; null if the token does not list them, or no role is claimed.',
      }),
    ),
    authority: ControlAuthority,
    nonce: ControlNonce,
    messageHash: Hash,
    signature: Type.String({ maxLength: 16_386, description: 'Over `messageHash`, hex.' }),
    validUntil: Timestamp,
    lapse: orNull(
      closed(
        {
          at: Timestamp,
          blockHash: Hash,
          detail: Type.String({ maxLength: 500 }),
        },
        { description: 'Cause of the lapse: the chain state at the repeated read of the path.' },
      ),
    ),
    computation: TreasuryComputation,
  }),
)
export type ProjectControlProof = Static<typeof ProjectControlProof>

export const ProjectControlProofRecord = versioned('ProjectControlProof', ProjectControlProof)
