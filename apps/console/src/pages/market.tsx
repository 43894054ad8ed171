import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useMembership, useSymbols, venuesQuery } from '../api/queries.ts'
import { read } from '../api/send.ts'
import { Missing } from '../fields/exact.tsx'
import { wordOf } from '../fields/meaning.ts'
import { durationOf, percentOf } from '../fields/numbers.ts'
import { UnitsContext, unitsOf } from '../fields/units.tsx'
import { Amount, Price } from '../fields/value.tsx'
import type { SearchParams } from '../routes.tsx'
import { Icon } from '../ui/icons.tsx'
import { Fault, Notice } from '../ui/notice.tsx'
import { PageLink, toPage, toRecord } from '../ui/page-link.tsx'
import { Empty, Panel, Scrolled, Skeleton } from '../ui/parts.tsx'
import { Simulated } from '../ui/simulated.tsx'
import { State } from '../ui/state.tsx'
import ui from '../ui/ui.module.css'
import { MarketRange, MarketTiles, VenueSelect } from './market-numbers.tsx'
import marketStyles from './markets.module.css'
import styles from './pages.module.css'
import { PicturesOf } from './pictures.tsx'

interface Depth {
  bandPips: number
  side: 'BUY' | 'SELL'
  quote: string
}
interface MarketMap {
  pair: {
    chainId: number
    base: string
    quote: string
    baseDecimals: number
    quoteDecimals: number
  }
  asOf: { number: number; timestamp: string }[]
  state: string
  reasons: string[]
  venues: {
    venueId: string
    freshnessSeconds: number | null
    feePips: number | null
    midX18: string | null
    midX36?: string | null
    depth: Depth[]
    depthSharePips: number | null
    tvlQuote: string | null
    volume24hQuote: string | null
  }[]
}

const keyOf = ({ pair }: MarketMap) => `${pair.chainId}-${pair.base}-${pair.quote}`
/** Limits of the method and absent options, not missing data. */
const byDesign: ReadonlySet<string> = new Set([
  'GAS_NOT_CHARGED',
  'NO_SIZES',
  'NO_INTENT_VALIDATED',
])
const noPrice = 'The venue has no current price.'
/** Band of the key figures: 2 % depth. */
const keyBandPips = 20_000
const depthAt = (depth: readonly Depth[], side: string) =>
  depth.find((one) => one.bandPips === keyBandPips && one.side === side)?.quote

/** All venues of a pair as one market. */
export function Market({ pair }: { pair: string }) {
  const { organizationId } = useMembership()
  const markets = useQuery({
    queryKey: [organizationId, 'market-map'],
    queryFn: () =>
      read<{ markets: MarketMap[] }>(organizationId, '/market-map').then(({ markets: all }) => all),
    refetchInterval: 15_000,
  })
  if (markets.error) return <Fault error={markets.error} onRetry={() => void markets.refetch()} />
  if (!markets.data) return <Skeleton lines={8} />
  const market = markets.data.find((one) => keyOf(one).toLowerCase() === pair.toLowerCase())
  if (!market && markets.data.length > 0) {
    return (
      <Empty title="No such market" isPage>
        <p>
          You do not watch a market with this address.{' '}
          <PageLink to={toPage('markets')}>All markets</PageLink>
        </p>
      </Empty>
    )
  }
  if (!market) {
    return (
      <Empty title="No market data" isPage>
        <p>
          Index a venue to see its market.{' '}
          <PageLink to={toPage('markets/new')}>Watch a market</PageLink>
        </p>
      </Empty>
    )
  }
  return <OneMarket market={market} others={markets.data} />
}

function OneMarket({ market, others }: { market: MarketMap; others: readonly MarketMap[] }) {
  const { venue, tab } = useSearch({ strict: false }) as SearchParams
  const symbols = useSymbols()
  const units = unitsOf(market.pair, symbols)
  const nameOf = (one: MarketMap) => {
    const { base, quote } = unitsOf(one.pair, symbols)
    return `${base?.symbol}/${quote?.symbol}`
  }
  const pairKey = keyOf(market).toLowerCase()
  const reasons = market.reasons.filter((reason) => !byDesign.has(reason))
  return (
    <UnitsContext value={units}>
      <header className={styles.head}>
        <div>
          <h1>{nameOf(market)}</h1>
          <p>
            <State of={market.state} /> <Simulated of={market} /> {market.venues.length}{' '}
            {market.venues.length === 1 ? 'venue' : 'venues'}, as of{' '}
            {market.asOf.map(({ number }) => `#${number.toLocaleString('en-US')}`).join(', ')}
          </p>
        </div>
        <nav aria-label="Actions and other markets" className={styles.actions}>
          {others.length > 1
            ? others
                .filter((one) => one !== market)
                .map((one) => (
                  <PageLink key={keyOf(one)} to={toPage(`markets/${keyOf(one)}`)}>
                    {nameOf(one)}
                  </PageLink>
                ))
            : null}
          <PageLink to={toPage('studies/new', venueOf(market, venue))} className={ui.button}>
            <Icon name="sliders-horizontal" />
            Compare ranges
          </PageLink>
          <PageLink to={toPage('alerts/new', { market: pairKey })} className={ui.button}>
            <Icon name="bell-ring" />
            New alert
          </PageLink>
        </nav>
      </header>
      <MarketTiles pairKey={pairKey} />
      {reasons.length > 0 ? (
        <Notice tone="hold" title="Data gaps">
          <p>
            {reasons
              .map((reason, at) => (at === 0 ? wordOf(reason) : wordOf(reason).toLowerCase()))
              .join(', ')}
            .
          </p>
        </Notice>
      ) : null}
      <MarketTabs tab={tab} />
      {tab === 'liquidity' ? (
        <Liquidity market={market} venue={venue} />
      ) : (
        <div className={styles.stack}>
          <MarketRange pairKey={pairKey} venues={market.venues} />
          <PicturesOf family="market-map" id={keyOf(market)} />
          <Venues market={market} />
        </div>
      )}
    </UnitsContext>
  )
}

