import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMembership } from '../api/queries.ts'
import type { Item } from '../api/records.ts'
import { ask } from '../api/send.ts'
import type { OperationFile } from '../declared/types.ts'
import { Fault, Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/parts.tsx'
import styles from './form.module.css'
import { type SafeTx, safeHashes } from './safe-hash.ts'
import type { JsonObject } from './value.ts'

interface Flag {
  code: string
  severity: string
  detail: string
}
interface Signing {
  nonce: string
  isNonceFixed: boolean
  domainHash: string
  messageHash: string
  safeTxHash: string
}
/** The parts of a review response that the panel shows. */
interface Review {
  flags?: Flag[]
  openBlockers?: string[]
  acknowledge?: string[]
  signing?: Signing[]
}
interface ProposalPayload {
  action?: { chainId: number; safeAddress: string }
  packets?: { safeTx: SafeTx; decodedCalls: { words: string }[] }[]
}

/**
 * Shows the current review above the form. Copies the members listed in `binds` into the request,
 * so that the service can reject a decision on outdated data.
 */
export function ReviewPanel({
  operation,
  record,
  etag,
  binds,
  onReviewLoaded,
}: {
  operation: OperationFile
  record: Item
  etag: string | null
  binds: readonly string[]
  onReviewLoaded: (bound: JsonObject) => void
}) {
  const { organizationId } = useMembership()
  const shown = useQuery({
    queryKey: [organizationId, operation.id, record.id, etag],
    queryFn: async () => {
      const [name = 'id'] = Object.keys(operation.params)
      const { body } = await ask<{ data: JsonObject }>(organizationId, operation, {
        params: { [name]: String(record.id) },
        ...(operation.query.resourceVersion && etag ? { query: { resourceVersion: etag } } : {}),
      })
      return body.data
    },
    staleTime: 0,
  })
  const { data } = shown
  useEffect(() => {
    if (data) onReviewLoaded(Object.fromEntries(binds.map((name) => [name, data[name] ?? null])))
  }, [data, binds, onReviewLoaded])
  if (shown.error) return <Fault error={shown.error} onRetry={() => void shown.refetch()} />
  if (!data) return <Skeleton lines={4} />
  const review = data as unknown as Review
  return (
    <section className={styles.shown} aria-label="Review">
      <Calls payload={record.payload as ProposalPayload} />
      {(review.flags ?? []).map(({ code, severity, detail }, index) => (
        <Notice
          // biome-ignore lint/suspicious/noArrayIndexKey: a flag may be raised twice by one call
          key={`${code}${index}`}
          tone={severity === 'BLOCK' ? 'bad' : 'warn'}
          title={
            severity === 'BLOCK' ? `${code}: blocks approval` : `${code}: requires acknowledgment`
          }
        >
          <p>{detail}</p>
        </Notice>
      ))}
      {(review.openBlockers ?? []).length > 0 ? (
        <Notice tone="bad" title="An open comment blocks approval">
          <p>{review.openBlockers?.join(', ')}</p>
        </Notice>
      ) : null}
      <HashCheck signing={review.signing ?? []} payload={record.payload as ProposalPayload} />
    </section>
  )
}

function Calls({ payload }: { payload: ProposalPayload }) {
  const calls = (payload.packets ?? []).flatMap(({ decodedCalls }) => decodedCalls)
  return (
    <ol>
      {calls.map(({ words }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls have no id, and their order never changes
        <li key={index}>{words}</li>
      ))}
    </ol>
  )
}

/**
 * Lists the Safe hashes in signing order. Recomputes each hash from the packet in the browser and
 * compares it with the hash from the service.
 */
export function HashCheck({ signing, payload }: { signing: Signing[]; payload: ProposalPayload }) {
  const { action, packets = [] } = payload
  if (!action || signing.length === 0) return null
  return (
    <>
      {signing.map((reported, index) => {
        const packet = packets[index]
        const own =
          packet && safeHashes(action.chainId, action.safeAddress, packet.safeTx, reported.nonce)
        const isEqual =
          own?.domainHash === reported.domainHash &&
          own.messageHash === reported.messageHash &&
          own.safeTxHash === reported.safeTxHash
        return (
          <div key={reported.safeTxHash}>
            <p>
              Transaction {index + 1}, nonce {reported.nonce}
              {reported.isNonceFixed ? '' : ' (next Safe nonce)'}.{' '}
              {isEqual ? 'Hashes verified in this browser.' : 'Hash mismatch: do not sign.'}
            </p>
            <dl className={styles.hashes}>
              <dt>Domain hash</dt>
              <dd>{reported.domainHash}</dd>
              <dt>Message hash</dt>
              <dd>{reported.messageHash}</dd>
              <dt>Safe transaction hash</dt>
              <dd>{reported.safeTxHash}</dd>
            </dl>
          </div>
        )
      })}
    </>
  )
}
