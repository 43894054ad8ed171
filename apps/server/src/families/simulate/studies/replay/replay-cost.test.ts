import type { contract } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { replayMilliseconds } from './replay-cost.ts'

/** The measured study: 4 candidates and 3 benchmarks, each under 2 flow models. */
const replay = {
  events: 5_102,
  seconds: 2_578_652,
  sampleSeconds: 215,
  terms: { flowModels: ['INELASTIC_INPUT' as const, 'PRICE_SETTING' as const] },
}
const arms = ['a', 'b', 'c', 'd'].map((armId) => ({
  armId,
  label: armId,
  position: { kind: 'FULL_RANGE' as const },
}))
const millisecondsOf = (gas: contract.SimulationCosts['gas']) =>
  replayMilliseconds(
    { arms, bandsPips: [], tradeSizesQuote: [], costs: { gas, nativePriceX18: '1' } },
    replay,
  )
const feesOf = (count: number) => ({
  kind: 'BLOCK_BASE_FEE' as const,
  baseFees: Array.from({ length: count }, (_, block) => ({ block, wei: '1' })),
})

it('counts the search for the base fee in each sample of a run', () => {
  const constant = millisecondsOf({ constantWei: '1' })
  const more = (count: number) => millisecondsOf(feesOf(count)) - constant
  // 11,994 samples and the last one, 14 runs: measured 9,130 ms with 5,000 fees.
  expect(more(5_000)).toBe(Math.ceil((11_995 * 14 * 5_000 * 11) / 1e6))
  expect(more(5_000)).toBeGreaterThan(9_130)
  expect(more(1)).toBeLessThan(3)
})
