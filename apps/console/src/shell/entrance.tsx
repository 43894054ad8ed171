import { useQuery } from '@tanstack/react-query'
import { Navigate, useSearch } from '@tanstack/react-router'
import { sessionQuery } from '../api/queries.ts'
import { ApiFailure } from '../api/send.ts'
import { Fault, Notice } from '../ui/notice.tsx'
import styles from './shell.module.css'
import { SignIn } from './sign-in.tsx'

const lastKey = 'organization'

/** Opens the organization of the last visit, or the sign-in page. */
export function Entrance() {
  const session = useQuery(sessionQuery)
  // A public page leads here with a token for which the user can set up a market.
  const { address } = useSearch({ strict: false }) as Readonly<Record<string, string>>
  if (session.isPending) return null
  if (session.error) {
    if (session.error instanceof ApiFailure && session.error.status === 401) {
      return (
        <main className={styles.entrance}>
          <SignIn />
        </main>
      )
    }
    return (
      <main className={styles.entrance}>
        <Fault error={session.error} onRetry={() => void session.refetch()} />
      </main>
    )
  }
  const { organizations } = session.data
  const lastOrganizationId = localStorage.getItem(lastKey)
  const organization = organizations.find(({ id }) => id === lastOrganizationId) ?? organizations[0]
  if (!organization) {
    return (
      <main className={styles.entrance}>
        <Notice tone="hold" title="You are not a member of an organization">
          <p>
            Ask the operator to add you: <code>npx liquidity member add</code>
          </p>
        </Notice>
      </main>
    )
  }
  if (address) {
    return (
      <Navigate
        to={`/o/${organization.id}/markets/new` as never}
        search={{ address } as never}
        replace
      />
    )
  }
  return <Navigate to="/o/$organizationId" params={{ organizationId: organization.id }} replace />
}

export const rememberOrganization = (id: string): void => localStorage.setItem(lastKey, id)
