import type { contract } from '@liquidity-os/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useMembership } from '../../api/queries.ts'
import type { Item } from '../../api/records.ts'
import { read } from '../../api/send.ts'
import { Fault } from '../../ui/notice.tsx'
import { Panel, Skeleton } from '../../ui/parts.tsx'
import styles from '../pages.module.css'
import { addressesOf, NamedAddresses, useNamed } from './addresses.tsx'
import { type DecodedCall, effectsOf } from './call-effects.ts'
import { CallStep } from './call-step.tsx'
import { Checks } from './checks.tsx'
import { Comments } from './comments.tsx'
import { Confirmations } from './confirmations.tsx'
import { Funds } from './funds.tsx'
import { ProposalDecision } from './proposal-decision.tsx'
import { SafeTransaction } from './safe-transaction.tsx'
import { Warnings } from './warnings.tsx'

type Proposal = contract.ProposalWorkspace

/** Effects, warnings and actions of a proposal. The evidence follows them. */
export function ProposalSummary({ item }: { item: Item }) {
  const { organizationId } = useMembership()
  const proposal = item.payload as Proposal
  const [id, version] = [String(item.id), String(item.resourceVersion)]
  const addresses = useMemo(() => addressesOf(proposal), [proposal])
  const current = useQuery({
    queryKey: [organizationId, 'proposal-review', id],
    queryFn: async () => {
      // A review of an earlier version is refused, so the version is read with it.
      const { resourceVersion } = await read<Item>(organizationId, `/proposals/${id}`)
      return read<contract.ProposalWorkspaceReview>(organizationId, `/proposals/${id}/review`, {
        resourceVersion,
      })
    },
    refetchInterval: 15_000,
  })
  // Only a review of the version on this page can be decided.
  const review = current.data?.proposal.resourceVersion === version ? current.data : undefined
  return (
    <NamedAddresses
      chainId={proposal.action.chainId}
      safeAddress={proposal.action.safeAddress}
      addresses={addresses}
    >
      <WhatHappens proposal={proposal} />
      {/* The review adds sources that changed since the preparation. */}
      <Warnings flags={review?.flags ?? proposal.flags} action={proposal.action} />
      <div className={styles.two}>
        <Checks proposal={proposal} />
        <Confirmations proposal={proposal} />
      </div>
      {current.error ? (
        <Fault error={current.error} onRetry={() => void current.refetch()} />
      ) : !review ? (
        <Skeleton lines={3} />
      ) : (
        <ProposalDecision key={version} id={id} version={version} review={review} />
      )}
      <SafeTransaction
        id={id}
        version={version}
        createdAt={String(item.createdAt)}
        proposal={proposal}
      />
      {review ? <Comments id={id} version={version} review={review} /> : null}
    </NamedAddresses>
  )
}

function WhatHappens({ proposal }: { proposal: Proposal }) {
  const { assetOf } = useNamed()
  const { packets, action, baselineControl, summary } = proposal
  const calls = packets.flatMap(({ decodedCalls, packetIndex }) =>
    decodedCalls.map((decoded) => ({ call: decoded as unknown as DecodedCall, packetIndex })),
  )
  const effects = effectsOf(
    calls.map(({ call }) => call),
    { safe: action.safeAddress, control: baselineControl, assetOf },
  )
  const steps = calls.flatMap((one, index) => {
    const effect = effects[index]
    return effect ? [{ ...one, effect }] : []
  })
  return (
    <Panel title="Effects" note={packets.length > 1 ? `${packets.length} transactions` : undefined}>
      {summary ? <p className={styles.quiet}>{summary}</p> : null}
      <ol className={styles.calls}>
        {steps.map(({ call, effect, packetIndex }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the calls never changes
          <li key={index}>
            <CallStep
              call={call}
              effect={effect}
              transaction={packets.length > 1 ? packetIndex + 1 : null}
            />
          </li>
        ))}
      </ol>
      <Funds
        simulation={proposal.simulation}
        payments={steps.flatMap(({ effect }) => effect.payments)}
      />
    </Panel>
  )
}
