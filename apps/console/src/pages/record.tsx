import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import { itemQuery, useMarketOf, useMembership, useUnitsOf } from '../api/queries.ts'
import type { AnyRecord, Item } from '../api/records.ts'
import { permissionReason, stateOf, stateReason } from '../declared/disabled-reasons.ts'
import { listTarget } from '../declared/pages.ts'
import { panelOperations } from '../declared/panels.ts'
import { schemaAt, valueAt } from '../declared/schema.ts'
import type { FamilyFile, OperationFile } from '../declared/types.ts'
import { headingsOf } from '../fields/meaning.ts'
import { useTitle } from '../fields/title.ts'
import { Tree } from '../fields/tree.tsx'
import { AssetsContext, readAssets, UnitsContext } from '../fields/units.tsx'
import { Value } from '../fields/value.tsx'
import { OperationForm } from '../forms/operation-form.tsx'
import type { SearchParams } from '../routes.tsx'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/notice.tsx'
import { PageLink, toPage } from '../ui/page-link.tsx'
import { Empty, Fold, Panel, Skeleton, Time } from '../ui/parts.tsx'
import { Simulated } from '../ui/simulated.tsx'
import { State } from '../ui/state.tsx'
import ui from '../ui/ui.module.css'
import styles from './pages.module.css'
import { ProposalStatus } from './proposals/proposal-status.tsx'

const History = lazy(() => import('./history.tsx').then(({ History: page }) => ({ default: page })))
const Study = lazy(() => import('./study.tsx').then(({ Study: part }) => ({ default: part })))
const CapitalSliders = lazy(() =>
  import('./capital-sliders.tsx').then(({ CapitalSliders: part }) => ({ default: part })),
)
const AllocationSliders = lazy(() =>
  import('./allocation-sliders.tsx').then(({ AllocationSliders: part }) => ({ default: part })),
)
const ProposalSummary = lazy(() =>
  import('./proposals/proposal.tsx').then(({ ProposalSummary: part }) => ({ default: part })),
)
const RuleSummary = lazy(() =>
  import('./alerts/rule-summary.tsx').then(({ RuleSummary: part }) => ({ default: part })),
)
const AlertSummary = lazy(() =>
  import('./alerts/alert-summary.tsx').then(({ AlertSummary: part }) => ({ default: part })),
)
const ReconciliationSummary = lazy(() =>
  import('./reconciliation-summary.tsx').then(({ ReconciliationSummary: part }) => ({
    default: part,
  })),
)
const ProjectionSummary = lazy(() =>
  import('./projection-summary.tsx').then(({ ProjectionSummary: part }) => ({ default: part })),
)
const PassportSummary = lazy(() =>
  import('./passport.tsx').then(({ PassportSummary: part }) => ({ default: part })),
)
const MandateSummary = lazy(() =>
  import('./makers/mandate-summary.tsx').then(({ MandateSummary: part }) => ({ default: part })),
)
const ProviderSummary = lazy(() =>
  import('./providers/provider-summary.tsx').then(({ ProviderSummary: part }) => ({
    default: part,
  })),
)
const ResearchRun = lazy(() =>
  import('./research-run.tsx').then(({ ResearchRun: part }) => ({ default: part })),
)
const Pictures = lazy(() =>
  import('./pictures.tsx').then(({ Pictures: page }) => ({ default: page })),
)

/** Families whose page states all figures that matter above the list of fields. */
const summarized: ReadonlySet<string> = new Set([
  'alert-rules',
  'alerts',
  'market-maker-mandates',
  'passports',
  'proposals',
  'scores',
  'studies',
  'treasury/projections',
  'treasury/reconciliations',
])

