import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { addressLabelsQuery, liquidityQuery, type VenueLiquidity } from '../api/liquidity.ts'
import { useMembership } from '../api/queries.ts'
import { percentOf, utcOf } from '../fields/numbers.ts'
import { AddressText } from '../fields/value.tsx'
import { Fault } from '../ui/notice.tsx'
import { PageLink, toRecord } from '../ui/page-link.tsx'
import { Panel, Skeleton } from '../ui/parts.tsx'
import { liquidityChart } from './liquidity-chart.ts'
import { liquiditySentences } from './liquidity-reasons.ts'
import type { MarketTokens } from './market-figures.tsx'
import { HistoryChart } from './market-history.tsx'
import styles from './markets.module.css'
import { OwnPositions } from './own-positions.tsx'
import pageStyles from './pages.module.css'

/** Distances from the price, in pips. */
const distances = [50_000, 200_000, 500_000, 900_000] as const

/** Liquidity of a venue by price, its largest providers, and own positions. */
export function MarketLiquidity({ venueId, tokens }: { venueId: string; tokens: MarketTokens }) {
  const { organizationId } = useMembership()
  const [within, setWithin] = useState<number>(distances[1])
  const liquidity = useQuery(liquidityQuery(organizationId, venueId, within))
  const { data } = liquidity
  return (
    <div className={pageStyles.stack}>
      <div className={styles.ranges}>
        <fieldset aria-label="Distance from the price">
          {distances.map((pips) => (
            <button
              key={pips}
              type="button"
              aria-pressed={pips === within}
              onClick={() => setWithin(pips)}
            >
              ±{percentOf(pips)}
            </button>
          ))}
        </fieldset>
        {data?.block ? <Source liquidity={data} /> : null}
      </div>
      {liquidity.error ? (
        <Fault error={liquidity.error} onRetry={() => void liquidity.refetch()} />
      ) : !data ? (
        <Skeleton lines={8} />
      ) : (
        <>
          <Chart liquidity={data} tokens={tokens} />
          <Providers liquidity={data} />
        </>
      )}
      <OwnPositions venueId={venueId} tokens={tokens} />
    </div>
  )
}

function Source({ liquidity: { block, observation } }: { liquidity: VenueLiquidity }) {
  if (!block || !observation) return null
  return (
    <p>
      As of {utcOf(block.timestamp)}, block {block.number.toLocaleString('en-US')} (
      <PageLink to={toRecord('venue-observations', observation.id)}>observation</PageLink>).
    </p>
  )
}

function Chart({ liquidity, tokens }: { liquidity: VenueLiquidity; tokens: MarketTokens }) {
  const [base, quote] = [tokens.base.symbol, tokens.quote.symbol]
  // A new layout only for new data or another symbol.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the symbols identify the tokens
  const chart = useMemo(() => liquidityChart(liquidity, tokens), [liquidity, base, quote])
  if (liquidity.state === 'ABSTAINED') return <Reasons of={liquidity} />
  return <HistoryChart chart={chart} />
}

function Reasons({ of }: { of: VenueLiquidity }) {
  return <p>{of.reasons.map((reason) => liquiditySentences[reason]).join(' ')}</p>
}

function Providers({ liquidity }: { liquidity: VenueLiquidity }) {
  const { organizationId } = useMembership()
  const addresses = liquidity.providers.map(({ address }) => address)
  const { data: labels } = useQuery(addressLabelsQuery(organizationId, addresses))
  if (liquidity.state === 'ABSTAINED') return null
  return (
    <Panel title="Largest providers" note="Share of the 2 % depth">
      {liquidity.providers.length === 0 ? null : (
        <ol className={pageStyles.lines}>
          {liquidity.providers.map(({ address, depthSharePips, isOwn }) => (
            <li key={address}>
              <b>{percentOf(depthSharePips)}</b>
              <span>{labels?.get(address.toLowerCase()) ?? <AddressText address={address} />}</span>
              {isOwn ? <small>Own</small> : null}
            </li>
          ))}
        </ol>
      )}
      {liquidity.reasons.length === 0 ? null : <Reasons of={liquidity} />}
    </Panel>
  )
}
