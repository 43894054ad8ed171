import { contract } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import type { StudySpec } from '../validate-spec.ts'
import runMonteCarloTask from './monte-carlo-task.ts'
import preparePaths from './prepare-paths-task.ts'

const seed = new Uint8Array(32).fill(3)

/** A StableSwap pool of two coins with six decimals, and traders of the given size. */
function drained(logMeanQuotePips: number): StudySpec {
  const { pair, ...example } = structuredClone(
    contract.runNonCustodialSandboxStudy.example.body.payload as unknown as StudySpec,
  )
  return {
    ...example,
    pair: { ...pair, baseDecimals: 6, quoteDecimals: 6 },
    market: {
      inline: {
        kind: 'STABLESWAP',
        variant: 'A100_TWO_COIN',
        coins: [pair.base, pair.quote],
        balances: ['27662471158553', '108298644409129'],
        rates: [`${10n ** 30n}`, `${10n ** 30n}`],
        amplification: '200000',
        feeX10: 1_500_000,
        totalSupply: '135961115567682000000000000',
      },
    },
    arms: [{ armId: 'all', label: 'All prices', position: { kind: 'FULL_RANGE' } }],
    capital: { base: '1000000000', quote: '1000000000', normalization: 'EQUAL_VALUE' },
    tradeSizesQuote: ['1000000000'],
    failure: [{ kind: 'LOSS_VS_HOLD', pips: 20_000 }],
    bandsPips: [20_000],
    horizonSeconds: 3600,
    stepSeconds: 3600,
    price: { kind: 'GBM', annualVolatilityPips: 20_000 },
    flow: {
      kind: 'COMPOUND_POISSON',
      tradesPerDayMilli: 1_000_000,
      logMeanQuotePips,
      logDeviationPips: 1_000_000,
      buySharePips: 500_000,
    },
  }
}

const runOf = (spec: StudySpec) => {
  const prepared = preparePaths({ spec, seed, strategies: {}, observed: null })
  if (!prepared.ok) throw new Error(JSON.stringify(prepared.fieldErrors))
  return runMonteCarloTask({ data: prepared.study.data, from: 0, to: 4 })
}

it('reports a path beyond the domain of the pool as a range error, which no retry repeats', () => {
  expect(runOf(drained(12_000_000)).encoded.length).toBeGreaterThan(0)
  expect(() => runOf(drained(34_000_000))).toThrow(RangeError)
  expect(() => runOf(drained(34_000_000))).toThrow(
    'a path leads to a state in which the pool reverts',
  )
})
