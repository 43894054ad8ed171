import type { contract } from '@liquidity-os/contract'
import { type Address, getAddress, size } from 'viem'
import { commitmentAddress } from '../autonomy-policies/api.ts'
import type { ReadPacketCall } from './decode-packets.ts'

type Flag = contract.ProposalFlag
type Code = contract.ProposalFlagCode

/** Flag severities. BLOCK prevents approval. */
const severities: Readonly<Record<Code, Flag['severity']>> = {
  DELEGATECALL: 'BLOCK',
  UNKNOWN_SELECTOR: 'BLOCK',
  TARGET_WITHOUT_CODE: 'BLOCK',
  SIMULATION_REVERTS: 'BLOCK',
  CONTROL_CHANGE: 'BLOCK',
  EFFECT_OUTSIDE_EXPECTED: 'BLOCK',
  UNLIMITED_APPROVAL: 'WARN',
  RECIPIENT_NOT_SAFE: 'WARN',
  NESTED_BATCH: 'WARN',
  NEW_COUNTERPARTY: 'WARN',
  SIMULATION_PARTIAL: 'WARN',
  SOURCE_SUPERSEDED: 'WARN',
  NO_POLICY: 'WARN',
  POLICY_NOT_ALLOWED: 'WARN',
}

export const flagOf = (
  code: Code,
  detail: string,
  index: { readonly packetIndex?: number; readonly callIndex?: number } = {},
): Flag => ({
  code,
  severity: severities[code],
  detail: detail.slice(0, 600),
  packetIndex: index.packetIndex ?? null,
  callIndex: index.callIndex ?? null,
})

export interface Flagging {
  readonly actionType: contract.ProposalActionType
  readonly safe: Address
  readonly packets: readonly (readonly ReadPacketCall[])[]
  readonly hasCode: (address: Address) => boolean
  /** Addresses that the Safe has dealt with before, in lower case. */
  readonly known: ReadonlySet<string>
  /** Token supplies. An allowance above the supply counts as unlimited. */
  readonly supplies: ReadonlyMap<Address, bigint>
  readonly simulation: contract.ProposalSimulation
  readonly checks: readonly (contract.PolicyCheckResult | null)[]
  readonly requiresPolicy: boolean
  readonly states: readonly contract.ProposalSourceState[]
}

/** All flags of a proposal: those of its calls in order, then those of the whole proposal. */
export function raiseFlags(flagging: Flagging): Flag[] {
  const { packets, simulation, checks, requiresPolicy, states } = flagging
  const flags = packets.flatMap((calls, packetIndex) =>
    calls.flatMap((read, callIndex) => flagsOfCall(flagging, read, { packetIndex, callIndex })),
  )
  flags.push(...simulationFlags(flagging))
  if (requiresPolicy && checks.every((check) => check === null)) {
    flags.push(flagOf('NO_POLICY', 'The vault has no current policy for the check.'))
  }
  for (const [packetIndex, check] of checks.entries()) {
    if (check === null || check.verdict === 'ALLOW') continue
    const rules = check.rules.filter(({ outcome }) => outcome === check.verdict)
    const ruleText = rules.map(({ ruleId, name }) => `${ruleId} ${name}`).join(', ')
    flags.push(
      flagOf('POLICY_NOT_ALLOWED', `The policy verdict is ${check.verdict}: ${ruleText}.`, {
        packetIndex,
      }),
    )
  }
  if (simulation.state !== 'COMPLETE') {
    const gapText = simulation.gaps.map(({ code, detail }) => `${code}: ${detail}`).join(' ')
    flags.push(flagOf('SIMULATION_PARTIAL', gapText || 'The simulation is incomplete.'))
  }
  return [...flags, ...sourceFlags(states)]
}

/** Sources whose current version differs. */
export const sourceFlags = (states: readonly contract.ProposalSourceState[]): Flag[] =>
  states
    .filter(({ state }) => state === 'SUPERSEDED')
    .map(({ source }) =>
      flagOf(
        'SOURCE_SUPERSEDED',
        `${source.resourceType} ${source.id} is no longer at version ${source.resourceVersion}.`,
      ),
    )

