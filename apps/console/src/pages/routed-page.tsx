import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { familyQuery, useMembership, venuesQuery } from '../api/queries.ts'
import { read } from '../api/send.ts'
import { familyOfKey } from '../declared/families.ts'
import { type Page, pageOf, recordTarget, type Target } from '../declared/pages.ts'
import type { FamilyEntry, FamilyFile } from '../declared/types.ts'
import type { SearchParams } from '../routes.tsx'
import { Fault } from '../ui/notice.tsx'
import { Empty, Skeleton } from '../ui/parts.tsx'
import { AllRecords, AreaPage } from './area.tsx'
import { RecordPage } from './record.tsx'
import { RecordsPage } from './records.tsx'

const Workbench = lazy(() =>
  import('./workbench.tsx').then(({ Workbench: page }) => ({ default: page })),
)
const SetUp = lazy(() =>
  import('./set-up/set-up.tsx').then(({ SetUp: page }) => ({ default: page })),
)
const AlertBuilder = lazy(() =>
  import('./alerts/alert-builder.tsx').then(({ AlertBuilder: page }) => ({ default: page })),
)
const NewPassport = lazy(() =>
  import('./passports/new-passport.tsx').then(({ NewPassport: page }) => ({ default: page })),
)
const NewProvider = lazy(() =>
  import('./providers/new-provider.tsx').then(({ NewProvider: page }) => ({ default: page })),
)
const NewProposal = lazy(() =>
  import('./proposals/new/new-proposal.tsx').then(({ NewProposal: page }) => ({ default: page })),
)
const Market = lazy(() => import('./market.tsx').then(({ Market: page }) => ({ default: page })))

const Compare = lazy(() => import('./compare.tsx').then(({ Compare: page }) => ({ default: page })))

/** Renders the page of the current URL. */
export function RoutedPage() {
  const { _splat: path = '' } = useParams({ strict: false }) as { _splat?: string }
  const search = useSearch({ strict: false }) as SearchParams
  return <Suspense fallback={<Skeleton />}>{pageFor(path, search)}</Suspense>
}

function pageFor(path: string, search: SearchParams): ReactNode {
  const page = pageOf(path, search)
  switch (page.kind) {
    case 'market':
      return <Market pair={page.pairKey} />
    case 'watch-market':
      return <SetUp />
    case 'new-study':
      return <Workbench />
    case 'new-alert':
      return <AlertBuilder />
    case 'new-passport':
      return <NewPassport />
    case 'new-provider':
      return <NewProvider />
    case 'new-proposal':
      return <NewProposal />
    case 'all-records':
      return <AllRecords />
    case 'area':
      return <AreaPage key={page.area.path} area={page.area} />
    case 'list':
    case 'compare':
    case 'record':
      return (
        <FamilyLoader key={path} entry={page.entry}>
          {(file) => familyPage(page, file)}
        </FamilyLoader>
      )
    case 'redirect':
      return <Redirect to={page.target} />
    case 'venue':
      return <VenueMarket id={page.id} />
    case 'alert-notice':
      return <NoticeAlert id={page.id} />
    case 'unknown':
      return <PageNotFound />
  }
}

function familyPage(page: Extract<Page, { entry: FamilyEntry }>, file: FamilyFile): ReactNode {
  if (page.kind === 'record') return <RecordPage file={file} id={page.id} />
  return page.kind === 'list' ? <RecordsPage file={file} /> : <Compare file={file} />
}

function Redirect({ to: { path, search } }: { to: Target }) {
  const { organizationId } = useMembership()
  return <Navigate to={`/o/${organizationId}/${path}` as never} search={search as never} replace />
}

/** Redirects a venue id to its market page, or to its record if the organization does not index the venue. */
function VenueMarket({ id }: { id: string }) {
  const { organizationId } = useMembership()
  const venues = useQuery(venuesQuery(organizationId))
  if (venues.error) return <Fault error={venues.error} onRetry={() => void venues.refetch()} />
  if (!venues.data) return <Skeleton lines={8} />
  const pair = venues.data.find((venue) => venue.id === id)?.payload.pair
  const entry = familyOfKey('venues')
  if (!entry) return <PageNotFound />
  return (
    <Redirect
      to={
        pair
          ? {
              path: `markets/${pair.chainId}-${pair.base}-${pair.quote}`.toLowerCase(),
              search: { venue: id },
            }
          : recordTarget(entry, id)
      }
    />
  )
}

/** Leads from the stored state of an alert to the alert. */
function NoticeAlert({ id }: { id: string }) {
  const { organizationId } = useMembership()
  const versions = useQuery({
    queryKey: [organizationId, 'alert-notices', id],
    queryFn: () =>
      read<readonly { payload: { alertId: string } }[]>(organizationId, `/records/${id}/versions`, {
        limit: 1,
      }),
  })
  if (versions.error) return <Fault error={versions.error} />
  if (!versions.data) return <Skeleton lines={8} />
  const [version] = versions.data
  if (!version) return <PageNotFound />
  const { alertId } = version.payload
  return <Redirect to={{ path: `alerts/${encodeURIComponent(alertId)}`, search: {} }} />
}

function FamilyLoader({
  entry,
  children,
}: {
  entry: FamilyEntry
  children: (file: FamilyFile) => ReactNode
}) {
  const file = useQuery(familyQuery(entry.key))
  if (file.error) return <Fault error={file.error} onRetry={() => void file.refetch()} />
  return file.data ? children(file.data) : <Skeleton />
}

function PageNotFound() {
  return (
    <Empty title="Page not found" isPage>
      <p>The page moved, or it belongs to another organization.</p>
    </Empty>
  )
}
