import {
  createCpmmPair,
  createStablePool,
  type LoggedMarket,
  marketToJson,
  toJsonSafe,
} from '@liquidity-os/engine/amm'
import type { MarketEvent } from '@liquidity-os/engine/replay'
import { expect, it } from 'vitest'
import type { VenueHistory } from '../../../market/venue-history.ts'
import type { FeatureInputs, Question } from './feature.ts'
import { disagreementFeature } from './price-features.ts'
import { collectMaterial } from './venue-material.ts'

const ether = 10n ** 18n
const bytes = (text: string) => new TextEncoder().encode(text)

function historyOf(
  venueId: string,
  start: LoggedMarket,
  events: readonly MarketEvent[],
): VenueHistory {
  const lines = events.map((event) => `${JSON.stringify(toJsonSafe(event))}\n`)
  return {
    venueId,
    kind: start.kind,
    feePips: 0,
    orientation: { base: 0, quote: 1 },
    stretches: [
      {
        from: 900,
        to: 4000,
        fromBlock: 900,
        toBlock: 4000,
        start: bytes(JSON.stringify(marketToJson(start))),
        events: [bytes(lines.join(''))],
      },
    ],
  }
}

it('a StableSwap pool disagrees only by what lies beyond the fee it takes at the moment', () => {
  const stable = {
    ...createStablePool({
      variant: 'A100' as const,
      rates: [ether, ether],
      amplification: 20_000n,
      feeX10: 4_000_000n,
    }),
    balances: [1_000_000n * ether, 1_000_000n * ether],
  }
  const reserves = { reserve0: 1000n * ether, reserve1: 1010n * ether }
  const pair = { ...createCpmmPair({}), ...reserves }
  const place = { block: 2000, timestamp: 2000, logIndex: 0, line: null }
  const unchanged = { adminFeeX10: null, offpegFeeMultiplierX10: null }
  const raised: MarketEvent = { ...place, type: 'NewFee', feeX10: 8_000_000n, ...unchanged }
  const moments = [1500, 2500]
  const materials = [
    historyOf('venue_stable', stable, [raised]),
    historyOf('venue_pair', { ...pair, balance0: pair.reserve0, balance1: pair.reserve1 }, []),
  ].map((history) => collectMaterial(history, [], moments))
  const question: Question = {
    kind: 'ORACLE_DISAGREEMENT',
    venueId: null,
    positions: [],
    asset: 'BASE',
    pegX18: null,
    criticalAt: [],
  }
  // Prices alone are asked for.
  const inputs = { materials, moments, at: 2500, feeds: [] } as unknown as FeatureInputs
  const [before, after] = disagreementFeature(inputs, question).samples
  expect(BigInt(before!.value) - BigInt(after!.value)).toBe(400n)
})
