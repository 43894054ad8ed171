import type { contract } from '@liquidity-os/contract'
import { useQuery } from '@tanstack/react-query'
import { useMembership } from '../../api/queries.ts'
import { ApiFailure, read } from '../../api/send.ts'
import { Fault } from '../../ui/notice.tsx'
import { Time } from '../../ui/parts.tsx'
import { State } from '../../ui/state.tsx'
import styles from '../pages.module.css'
import { FullAddress } from './addresses.tsx'
import { SendToSafe } from './send-to-safe.tsx'

type Queued = contract.SafeConfirmations['packets'][number]

const signatureTexts = {
  VALID: 'Signed',
  UNVERIFIED: 'Not verified',
  IGNORED: 'Ignored',
} as const

const unverified = 'contract signature or on-chain approval'

function packetAt({ packets }: contract.ProposalWorkspace, index: number) {
  const found = packets.find(({ packetIndex }) => packetIndex === index)
  if (found) return found
  throw new Error(`The proposal has no packet ${index}.`)
}

/** Sentence about a packet in the queue of Safe{Wallet}. */
export function describeQueued({ state, valid }: Queued, threshold: number): string {
  if (state === 'NOT_PROPOSED') return 'Not in the queue of the Safe yet.'
  if (state === 'NONCE_USED')
    return 'The Safe used this nonce for another transaction. Prepare the proposal again.'
  if (state === 'EXECUTED')
    return 'Safe{Wallet} reports the execution. The chain has not confirmed it yet.'
  const count = `${valid} of ${threshold} owners signed in Safe{Wallet}.`
  return state === 'READY' ? `${count} Ready to execute.` : count
}

interface Shown {
  readonly id: string
  readonly version: string
  readonly proposal: contract.ProposalWorkspace
}

/** Signatures that owners gave in Safe{Wallet}, or the way to send a packet there. */
export function SafeSignatures({ id, version, proposal }: Shown) {
  const { organizationId } = useMembership()
  const { data, error } = useQuery({
    queryKey: [organizationId, 'safe-confirmations', id],
    queryFn: () =>
      read<contract.SafeConfirmations>(organizationId, `/proposals/${id}/safe-confirmations`),
    refetchInterval: 30_000,
    retry: false,
  })
  if (error instanceof ApiFailure && error.code === 'LIQUIDITY_PROVIDER_UNKNOWN') {
    return (
      <p className={styles.quiet}>
        To see the signatures of the owners here, add a Safe Transaction Service in Settings,
        Providers.
      </p>
    )
  }
  if (error) return <Fault error={error} />
  return data?.packets.map((packet) => (
    <section key={packet.safeTxHash}>
      <p>{describeQueued(packet, data.threshold)}</p>
      {packet.state === 'NOT_PROPOSED' ? (
        <SendToSafe
          id={id}
          version={version}
          action={proposal.action}
          packet={packetAt(proposal, packet.packetIndex)}
        />
      ) : null}
      {packet.conflicts.length > 0 ? (
        <p role="alert">
          Another transaction in the queue has the nonce {packet.nonce}. Only one of them can
          execute. Prepare again at nonce {packet.nonceConflict?.nextNonce}.
        </p>
      ) : null}
      <ul className={styles.lines}>
        {packet.confirmations.map(({ owner, state, reason, signedAt }) => (
          <li key={`${owner} ${signedAt} ${state}`}>
            <State of={state === 'VALID' ? 'APPROVED' : state} text={signatureTexts[state]} />
            <span>
              <FullAddress address={owner} /> {state === 'UNVERIFIED' ? unverified : reason}
            </span>
            <small>{signedAt === null ? null : <Time at={signedAt} />}</small>
          </li>
        ))}
      </ul>
    </section>
  ))
}
