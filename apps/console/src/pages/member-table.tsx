import type { Role } from '@liquidity-os/contract'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { Member } from '../api/members.ts'
import { useMembership } from '../api/queries.ts'
import { index } from '../declared/families.ts'
import { wordOf } from '../fields/meaning.ts'
import formStyles from '../forms/form.module.css'
import { Button } from '../ui/button.tsx'
import { Scrolled, Time } from '../ui/parts.tsx'
import { State } from '../ui/state.tsx'
import styles from './pages.module.css'

export interface RoleChange {
  readonly email: string
  readonly role: Role
  readonly reason?: string
}

/** Permissions of each role, widest first. */
const roleTexts: Readonly<Record<Role, string>> = {
  OWNER: 'everything, including members and treasury',
  OPERATOR: 'venues, alerts, policies and execution, without treasury',
  TREASURY_ADMIN: 'treasury, studies and plans',
  REVIEWER: 'reviews and decisions',
  ANALYST: 'studies, plans and proposals',
  VIEWER: 'reading only',
}

/** Roles with their permissions. */
export function RoleSelect({
  id,
  value,
  onChange,
}: {
  id: string
  value: Role
  onChange: (role: Role) => void
}) {
  return (
    <select id={id} value={value} onChange={({ target }) => onChange(target.value as Role)}>
      {Object.keys(index.permissionsOf).map((role) => (
        <option key={role} value={role}>
          {wordOf(role)}: {roleTexts[role as Role]}
        </option>
      ))}
    </select>
  )
}

type Membership = Pick<Member, 'role' | 'status'>

/** Reason why the member must stay an owner, or null. */
export function lastOwnerRefusal(
  members: readonly Membership[],
  member: Membership,
): string | null {
  const isOwner = ({ role, status }: Membership) => role === 'OWNER' && status === 'ACTIVE'
  return isOwner(member) && members.filter(isOwner).length === 1
    ? 'Last owner. Promote another member first.'
    : null
}

