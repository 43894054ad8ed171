import type { Orientation, PoolEvent } from '@liquidity-os/engine'

/**
 * What a Swap moved, in atoms: the base that its trader got (below zero where it was sold), and the size of the
 * other side. v3 tells signed amounts, v2 what came in and what went out.
 */
export function tradedBy(
  event: Extract<PoolEvent, { type: 'Swap' }>,
  { base, quote }: Orientation,
): { base: bigint; volumeQuote: bigint } {
  const into =
    'amount0In' in event
      ? [event.amount0In - event.amount0Out, event.amount1In - event.amount1Out]
      : [event.amount0, event.amount1]
  const [baseIn, quoteIn] = [into[base] ?? 0n, into[quote] ?? 0n]
  return { base: -baseIn, volumeQuote: quoteIn < 0n ? -quoteIn : quoteIn }
}