type CallPosition = { readonly packetIndex: number; readonly callIndex: number }

function flagsOfCall(flagging: Flagging, read: ReadPacketCall, position: CallPosition): Flag[] {
  const { actionType, safe, hasCode, known, supplies } = flagging
  const { call, decoded, recipients, allowance, isControl, nested, isKnownTarget } = read
  const flags: Flag[] = []
  const raise = (code: Code, detail: string) => flags.push(flagOf(code, detail, position))
  const isCommitment = call.to === commitmentAddress
  if (nested) {
    raise('NESTED_BATCH', `The call to ${call.to} contains ${nested.length} nested calls.`)
    const delegated = nested.filter(({ operation }) => operation === 1).length
    if (delegated > 0) {
      raise('DELEGATECALL', `${delegated} calls of the batch are delegate calls.`)
    }
  }
  if (decoded.readBy === null) {
    raise(
      'UNKNOWN_SELECTOR',
      `The service cannot decode ${decoded.selector ?? call.data} of ${call.to}.`,
    )
  }
  if (size(call.data) > 0 && !isCommitment && !hasCode(call.to)) {
    raise('TARGET_WITHOUT_CODE', `${call.to} has no code, so the call succeeds without effect.`)
  }
  if ((isControl || (call.to === safe && size(call.data) > 0)) && actionType !== 'OWNER_CHANGE') {
    raise(
      'CONTROL_CHANGE',
      `${decoded.functionName ?? decoded.selector} changes the control of the Safe.`,
    )
  }
  const supply = allowance && (supplies.get(call.to) ?? minUnlimited)
  if (allowance && supply !== null && allowance.amount > supply) {
    const max = supplies.has(call.to) ? `the whole supply of ${supply}` : `${supply}`
    raise('UNLIMITED_APPROVAL', `${allowance.spender} may spend more than ${max}.`)
  }
  const others = [...new Set(recipients)].filter((recipient) => recipient !== safe)
  if (others.length > 0 && actionType !== 'TREASURY_TRANSFER') {
    raise('RECIPIENT_NOT_SAFE', `Assets go to ${others.join(', ')}, not to the Safe.`)
  }
  const parties = [
    ...(isKnownTarget ? [] : [call.to]),
    ...others,
    ...(allowance ? [allowance.spender] : []),
  ].map((address) => getAddress(address))
  const unknownParties = [...new Set(parties)].filter((party) => !known.has(party.toLowerCase()))
  if (unknownParties.length > 0) {
    raise('NEW_COUNTERPARTY', `The Safe has never dealt with ${unknownParties.join(', ')} before.`)
  }
  return flags
}

/** Threshold for an unlimited allowance if the supply is unknown. */
const minUnlimited = 2n ** 128n

function simulationFlags({ simulation, actionType }: Flagging): Flag[] {
  const flags: Flag[] = []
  for (const { packetIndex, outcome, revert, changesControl } of simulation.packets) {
    if (outcome === 'REVERTED') {
      flags.push(
        flagOf('SIMULATION_REVERTS', `The simulation reverts: ${revert ?? 'no reason'}`, {
          packetIndex,
        }),
      )
    }
    if (changesControl && actionType !== 'OWNER_CHANGE') {
      const detail = 'The simulation changes the control of the Safe.'
      flags.push(flagOf('CONTROL_CHANGE', detail, { packetIndex }))
    }
  }
  for (const { asset, delta, expected, isWithin } of simulation.effects ?? []) {
    if (isWithin !== false) continue
    const bounds = expected ? `${expected.minimumDelta} to ${expected.maximumDelta}` : 'no change'
    flags.push(
      flagOf('EFFECT_OUTSIDE_EXPECTED', `${asset} would change by ${delta}; expected: ${bounds}.`),
    )
  }
  return flags
}
