import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { familyQuery, useMembership } from '../../api/queries.ts'
import { Missing } from '../../fields/exact.tsx'
import type { SearchParams } from '../../routes.tsx'
import { Fault } from '../../ui/notice.tsx'
import { PageLink, toRecord } from '../../ui/page-link.tsx'
import { Panel, Scrolled, Skeleton, Time } from '../../ui/parts.tsx'
import { State } from '../../ui/state.tsx'
import styles from '../pages.module.css'
import { RecordsPage } from '../records.tsx'
import { chainsQuery } from '../set-up/chain-step.tsx'
import type { Provider } from '../set-up/responses.ts'
import { lastErrorText, nodeStates } from './node-texts.ts'
import { nodeHealthQuery } from './nodes.ts'

/** Health of the RPC nodes, and all providers. A filter or an open form shows the list only. */
export function ProviderList() {
  const { tab: _, list: __, ...search } = useSearch({ strict: false }) as SearchParams
  return (
    <>
      {Object.keys(search).length > 0 ? null : <NodeTable />}
      <ProviderRecords />
    </>
  )
}

function ProviderRecords() {
  const file = useQuery(familyQuery('providers'))
  if (file.error) return <Fault error={file.error} onRetry={() => void file.refetch()} />
  return file.data ? <RecordsPage file={file.data} isSection /> : <Skeleton lines={8} />
}

const columns = ['Node', 'State', 'Chain', 'Head age', 'Calls today', 'p95', 'Last error']

function NodeTable() {
  const { organizationId } = useMembership()
  const nodes = useQuery(chainsQuery(organizationId))
  if (nodes.error) return <Fault error={nodes.error} onRetry={() => void nodes.refetch()} />
  if (!nodes.data) return <Skeleton lines={3} />
  // The list of providers below states how to add one.
  if (nodes.data.length === 0) return null
  return (
    <Panel title="RPC nodes" isFlush>
      <Scrolled label="RPC nodes">
        <table className={styles.table}>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {nodes.data.map((node) => (
              <NodeRow key={node.id} node={node} />
            ))}
          </tbody>
        </table>
      </Scrolled>
    </Panel>
  )
}

function NodeRow({ node: { id, payload } }: { node: Provider }) {
  const { organizationId } = useMembership()
  const { data: health, error } = useQuery(nodeHealthQuery(organizationId, id))
  const [label, tone] = nodeStates[health?.state ?? 'UNKNOWN']
  const calls = health?.calls
  const lastError = health ? lastErrorText(health) : null
  return (
    <tr>
      <th scope="row">
        <PageLink to={toRecord('providers', id)}>{payload.providerId}</PageLink>
      </th>
      <td data-label="State">
        {error ? 'Not available' : health ? <State of={tone} text={label} /> : 'Loading…'}
      </td>
      <td data-label="Chain">{payload.configuration.chainId}</td>
      <td data-label="Head age">
        {health?.headAt ? <Time at={health.headAt} isAge /> : <Missing reason="Not probed" />}
      </td>
      <td data-label="Calls today">
        {calls ? (
          (calls.answered + calls.refused + calls.failed).toLocaleString('en-US')
        ) : (
          <Missing reason="No data yet" />
        )}
      </td>
      <td data-label="p95">
        {calls?.p95Ms ? (
          `${calls.p95Ms.toLocaleString('en-US')} ms`
        ) : (
          <Missing reason="No calls today" />
        )}
      </td>
      <td data-label="Last error">
        {health?.lastError && lastError ? (
          <>
            {lastError} <Time at={health.lastError.at} isAge />
          </>
        ) : (
          'None'
        )}
      </td>
    </tr>
  )
}
