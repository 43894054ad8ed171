import type { contract } from '@liquidity-os/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useAssets, useMembership } from '../api/queries.ts'
import type { Item } from '../api/records.ts'
import { askExtension } from '../api/send.ts'
import { wordOf } from '../fields/meaning.ts'
import { exactDecimal } from '../fields/numbers.ts'
import { RecordLink } from '../fields/value.tsx'
import { HashCheck } from '../forms/review-panel.tsx'
import { Notice } from '../ui/notice.tsx'
import { Copied, Panel, Scrolled, Time } from '../ui/parts.tsx'
import { State } from '../ui/state.tsx'
import { type DecodedCall, effectOf, inFours } from './call-effects.ts'
import styles from './pages.module.css'
import { ProposalDecision } from './proposal-decision.tsx'
import { flagTitles } from './proposal-flags.ts'

type Proposal = contract.ProposalWorkspace

/** Summary of a proposal: calls, funds, warnings, simulation and approvals. */
export function ProposalSummary({ item }: { item: Item }) {
  const proposal = item.payload as Proposal
  return (
    <>
      <Panel title="Effects">
        {proposal.summary ? <p>{proposal.summary}</p> : null}
        <Calls proposal={proposal} />
        <Funds proposal={proposal} />
      </Panel>
      {proposal.flags.map(({ code, severity, detail }, index) => (
        <Notice
          // biome-ignore lint/suspicious/noArrayIndexKey: two calls can raise the same flag
          key={`${code}${index}`}
          tone={severity === 'BLOCK' ? 'bad' : 'warn'}
          title={`${flagTitles[code]}${severity === 'BLOCK' ? ': blocks approval' : ''}`}
        >
          <p>{detail}</p>
        </Notice>
      ))}
      <div className={styles.two}>
        <Checks proposal={proposal} />
        <Approvals proposal={proposal} />
      </div>
      <ProposalDecision id={String(item.id)} version={String(item.resourceVersion)} />
      <Panel title="Safe transaction" note="Compare these hashes with your wallet">
        <HashCheck
          signing={proposal.packets.map(({ hashes }) => hashes)}
          payload={proposal as never}
        />
      </Panel>
    </>
  )
}

/** Assets by address, on one chain: the same address can be another token elsewhere. */
function useChainAssets(chainId: number): ReturnType<typeof useAssets> {
  const assetOf = useAssets()
  return (key) =>
    assetOf(key.startsWith('0x') ? `eip155:${chainId}/erc20:${key.toLowerCase()}` : key)
}

function Calls({ proposal }: { proposal: Proposal }) {
  const assetOf = useChainAssets(proposal.action.chainId)
  const calls = proposal.packets.flatMap(({ decodedCalls }) => decodedCalls)
  return (
    <ol className={styles.calls}>
      {calls.map((call, index) => {
        const { text, addresses, isUnknown } = effectOf(
          call as unknown as DecodedCall,
          proposal.baselineControl,
          assetOf,
        )
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the calls never changes
          <li key={index}>
            <strong>{text}</strong>
            <dl className={styles.facts}>
              {addresses.map(({ label, address }) => (
                <div key={label} className={styles.fact}>
                  <dt className={styles.factName}>{label}</dt>
                  <dd>
                    <FullAddress address={address} chainId={proposal.action.chainId} />
                  </dd>
                </div>
              ))}
            </dl>
            {isUnknown ? (
              <Notice tone="warn" title="Check the call data with the contract">
                <p className="mono">{String((call as unknown as DecodedCall).data)}</p>
              </Notice>
            ) : null}
          </li>
        )
      })}
    </ol>
  )
}

/** A checksummed address in full, with its token symbol if it is one. */
function FullAddress({ address, chainId }: { address: string; chainId: number }) {
  const asset = useChainAssets(chainId)(address)
  return (
    <>
      {asset ? `${asset.symbol} ` : null}
      <Copied text={address} shown={inFours(address)} label="Address" />
    </>
  )
}

