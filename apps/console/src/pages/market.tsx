import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { usePlace, useSymbols, venuesQuery } from '../api/queries.ts'
import { read } from '../api/send.ts'
import { Missing } from '../fields/exact.tsx'
import { wordOf } from '../fields/meaning.ts'
import { durationOf, percentOf } from '../fields/numbers.ts'
import { UnitsContext, unitsOf } from '../fields/units.tsx'
import { Amount, Price } from '../fields/value.tsx'
import type { Asked } from '../routes.tsx'
import { Icon } from '../ui/icons.tsx'
import { Fault, Notice } from '../ui/notice.tsx'
import { PageLink, toPage, toRecord } from '../ui/page-link.tsx'
import { Empty, Panel, Scrolled, Skeleton } from '../ui/parts.tsx'
import { Simulated } from '../ui/simulated.tsx'
import { State } from '../ui/state.tsx'
import ui from '../ui/ui.module.css'
import { MarketRange, MarketTiles } from './market-numbers.tsx'
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
/** Band of the key figures: 2 % depth. */
const noPrice = 'The venue has no current price.'
const keyBandPips = 20_000
const depthAt = (depth: readonly Depth[], side: string) =>
  depth.find((one) => one.bandPips === keyBandPips && one.side === side)?.quote

/** All venues of a pair as one market. */
export function Market({ pair }: { pair: string }) {
  const { organizationId } = usePlace()
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
  const { venue } = useSearch({ strict: false }) as Asked
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
      <div className={styles.stack}>
        <MarketRange pairKey={pairKey} venues={market.venues} />
        <PicturesOf family="market-map" id={keyOf(market)} />
        <Venues market={market} />
      </div>
    </UnitsContext>
  )
}

/** Query with the venue of a study: the selected venue, else the one with the highest TVL. */
function venueOf({ venues }: MarketMap, selected: string | undefined): { venue?: string } {
  const [deepest] = venues.toSorted((a, b) =>
    Number(BigInt(b.tvlQuote ?? 0) - BigInt(a.tvlQuote ?? 0) > 0n ? 1 : -1),
  )
  const venue = venues.find(({ venueId }) => venueId === selected) ?? deepest
  return venue ? { venue: venue.venueId } : {}
}

function Venues({ market }: { market: MarketMap }) {
  const { organizationId } = usePlace()
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
                  {venue.midX18 ? (
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
                  {amount(venue.volume24hQuote, 'The last 24 h have data gaps.')}
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
