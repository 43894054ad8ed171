import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { rangeOf, ranges } from '../api/market-range.ts'
import { marketHistoryQuery, marketSummariesQuery } from '../api/markets.ts'
import { useMembership, venuesQuery } from '../api/queries.ts'
import { exactDecimal, utcOf } from '../fields/numbers.ts'
import { ExportLinks } from '../ui/export-links.tsx'
import { Fault } from '../ui/notice.tsx'
import { PageLink, toRecord } from '../ui/page-link.tsx'
import { Skeleton } from '../ui/parts.tsx'
import {
  MarketChange,
  MarketDepth,
  MarketPrice,
  MarketScore,
  MarketTvl,
  MarketVolume,
  useMarketTokens,
} from './market-figures.tsx'
import styles from './markets.module.css'

const HistoryCharts = lazy(() =>
  import('./market-history.tsx').then(({ HistoryCharts: charts }) => ({ default: charts })),
)

/** Price, depth, volume, TVL and score of a market. */
export function MarketTiles({ pairKey }: { pairKey: string }) {
  const { organizationId } = useMembership()
  const summaries = useQuery(marketSummariesQuery(organizationId))
  const tokensOf = useMarketTokens()
  if (summaries.error)
    return <Fault error={summaries.error} onRetry={() => void summaries.refetch()} />
  if (!summaries.data) return <Skeleton lines={2} />
  const market = summaries.data.markets.find((one) => one.pairKey === pairKey)
  if (!market) return null
  const shown = { market, tokens: tokensOf(market) }
  const tiles = {
    Price: <MarketPrice {...shown} />,
    '24 h change': <MarketChange market={market} />,
    '2 % ask depth (buy)': <MarketDepth {...shown} side="buyQuote" />,
    '2 % bid depth (sell)': <MarketDepth {...shown} side="sellQuote" />,
    '24 h volume': <MarketVolume {...shown} />,
    TVL: <MarketTvl {...shown} />,
    Score: <MarketScore market={market} />,
  }
  return (
    <dl className={styles.tiles}>
      {Object.entries(tiles).map(([name, tile]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{tile}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Price, depth and volume over the range and venue of the URL. */
export function MarketRange({
  pairKey,
  venues,
}: {
  pairKey: string
  venues: readonly { readonly venueId: string }[]
}) {
  const { organizationId } = useMembership()
  const { range: requestedRange, venue } = useSearch({ strict: false }) as {
    range?: string
    venue?: string
  }
  const venueId = venues.find((one) => one.venueId === venue)?.venueId
  const range = rangeOf(requestedRange)
  const history = useQuery(marketHistoryQuery(organizationId, { pair: pairKey, venueId }, range))
  const tokensOf = useMarketTokens()
  const { data } = history
  const symbols = data ? tokensOf(data) : null
  const [base, quote] = [symbols?.base.symbol, symbols?.quote.symbol]
  // Charts need a new layout only for new data or another symbol.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the symbols identify the tokens
  const tokens = useMemo(() => symbols, [data, base, quote])
  return (
    <>
      <div className={styles.ranges}>
        <nav aria-label="Range">
          {ranges.map(({ key, label }) => (
            <Link
              key={key}
              to={'.' as never}
              search={((was: object) => ({ ...was, range: key })) as never}
              replace
              resetScroll={false}
              data-range={key}
              aria-current={key === range.key ? 'true' : undefined}
            >
              {label}
            </Link>
          ))}
        </nav>
        {venues.length > 1 ? <VenueSelect venues={venues} selected={venueId} hasAll /> : null}
        <ExportLinks
          view={`markets/${venueId ?? pairKey}/history`}
          query={data ? { from: data.from, to: data.to } : {}}
        />
        {data ? <Evidence history={data} /> : null}
      </div>
      {history.error ? (
        <Fault error={history.error} onRetry={() => void history.refetch()} />
      ) : data && tokens ? (
        <Suspense fallback={<Skeleton lines={8} />}>
          <HistoryCharts history={data} tokens={tokens} />
        </Suspense>
      ) : (
        <Skeleton lines={8} />
      )}
    </>
  )
}

/**
 * Selects the venue of the charts.
 *
 * @param hasAll true if all venues together are a choice
 */
export function VenueSelect({
  venues,
  selected,
  hasAll = false,
}: {
  venues: readonly { readonly venueId: string }[]
  selected: string | undefined
  hasAll?: boolean
}) {
  const { organizationId } = useMembership()
  const navigate = useNavigate()
  const { data: named = [] } = useQuery(venuesQuery(organizationId))
  return (
    <label>
      Venue{' '}
      <select
        value={selected ?? ''}
        onChange={({ target: { value } }) =>
          void navigate({
            to: '.',
            search: ((was: object) => ({ ...was, venue: value || undefined })) as never,
            replace: true,
            resetScroll: false,
          })
        }
      >
        {hasAll ? <option value="">All venues</option> : null}
        {venues.map(({ venueId }) => (
          <option key={venueId} value={venueId}>
            {named.find(({ id }) => id === venueId)?.payload.name ?? 'Venue'}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Time of the charts, and the observations that they are made of. */
function Evidence({
  history: { to, evidence },
}: {
  history: { to: string; evidence: { observations: number; last: string | null } }
}) {
  const { observations, last } = evidence
  const count = `${exactDecimal(BigInt(observations), 0)} ${observations === 1 ? 'observation' : 'observations'}`
  return (
    <p>
      As of {utcOf(to)}, from {count}
      {last === null ? null : (
        <>
          {' '}
          (<PageLink to={toRecord('venue-observations', last)}>newest observation</PageLink>)
        </>
      )}
      .
    </p>
  )
}
