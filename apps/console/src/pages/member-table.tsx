import type { Role } from '@liquidity-os/contract'
import { type FormEvent, useId, useState } from 'react'
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
  refusal,
  onRole,
  onRemove,
}: {
  members: readonly Member[]
  refusal: string | null
  onRole: (change: RoleChange) => Promise<unknown>
  onRemove: (member: Member) => void
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
                    refusal={refusal}
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
                    refusal={refusal ?? lastOwnerRefusal(members, member)}
                    onEdit={() => setEdited(member.email)}
                    onRemove={() => onRemove(member)}
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

function MemberActions({
  member,
  refusal,
  onEdit,
  onRemove,
}: {
  member: Member
  refusal: string | null
  onEdit: () => void
  onRemove: () => void
}) {
  const whyId = useId()
  const [isConfirming, setConfirming] = useState(false)
  const remove = member.status === 'PENDING' ? 'Withdraw' : 'Remove'
  // Both actions have the same reason, so it appears once.
  if (refusal !== null)
    return (
      <div className={styles.actions}>
        {['Change role', remove].map((label) => (
          <Button key={label} isSmall refusal={refusal} refusalId={whyId}>
            {label}
          </Button>
        ))}
        <small id={whyId}>{refusal}</small>
      </div>
    )
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
            onRemove()
          }}
        >
          {member.status === 'PENDING' ? 'Confirm withdrawal' : 'Confirm removal'}
        </Button>
      ) : (
        <Button isSmall onClick={() => setConfirming(true)}>
          {remove}
        </Button>
      )}
    </div>
  )
}

/** A new role. A promotion to owner requires a typed reason. */
function RoleForm({
  member: { email, role: before, status },
  refusal,
  onRole,
  onClose,
}: {
  member: Member
  refusal: string | null
  onRole: (change: RoleChange) => Promise<unknown>
  onClose: () => void
}) {
  const id = useId()
  const [role, setRole] = useState<Role>(before)
  const [reason, setReason] = useState('')
  // An invitation quotes no text of the sender, so it needs no reason.
  const isPromotion = status === 'ACTIVE' && role === 'OWNER' && before !== 'OWNER'
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (saveRefusal !== null) return
    // A failure appears above the table, and the input remains.
    await onRole({ email, role, ...(isPromotion ? { reason: reason.trim() } : {}) }).then(
      onClose,
      () => undefined,
    )
  }
  const saveRefusal =
    refusal ??
    (role === before
      ? 'Choose another role.'
      : isPromotion && reason.trim().length < 3
        ? 'Enter a reason.'
        : null)
  return (
    <form className={formStyles.form} onSubmit={(event) => void save(event)}>
      <div className={formStyles.field}>
        <label htmlFor={`${id}-role`}>New role</label>
        <RoleSelect id={`${id}-role`} value={role} onChange={setRole} />
      </div>
      {isPromotion ? (
        <div className={formStyles.field}>
          <label htmlFor={`${id}-reason`}>Reason</label>
          <input
            id={`${id}-reason`}
            value={reason}
            maxLength={200}
            autoComplete="off"
            onChange={({ target }) => setReason(target.value)}
          />
          <p className={formStyles.help}>
            Owners can do everything. The email, if sent, quotes the reason.
          </p>
        </div>
      ) : null}
      <div className={styles.actions}>
        <Button type="submit" isSmall look="primary" refusal={saveRefusal}>
          Save role
        </Button>
        <Button isSmall onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
