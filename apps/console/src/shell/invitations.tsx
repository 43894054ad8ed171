import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMembership } from '../api/queries.ts'
import { askExtension } from '../api/send.ts'
import { Button } from '../ui/button.tsx'
import { Fault, Notice } from '../ui/notice.tsx'
import styles from './shell.module.css'

interface Invitation {
  readonly organizationId: string
  readonly organizationName: string
  readonly role: string
  readonly expiresAt: string
}

const invitationsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['invitations', userId],
    queryFn: () =>
      askExtension<{ data: readonly Invitation[] }>('/auth/invitations').then(({ data }) => data),
    staleTime: 300_000,
  })

/** Pending invitations of the user to other organizations. */
export function Invitations() {
  const { userId } = useMembership().session
  const invitations = useQuery(invitationsQuery(userId))
  return invitations.data?.map((invitation) => (
    <Pending key={invitation.organizationId} invitation={invitation} />
  ))
}

function Pending({ invitation }: { invitation: Invitation }) {
  const queries = useQueryClient()
  const { organizationId, organizationName, role, expiresAt } = invitation
  const path = `/auth/invitations/${encodeURIComponent(organizationId)}`
  const decide = useMutation({
    mutationFn: async (accepts: boolean) => {
      if (!accepts) return askExtension<null>(path, {}, 'DELETE')
      return askExtension<{ data: { mustSignInAgain: boolean } }>(`${path}/acceptance`, {})
    },
    onSuccess: (answer) => {
      if (answer?.data.mustSignInAgain) return
      void queries.invalidateQueries({ queryKey: ['invitations'] })
      void queries.invalidateQueries({ queryKey: ['session'] })
    },
  })
  return (
    <div className={styles.away}>
      <Notice
        tone="hold"
        title={`${organizationName} invites you as ${role.toLowerCase().replaceAll('_', ' ')}`}
      >
        {decide.data?.data.mustSignInAgain ? (
          <p>Accepted. Sign out and sign in again to open the organization.</p>
        ) : (
          <>
            <p>The invitation expires on {expiresAt.slice(0, 10)}.</p>
            <Button
              disabledReason={decide.isPending ? 'Saving…' : null}
              onClick={() => decide.mutate(true)}
            >
              Accept invitation
            </Button>{' '}
            <Button
              disabledReason={decide.isPending ? 'Saving…' : null}
              onClick={() => decide.mutate(false)}
            >
              Decline
            </Button>
          </>
        )}
        {decide.error ? <Fault error={decide.error} /> : null}
      </Notice>
    </div>
  )
}
