import type { contract } from '@liquidity-os/contract'
import {
  type Area,
  ageOf,
  assessArea,
  type Finding,
  finding,
  flagged,
  ofProposal,
  type When,
} from './findings.ts'
import type { Reviewed } from './material.ts'

/** Effects of calls. Unknown if no call could be decoded. */
export function callsOf(reviewed: Reviewed): Area {
  const cited = ofProposal(reviewed)
  const { packets } = reviewed.proposal.record.payload
  const figures = packets.flatMap(({ decodedCalls }, packet) =>
    decodedCalls.map((_, index) =>
      cited('call', `/payload/packets/${packet}/decodedCalls/${index}/words`),
    ),
  )
  const isAnyRead = packets.some(({ decodedCalls }) =>
    decodedCalls.some(({ readBy }) => readBy !== null),
  )
  const findings = flagged(reviewed, ({ callIndex }) => callIndex !== null)
  return assessArea('CALLS', figures, findings, isAnyRead)
}

const effectCodes: readonly string[] = [
  ...['SIMULATION_REVERTS', 'SIMULATION_PARTIAL', 'EFFECT_OUTSIDE_EXPECTED', 'CONTROL_CHANGE'],
]

/** Effects of the calls. Known only if the simulation was complete. */
export function effectsOf(reviewed: Reviewed, when: When): Area {
  const cited = ofProposal(reviewed)
  const { simulation } = reviewed.proposal.record.payload
  const at = '/payload/simulation'
  const simulatedAt = cited('simulatedAt', `${at}/block/timestamp`)
  const figures = [
    cited('simulation', `${at}/state`),
    simulatedAt,
    cited('block', `${at}/block/number`),
    ...(simulation.effects ?? []).flatMap((_, index) => [
      cited('asset', `${at}/effects/${index}/asset`),
      cited('delta', `${at}/effects/${index}/delta`),
    ]),
  ]
  const isOld = ageOf(simulation.block.timestamp, when) > when.rules.simulationSeconds
  const findings = [
    ...flagged(reviewed, ({ code, callIndex }) => callIndex === null && effectCodes.includes(code)),
    ...(isOld ? [finding('SIMULATION_STALE', 'ATTENTION', [simulatedAt])] : []),
  ]
  return assessArea('EFFECTS', figures, findings, simulation.state === 'COMPLETE')
}

/** Policies do not apply to control actions. */
export const requiresPolicy = ({ action }: contract.ProposalWorkspace): boolean =>
  action.actionType === 'VENUE_CALLS' || action.actionType === 'TREASURY_TRANSFER'

/** Policy verdict per packet. Known only if every packet has a verdict. */
export function policyOf(reviewed: Reviewed): Area {
  const cited = ofProposal(reviewed)
  const { packets } = reviewed.proposal.record.payload
  const checked = packets.flatMap(({ policyCheck }, packet) =>
    policyCheck ? [{ policyCheck, at: `/payload/packets/${packet}/policyCheck` }] : [],
  )
  const figures = checked.flatMap(({ at }) => [
    cited('verdict', `${at}/verdict`),
    cited('policyHash', `${at}/policyHash`),
    cited('evaluatedAt', `${at}/evaluatedAt`),
  ])
  const rules = checked.flatMap(({ policyCheck, at }) =>
    policyCheck.rules.flatMap(({ outcome }, rule): Finding[] => {
      if (outcome === 'ALLOW') return []
      const of = (name: string) => cited(name, `${at}/rules/${rule}/${name}`)
      const figures = [of('name'), of('observed'), of('limit'), of('explanation')]
      return outcome === 'DENY'
        ? [finding('RULE_DENIED', 'CRITICAL', figures)]
        : [finding('RULE_INDETERMINATE', 'ATTENTION', figures)]
    }),
  )
  const isOfPolicy = ({ code }: contract.ProposalFlag) =>
    code === 'NO_POLICY' || code === 'POLICY_NOT_ALLOWED'
  const findings = [...rules, ...flagged(reviewed, isOfPolicy)]
  return assessArea('POLICY', figures, findings, checked.length === packets.length)
}

/** Several packets of one decision: their progress, and whether their nonces are consecutive. */
export function seriesOf(reviewed: Reviewed): Area {
  const cited = ofProposal(reviewed)
  const { packets } = reviewed.proposal.record.payload
  const of = (packet: number, name: string, pointer: string) =>
    cited(name, `/payload/packets/${packet}/${pointer}`)
  const figures = packets.flatMap((_, packet) => [
    of(packet, 'state', 'state'),
    of(packet, 'nonce', 'hashes/nonce'),
  ])
  const revoked = packets.findIndex(({ state }) => state === 'REVOKED')
  const open = packets.findIndex(({ state }) => state === 'OPEN')
  const executed = packets.findIndex(({ state }) => state === 'EXECUTED')
  const apart = packets.findIndex(
    ({ hashes }, packet) =>
      packet > 0 && BigInt(hashes.nonce) !== BigInt(packets[packet - 1]?.hashes.nonce ?? 0) + 1n,
  )
  return assessArea('SERIES', figures, [
    ...(executed >= 0 && open >= 0
      ? [
          finding('SERIES_STARTED', 'INFO', [
            of(executed, 'state', 'state'),
            of(open, 'state', 'state'),
          ]),
        ]
      : []),
    ...(revoked >= 0
      ? [finding('SERIES_REVOKED', 'ATTENTION', [of(revoked, 'state', 'state')])]
      : []),
    ...(apart > 0
      ? [
          finding('NONCES_APART', 'ATTENTION', [
            of(apart - 1, 'nonce', 'hashes/nonce'),
            of(apart, 'nonce', 'hashes/nonce'),
          ]),
        ]
      : []),
  ])
}
