import type { MarketSummary } from '../api/markets.ts'
import { useSymbols } from '../api/queries.ts'
import { Exact, Missing } from '../fields/exact.tsx'
import { changeText, priceDecimals } from '../fields/figures.ts'
import { exactDecimal, percentOf, shortAddress } from '../fields/numbers.ts'
import { symbolOf } from '../fields/symbols.ts'
import type { Asset } from '../fields/units.tsx'
import { PageLink, toRecord } from '../ui/page-link.tsx'
import { missingReason, partialVenues, partialVolume } from './market-reasons.ts'
import styles from './markets.module.css'

export interface MarketTokens {
  readonly base: Asset
  readonly quote: Asset
}

/**
 * Tokens of a market: a declared symbol, else that of its venue, else the short address. A declared
 * symbol that another token has is followed by the short address too.
 */
export function useMarketTokens(): (market: Pick<MarketSummary, 'base' | 'quote'>) => MarketTokens {
  const symbols = useSymbols()
  const named = ({ assetKey, address, decimals, symbol }: MarketSummary['base']): Asset => {
    const [, chainId] = /^eip155:(\d+)\//.exec(assetKey) ?? []
    const known = symbolOf(symbols, address, chainId)
    const isSame = symbol === null || known?.startsWith(`${symbol} `)
    return {
      address,
      decimals,
      symbol: (isSame ? known : symbol) ?? shortAddress(address),
    }
  }
  return ({ base, quote }) => ({ base: named(base), quote: named(quote) })
}

interface Shown {
  readonly market: MarketSummary
  readonly tokens: MarketTokens
}

export function MarketPrice({ market, tokens: { base, quote } }: Shown) {
  if (market.priceX36 === null) return <Missing reason={missingReason(market, 'price')} />
  return <Exact atoms={market.priceX36} decimals={priceDecimals(base, quote)} unit={quote.symbol} />
}

/** Change of 24 h: an arrow, a sign and a color. */
export function MarketChange({ market }: Pick<Shown, 'market'>) {
  const { change24hPips: pips } = market
  if (pips === null) return <Missing reason={missingReason(market, 'change')} />
  const direction = pips > 0 ? 'up' : pips < 0 ? 'down' : 'flat'
  return (
    <span className={styles[direction]} title={percentOf(pips)}>
      {direction === 'flat' ? null : (
        <span aria-hidden="true">{direction === 'up' ? '▲' : '▼'} </span>
      )}
      {changeText(pips)}
    </span>
  )
}

function QuoteAmount({
  atoms,
  figure,
  market,
  tokens: { quote },
  note = partialVenues(market),
  isBare = false,
}: Shown & {
  atoms: string | null
  figure: 'depth' | 'tvl' | 'volume'
  note?: string | null
  isBare?: boolean
}) {
  if (atoms === null) return <Missing reason={missingReason(market, figure)} />
  return (
    <Exact
      atoms={atoms}
      decimals={quote.decimals}
      unit={quote.symbol}
      isBound={note !== null}
      isBare={isBare}
      note={note ?? undefined}
    />
  )
}

type Side = 'buyQuote' | 'sellQuote'

export const MarketDepth = ({ side, ...shown }: Shown & { side: Side; isBare?: boolean }) => (
  <QuoteAmount {...shown} atoms={shown.market.depth2?.[side] ?? null} figure="depth" />
)

/** Depth of both sides, with their unit once. */
export function MarketDepths(shown: Shown) {
  if (shown.market.depth2 === null) return <MarketDepth {...shown} side="buyQuote" />
  return (
    <span>
      <MarketDepth {...shown} side="buyQuote" isBare /> /{' '}
      <MarketDepth {...shown} side="sellQuote" />
    </span>
  )
}

export const MarketVolume = (shown: Shown) => (
  <QuoteAmount
    {...shown}
    atoms={shown.market.volume24hQuote}
    figure="volume"
    note={partialVolume(shown.market) ?? partialVenues(shown.market)}
  />
)

export const MarketTvl = (shown: Shown) => (
  <QuoteAmount {...shown} atoms={shown.market.tvlQuote} figure="tvl" />
)

/** Grade and score, with a link to the score. */
export function MarketScore({ market: { score, quote } }: Pick<Shown, 'market'>) {
  if (score === null) return <Missing reason="No active score." />
  // Rounded down: a score never looks better than it is.
  const whole = exactDecimal(BigInt(Math.floor(score.scorePips / 10_000)), 0)
  const { gradedSize } = score
  const size = gradedSize
    ? ` at ${exactDecimal(BigInt(gradedSize.tradeSizeQuote), quote.decimals)} ${gradedSize.currency}`
    : ''
  return (
    <PageLink
      to={toRecord('scores', score.id)}
      title={`Market quality score: ${percentOf(score.scorePips)}${size}`}
    >
      {score.grade === null ? whole : `${score.grade} ${whole}`}
    </PageLink>
  )
}