const MarketLiquidity = lazy(() =>
  import('./market-liquidity.tsx').then((page) => ({ default: page.MarketLiquidity })),
)

function MarketTabs({ tab }: { tab: string | undefined }) {
  const tabs = [
    [undefined, 'Overview'],
    ['liquidity', 'Liquidity and positions'],
  ] as const
  return (
    <nav className={ui.tabs} aria-label="Market sections">
      {tabs.map(([key, label]) => (
        <Link
          key={label}
          to="."
          search={((was: object) => ({ ...was, tab: key })) as never}
          aria-current={tab === key ? 'page' : undefined}
          activeProps={{}}
          activeOptions={{ includeSearch: true, exact: true }}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

/** Liquidity of the selected venue, else of the one with the highest TVL. */
function Liquidity({ market, venue }: { market: MarketMap; venue: string | undefined }) {
  const { base, quote } = unitsOf(market.pair, useSymbols())
  const venueId = selectVenue(market, venue)
  if (venueId === undefined || !base || !quote) return null
  return (
    <div className={styles.stack}>
      {market.venues.length > 1 ? (
        <div className={marketStyles.ranges}>
          <VenueSelect venues={market.venues} selected={venueId} />
        </div>
      ) : null}
      <Suspense fallback={<Skeleton lines={8} />}>
        <MarketLiquidity key={venueId} venueId={venueId} tokens={{ base, quote }} />
      </Suspense>
    </div>
  )
}

/** The selected venue, else the one with the highest TVL. */
function selectVenue({ venues }: MarketMap, selected: string | undefined): string | undefined {
  const tvlOf = ({ tvlQuote }: MarketMap['venues'][number]) => BigInt(tvlQuote ?? 0)
  const [first] = venues
  const deepest = venues.reduce(
    (best, one) => (best === undefined || tvlOf(one) > tvlOf(best) ? one : best),
    first,
  )
  return (venues.find(({ venueId }) => venueId === selected) ?? deepest)?.venueId
}

/** Query with the venue of a study. */
function venueOf(market: MarketMap, selected: string | undefined): { venue?: string } {
  const venue = selectVenue(market, selected)
  return venue === undefined ? {} : { venue }
}

function Venues({ market }: { market: MarketMap }) {
  const { organizationId } = useMembership()
  const units = unitsOf(market.pair, useSymbols())
  const { data: named = [] } = useQuery(venuesQuery(organizationId))
  const amount = (atoms: string | null | undefined, missing = 'The venue has no current data.') =>
    atoms == null ? <Missing reason={missing} /> : <Amount atoms={atoms} asset={units.quote} />
  return (
    <Panel title="Venues" isFlush>
      <Scrolled label="Venues of the market">
        <table className={styles.table}>
          <thead>
            <tr>
              {[
                'Venue',
                'Price',
                'Fee',
                '2 % bid depth (sell)',
                'Depth share',
                'TVL',
                '24 h volume',
                'Last indexed',
              ].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {market.venues.map((venue) => (
              <tr key={venue.venueId}>
                <th scope="row">
                  <PageLink to={toRecord('venues', venue.venueId)}>
                    {named.find(({ id }) => id === venue.venueId)?.payload.name ?? 'Venue'}
                  </PageLink>
                </th>
                <td data-label="Price">
                  {venue.midX36 ? (
                    <Price price={venue.midX36} scale={36} />
                  ) : venue.midX18 ? (
                    <Price price={venue.midX18} scale={18} />
                  ) : (
                    <Missing reason={noPrice} />
                  )}
                </td>
                <td data-label="Fee">
                  {venue.feePips === null ? (
                    <Missing reason="The fee varies by order." />
                  ) : (
                    percentOf(venue.feePips)
                  )}
                </td>
                <td data-label="2 % bid depth (sell)">{amount(depthAt(venue.depth, 'SELL'))}</td>
                <td data-label="Depth share">
                  {venue.depthSharePips === null ? (
                    <Missing reason={noPrice} />
                  ) : (
                    percentOf(venue.depthSharePips)
                  )}
                </td>
                <td data-label="TVL">{amount(venue.tvlQuote)}</td>
                <td data-label="24 h volume">
                  {amount(venue.volume24hQuote, '24 h of regular indexing are required.')}
                </td>
                <td data-label="Last indexed">
                  {venue.freshnessSeconds === null
                    ? 'never'
                    : `${durationOf(venue.freshnessSeconds)} ago`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
    </Panel>
  )
}
