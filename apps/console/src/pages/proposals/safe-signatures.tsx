import type { contract } from '@liquidity-os/contract'
import { useQuery } from '@tanstack/react-query'
import { useMembership } from '../../api/queries.ts'
import { ApiFailure, read } from '../../api/send.ts'
import { Fault } from '../../ui/notice.tsx'
import { Time } from '../../ui/parts.tsx'
import { State } from '../../ui/state.tsx'
import styles from '../pages.module.css'
import { FullAddress } from './addresses.tsx'

type Queued = contract.SafeConfirmations['packets'][number]

const signatureTexts = {
  VALID: 'Signed',
  UNVERIFIED: 'Not verified',
  IGNORED: 'Ignored',
} as const

const unverified = 'signature of a contract or approval on chain'

/** Sentence about a packet in the queue of Safe{Wallet}. */
export function describeQueued({ state, valid }: Queued, threshold: number): string {
  if (state === 'NOT_PROPOSED') return 'Not in the queue of the Safe yet.'
  if (state === 'EXECUTED') return 'Executed, as the queue reports. The chain has to confirm it.'
  const count = `${valid} of ${threshold} owners signed in Safe{Wallet}.`
  return state === 'READY' ? `${count} Ready to execute.` : count
}

/** Signatures that owners gave in Safe{Wallet}; nothing without a provider for them. */
export function SafeSignatures({ id }: { id: string }) {
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
      {packet.conflicts.length > 0 ? (
        <p role="alert">
          Another transaction in the queue has the nonce {packet.nonce}. Only one of them can
          execute.
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
