import type { contract } from '@liquidity-os/contract'
import { useQuery } from '@tanstack/react-query'
import { type Member, membersQuery } from '../../api/members.ts'
import { useMembership } from '../../api/queries.ts'
import { permits } from '../../declared/families.ts'
import { Panel, Time } from '../../ui/parts.tsx'
import { State } from '../../ui/state.tsx'
import styles from '../pages.module.css'
import { isUndecided } from './proposal-words.ts'

type Proposal = contract.ProposalWorkspace

/** A person who approved or can approve. */
interface Confirmation {
  readonly userId: string
  readonly name: string
  /** Time of the approval; null while it is open. */
  readonly at: string | null
  readonly note: string | null
}

/** Approvals first, then the reviewers who can still approve. */
export function confirmationsOf(
  { approvals, review, preparedBy }: Pick<Proposal, 'approvals' | 'review' | 'preparedBy'>,
  members: readonly Pick<Member, 'userId' | 'email' | 'role'>[],
): Confirmation[] {
  const emailOf = (userId: string) => members.find((member) => member.userId === userId)?.email
  const given = approvals.map(({ userId, at, self }) => ({
    userId,
    name: emailOf(userId) ?? 'A former member',
    at,
    note: self ? 'preparer' : null,
  }))
  const isPossible = ({ userId, role }: Pick<Member, 'userId' | 'role'>) =>
    userId !== null &&
    permits(role, 'review') &&
    (review.reviewers?.includes(userId) ?? true) &&
    (review.required === 1 || userId !== preparedBy.userId) &&
    !approvals.some((approval) => approval.userId === userId)
  const open = members
    .filter(isPossible)
    .map(({ userId, email }) => ({ userId: String(userId), name: email, at: null, note: null }))
  return [...given, ...open]
}

/** Approvals by person. */
export function Confirmations({ proposal }: { proposal: Proposal }) {
  const { organizationId } = useMembership()
  const { data: members } = useQuery(membersQuery(organizationId))
  const { approvalCount, review, phase, preparedBy } = proposal
  const all = confirmationsOf(proposal, members ?? [])
  const shown = isUndecided(phase) ? all : all.filter(({ at }) => at !== null)
  const preparer = members?.find(({ userId }) => userId === preparedBy.userId)?.email
  return (
    <Panel title="Approvals" note={`${approvalCount} of ${review.required}`}>
      {shown.length === 0 ? (
        <p>No approvals yet.</p>
      ) : (
        <ul className={styles.lines}>
          {shown.map(({ userId, name, at, note }) => (
            <li key={userId}>
              <State of={at === null ? 'PENDING' : 'APPROVED'} />
              <span>
                {name}
                {note ? ` (${note})` : ''}
              </span>
              <small>{at === null ? null : <Time at={at} />}</small>
            </li>
          ))}
        </ul>
      )}
      {preparer ? <p className={styles.quiet}>Prepared by {preparer}.</p> : null}
    </Panel>
  )
}
