import type { contract, OperatingSystemEvent } from '@liquidity-os/contract'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { membersQuery } from '../../api/members.ts'
import { useMembership } from '../../api/queries.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
import formStyles from '../../forms/form.module.css'
import { ChangeButton } from '../../ui/button.tsx'
import { Fault } from '../../ui/notice.tsx'
import { Panel, Time } from '../../ui/parts.tsx'
import styles from '../pages.module.css'
import { isUndecided } from './proposal-words.ts'

type Kind = contract.ProposalCommentRequest['kind']

export interface Comment {
  readonly id: string
  readonly kind: Kind
  readonly body: string
  readonly authorId: string
  readonly at: string
  /** Comment that it answers. */
  readonly resolves: string | null
  /** True for a question or blocker without an answer. */
  readonly isOpen: boolean
}

/** Current comments, oldest first; a corrected comment appears only in its last form. */
export function commentsOf(events: readonly OperatingSystemEvent[]): Comment[] {
  const all = events.map((event) => {
    const { kind, body, resolves, supersedes } = event.payload as {
      kind: Kind
      body: string
      resolves: string | null
      supersedes: { eventId: string } | null
    }
    return { event, kind, body, resolves, supersedes: supersedes?.eventId ?? null }
  })
  const replaced = new Set(all.map(({ supersedes }) => supersedes))
  const current = all.filter(({ event }) => !replaced.has(event.id))
  const answered = new Set(current.map(({ resolves }) => resolves))
  return current.map(({ event, kind, body, resolves }) => ({
    id: event.id,
    kind,
    body,
    resolves,
    authorId: event.actor.id,
    at: event.occurredAt,
    isOpen: (kind === 'QUESTION' || kind === 'BLOCKER') && !answered.has(event.id),
  }))
}

const kindTexts: Readonly<Record<Kind, string>> = {
  COMMENT: 'Comment',
  QUESTION: 'Question',
  BLOCKER: 'Blocks approval',
  RESOLUTION: 'Answer',
}

/** Discussion of a proposal. A blocking comment prevents approval until it has an answer. */
export function Comments({
  id,
  version,
  review,
}: {
  id: string
  version: string
  review: contract.ProposalWorkspaceReview
}) {
  const { organizationId } = useMembership()
  const { data: members } = useQuery(membersQuery(organizationId))
  const comments = commentsOf(review.comments)
  const nameOf = (userId: string) =>
    members?.find((member) => member.userId === userId)?.email ?? 'A former member'
  const isFormShown = isUndecided(review.phase) || review.phase === 'APPROVED'
  if (comments.length === 0 && !isFormShown) return null
  return (
    <Panel title="Comments" note={comments.length === 0 ? undefined : `${comments.length}`}>
      {comments.length === 0 ? null : (
        <ul className={styles.comments}>
          {comments.map((comment) => (
            <li key={comment.id}>
              <p>{comment.body}</p>
              <small>
                {nameOf(comment.authorId)} · {kindTexts[comment.kind]}
                {comment.isOpen ? ', not answered' : ''} · <Time at={comment.at} />
              </small>
            </li>
          ))}
        </ul>
      )}
      {isFormShown ? (
        <NewComment id={id} version={version} open={comments.filter(({ isOpen }) => isOpen)} />
      ) : null}
    </Panel>
  )
}

const newKinds = [
  ['COMMENT', 'Comment'],
  ['QUESTION', 'Question'],
  ['BLOCKER', 'Blocks approval until answered'],
] as const

const maxQuote = 60
const quoteOf = (text: string) =>
  text.length > maxQuote ? `${text.slice(0, maxQuote - 1)}…` : text

function NewComment({
  id,
  version,
  open,
}: {
  id: string
  version: string
  open: readonly Comment[]
}) {
  const { role } = useMembership()
  const fieldId = useId()
  const { change, send, fault, isSending } = useChange()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string>('COMMENT')
  // An answer names its comment; the other choices are kinds.
  const answered = open.find((comment) => comment.id === chosen)
  const kind = answered
    ? 'RESOLUTION'
    : (newKinds.find(([one]) => one === chosen)?.[0] ?? 'COMMENT')
  const add = () =>
    void change(async () => {
      await send({
        method: 'POST',
        path: `/proposals/${id}/comments`,
        ifMatch: version,
        body: {
          kind,
          body: text.trim(),
          reason: 'Comment in the console',
          ...(answered ? { resolves: answered.id } : {}),
        },
      })
      setText('')
      setChosen('COMMENT')
    })
  return (
    <div className={formStyles.form}>
      <div className={formStyles.field}>
        <label htmlFor={`${fieldId}-text`}>New comment</label>
        <textarea
          id={`${fieldId}-text`}
          rows={2}
          maxLength={4000}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      <div className={formStyles.field}>
        <label htmlFor={`${fieldId}-kind`}>Kind</label>
        <select
          id={`${fieldId}-kind`}
          value={answered ? answered.id : kind}
          onChange={({ target }) => setChosen(target.value)}
        >
          {newKinds.map(([one, label]) => (
            <option key={one} value={one}>
              {label}
            </option>
          ))}
          {open.map((comment) => (
            <option key={comment.id} value={comment.id}>
              Answer to: {quoteOf(comment.body)}
            </option>
          ))}
        </select>
      </div>
      <div className={styles.actions}>
        <ChangeButton
          disabledReason={
            permissionReason(role, 'prepare') ??
            (isSending ? 'Saving…' : text.trim() === '' ? 'Enter a comment.' : null)
          }
          onClick={add}
        >
          Add comment
        </ChangeButton>
      </div>
      {fault === null ? null : <Fault error={fault} />}
    </div>
  )
}
