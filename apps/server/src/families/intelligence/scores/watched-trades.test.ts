import { toJsonSafe } from '@liquidity-os/engine/amm'
import type { MarketEvent } from '@liquidity-os/engine/replay'
import { chooseRecoveries } from '@liquidity-os/engine/scoring'
import { expect, it } from 'vitest'
import type { VenueHistory } from '../../../market/venue-history.ts'
import { LargestSoFar, largestOf } from './watched-trades.ts'

/** A trade a second, from second one on. */
function tradedIn(sizes: readonly bigint[]): VenueHistory {
  const lines = sizes.map((size, index) => {
    const flows = { amount0In: 0n, amount1In: size, amount0Out: size, amount1Out: 0n }
    const at = { block: index + 1, timestamp: index + 1, logIndex: 0, line: null }
    const event: MarketEvent = { ...at, type: 'Swap', ...flows }
    return JSON.stringify(toJsonSafe(event))
  })
  const events = [new TextEncoder().encode(lines.join('\n'))]
  return {
    venueId: 'venue_a',
    kind: 'UNISWAP_V2',
    feePips: 3000,
    orientation: { base: 0, quote: 1 },
    stretches: [{ from: 0, to: 10_000, fromBlock: 0, toBlock: 10_000, start: events[0]!, events }],
  }
}

const rising = Array.from({ length: 2500 }, (_, index) => BigInt(index + 1))
const always = { from: 0, to: 10_000 }
const watchedOf = (
  sizes: readonly bigint[],
  watched: { admits(size: bigint, trade: string): boolean },
) => sizes.map((size, at) => ({ at, size })).filter(({ size }) => watched.admits(size, 'another'))

it('gives up where trades grow and grow, and watches none from then on', () => {
  const soFar = new LargestSoFar(1n, 1500)
  expect(watchedOf(rising, soFar)).toHaveLength(1500)
  expect(soFar.isGivenUp).toBe(true)
  const falling = new LargestSoFar(1n, 1500)
  expect(watchedOf(rising.toReversed(), falling)).toHaveLength(1000)
  expect(falling.isGivenUp).toBe(false)
})

it('finds the same recoveries in few trades as in all of them', () => {
  const sizes = [...rising, ...Array.from({ length: 2000 }, () => 2500n)]
  const few = watchedOf(sizes, largestOf([tradedIn(sizes)], always))
  expect(few).toHaveLength(1001)
  const recovered = (among: typeof few) =>
    among.map(({ at, size }) => ({ at, place: at, sizeQuote: size, time: at % 7, ended: true }))
  const all = recovered(sizes.map((size, at) => ({ at, size })))
  for (const reference of [1n, 2500n, 10_000n]) {
    expect(chooseRecoveries(recovered(few), reference)).toEqual(chooseRecoveries(all, reference))
  }
})

it('looks at the window alone, and at every trade where there are few', () => {
  const watched = largestOf([tradedIn(rising)], { from: 10, to: 13 })
  expect(watchedOf([9n, 10n, 11n, 12n], watched).map(({ size }) => size)).toEqual([10n, 11n, 12n])
  expect(watchedOf([0n, 1n], largestOf([tradedIn([0n])], always))).toEqual([{ at: 1, size: 1n }])
})
