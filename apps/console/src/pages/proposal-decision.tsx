import type { contract } from '@liquidity-os/contract'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useChange } from '../api/changes.ts'
import { useMembership } from '../api/queries.ts'
import { ApiFailure, read } from '../api/send.ts'
import { refusalOf } from '../declared/refusals.ts'
import formStyles from '../forms/form.module.css'
import { ReauthenticationPrompt } from '../shell/reauthentication.tsx'
import { ChangeButton } from '../ui/button.tsx'
import { Fault } from '../ui/notice.tsx'
import { Panel, Skeleton } from '../ui/parts.tsx'
import styles from './pages.module.css'
import { flagTitles } from './proposal-flags.ts'

type Review = contract.ProposalWorkspaceReview
type Decision = 'APPROVE' | 'REQUEST_CHANGES' | 'REJECT'

const decisions: readonly {
  decision: Decision
  label: string
  look: 'primary' | 'plain' | 'danger'
}[] = [
  { decision: 'APPROVE', label: 'Approve', look: 'primary' },
  { decision: 'REQUEST_CHANGES', label: 'Request changes', look: 'plain' },
  { decision: 'REJECT', label: 'Reject', look: 'danger' },
]

/** Approve, request changes or reject the version on the page. */
export function ProposalDecision({ id, version }: { id: string; version: string }) {
  const { organizationId } = useMembership()
  const review = useQuery({
    queryKey: [organizationId, 'proposal-review', id, version],
    queryFn: () =>
      read<Review>(organizationId, `/proposals/${id}/review`, { resourceVersion: version }),
    refetchInterval: 15_000,
  })
  if (review.error) return <Fault error={review.error} onRetry={() => void review.refetch()} />
  if (!review.data) return <Skeleton lines={3} />
  if (review.data.phase !== 'OPEN' && review.data.phase !== 'CHANGES_REQUESTED') return null
  return <Decide key={version} id={id} version={version} review={review.data} />
}

function Decide({ id, version, review }: { id: string; version: string; review: Review }) {
  const { role } = useMembership()
  const reasonId = useId()
  const { change, send, fault, isSending } = useChange()
  const [reason, setReason] = useState('')
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (code: string) =>
    setSeen((before) => {
      const next = new Set(before)
      if (!next.delete(code)) next.add(code)
      return next
    })
  const common =
    refusalOf(role, 'review') ??
    (isSending ? 'Saving…' : reason.trim().length < 3 ? 'Enter a reason.' : null)
  const refusals: Readonly<Record<Decision, string | null>> = {
    APPROVE: common ?? approvalRefusal(review, seen),
    REQUEST_CHANGES: common,
    REJECT: common,
  }
  const decide = (decision: Decision) =>
    void change(async () => {
      await send({
        method: 'POST',
        path: `/proposals/${id}/decisions`,
        ifMatch: version,
        body: {
          decision,
          reviewEvidenceHash: review.reviewEvidenceHash,
          acknowledgedFlags: [...seen],
          reason: reason.trim(),
        },
      })
    })
  return (
    <Panel title="Your decision">
      <div className={formStyles.form}>
        {review.acknowledge.length === 0 ? null : (
          <fieldset className={styles.choices}>
            <legend>An approval confirms that you read</legend>
            {review.acknowledge.map((code) => (
              <label key={code}>
                <input type="checkbox" checked={seen.has(code)} onChange={() => toggle(code)} />
                {flagTitles[code as contract.ProposalFlagCode]}
              </label>
            ))}
          </fieldset>
        )}
        <div className={formStyles.field}>
          <label htmlFor={reasonId}>Reason</label>
          <input
            id={reasonId}
            value={reason}
            autoComplete="off"
            onChange={({ target }) => setReason(target.value)}
          />
        </div>
        <div className={styles.actions}>
          {decisions.map(({ decision, label, look }) => (
            <ChangeButton
              key={decision}
              look={look}
              refusal={refusals[decision]}
              onClick={() => decide(decision)}
            >
              {label}
            </ChangeButton>
          ))}
        </div>
        {fault === null ? null : isOldSignIn(fault) ? (
          <ReauthenticationPrompt />
        ) : (
          <Fault error={fault} />
        )}
      </div>
    </Panel>
  )
}

const isOldSignIn = (error: unknown) =>
  error instanceof ApiFailure && error.code === 'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED'

function approvalRefusal(review: Review, seen: ReadonlySet<string>): string | null {
  if (review.flags.some(({ severity }) => severity === 'BLOCK')) return 'A warning blocks approval.'
  if (review.openBlockers.length > 0) return 'An open comment blocks approval.'
  return review.acknowledge.every((code) => seen.has(code)) ? null : 'Confirm the warnings.'
}
