import { contract } from '@liquidity-os/contract'
import type { TestChain } from '../support/chain.ts'
import { definitionFor } from '../support/observed-venue.ts'
import { type ScoreWindow, scoreRequest, type VenueRef } from '../support/scoring.ts'

export interface Market {
  readonly test: TestChain & { window: ScoreWindow }
  readonly pool: VenueRef
  readonly pair: VenueRef
}

interface MarketScene {
  readonly payloads: (market: Market) => readonly object[]
  readonly echoes: readonly string[]
}

function pairOf({ test }: Market) {
  const [base, quote] = test.markets.tokens
  return { chainId: 31337, base, quote, baseDecimals: 18, quoteDecimals: 18 }
}

/** The example of an allocation, of a venue that was observed. */
export function allocationOf({ venue, pair }: { venue: VenueRef; pair: object }) {
  const { payload } = contract.createAllocationPlans.example.body
  return {
    ...payload,
    pair,
    budget: { base: `${10n ** 18n}`, quote: `${10n ** 18n}` },
    options: payload.options.map((option) => ({ ...option, venue })),
  }
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
    payloads: (market) => [allocationOf({ venue: market.pool, pair: pairOf(market) })],
    echoes: ['request'],
  },
  createStrategies: {
    payloads: (market) => [definitionFor({ venue: market.pool, pair: pairOf(market) as never })],
    echoes: ['definition'],
  },
}
