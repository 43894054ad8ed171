import type { Role } from '@liquidity-os/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import {
  type Member,
  type MemberChange,
  memberChangesQuery,
  membersPath,
  membersQuery,
} from '../api/members.ts'
import { sessionQuery, useMembership } from '../api/queries.ts'
import { ApiFailure, askExtension } from '../api/send.ts'
import { Missing } from '../fields/exact.tsx'
import { wordOf } from '../fields/meaning.ts'
import formStyles from '../forms/form.module.css'
import { ReauthenticationPrompt } from '../shell/reauthentication.tsx'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/notice.tsx'
import { Panel, Scrolled, Skeleton, Time } from '../ui/parts.tsx'
import { MemberTable, type RoleChange, RoleSelect } from './member-table.tsx'
import styles from './pages.module.css'

/** Members and invitations of the organization. Owners invite and remove. */
export function Members() {
  const { organizationId, role, session } = useMembership()
  const members = useQuery(membersQuery(organizationId))
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: ({ path, body, method }: Change) =>
      askExtension<{ data: Invited }>(path, body, method).then(({ data }) => data),
    onSuccess: async (_, { email }) => {
      await queries.invalidateQueries({ queryKey: [organizationId, 'members'] })
      await queries.invalidateQueries({ queryKey: [organizationId, 'member-changes'] })
      // The session contains the user's own role.
      if (fold(email) === fold(session.email))
        await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
  const post = (body: RoleChange) =>
    change.mutateAsync({ path: membersPath(organizationId), email: body.email, body })
  const disabledReason = role === 'OWNER' ? null : 'Requires the Owner role.'
  return (
    <>
      <Panel title="Invite a member">
        <Invite
          members={members.data ?? []}
          disabledReason={disabledReason ?? (change.isPending ? 'Saving…' : null)}
          onInvite={post}
        />
        {change.error ? <ChangeFault error={change.error} /> : null}
      </Panel>
      <Panel title="Members" isFlush>
        {members.error ? (
          <Fault error={members.error} onRetry={() => void members.refetch()} />
        ) : !members.data ? (
          <Skeleton lines={3} />
        ) : (
          <MemberTable
            members={members.data}
            disabledReason={disabledReason ?? (change.isPending ? 'Saving…' : null)}
            onRole={post}
            onRemove={({ email, status }, reason) => {
              const path = `${membersPath(organizationId)}/${encodeURIComponent(email)}`
              return change.mutateAsync(
                status === 'PENDING'
                  ? { path, email, method: 'DELETE' }
                  : { path: `${path}/removal`, email, body: { reason } },
              )
            }}
          />
        )}
      </Panel>
      {role === 'OWNER' ? <MemberChanges /> : null}
    </>
  )
}

const changeTexts = ({ kind, roleBefore, roleAfter }: MemberChange): string =>
  kind === 'REMOVED' || roleAfter === null
    ? `Removed, was ${wordOf(roleBefore)}`
    : `${wordOf(roleBefore)} to ${wordOf(roleAfter)}`

/** Changes of roles and removals with their reasons, newest first. */
function MemberChanges() {
  const { organizationId } = useMembership()
  const changes = useQuery(memberChangesQuery(organizationId))
  return (
    <Panel title="Changes" note="Roles and removals" isFlush>
      {changes.error ? (
        <Fault error={changes.error} onRetry={() => void changes.refetch()} />
      ) : !changes.data ? (
        <Skeleton lines={3} />
      ) : changes.data.length === 0 ? (
        <p className={styles.foot}>No role has changed, and no member was removed.</p>
      ) : (
        <Scrolled label="Changes">
          <table className={styles.table}>
            <thead>
              <tr>
                {['Email', 'Change', 'Reason', 'By', 'Time'].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {changes.data.map((one) => (
                <tr key={`${one.changedAt} ${one.email} ${one.kind}`}>
                  <th scope="row">{one.email}</th>
                  <td data-label="Change">{changeTexts(one)}</td>
                  <td data-label="Reason">{one.reason ?? <Missing reason="No reason stated" />}</td>
                  <td data-label="By">{one.changedByEmail ?? 'Operator'}</td>
                  <td data-label="Time">
                    <Time at={one.changedAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
      )}
    </Panel>
  )
}

interface Change {
  readonly path: string
  /** Changed member. */
  readonly email: string
  readonly body?: object
  readonly method?: 'DELETE'
}

type Invited = Pick<Member, 'email' | 'status'>

/** The service compares addresses in this form. */
const fold = (email: string) => email.trim().normalize('NFC').toLowerCase()

const successText = ({ email, status }: Invited): string =>
  status === 'PENDING'
    ? `Invited ${email}. The invitation is sent by email.`
    : `${email} is a member now.`

function ChangeFault({ error }: { error: unknown }) {
  const isOld =
    error instanceof ApiFailure && error.code === 'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED'
  return isOld ? <ReauthenticationPrompt /> : <Fault error={error} />
}

function Invite({
  members,
  disabledReason,
  onInvite,
}: {
  members: readonly Member[]
  disabledReason: string | null
  onInvite: (body: RoleChange) => Promise<Invited>
}) {
  const id = useId()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('ANALYST')
  const [invited, setInvited] = useState<Invited | null>(null)
  const known = members.find((member) => fold(member.email) === fold(email))
  const inviteRefusal =
    disabledReason ??
    (known?.status === 'ACTIVE'
      ? 'Already a member. Change the role in the table.'
      : known
        ? 'Already invited. Change the role in the table.'
        : null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (inviteRefusal !== null) return
    setInvited(null)
    // A failure is shown below the form, and the input remains.
    await onInvite({ email: email.trim(), role }).then(
      (answer) => {
        setInvited(answer)
        setEmail('')
      },
      () => undefined,
    )
  }
  return (
    <form className={formStyles.form} onSubmit={(event) => void submit(event)}>
      <div className={formStyles.field}>
        <label htmlFor={`${id}-email`}>Email address</label>
        <input
          id={`${id}-email`}
          type="email"
          required
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </div>
      <div className={formStyles.field}>
        <label htmlFor={`${id}-role`}>Role</label>
        <RoleSelect id={`${id}-role`} value={role} onChange={setRole} />
      </div>
      <div className={styles.actions}>
        <Button type="submit" look="primary" icon="plus" disabledReason={inviteRefusal}>
          Invite
        </Button>
      </div>
      {invited === null ? null : <p role="status">{successText(invited)}</p>}
    </form>
  )
}
