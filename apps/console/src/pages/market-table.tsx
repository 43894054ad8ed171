import { useQuery } from '@tanstack/react-query'
import { type MarketSummary, marketSummariesQuery } from '../api/markets.ts'
import { useMembership } from '../api/queries.ts'
import { priceDecimals } from '../fields/figures.ts'
import { durationOf } from '../fields/numbers.ts'
import { Icon } from '../ui/icons.tsx'
import { Fault } from '../ui/notice.tsx'
import { PageLink, toList, toPage } from '../ui/page-link.tsx'
import { Panel, Skeleton } from '../ui/parts.tsx'
import { Simulated } from '../ui/simulated.tsx'
import uiStyles from '../ui/ui.module.css'
import {
  MarketChange,
  MarketDepths,
  MarketPrice,
  MarketScore,
  MarketTvl,
  MarketVolume,
  useMarketTokens,
} from './market-figures.tsx'
import { partialVenues } from './market-reasons.ts'
import styles from './markets.module.css'
import pageStyles from './pages.module.css'
import { Sparkline } from './sparkline.tsx'
import { Row, Table } from './table.tsx'

/** Older data is stale, in seconds. */
const staleSeconds = 900

const columns = [
  'Market',
  'Price',
  '24 h change',
  '2 % depth, buy / sell',
  '24 h volume',
  'TVL',
  'Score',
  '7-day price',
  'Open alerts',
]

/** The watched markets with their current figures. */
export function MarketTable() {
  const { organizationId } = useMembership()
  const summaries = useQuery(marketSummariesQuery(organizationId))
  const watch = (
    <PageLink to={toPage('markets/new')} className={uiStyles.button}>
      <Icon name="plus" />
      Watch a market
    </PageLink>
  )
  if (summaries.error)
    return (
      <Panel title="Markets">
        <Fault error={summaries.error} onRetry={() => void summaries.refetch()} />
      </Panel>
    )
  if (!summaries.data)
    return (
      <Panel title="Markets">
        <Skeleton lines={3} />
      </Panel>
    )
  const { markets } = summaries.data
  if (markets.length === 0)
    return (
      <Panel title="Markets">
        <div className={styles.none}>
          <p>No markets watched.</p>
          {watch}
        </div>
      </Panel>
    )
  return (
    <Panel title="Markets" actions={watch} isFlush>
      <Table label="Markets" columns={columns} isFigures>
        {markets.map((market) => (
          <MarketRow key={market.pairKey} market={market} />
        ))}
      </Table>
      <p className={pageStyles.foot}>
        Depth, volume and TVL are in the quote token. Press a figure to copy all its digits.
      </p>
    </Panel>
  )
}

function MarketRow({ market }: { market: MarketSummary }) {
  const tokens = useMarketTokens()(market)
  const { base, quote } = tokens
  const shown = { market, tokens }
  return (
    <Row
      title={
        <>
          <PageLink to={toPage(`markets/${market.pairKey}`)}>
            {base.symbol}/{quote.symbol}
          </PageLink>
          <Freshness market={market} />
          <Simulated of={market} isShort />
        </>
      }
      cells={{
        Price: <MarketPrice {...shown} />,
        '24 h change': <MarketChange market={market} />,
        '2 % depth, buy / sell': <MarketDepths {...shown} />,
        '24 h volume': <MarketVolume {...shown} />,
        TVL: <MarketTvl {...shown} />,
        Score: <MarketScore market={market} />,
        '7-day price': (
          <Sparkline
            points={market.spark}
            decimals={priceDecimals(base, quote)}
            unit={quote.symbol}
          />
        ),
        'Open alerts': <OpenAlerts market={market} />,
      }}
    />
  )
}

/** Age of the data, and how many venues it covers. */
function Freshness({ market }: { market: MarketSummary }) {
  const { lagSeconds } = market
  const partial = partialVenues(market)
  const isStale = lagSeconds === null || lagSeconds > staleSeconds
  return (
    <small className={isStale ? styles.stale : undefined} title={partial ?? undefined}>
      {isStale ? <Icon name="clock" size={12} /> : null}
      {lagSeconds === null ? 'Not indexed yet' : `${durationOf(lagSeconds)} old`}
      {partial === null
        ? null
        : `, ${market.venues.filter(({ isFresh }) => isFresh).length} of ${market.venues.length} venues`}
    </small>
  )
}

function OpenAlerts({ market: { openAlerts } }: { market: MarketSummary }) {
  const found = (['critical', 'warning', 'info'] as const).filter((one) => openAlerts[one] > 0)
  if (found.length === 0) return <>0</>
  return (
    <PageLink to={toList('alerts')}>
      {found.map((severity) => `${openAlerts[severity]} ${severity}`).join(', ')}
    </PageLink>
  )
}