function Funds({ proposal: { simulation, action } }: { proposal: Proposal }) {
  const assetOf = useChainAssets(action.chainId)
  const { effects } = simulation
  if (effects === null) return <p>Funds moved: unknown, because the simulation is incomplete.</p>
  const moved = effects.filter(({ delta }) => delta !== '0')
  if (moved.length === 0) return <p>Funds moved: none.</p>
  return (
    <Scrolled label="Balance changes of the Safe">
      <table className={styles.table}>
        <thead>
          <tr>
            {['Asset', 'Change of the Safe', 'As expected'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {moved.map(({ asset: key, delta, isWithin }) => {
            const asset = assetOf(key)
            return (
              <tr key={key}>
                <th scope="row">
                  {asset?.symbol ?? <FullAddress address={key} chainId={action.chainId} />}
                </th>
                <td data-label="Change of the Safe">
                  {delta.startsWith('-') ? '' : '+'}
                  {exactDecimal(BigInt(delta), asset?.decimals ?? 0)}
                  {asset ? ` ${asset.symbol}` : ' smallest units'}
                </td>
                <td data-label="As expected">
                  {isWithin === null ? 'not declared' : isWithin ? 'yes' : 'no'}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Scrolled>
  )
}

function Checks({ proposal }: { proposal: Proposal }) {
  const { simulation, packets, vaultId } = proposal
  const checks: Readonly<Record<string, ReactNode>> = {
    Safe: (
      <>
        <FullAddress address={proposal.action.safeAddress} chainId={proposal.action.chainId} /> (
        <RecordLink id={vaultId} />)
      </>
    ),
    Simulation: <Simulated simulation={simulation} />,
    Policy: <Policy packets={packets} />,
    'Expires at': <Time at={proposal.review.expiresAt} />,
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

function Simulated({ simulation }: { simulation: contract.ProposalSimulation }) {
  const failed = simulation.packets.find(({ outcome }) => outcome === 'REVERTED')
  if (failed) return <>Fails: {failed.revert ?? 'no message'}</>
  if (simulation.state !== 'COMPLETE')
    return <>{simulation.gaps[0]?.detail ?? 'Incomplete: the node does not support it.'}</>
  const used = simulation.packets.map(({ gasUsed }) => gasUsed)
  const gas = used.includes(null) ? null : used.reduce((sum, one) => sum + BigInt(one ?? 0), 0n)
  return (
    <>
      Succeeds at block {exactDecimal(BigInt(simulation.block.number), 0)}
      {gas === null ? null : `, gas ${exactDecimal(gas, 0)}`}
    </>
  )
}

const verdictTexts: Readonly<Record<string, string>> = {
  ALLOW: 'Allowed by the policy',
  DENY: 'Denied by the policy',
  INDETERMINATE: 'Cannot be decided',
}

function Policy({ packets }: { packets: Proposal['packets'] }) {
  const checked = packets.flatMap(({ policyCheck }) => (policyCheck ? [policyCheck] : []))
  if (checked.length === 0) return <>No policy covers this action.</>
  const worst =
    ['DENY', 'INDETERMINATE', 'ALLOW'].find((verdict) =>
      checked.some((check) => check.verdict === verdict),
    ) ?? ''
  const policy = checked.find(({ verdict }) => verdict === worst)?.policyRef
  return (
    <>
      {verdictTexts[worst] ?? wordOf(worst)}
      {policy ? (
        <>
          : <RecordLink id={policy.id} />
        </>
      ) : null}
    </>
  )
}

interface Member {
  readonly userId?: string | null
  readonly email: string
}

function approverText(members: readonly Member[] | undefined, userId: string): string {
  if (members === undefined) return 'A member'
  return members.find((member) => member.userId === userId)?.email ?? 'A former member'
}

function Approvals({
  proposal: { approvals, approvalCount, review, phase },
}: {
  proposal: Proposal
}) {
  const { organizationId } = useMembership()
  const { data: members } = useQuery({
    queryKey: [organizationId, 'members'],
    queryFn: () =>
      askExtension<{ data: readonly Member[] }>(
        `/auth/organizations/${encodeURIComponent(organizationId)}/members`,
      ).then(({ data }) => data),
  })
  return (
    <Panel title="Approvals" note={`${approvalCount} of ${review.required}`}>
      <p>
        <State of={phase} />
      </p>
      {approvals.length === 0 ? (
        <p>No approvals yet.</p>
      ) : (
        <ul className={styles.lines}>
          {approvals.map(({ userId, at, self }) => (
            <li key={userId}>
              <State of="APPROVED" />
              <span>
                {approverText(members, userId)}
                {self ? ' (prepared it)' : ''}
              </span>
              <small>
                <Time at={at} />
              </small>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
