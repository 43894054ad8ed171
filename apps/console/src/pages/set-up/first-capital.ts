import { priceDecimals } from '../../fields/figures.ts'
import { exactDecimal } from '../../fields/numbers.ts'

interface MarketFigures {
  readonly base: { readonly decimals: number }
  readonly quote: { readonly decimals: number }
  readonly priceX36: string
  readonly tvlQuote: string
}

/** The first `digits` digits of an amount; the others become 0. */
function roundDown(amount: bigint, digits: number): bigint {
  const unit = 10n ** BigInt(Math.max(amount.toString().length - digits, 0))
  return (amount / unit) * unit
}

/**
 * Capital of the first study: about 1 % of the TVL in the quote token, and the same value in the
 * base token, as decimal amounts. Null if the market holds too little for that.
 */
export function firstCapital(market: MarketFigures): { base: string; quote: string } | null {
  const quote = roundDown(BigInt(market.tvlQuote) / 100n, 1)
  // The price has `priceDecimals` digits for one whole token of the base.
  const price = BigInt(market.priceX36)
  if (quote === 0n || price === 0n) return null
  const scale = 10n ** BigInt(priceDecimals(market.base, market.quote))
  const whole = 10n ** BigInt(market.base.decimals)
  const base = roundDown(
    (quote * scale * whole) / (price * 10n ** BigInt(market.quote.decimals)),
    2,
  )
  if (base === 0n) return null
  return {
    base: exactDecimal(base, market.base.decimals),
    quote: exactDecimal(quote, market.quote.decimals),
  }
}
