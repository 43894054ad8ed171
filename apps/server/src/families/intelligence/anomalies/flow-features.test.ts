import { expect, it } from 'vitest'
import type { Grounds, Question } from './feature.ts'
import { manipulationFeatures } from './flow-features.ts'
import type { Reading, VenueMaterial, VenueTrade } from './venue-material.ts'

const at = 10 * 3600

/** A venue that was read once, over a router. */
function material(venueId: string, trades: readonly [string | null, bigint][]): VenueMaterial {
  const reading = { at, since: 0, stretch: 0 } as Reading
  return {
    history: { venueId } as VenueMaterial['history'],
    readings: new Map([[at, reading]]),
    trades: trades.map(
      ([origin, base], place): VenueTrade => ({
        ...{
          venueId,
          at: at - 600 + 60 * place,
          block: place,
          position: 0,
          stretch: 0,
          base,
          origin,
        },
        ...{ volumeQuote: base < 0n ? -base : base, sender: 'router', recipient: origin ?? 'r' },
      }),
    ),
    ...{ actions: [], prices: [], ownedChanges: [], withdrawals: [] },
  }
}

const washedShare = (materials: readonly VenueMaterial[]) => {
  const question = { venueId: 'venue_a' } as Question
  const features = manipulationFeatures({ materials, at } as Grounds, question)
  return features.find(({ indicator }) => indicator === 'ROUND_TRIP')!.feature.samples
}

it('a router of few on one venue links nobody whom it serves among others, or unknown ones, elsewhere', () => {
  const here = material('venue_a', [
    ['a', 1_000n],
    ['b', -610n],
    ['c', -370n],
  ])
  expect(washedShare([here])).toEqual([{ at, value: 1_000_000n }])
  const elsewhere = (origins: (string | null)[]) =>
    material(
      'venue_b',
      origins.map((origin) => [origin, 1_000n]),
    )
  expect(washedShare([here, elsewhere(['p'])])).toEqual([{ at, value: 0n }])
  const two = material('venue_a', [
    ['a', 1_000n],
    ['b', -610n],
    ['b', -370n],
  ])
  expect(washedShare([two, elsewhere([null])])).toEqual([{ at, value: 0n }])
})