/** Members and invitations, with the actions of an owner. */
export function MemberTable({
  members,
  disabledReason,
  onRole,
  onRemove,
}: {
  members: readonly Member[]
  disabledReason: string | null
  onRole: (change: RoleChange) => Promise<unknown>
  onRemove: (member: Member, reason: string) => Promise<unknown>
}) {
  const { session } = useMembership()
  const [edited, setEdited] = useState<string | null>(null)
  return (
    <Scrolled label="Members">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Email</th>
            <th scope="col">Role</th>
            <th scope="col">State</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <tr key={member.email}>
              <th scope="row">
                {member.email}
                {member.email === session.email ? ' (you)' : ''}
              </th>
              <td data-label="Role">
                {edited === member.email ? (
                  <RoleForm
                    member={member}
                    disabledReason={disabledReason}
                    onRole={onRole}
                    onClose={() => setEdited(null)}
                  />
                ) : (
                  wordOf(member.role)
                )}
              </td>
              <td data-label="State">
                <State of={member.status} />
                {member.expiresAt ? (
                  <small>
                    {' '}
                    until <Time at={member.expiresAt} />
                  </small>
                ) : null}
              </td>
              <td>
                {edited === member.email ? null : (
                  <MemberActions
                    member={member}
                    disabledReason={disabledReason ?? lastOwnerRefusal(members, member)}
                    onEdit={() => setEdited(member.email)}
                    onRemove={(reason) => onRemove(member, reason)}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}

/** Shortest reason of a change, as the service requires it. */
const minReasonLength = 3
const isReason = (text: string) => text.trim().length >= minReasonLength

function MemberActions({
  member,
  disabledReason,
  onEdit,
  onRemove,
}: {
  member: Member
  disabledReason: string | null
  onEdit: () => void
  onRemove: (reason: string) => Promise<unknown>
}) {
  const reasonId = useId()
  const [isConfirming, setConfirming] = useState(false)
  const isInvitation = member.status === 'PENDING'
  const remove = isInvitation ? 'Withdraw' : 'Remove'
  // Both actions have the same reason, so it appears once.
  if (disabledReason !== null)
    return (
      <div className={styles.actions}>
        {['Change role', remove].map((label) => (
          <Button key={label} isSmall disabledReason={disabledReason} disabledReasonId={reasonId}>
            {label}
          </Button>
        ))}
        <small id={reasonId}>{disabledReason}</small>
      </div>
    )
  if (isConfirming && !isInvitation)
    return <RemovalForm onRemove={onRemove} onClose={() => setConfirming(false)} />
  return (
    <div className={styles.actions}>
      <Button isSmall onClick={onEdit}>
        Change role
      </Button>
      {isConfirming ? (
        <Button
          isSmall
          look="danger"
          onClick={() => {
            setConfirming(false)
            void onRemove('').catch(() => undefined)
          }}
        >
          Confirm withdrawal
        </Button>
      ) : (
        <Button isSmall onClick={() => setConfirming(true)}>
          {remove}
        </Button>
      )}
    </div>
  )
}

/** Removes a member with a typed reason, which the list of changes states. */
function RemovalForm({
  onRemove,
  onClose,
}: {
  onRemove: (reason: string) => Promise<unknown>
  onClose: () => void
}) {
  const id = useId()
  const [reason, setReason] = useState('')
  const disabledReason = isReason(reason) ? null : 'Enter a reason.'
  const remove = (event: FormEvent) => {
    event.preventDefault()
    // A failure appears above the table, and the input remains.
    if (disabledReason === null) void onRemove(reason.trim()).then(onClose, () => undefined)
  }
  return (
    <form className={formStyles.form} onSubmit={remove}>
      <ReasonField id={id} value={reason} onChange={setReason}>
        The member loses access at once. Owners see the reason.
      </ReasonField>
      <div className={styles.actions}>
        <Button type="submit" isSmall look="danger" disabledReason={disabledReason}>
          Confirm removal
        </Button>
        <Button isSmall onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function ReasonField({
  id,
  value,
  onChange,
  children,
}: {
  id: string
  value: string
  onChange: (reason: string) => void
  children: ReactNode
}) {
  return (
    <div className={formStyles.field}>
      <label htmlFor={`${id}-reason`}>Reason</label>
      <input
        id={`${id}-reason`}
        value={value}
        maxLength={200}
        autoComplete="off"
        aria-describedby={`${id}-help`}
        onChange={({ target }) => onChange(target.value)}
      />
      <p id={`${id}-help`} className={formStyles.help}>
        {children}
      </p>
    </div>
  )
}

/** A new role with a typed reason, which the list of changes states. */
function RoleForm({
  member: { email, role: before, status },
  disabledReason,
  onRole,
  onClose,
}: {
  member: Member
  disabledReason: string | null
  onRole: (change: RoleChange) => Promise<unknown>
  onClose: () => void
}) {
  const id = useId()
  const [role, setRole] = useState<Role>(before)
  const [reason, setReason] = useState('')
  // An invitation quotes no text of the sender, so it needs no reason.
  const isMember = status === 'ACTIVE'
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (saveRefusal !== null) return
    // A failure appears above the table, and the input remains.
    await onRole({ email, role, ...(isMember ? { reason: reason.trim() } : {}) }).then(
      onClose,
      () => undefined,
    )
  }
  const saveRefusal =
    disabledReason ??
    (role === before
      ? 'Choose another role.'
      : isMember && !isReason(reason)
        ? 'Enter a reason.'
        : null)
  return (
    <form className={formStyles.form} onSubmit={(event) => void save(event)}>
      <div className={formStyles.field}>
        <label htmlFor={`${id}-role`}>New role</label>
        <RoleSelect id={`${id}-role`} value={role} onChange={setRole} />
      </div>
      {isMember ? (
        <ReasonField id={id} value={reason} onChange={setReason}>
          {role === 'OWNER' ? 'Owners can do everything. ' : null}The email, if sent, quotes the
          reason.
        </ReasonField>
      ) : null}
      <div className={styles.actions}>
        <Button type="submit" isSmall look="primary" disabledReason={saveRefusal}>
          Save role
        </Button>
        <Button isSmall onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
