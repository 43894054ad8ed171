import type { contract } from '@liquidity-os/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMembership } from '../../api/queries.ts'
import { read } from '../../api/send.ts'
import { Fault } from '../../ui/notice.tsx'
import { PageLink, toPage } from '../../ui/page-link.tsx'
import { Panel, Skeleton } from '../../ui/parts.tsx'
import styles from '../pages.module.css'
import { IssuedKey } from './issued-key.tsx'
import { type Credential, KeyTable } from './key-table.tsx'
import { NewKey } from './new-key.tsx'

const maxShown = 100

/** API keys and OAuth clients of the organization. */
export function ApiKeys() {
  const { organizationId } = useMembership()
  const [issued, setIssued] = useState<contract.IssuedCredential | null>(null)
  const credentials = useQuery({
    queryKey: [organizationId, 'developer-credentials', 'shown'],
    queryFn: () =>
      read<Credential[]>(organizationId, '/developer-credentials', { limit: maxShown }),
  })
  return (
    <>
      {issued === null ? (
        <NewKey onIssued={setIssued} />
      ) : (
        <IssuedKey issued={issued} onClose={() => setIssued(null)} />
      )}
      <Panel title="API keys" isFlush>
        {credentials.error ? (
          <Fault error={credentials.error} onRetry={() => void credentials.refetch()} />
        ) : !credentials.data ? (
          <Skeleton lines={3} />
        ) : credentials.data.length === 0 ? (
          <p className={styles.headline}>No API keys yet.</p>
        ) : (
          <KeyTable credentials={credentials.data} />
        )}
        <p className={styles.foot}>
          A key works while its creator is a member.{' '}
          <PageLink to={toPage('records/developer-credentials')}>All versions and filters</PageLink>
        </p>
      </Panel>
    </>
  )
}
