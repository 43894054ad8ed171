import type { Orientation } from '@liquidity-os/engine/amm'
import type { Rat } from '@liquidity-os/engine/arithmetic'
import type { MarketEvent } from '@liquidity-os/engine/replay'
import type { CountedTrade } from './stable-course.ts'

const MILLION = 1_000_000n

/**
 * Volume and fee of a Uniswap swap; null for another event. Volume is the quote that moved. The fee
 * is the pool's share of the input, in quote, rounded down.
 *
 * @param price after the swap; null excludes the fee in base
 */
export function swapAccount(
  event: MarketEvent,
  side: Orientation,
  feePips: bigint,
  price: Rat | null,
): CountedTrade | null {
  if (event.type !== 'Swap') return null
  const { in0, in1, out0, out1 } = flowsOf(event)
  const [quoteIn, quoteOut, baseIn] = side.quote === 0 ? [in0, out0, in1] : [in1, out1, in0]
  const quoteFee = (quoteIn * feePips) / MILLION
  const baseFee = (baseIn * feePips) / MILLION
  return {
    volumeQuote: quoteIn > quoteOut ? quoteIn : quoteOut,
    feesQuote: price ? quoteFee + (baseFee * price.num) / price.den : quoteFee,
  }
}

function flowsOf(event: Extract<MarketEvent, { type: 'Swap' }>) {
  if ('amount0In' in event) {
    const { amount0In, amount1In, amount0Out, amount1Out } = event
    return { in0: amount0In, in1: amount1In, out0: amount0Out, out1: amount1Out }
  }
  const { amount0, amount1 } = event
  const inflow = (amount: bigint) => (amount > 0n ? amount : 0n)
  return {
    in0: inflow(amount0),
    in1: inflow(amount1),
    out0: inflow(-amount0),
    out1: inflow(-amount1),
  }
}
