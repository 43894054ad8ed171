import { contract } from '@liquidity-os/contract'
import type { TestChain } from '../support/chain.ts'
import { definitionFor } from '../support/observed-venue.ts'
import { type ScoreWindow, scoreRequest, type VenueRef } from '../support/scoring.ts'

/** An observed market: what the requests below name. */
export interface Market {
  readonly test: TestChain & { window: ScoreWindow }
  readonly pool: VenueRef
  readonly pair: VenueRef
}

interface MarketScene {
  readonly payloads: (market: Market) => readonly object[]
  /** Members of the answer that repeat the request. */
  readonly echoes: readonly string[]
}

function pairOf({ test }: Market) {
  const [base, quote] = test.markets.tokens
  return { chainId: 31337, base, quote, baseDecimals: 18, quoteDecimals: 18 }
}

/** Requests that are computed from an observed market. */
export const markets: Readonly<Record<string, MarketScene>> = {
  createScores: {
    payloads: ({ test, pool, pair }) => [scoreRequest(test, [pool, pair], { window: test.window })],
    echoes: ['request'],
  },
  createAnomalies: {
    payloads: (market) => [
      {
        ...contract.createAnomalies.example.body.payload,
        subject: { pair: pairOf(market), venueId: market.pool.id },
      },
    ],
    echoes: ['subject'],
  },
  createAllocationPlans: {
    payloads: (market) => [
      {
        ...contract.createAllocationPlans.example.body.payload,
        pair: pairOf(market),
        budget: { base: `${10n ** 18n}`, quote: `${10n ** 18n}` },
        options: contract.createAllocationPlans.example.body.payload.options.map((option) => ({
          ...option,
          venue: market.pool,
        })),
      },
    ],
    echoes: ['request'],
  },
  createStrategies: {
    payloads: (market) => [definitionFor({ venue: market.pool, pair: pairOf(market) as never })],
    echoes: ['definition'],
  },
}
