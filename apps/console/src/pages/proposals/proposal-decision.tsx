import type { contract } from '@liquidity-os/contract'
import { useId, useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { useMembership } from '../../api/queries.ts'
import { ApiFailure } from '../../api/send.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
import formStyles from '../../forms/form.module.css'
import { ReauthenticationPrompt } from '../../shell/reauthentication.tsx'
import { ChangeButton } from '../../ui/button.tsx'
import { Fault } from '../../ui/notice.tsx'
import { Panel } from '../../ui/parts.tsx'
import styles from '../pages.module.css'
import { flagTexts } from './proposal-flags.ts'
import { isUndecided } from './proposal-words.ts'

type Review = contract.ProposalWorkspaceReview
type Decision = contract.ProposalDecisionRequest['decision']

const decisions: readonly {
  decision: Decision
  label: string
  look: 'primary' | 'plain' | 'danger' | 'quiet'
}[] = [
  { decision: 'APPROVE', label: 'Approve', look: 'primary' },
  { decision: 'REQUEST_CHANGES', label: 'Request changes', look: 'plain' },
  { decision: 'REJECT', label: 'Reject', look: 'danger' },
  { decision: 'WITHDRAW', label: 'Withdraw', look: 'quiet' },
]

/** Stated once, below the field, for all decisions. */
const noReason = 'Enter a reason.'

/** Approve, request changes, reject or withdraw the version on the page. */
export function ProposalDecision({
  id,
  version,
  review,
}: {
  id: string
  version: string
  review: Review
}) {
  const { role, session } = useMembership()
  const reasonId = useId()
  const hintId = useId()
  const { change, send, fault, isSending } = useChange()
  const [reason, setReason] = useState('')
  const [isRead, setRead] = useState(false)
  if (!isUndecided(review.phase)) return null
  const hasReason = reason.trim().length >= 3
  const common = isSending ? 'Saving…' : hasReason ? null : noReason
  const reviewRefusal = permissionReason(role, 'review') ?? reviewerRefusal(review, session.userId)
  const isOwn = review.proposal.payload.preparedBy.userId === session.userId
  const refusals: Readonly<Record<Decision, string | null>> = {
    APPROVE: reviewRefusal ?? approvalRefusal(review, session.userId, isRead) ?? common,
    REQUEST_CHANGES: reviewRefusal ?? common,
    REJECT: reviewRefusal ?? common,
    WITHDRAW: common,
  }
  const offered = decisions.filter(
    ({ decision }) => decision !== 'WITHDRAW' || isOwn || role === 'OWNER',
  )
  const decide = (decision: Decision) =>
    void change(async () => {
      await send({
        method: 'POST',
        path: `/proposals/${id}/decisions`,
        ifMatch: version,
        body: {
          decision,
          reviewEvidenceHash: review.reviewEvidenceHash,
          acknowledgedFlags: isRead ? review.acknowledge : [],
          reason: reason.trim(),
        },
      })
    })
  return (
    <Panel title="Your decision">
      <div className={formStyles.form}>
        {review.acknowledge.length === 0 ? null : (
          <label className={styles.choice}>
            <input type="checkbox" checked={isRead} onChange={() => setRead(!isRead)} />I have read
            the warnings: {review.acknowledge.map(titleOf).join(', ')}.
          </label>
        )}
        <div className={formStyles.field}>
          <label htmlFor={reasonId}>Reason</label>
          <input
            id={reasonId}
            value={reason}
            maxLength={500}
            autoComplete="off"
            aria-describedby={hintId}
            onChange={({ target }) => setReason(target.value)}
          />
          <small id={hintId}>{hasReason ? 'Stored with your decision.' : noReason}</small>
        </div>
        <div className={styles.actions}>
          {offered.map(({ decision, label, look }) => (
            <ChangeButton
              key={decision}
              look={look}
              disabledReason={refusals[decision]}
              {...(refusals[decision] === noReason ? { disabledReasonId: hintId } : {})}
              onClick={() => decide(decision)}
            >
              {label}
            </ChangeButton>
          ))}
        </div>
        <p className={styles.quiet}>
          An approval is an agreement in this service. Only signatures of the Safe owners execute.
        </p>
        {fault === null ? null : isOldSignIn(fault) ? (
          <ReauthenticationPrompt />
        ) : (
          <Fault error={fault} />
        )}
      </div>
    </Panel>
  )
}

const titleOf = (code: string) => {
  const { title } = flagTexts[code as contract.ProposalFlagCode]
  return `${title.charAt(0).toLowerCase()}${title.slice(1)}`
}

const isOldSignIn = (error: unknown) =>
  error instanceof ApiFailure && error.code === 'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED'

function reviewerRefusal({ proposal }: Review, userId: string): string | null {
  const { reviewers } = proposal.payload.review
  return reviewers && !reviewers.includes(userId) ? 'Other members are named as reviewers.' : null
}

function approvalRefusal(review: Review, userId: string, isRead: boolean): string | null {
  const { approvals, preparedBy, review: terms } = review.proposal.payload
  if (approvals.some((approval) => approval.userId === userId)) return 'You approved this version.'
  if (terms.required > 1 && preparedBy.userId === userId)
    return 'You prepared it, so others must approve.'
  if (review.flags.some(({ severity }) => severity === 'BLOCK')) return 'A warning blocks approval.'
  if (review.openBlockers.length > 0) return 'An open comment blocks approval.'
  return review.acknowledge.length === 0 || isRead ? null : 'Confirm the warnings.'
}
