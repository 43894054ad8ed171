import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { familyQuery, useMembership } from '../../api/queries.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
import { Missing } from '../../fields/exact.tsx'
import { wordOf } from '../../fields/meaning.ts'
import { chainName } from '../../fields/value.tsx'
import type { SearchParams } from '../../routes.tsx'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/notice.tsx'
import { PageLink, toPage, toRecord, useOpenPage } from '../../ui/page-link.tsx'
import { Empty, Panel, Skeleton, Time } from '../../ui/parts.tsx'
import { State } from '../../ui/state.tsx'
import styles from '../pages.module.css'
import { RecordsPage } from '../records.tsx'
import { providersQuery } from '../set-up/chain-step.tsx'
import type { Provider } from '../set-up/responses.ts'
import { Row, Table } from '../table.tsx'
import { lastErrorText, nodeStates } from './node-texts.ts'
import { nodeHealthQuery } from './nodes.ts'

/** Providers with their health. A filter or an open form shows the list of records. */
export function ProviderList() {
  const { tab: _, list: __, ...search } = useSearch({ strict: false }) as SearchParams
  return Object.keys(search).length > 0 ? <ProviderRecords /> : <ProviderTable />
}

function ProviderRecords() {
  const file = useQuery(familyQuery('providers'))
  if (file.error) return <Fault error={file.error} onRetry={() => void file.refetch()} />
  return file.data ? <RecordsPage file={file.data} isSection /> : <Skeleton lines={8} />
}

const columns = [
  'Provider',
  'Kind',
  'State',
  'Chain',
  'Newest block',
  'Calls today',
  'Latency, p95',
  'Last error',
]

function ProviderTable() {
  const { organizationId, role } = useMembership()
  const openPage = useOpenPage()
  const providers = useQuery(providersQuery(organizationId))
  const add = (
    <Button
      icon="plus"
      look={providers.data?.length === 0 ? 'primary' : 'plain'}
      disabledReason={permissionReason(role, 'operate')}
      onClick={() => void openPage(toPage('settings/new'))}
    >
      Add provider
    </Button>
  )
  if (providers.error)
    return <Fault error={providers.error} onRetry={() => void providers.refetch()} />
  if (!providers.data) return <Skeleton lines={3} />
  if (providers.data.length === 0)
    return (
      <Panel title="Providers">
        <Empty title="No providers">
          <p>Add a node. A free key is enough to start.</p>
          {add}
        </Empty>
      </Panel>
    )
  return (
    <Panel title="Providers" actions={add} isFlush>
      <Table label="Providers" columns={columns}>
        {providers.data.map((provider) =>
          provider.payload.kind === 'CHAIN_RPC' ? (
            <NodeRow key={provider.id} node={provider} />
          ) : (
            <SourceRow key={provider.id} source={provider} />
          ),
        )}
      </Table>
      <p className={styles.foot}>
        <PageLink to={toPage('records/providers')}>All records</PageLink>
      </p>
    </Panel>
  )
}

const nameOf = ({ id, payload: { displayName, providerId } }: Provider) => (
  <PageLink to={toRecord('providers', id)}>{displayName ?? providerId}</PageLink>
)

/** A provider without a node, such as a price feed or a custodian. */
function SourceRow({ source }: { source: Provider }) {
  const none = <Missing reason="Measured for nodes only." />
  return (
    <Row
      title={nameOf(source)}
      cells={{
        Kind: wordOf(source.payload.kind),
        State: <State of={source.status} />,
        Chain: none,
        'Newest block': none,
        'Calls today': none,
        'Latency, p95': none,
        'Last error': none,
      }}
    />
  )
}

function NodeRow({ node }: { node: Provider }) {
  const { organizationId } = useMembership()
  const { data: health, error } = useQuery(nodeHealthQuery(organizationId, node.id))
  const [label, tone] = nodeStates[health?.state ?? 'UNKNOWN']
  const calls = health?.calls
  const lastError = health ? lastErrorText(health) : null
  return (
    <Row
      title={nameOf(node)}
      cells={{
        Kind: 'RPC node',
        State: error ? 'Not available' : health ? <State of={tone} text={label} /> : 'Loading…',
        Chain: chainName(String(node.payload.configuration.chainId)),
        'Newest block': health?.headAt ? (
          <Time at={health.headAt} isAge />
        ) : (
          <Missing reason="Not probed" />
        ),
        'Calls today': calls ? (
          (calls.answered + calls.refused + calls.failed).toLocaleString('en-US')
        ) : (
          <Missing reason="No data yet" />
        ),
        'Latency, p95': calls?.p95Ms ? (
          `${calls.p95Ms.toLocaleString('en-US')} ms`
        ) : (
          <Missing reason="No calls today" />
        ),
        'Last error':
          health?.lastError && lastError ? (
            <>
              {lastError} <Time at={health.lastError.at} isAge />
            </>
          ) : (
            'None'
          ),
      }}
    />
  )
}
