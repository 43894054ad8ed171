import { marketToJson, type PoolMarket } from '@liquidity-os/engine/amm'
import { canonicalize } from '@liquidity-os/evidence'
import { type InlineMarket, marketOfInline } from '../../../../market/inline-market.ts'
import type { AllocationInput, AllocationRequest } from '../allocation-input.ts'

export const pair: AllocationRequest['pair'] = {
  chainId: 1,
  base: '0x0000000000000000000000000000000000000001',
  quote: '0x0000000000000000000000000000000000000002',
  baseDecimals: 18,
  quoteDecimals: 18,
}
export const e18 = (amount: number) => `${BigInt(Math.round(amount * 1e6)) * 10n ** 12n}`

/** A v3 pool at price one with a wide and a narrow range of others. */
export function pool(liquidity = 10_000, feePips = 3000): PoolMarket {
  const tickSpacing = feePips === 500 ? 10 : 60
  const edge = Math.floor(887_272 / tickSpacing) * tickSpacing
  const inline: InlineMarket = {
    kind: 'UNISWAP_V3',
    feePips,
    tickSpacing,
    sqrtPriceX96: `${1n << 96n}`,
    ticks: [
      { index: -edge, liquidityGross: e18(liquidity), liquidityNet: e18(liquidity) },
      { index: -1800, liquidityGross: e18(4 * liquidity), liquidityNet: e18(4 * liquidity) },
      { index: 1800, liquidityGross: e18(4 * liquidity), liquidityNet: `-${e18(4 * liquidity)}` },
      { index: edge, liquidityGross: e18(liquidity), liquidityNet: `-${e18(liquidity)}` },
    ],
  }
  return marketOfInline(inline, pair) as PoolMarket
}

/** A v2 pair at price one. */
export const curve = (reserve = 10_000): PoolMarket =>
  marketOfInline(
    {
      kind: 'UNISWAP_V2',
      reserve0: e18(reserve),
      reserve1: e18(reserve),
      totalSupply: e18(reserve),
    },
    pair,
  ) as PoolMarket

export const venue = (
  id: string,
  market: PoolMarket,
  change: Partial<AllocationInput['venues'][number]> = {},
): AllocationInput['venues'][number] => ({
  id,
  state: Buffer.from(canonicalize(marketToJson(market))),
  feesQuotePerDay: null,
  volatility: null,
  maxCapitalQuote: null,
  ...change,
})

type Option = AllocationRequest['options'][number]

export const option = (
  optionId: string,
  venueId: string,
  template: Option['template'],
  more: Partial<Option> = {},
): Option => ({
  optionId,
  venue: { id: venueId, resourceVersion: `0x${'1'.repeat(64)}` },
  template,
  ...more,
})

export const around = (pips: number): Option['template'] => ({
  kind: 'RANGE',
  lowerPips: pips,
  upperPips: pips,
})

type Writable<T> = { -readonly [K in keyof T]: Writable<T[K]> }

/** An input that a test may still change. */
export type RequestedAllocation = Writable<Omit<AllocationInput, 'venues'>> & {
  venues: AllocationInput['venues'][number][]
}

/** A budget of 20,000 for depth of 1,000 more than there is, over two pools and a pair. */
export function input(change: Partial<AllocationRequest> = {}): RequestedAllocation {
  return {
    request: {
      schemaVersion: 'allocation-plan-v1',
      pair,
      budget: { base: e18(10_000), quote: e18(10_000) },
      options: [
        option('a-wide', 'a', around(300_000)),
        option('a-narrow', 'a', around(60_000)),
        option('b-wide', 'b', around(300_000)),
        option('c-whole', 'c', { kind: 'FULL_RANGE' }),
      ],
      targets: [
        { bandPips: 20_000, side: 'BUY', minQuote: e18(1700) },
        { bandPips: 20_000, side: 'SELL', minQuote: e18(1700) },
      ],
      limits: { perOptionPips: 600_000, perVenuePips: 1_000_000, perChainPips: 1_000_000 },
      horizonSeconds: 604_800,
      ...change,
    } as RequestedAllocation['request'],
    venues: [venue('a', pool()), venue('b', pool(2000, 500)), venue('c', curve())],
    risk: null,
  }
}
