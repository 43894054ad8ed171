import { contract } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { Failure } from '../../../../failure.ts'
import type { StudySpec } from '../validate-spec.ts'
import runMonteCarloTask from './monte-carlo-task.ts'
import preparePaths from './prepare-paths-task.ts'
import { refusePaths } from './run-path-study.ts'
import changeParameter from './sensitivity-task.ts'

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

const dataOf = (spec: StudySpec) => {
  const prepared = preparePaths({ spec, seed, strategies: {}, observed: null })
  if (!prepared.ok) throw new Error(JSON.stringify(prepared.fieldErrors))
  return prepared.study.data
}
const runOf = (spec: StudySpec) => runMonteCarloTask({ data: dataOf(spec), from: 0, to: 4 })

/** The field errors that a request receives for the error of a task. */
const fieldErrorsOf = (data: Parameters<typeof refusePaths>[0], run: () => unknown) => {
  try {
    run()
  } catch (error) {
    try {
      return refusePaths(data)(error)
    } catch (refusal) {
      if (refusal instanceof Failure) return refusal.detail.fieldErrors
      throw refusal
    }
  }
  throw new Error('The task has a result.')
}

const revert =
  'must keep the pool in a computable state: a path leads to a state in which the pool reverts without a reason'

it('reports a path beyond the domain of the pool as a range error, which no retry repeats', () => {
  expect(runOf(drained(12_000_000)).encoded.length).toBeGreaterThan(0)
  expect(() => runOf(drained(34_000_000))).toThrow(RangeError)
  expect(() => runOf(drained(34_000_000))).toThrow(
    'a path leads to a state in which the pool reverts',
  )
})

it('blames the flow and the price for a revert, and the price alone without a flow', () => {
  const data = dataOf(drained(34_000_000))
  const run = () => runMonteCarloTask({ data, from: 0, to: 4 })
  expect(fieldErrorsOf(data, run)).toEqual({ 'payload.price': [revert], 'payload.flow': [revert] })
  expect(fieldErrorsOf({ flow: null }, run)).toEqual({ 'payload.price': [revert] })
  const wild = () => {
    throw new RangeError('a price of 1e+50 times the start price')
  }
  expect(fieldErrorsOf(data, wild)).toEqual({
    'payload.price': [
      'must stay within the price limits of a pool: a price of 1e+50 times the start price',
    ],
  })
})

it('has no breakeven volume where more volume drains the pool that the study itself does not drain', () => {
  const data = dataOf(drained(33_400_000))
  expect(runMonteCarloTask({ data, from: 0, to: 4 }).encoded.length).toBeGreaterThan(0)
  const answer = changeParameter({
    data,
    paths: 4,
    ask: 'BREAKEVEN',
    armId: 'all',
    parameter: 'volume',
  })
  expect(answer).toEqual({ ask: 'BREAKEVEN', factorPips: null, reason: 'NOT_APPLICABLE' })
  const means = () => changeParameter({ data, paths: 4, ask: 'MEANS', factors: { volume: 10 } })
  expect(means).toThrow(RangeError)
  expect(fieldErrorsOf(data, means)).toEqual({
    'payload.price': [revert],
    'payload.flow': [revert],
  })
})
