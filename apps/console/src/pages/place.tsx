import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { familyQuery } from '../api/queries.ts'
import { placeOf } from '../declared/families.ts'
import { Fault } from '../ui/notice.tsx'
import { Empty, Skeleton } from '../ui/parts.tsx'
import { RecordPage } from './record.tsx'
import { RecordsPage } from './records.tsx'

const Workbench = lazy(() =>
  import('./workbench.tsx').then(({ Workbench: page }) => ({ default: page })),
)
const SetUp = lazy(() =>
  import('./set-up/set-up.tsx').then(({ SetUp: page }) => ({ default: page })),
)
const Market = lazy(() => import('./market.tsx').then(({ Market: page }) => ({ default: page })))

const Compare = lazy(() => import('./compare.tsx').then(({ Compare: page }) => ({ default: page })))

/** Page of a path: a special page, or the page generated from the family declaration. */
export function Place() {
  const { _splat: path = '' } = useParams({ strict: false }) as { _splat?: string }
  if (path === 'market' || path.startsWith('market-map/')) {
    return (
      <Suspense fallback={<Skeleton />}>
        <Market pair={path.split('/')[1] ?? null} />
      </Suspense>
    )
  }
  if (path === 'study-ranges') {
    return (
      <Suspense fallback={<Skeleton />}>
        <Workbench />
      </Suspense>
    )
  }
  if (path === 'set-up') {
    return (
      <Suspense fallback={<Skeleton />}>
        <SetUp />
      </Suspense>
    )
  }
  const found = placeOf(path)
  if (!found || found.rest.length > 1) return <Nowhere />
  return <FamilyPlace key={path} familyKey={found.entry.key} id={found.rest[0] ?? null} />
}

function FamilyPlace({ familyKey, id }: { familyKey: string; id: string | null }) {
  const file = useQuery(familyQuery(familyKey))
  if (file.error) return <Fault error={file.error} onRetry={() => void file.refetch()} />
  if (!file.data) return <Skeleton />
  if (id === null) return <RecordsPage file={file.data} />
  return id === 'compare' ? (
    <Suspense fallback={<Skeleton />}>
      <Compare file={file.data} />
    </Suspense>
  ) : (
    <RecordPage file={file.data} id={decodeURIComponent(id)} />
  )
}

function Nowhere() {
  return (
    <Empty title="Page not found">
      <p>The page moved, or it belongs to another organization.</p>
    </Empty>
  )
}
