import type { contract } from '@liquidity-os/contract'
import type { DrawnPlan } from '../drawn-plan.ts'

type Plan = contract.ProtectedExecutionPlan
type Leg = Plan['legs'][number]

const states = [
  'ARMED',
  'SUBMITTED',
  'INCLUDED',
  'SUBMITTED',
  'INCLUDED',
  'FINALIZED',
  'RECONCILED',
]
const hashOf = (place: number) => `0x${(place + 17).toString(16).padStart(4, '0').repeat(16)}`

/** A plan of so many legs and sources that are not used, as its pictures see it. */
export function drawnPlan(of: {
  legs: number
  others: number
  beads: number
  set: boolean
  side?: 'BUY' | 'SELL'
}): DrawnPlan {
  const side = of.side ?? 'SELL'
  const pair = { chainId: 1, base: '0xb', quote: '0xq', baseDecimals: 18, quoteDecimals: 6 }
  const priceX36 = (place: number) => `${(3_000_000n - BigInt(place) * 4_000n) * 10n ** 18n}`
  const legs = Array.from({ length: of.legs }, (_, legIndex): Leg => {
    const isQuote = legIndex % 2 === 0
    const sold = BigInt(legIndex + 1) * 10n ** 18n
    const bought = (sold * BigInt(priceX36(legIndex))) / 10n ** 36n
    const [sell, buy] = side === 'SELL' ? [sold, bought] : [bought, sold]
    return {
      legIndex,
      kind: isQuote ? 'QUOTE' : 'POOL',
      sourceId: isQuote ? hashOf(legIndex) : `venue_${hashOf(legIndex).slice(2, 34)}`,
      maker: isQuote ? `0x${'ab'.repeat(20)}` : null,
      sellAmount: `${sell}`,
      expectedBuy: `${buy}`,
      minimumBuy: `${buy}`,
      marginalPriceX36: legIndex === 3 ? null : priceX36(legIndex + 2),
      route: isQuote ? 'SIGNED_QUOTE' : 'PRIVATE',
      call: null,
      sandwichBoundQuote: isQuote ? '0' : `${(legIndex + 1) * 1_500_000}`,
      sandwich: isQuote
        ? null
        : {
            boundSell: `${(legIndex + 1) * 10 ** 15}`,
            foundSell: `${legIndex * 10 ** 15}`,
            frontRunSell: `${10 ** 16}`,
          },
    } as unknown as Leg
  })
  const others = Array.from({ length: of.others }, (_, index) => hashOf(100 + index))
  const plan = {
    side,
    pair,
    legs,
    rejected: others.map((sourceId) => ({ sourceId, reason: 'NOT_BETTER', detail: '' })),
  } as unknown as Plan
  const quotes = [
    ...legs.filter(({ kind }) => kind === 'QUOTE').map(({ sourceId }) => sourceId),
    ...others,
  ].map((quoteHash, index) => ({
    quoteHash,
    maker: `0x${'ab'.repeat(20)}`,
    unitPriceX36: priceX36(index),
    sellAmount: `${BigInt(index + 2) * (side === 'SELL' ? 10n ** 18n : 3n * 10n ** 9n)}`,
  }))
  const pools = legs
    .filter(({ kind }) => kind === 'POOL')
    .map(({ sourceId }, index) => ({ venue: { id: sourceId }, midX36: priceX36(index) }))
  return {
    plan,
    set: of.set ? ({ quotes, pools } as unknown as contract.QuoteSet) : null,
    beads: Array.from({ length: of.beads }, (_, index) => ({
      legIndex: index % 2 === 0 ? 0 : of.legs - 1,
      hash: hashOf(index),
      to: states[Math.min(index, states.length - 1)]!,
    })),
  }
}
