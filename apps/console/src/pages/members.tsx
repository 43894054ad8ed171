import type { Role } from '@liquidity-os/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useMembership } from '../api/queries.ts'
import { ApiFailure, askExtension } from '../api/send.ts'
import { index } from '../declared/families.ts'
import { wordOf } from '../fields/meaning.ts'
import formStyles from '../forms/form.module.css'
import { ReauthenticationPrompt } from '../shell/reauthentication.tsx'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/notice.tsx'
import { Panel, Scrolled, Skeleton, Time } from '../ui/parts.tsx'
import { State } from '../ui/state.tsx'
import styles from './pages.module.css'

interface Member {
  readonly email: string
  readonly role: Role
  readonly status: 'ACTIVE' | 'PENDING'
  /** Of an invitation. */
  readonly expiresAt?: string | null
}

const pathOf = (organizationId: string) =>
  `/auth/organizations/${encodeURIComponent(organizationId)}/members`

const membersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [organizationId, 'members'],
    queryFn: () =>
      askExtension<{ data: readonly Member[] }>(pathOf(organizationId)).then(({ data }) => data),
  })

/** Members and invitations of the organization. Owners invite and remove. */
export function Members() {
  const { organizationId, role } = useMembership()
  const members = useQuery(membersQuery(organizationId))
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: ({ path, body, method }: Change) => askExtension<unknown>(path, body, method),
    onSuccess: () => queries.invalidateQueries({ queryKey: [organizationId, 'members'] }),
  })
  const refusal = role === 'OWNER' ? null : 'Requires the Owner role.'
  return (
    <>
      <Panel title="Invite a member">
        <Invite
          refusal={refusal ?? (change.isPending ? 'Saving…' : null)}
          onInvite={(body) => change.mutateAsync({ path: pathOf(organizationId), body })}
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
            refusal={refusal}
            onRemove={({ email }) =>
              change.mutate({
                path: `${pathOf(organizationId)}/${encodeURIComponent(email)}`,
                method: 'DELETE',
              })
            }
          />
        )}
      </Panel>
    </>
  )
}

interface Change {
  readonly path: string
  readonly body?: object
  readonly method?: 'DELETE'
}

function ChangeFault({ error }: { error: unknown }) {
  const isOld =
    error instanceof ApiFailure && error.code === 'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED'
  return isOld ? <ReauthenticationPrompt /> : <Fault error={error} />
}

/** Permissions of each role, widest first. */
const roleTexts: Readonly<Record<Role, string>> = {
  OWNER: 'everything, including members and books',
  OPERATOR: 'venues, alerts, policies and execution, without books',
  TREASURY_ADMIN: 'books, studies and plans',
  REVIEWER: 'reviews and decisions',
  ANALYST: 'studies, plans and proposals',
  VIEWER: 'reading only',
}

function Invite({
  refusal,
  onInvite,
}: {
  refusal: string | null
  onInvite: (body: { email: string; role: string }) => Promise<unknown>
}) {
  const id = useId()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState('ANALYST')
  const [invited, setInvited] = useState<string | null>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setInvited(null)
    // A failure is shown below the form, and the input remains.
    await onInvite({ email: email.trim(), role }).then(
      () => {
        setInvited(email.trim())
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
        <select id={`${id}-role`} value={role} onChange={(event) => setRole(event.target.value)}>
          {Object.keys(index.permissionsOf).map((one) => (
            <option key={one} value={one}>
              {wordOf(one)}: {roleTexts[one as Role]}
            </option>
          ))}
        </select>
      </div>
      <div className={styles.actions}>
        <Button type="submit" look="primary" icon="plus" refusal={refusal}>
          Invite
        </Button>
      </div>
      {invited === null ? null : (
        <p role="status">Invited {invited}. The invitation is sent by email.</p>
      )}
    </form>
  )
}

function MemberTable({
  members,
  refusal,
  onRemove,
}: {
  members: readonly Member[]
  refusal: string | null
  onRemove: (member: Member) => void
}) {
  const { session } = useMembership()
  const [emailToRemove, setEmailToRemove] = useState<string | null>(null)
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
              <td data-label="Role">{wordOf(member.role)}</td>
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
                {emailToRemove === member.email ? (
                  <Button
                    isSmall
                    look="danger"
                    onClick={() => {
                      setEmailToRemove(null)
                      onRemove(member)
                    }}
                  >
                    Confirm removal
                  </Button>
                ) : (
                  <Button isSmall refusal={refusal} onClick={() => setEmailToRemove(member.email)}>
                    {member.status === 'PENDING' ? 'Withdraw' : 'Remove'}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}
