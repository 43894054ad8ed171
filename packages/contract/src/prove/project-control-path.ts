import Type, { type Static } from 'typebox'
import { Address, closed, Hash, list, named, oneOf, orNull } from '../scalars.ts'

/** On-chain path from a token to its controller, step by step, with the values read. */

export const controlMethods = ['OWNER', 'DEFAULT_ADMIN', 'ROLE', 'PROXY_ADMIN', 'DEPLOYER'] as const
export const ControlMethod = named(
  'ProjectControlMethod',
  oneOf(
    controlMethods,
    'Control method. OWNER: its owner(). DEFAULT_ADMIN: its default admin, or a holder of role 0x00…00. ROLE: a holder of `role`. PROXY_ADMIN: the account that can change its code, by the admin or the beacon of EIP-1967. DEPLOYER: its creator, by the receipt of that transaction; history, never control.',
  ),
)
export type ControlMethod = Static<typeof ControlMethod>

export const controlStrengths = ['FULL', 'DELAYED', 'PARTIAL_SIGNER', 'HISTORICAL_ORIGIN'] as const
export const ControlStrength = named(
  'ProjectControlStrength',
  oneOf(
    controlStrengths,
    'Control level of the weakest step. FULL: the claimant alone decides, at once. DELAYED: after the delay of a timelock. PARTIAL_SIGNER: only with other owners of a Safe, or through a contract with unknown rules (CONTRACT_RULES_UNKNOWN). HISTORICAL_ORIGIN: it created the token, which is no evidence of current control.',
  ),
)
export type ControlStrength = Static<typeof ControlStrength>

export const ControlSafe = named(
  'ProjectControlSafe',
  closed({
    version: Type.String({ maxLength: 40 }),
    singletonName: orNull(
      Type.String({
        maxLength: 80,
        description: 'The published build that it runs; null for code that is not known.',
      }),
    ),
    owners: list(Address, 1000),
    threshold: Type.Integer({ minimum: 1, description: 'Required number of owner signatures.' }),
    modules: list(Address, 1000, {
      description: 'Contracts that act for it without its owners.',
    }),
  }),
)

const ControlTimelock = closed({
  minDelaySeconds: Type.String({
    pattern: '^(0|[1-9][0-9]{0,77})$',
    description: 'Minimum delay between proposal and execution, in seconds.',
  }),
  isExecutionOpen: Type.Boolean({
    description:
      'True if the proposer can also execute: execution is open, or the proposer has the role.',
  }),
})

export const ControlHop = named(
  'ProjectControlHop',
  closed({
    from: Address,
    to: Address,
    relation: oneOf(
      [
        ...(['owner', 'defaultAdmin', 'hasRole', 'proxyAdmin'] as const),
        ...(['safeOwner', 'timelockRole', 'deployer'] as const),
      ],
      'Relation of `to` to `from`.',
    ),
    evidence: closed({
      read: Type.String({ maxLength: 200, description: 'Call to `from`.' }),
      answer: Type.String({ maxLength: 100, description: 'Return value.' }),
      codeHash: Hash,
      safe: orNull(ControlSafe),
      timelock: orNull(ControlTimelock),
    }),
  }),
)
export type ControlHop = Static<typeof ControlHop>

export const ControlPath = list(ControlHop, 4, {
  minItems: 1,
  description: 'Path from the token to the claimant, at the block of the snapshot.',
})

export const RunningCode = named(
  'ProjectControlCode',
  closed({
    kind: oneOf(
      ['DIRECT', 'EIP1967', 'BEACON', 'EIP1167'],
      'DIRECT: the account itself. EIP1967: address in its implementation slot. BEACON: address in its beacon. EIP1167: address in its minimal proxy.',
    ),
    implementation: Address,
    implementationCodeHash: Hash,
    codeHash: Hash,
    admin: orNull(Address),
    beacon: orNull(Address),
  }),
)
export type RunningCode = Static<typeof RunningCode>
