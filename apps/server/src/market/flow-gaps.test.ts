import { expect, it } from 'vitest'
import { fundingGaps } from './flow-gaps.ts'
import { fundingAmong } from './trader-funding.ts'

const observed = (
  funding: { address: string; traders: string[] }[] | null,
  { isComplete = true, swaps = 1 }: { isComplete?: boolean; swaps?: number } = {},
) => ({
  counts: { Mint: 1, Swap: swaps },
  ...(funding ? { funding: { fromBlock: 0, isComplete, sources: funding, receivers: [] } } : {}),
})
const trades = [
  { origin: 'a', volumeQuote: 1n },
  { origin: 'b', volumeQuote: 1n },
  { origin: 'c', volumeQuote: 1n },
]

it('one account that funded traders of two observations is named with their share', () => {
  const funding = fundingAmong([
    observed([{ address: 'x', traders: ['a'] }]),
    observed([{ address: 'x', traders: ['b'] }]),
    // Without a trade nothing had to be read.
    observed(null, { swaps: 0 }),
  ])
  expect(fundingGaps([{ funding }], trades)).toEqual([
    {
      code: 'TRADERS_FUNDED_TOGETHER',
      detail: expect.stringContaining(
        'One account funded or paid for 2 of 3 traders, with 66.6666 % of the volume: x. They can have one owner',
      ),
    },
  ])
})

it('funding counts as read only if it was read to its end in every observation with trades', () => {
  const codesOf = (...parts: Parameters<typeof fundingAmong>[0]) =>
    fundingGaps([{ funding: fundingAmong(parts) }], trades).map(({ code }) => code)
  expect(codesOf(observed([]))).toEqual([])
  expect(codesOf(observed([]), observed(null))).toEqual(['FUNDING_NOT_READ'])
  expect(codesOf(observed([], { isComplete: false }))).toEqual(['FUNDING_NOT_READ'])
  const early = { counts: { Swap: 1 }, funding: { fromBlock: 0, isComplete: true, sources: [] } }
  expect(codesOf(early)).toEqual(['FUNDING_NOT_READ'])
  expect(fundingGaps([{}], trades).map(({ code }) => code)).toEqual(['FUNDING_NOT_READ'])
})
