import type { contract } from '@liquidity-os/contract'
import type { ReactNode } from 'react'
import { exactDecimal } from '../../fields/numbers.ts'
import { RecordLink } from '../../fields/value.tsx'
import { Panel } from '../../ui/parts.tsx'
import styles from '../pages.module.css'
import { FullAddress } from './addresses.tsx'
import { policyResult } from './policy-result.ts'
import { inWords } from './proposal-words.ts'

type Proposal = contract.ProposalWorkspace

/** Results of the checks of a proposal as sentences. */
export function Checks({ proposal }: { proposal: Proposal }) {
  const { simulation, packets, vaultId, action, baselineControl } = proposal
  const checks: Readonly<Record<string, ReactNode>> = {
    Simulation: simulationText(simulation),
    Policy: <Policy packets={packets} actionType={action.actionType} />,
    Safe: (
      <>
        <FullAddress address={action.safeAddress} />
        <p>
          {baselineControl.threshold} of {baselineControl.owners.length} owners must sign.{' '}
          <RecordLink id={vaultId} />
        </p>
      </>
    ),
  }
  return (
    <Panel title="Checks">
      <dl className={styles.facts}>
        {Object.entries(checks).map(([name, content]) => (
          <div key={name} className={styles.fact}>
            <dt className={styles.factName}>{name}</dt>
            <dd>{content}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

/** The simulation as a sentence. */
export function simulationText({ state, packets, gaps, block }: contract.ProposalSimulation) {
  const failed = packets.find(({ outcome }) => outcome === 'REVERTED')
  if (failed) return `Fails: ${failed.revert ?? 'no message'}.`
  if (state !== 'COMPLETE')
    return gaps[0]?.detail ?? 'Incomplete, because the node does not support it.'
  const used = packets.map(({ gasUsed }) => gasUsed)
  const gas = used.includes(null) ? null : used.reduce((sum, one) => sum + BigInt(one ?? 0), 0n)
  const cost = gas === null ? '' : ` and uses ${exactDecimal(gas, 0)} gas`
  return `Succeeds at block ${exactDecimal(BigInt(block.number), 0)}${cost}.`
}

function Policy({
  packets,
  actionType,
}: {
  packets: Proposal['packets']
  actionType: contract.ProposalActionType
}) {
  const result = policyResult(packets)
  if (result === null) return <>No policy covers {inWords[actionType]}.</>
  const { text, verdict, check } = result
  const rules = verdict === 'ALLOW' ? [] : check.rules.filter(({ outcome }) => outcome === verdict)
  return (
    <>
      <p>
        {text}
        {check.policyRef ? (
          <>
            {' '}
            <RecordLink id={check.policyRef.id} />
          </>
        ) : null}
        .
      </p>
      {rules.length === 0 ? null : (
        <ul className={styles.plainList}>
          {rules.map(({ ruleId, explanation }) => (
            <li key={ruleId}>{explanation}</li>
          ))}
        </ul>
      )}
    </>
  )
}