/** One record: current state, operations, history and raw bytes. */
export function RecordPage({ file, id }: { file: FamilyFile; id: string }) {
  const { organizationId } = useMembership()
  const titleOf = useTitle()
  const marketOf = useMarketOf()
  const search = useSearch({ strict: false }) as SearchParams
  const found = useQuery({ ...itemQuery(organizationId, file.entry, id), refetchInterval: 15_000 })
  if (found.error) {
    return (
      <div className={styles.stack}>
        <h1>Could not load this {file.entry.one}</h1>
        <Fault error={found.error} onRetry={() => void found.refetch()} />
      </div>
    )
  }
  if (found.isPending) return <Skeleton lines={10} />
  if (found.data === null) {
    return (
      <Empty title={`No such ${file.entry.one}`}>
        <p>The list does not contain it.</p>
      </Empty>
    )
  }
  const { item, etag } = found.data
  const form = search.form ? file.operations[search.form] : undefined
  const tab = search.tab ?? 'overview'
  const isProposal = file.entry.key === 'proposals'
  return (
    <RecordUnits file={file} item={item}>
      <p className={styles.trail}>
        <PageLink to={listTarget(file.entry)}>{file.entry.task}</PageLink>
      </p>
      <header className={styles.head}>
        <div>
          <h1>{titleOf(file.entry, item)}</h1>
          <p className={ui.row}>
            {isProposal ? (
              <ProposalStatus item={item} />
            ) : stateOf(item) ? (
              <State of={stateOf(item) ?? ''} record={item} />
            ) : null}
            <Simulated of={item} market={marketOf(file, item)} />
            <Provenance item={item} />
          </p>
        </div>
        <Actions file={file} item={item} />
      </header>
      {file.entry.key === 'projects' ? (
        <TokenLinks assetKey={valueAt(item, 'payload.assetKey')} />
      ) : null}
      {isProposal ? null : <Figures file={file} item={item} />}
      {form && !panelOperations.has(form.id) && (form.body || form.method === 'DELETE') ? (
        <OperationForm
          key={form.id}
          file={file}
          operation={form}
          given={search}
          record={item}
          etag={etag}
        />
      ) : null}
      <Tabs file={file} tab={tab} />
      <Suspense fallback={<Skeleton />}>
        <Body file={file} item={item} tab={tab} />
      </Suspense>
    </RecordUnits>
  )
}

/** Provides the units of a record and the assets that it defines. */
export function RecordUnits({
  file,
  item,
  children,
}: {
  file: FamilyFile
  item: Item
  children: ReactNode
}) {
  const unitsFor = useUnitsOf()
  const assets = useMemo(() => readAssets(item.payload), [item])
  return (
    <AssetsContext value={assets}>
      <UnitsContext value={unitsFor(file, item)}>{children}</UnitsContext>
    </AssetsContext>
  )
}

function Provenance({ item }: { item: Item }) {
  const record = item as unknown as AnyRecord
  if (typeof record.createdAt !== 'string') return null
  return (
    <span className={ui.meta}>
      {typeof record.sequence === 'number' ? `version ${record.sequence}, ` : ''}
      <Time at={record.createdAt} />
      {record.reason ? <> · {record.reason}</> : null}
    </span>
  )
}

/** All operations on the record. A disabled operation states its reason. */
function Actions({ file, item }: { file: FamilyFile; item: Item }) {
  const { role } = useMembership()
  const navigate = useNavigate()
  const open = (form: string, to?: string) =>
    void navigate({ to: '.', search: { form, ...(to ? { to } : {}) } as never })
  return (
    <div className={styles.actions}>
      {file.changes
        .filter((id) => !panelOperations.has(id))
        .map((id) => {
          const operation = file.operations[id] as OperationFile
          const disabledReason =
            permissionReason(role, operation.permission) ?? stateReason(file, id, item)
          return (
            <Button key={id} disabledReason={disabledReason} onClick={() => open(id)}>
              {file.actions[id]?.label ?? operation.summary}
            </Button>
          )
        })}
    </div>
  )
}

/** Links for a tracked token: its public page and its market. */
function TokenLinks({ assetKey }: { assetKey: unknown }) {
  const [, chainId, address] = /^eip155:(\d+)\/erc20:(0x[0-9a-f]{40})$/.exec(String(assetKey)) ?? []
  if (!chainId || !address) return null
  return (
    <p className={styles.recordFacts}>
      <a href={`/token/${chainId}/${address}`} target="_blank" rel="noreferrer">
        Public page
      </a>
      <PageLink to={toPage('markets/new', { chain: chainId, address })}>Watch its market</PageLink>
    </p>
  )
}

