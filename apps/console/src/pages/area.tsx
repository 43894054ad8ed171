import type { ConsoleArea } from '@liquidity-os/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { familyQuery, useMembership, workspaceQuery } from '../api/queries.ts'
import { permits } from '../declared/families.ts'
import { areas, tabsOf } from '../declared/pages.ts'
import type { FamilyEntry } from '../declared/types.ts'
import type { SearchParams } from '../routes.tsx'
import { Icon } from '../ui/icons.tsx'
import { Fault } from '../ui/notice.tsx'
import { PageLink, toPage } from '../ui/page-link.tsx'
import { Panel, Skeleton } from '../ui/parts.tsx'
import ui from '../ui/ui.module.css'
import styles from './pages.module.css'
import { RecordsPage } from './records.tsx'

/** Tabs with a custom page; the other tabs list the records of their families. */
const ownPages: Readonly<Record<string, React.LazyExoticComponent<() => React.ReactNode>>> = {
  'markets/overview': lazy(() =>
    import('./market-table.tsx').then(({ MarketTable: page }) => ({ default: page })),
  ),
  'treasury/overview': lazy(() =>
    import('./treasury-overview.tsx').then(({ TreasuryOverview: page }) => ({ default: page })),
  ),
  'makers/mandates': lazy(() =>
    import('./makers/mandate-list.tsx').then(({ MandateList: page }) => ({ default: page })),
  ),
  'settings/providers': lazy(() =>
    import('./providers/provider-list.tsx').then(({ ProviderList: page }) => ({ default: page })),
  ),
  'settings/members': lazy(() =>
    import('./members.tsx').then(({ Members: page }) => ({ default: page })),
  ),
  'settings/api-keys': lazy(() =>
    import('./api-keys/api-keys.tsx').then(({ ApiKeys: page }) => ({ default: page })),
  ),
}

/** Main task of an area, as a button in its header. */
const areaTasks: Readonly<Record<string, { path: string; label: string; icon: string }>> = {
  alerts: { path: 'alerts/new', label: 'New alert', icon: 'plus' },
  studies: { path: 'studies/new', label: 'Compare ranges', icon: 'sliders-horizontal' },
}

/** An area of the navigation: its tabs, and the content of the tab that the URL names. */
export function AreaPage({ area }: { area: ConsoleArea }) {
  const { role } = useMembership()
  const search = useSearch({ strict: false }) as SearchParams
  const tabs = tabsOf(area)
    .map((tab) => ({
      ...tab,
      families: tab.families.filter(({ permission }) => permits(role, permission)),
    }))
    .filter(({ key, families }) => families.length > 0 || `${area.path}/${key}` in ownPages)
  const tab = tabs.find(({ key }) => key === search.tab) ?? tabs[0]
  const task = areaTasks[area.path]
  if (!tab) return <p>Your role can't read these records.</p>
  const Own = ownPages[`${area.path}/${tab.key}`]
  return (
    <>
      <header className={styles.head}>
        <div>
          <h1>{area.label}</h1>
          <p>{area.summary}</p>
        </div>
        {task ? (
          <PageLink to={toPage(task.path)} className={ui.button}>
            <Icon name={task.icon} />
            {task.label}
          </PageLink>
        ) : null}
      </header>
      <nav className={ui.tabs} aria-label={`${area.label}, sections`}>
        {tabs.map(({ key, label }, index) => (
          <Link
            key={key}
            to="."
            search={(index === 0 ? {} : { tab: key }) as never}
            aria-current={key === tab.key ? 'page' : undefined}
            activeProps={{}}
            activeOptions={{ includeSearch: true, exact: true }}
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className={styles.stack}>
        <Suspense fallback={<Skeleton lines={6} />}>
          {Own ? <Own /> : <Lists families={tab.families} tab={tab.key} chosen={search.list} />}
        </Suspense>
      </div>
    </>
  )
}

/** The records of a tab. Several families share it as sections. */
function Lists({
  families,
  tab,
  chosen,
}: {
  families: readonly FamilyEntry[]
  tab: string
  chosen: string | undefined
}) {
  const entry = families.find(({ key }) => key === chosen) ?? families[0]
  if (!entry) return null
  return (
    <>
      {families.length > 1 ? (
        <nav className={styles.sections} aria-label="Lists">
          {families.map(({ key, task }, index) => (
            <Link
              key={key}
              to="."
              search={{ tab, ...(index === 0 ? {} : { list: key }) } as never}
              aria-current={key === entry.key ? 'true' : undefined}
              activeProps={{}}
              activeOptions={{ includeSearch: true, exact: true }}
            >
              {task}
            </Link>
          ))}
        </nav>
      ) : null}
      <FamilyList key={entry.key} familyKey={entry.key} />
    </>
  )
}

function FamilyList({ familyKey }: { familyKey: string }) {
  const file = useQuery(familyQuery(familyKey))
  if (file.error) return <Fault error={file.error} onRetry={() => void file.refetch()} />
  return file.data ? <RecordsPage file={file.data} isSection /> : <Skeleton lines={8} />
}

/** Every list of the service, with the number of its records. */
export function AllRecords() {
  const { organizationId, role } = useMembership()
  const { data: workspace } = useQuery(workspaceQuery(organizationId))
  return (
    <>
      <header className={styles.head}>
        <div>
          <h1>All records</h1>
          <p>Every list with its filters, forms and history.</p>
        </div>
      </header>
      <div className={styles.columns}>
        {areas.map((area) => (
          <Panel key={area.path} title={area.label}>
            <ul className={styles.lines}>
              {tabsOf(area)
                .flatMap(({ families }) => families)
                .filter(({ isListed, permission }) => isListed && permits(role, permission))
                .map((entry) => (
                  <li key={entry.key}>
                    <Icon name={entry.icon} />
                    <PageLink to={toPage(`records/${entry.key}`)}>{entry.task}</PageLink>
                    <small>{(entry.type && workspace?.counts[entry.type]) || null}</small>
                  </li>
                ))}
            </ul>
          </Panel>
        ))}
      </div>
    </>
  )
}
