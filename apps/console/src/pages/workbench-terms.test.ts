import { expect, it } from 'vitest'
import {
  eventsIn,
  firstRanges,
  labelOfRange,
  type Observed,
  readRanges,
  studyOf,
  windowOf,
  writeRanges,
} from './workbench-terms.ts'

const observed = (from: number, to: number, status = 'COMPLETED'): Observed => ({
  id: `venue_observation_${from}`,
  resourceVersion: `0x${from}`,
  status,
  payload: {
    venue: { id: 'venue_a', resourceVersion: `0xa${to}` },
    range: { from: { number: from, timestamp: '' }, to: { number: to, timestamp: '' } },
    counts: { Swap: 3, Mint: 1 },
  },
})

it('keeps ranges in the address, and begins with two', () => {
  const ranges = [{ lowerPips: 100_000, upperPips: 2_500_000 }]
  expect(readRanges(writeRanges(ranges))).toEqual(ranges)
  expect(readRanges(undefined)).toEqual(firstRanges)
  expect(readRanges('nonsense,-1-2')).toEqual(firstRanges)
  expect(labelOfRange(ranges[0]!)).toBe('−10 % to +250 %')
})

it('takes the newest observations that follow each other, and stops at a gap', () => {
  const all = [observed(0, 10), observed(40, 50), observed(51, 60), observed(60, 70)]
  expect(windowOf(all, false).map(({ id }) => id)).toEqual(['venue_observation_60'])
  const whole = windowOf([...all, observed(71, 80, 'FAILED')], true)
  expect(whole.map(({ id }) => id)).toEqual([
    'venue_observation_40',
    'venue_observation_51',
    'venue_observation_60',
  ])
  expect(eventsIn(whole)).toBe(12)
  expect(windowOf([], true)).toEqual([])
})

it('requests HODL and the full range with the selected ranges, at sizes of the capital', () => {
  const pair = { chainId: 1, base: '0xa', quote: '0xb', baseDecimals: 18, quoteDecimals: 6 }
  const study = studyOf({
    venue: {
      id: 'venue_a',
      status: 'VALIDATED',
      payload: { name: 'A / B', kind: 'UNISWAP_V3', pair, address: '0xc', feePips: 3000 },
    },
    observations: [observed(1, 5), observed(6, 9)],
    ranges: [{ lowerPips: 100_000, upperPips: 110_000 }],
    base: 7n,
    quote: 1000n,
  })
  expect(study.window).toEqual({ fromBlock: 1, toBlock: 9 })
  expect(study.market.venue).toEqual({ id: 'venue_a', resourceVersion: '0xa9' })
  expect(study.arms.map(({ label }) => label)).toEqual(['HODL', 'Full range', '−10 % to +11 %'])
  // The service spaces samples by the events of the window, which the console does not know.
  expect(study).not.toHaveProperty('sampleSeconds')
  expect(study.tradeSizesQuote).toEqual(['10', '100', '500'])
})