function Figures({ file, item }: { file: FamilyFile; item: Item }) {
  const known = file.head.filter((path) => valueAt(item, path) !== undefined)
  if (known.length === 0) return null
  const headings = headingsOf(known, [])
  return (
    <dl className={styles.figures}>
      {known.map((path) => {
        const [name = path, around = ''] = path.split('.').toReversed()
        return (
          <div key={path}>
            <dt>{headings.get(path)}</dt>
            <dd>
              <Value
                name={/Pips$/.test(around) ? `${name}Pips` : name}
                value={valueAt(item, path)}
                schema={schemaAt(file.item, path, file.defs)}
                defs={file.defs}
              />
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

function Tabs({ file, tab }: { file: FamilyFile; tab: string }) {
  const tabs = [
    ['overview', 'Overview'],
    ...(file.isRecord ? [['history', 'History'] as const] : []),
    ['raw', 'Raw'],
  ] as const
  return (
    <nav className={ui.tabs} aria-label="Record sections">
      {tabs.map(([name, label]) => (
        <Link
          key={name}
          to="."
          search={(name === 'overview' ? {} : { tab: name }) as never}
          aria-current={tab === name ? 'page' : undefined}
          activeProps={{}}
          activeOptions={{ includeSearch: true, exact: true }}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

/** Members without the identifiers, which the page of the API response shows. */
const withoutKeys = ({ id: _id, resourceVersion: _version, ...members }: Item) => members

function Body({ file, item, tab }: { file: FamilyFile; item: Item; tab: string }): ReactNode {
  if (tab === 'raw') {
    return (
      <Panel title="API response" isFlush>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
        <pre className={ui.code} tabIndex={0}>
          {JSON.stringify(item, null, 2)}
        </pre>
      </Panel>
    )
  }
  if (tab === 'history' && file.isRecord)
    return <History file={file} record={item as unknown as AnyRecord} />
  const isRecord = typeof item.payload === 'object' && item.payload !== null
  const isStudy = file.entry.key === 'studies'
  const isProposal = file.entry.key === 'proposals'
  const isRule = file.entry.key === 'alert-rules'
  const isMandate = file.entry.key === 'market-maker-mandates'
  const isReconciliation = file.entry.key === 'treasury/reconciliations'
  const isPassport = file.entry.key === 'passports'
  const fields = (
    <Panel title="Fields">
      <Tree
        value={isRecord ? item.payload : withoutKeys(item)}
        schema={isRecord ? schemaAt(file.item, 'payload', file.defs) : (file.item ?? undefined)}
        defs={file.defs}
      />
    </Panel>
  )
  return (
    <div className={styles.stack}>
      {isStudy ? <Study item={item} /> : null}
      {isProposal ? <ProposalSummary item={item} /> : null}
      {isRule ? <RuleSummary item={item} /> : null}
      {isPassport ? <PassportSummary item={item} /> : null}
      {file.entry.key === 'alerts' ? <AlertSummary item={item} /> : null}
      {isReconciliation ? <ReconciliationSummary item={item} /> : null}
      {file.entry.key === 'treasury/projections' ? <ProjectionSummary item={item} /> : null}
      {isMandate ? <MandateSummary item={item} /> : null}
      {file.entry.key === 'providers' ? <ProviderSummary item={item} /> : null}
      {file.entry.key === 'agent-runs' ? <ResearchRun item={item} /> : null}
      {isStudy || isProposal || isMandate || isPassport || isReconciliation ? null : (
        <Pictures file={file} id={String(item.id)} />
      )}
      {file.entry.key === 'capital-requirements' ? (
        <CapitalSliders key={item.id} item={item} />
      ) : null}
      {file.entry.key === 'allocation-plans' ? (
        <AllocationSliders key={item.id} item={item} />
      ) : null}
      {isProposal ? (
        <Fold title="Charts" note="Simulated effects and approvals">
          <Pictures file={file} id={String(item.id)} />
        </Fold>
      ) : null}
      {isReconciliation ? (
        <Fold title="Charts" note="From ledger to chain, evidence and age">
          <Pictures file={file} id={String(item.id)} />
        </Fold>
      ) : null}
      {isPassport ? (
        <Fold title="Charts" note="Slippage, and the path to the signed root of the proof log">
          <Pictures file={file} id={String(item.id)} />
        </Fold>
      ) : null}
      {summarized.has(file.entry.key) ? (
        <Fold title="Method and evidence" note={`All fields of the ${file.entry.one}`}>
          {fields}
        </Fold>
      ) : (
        fields
      )}
    </div>
  )
}
