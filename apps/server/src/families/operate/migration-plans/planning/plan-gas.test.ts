import { gasTable } from '@liquidity-os/engine/montecarlo'
import { expect, it } from 'vitest'
import { gasGapsOf, gasOf } from './plan-gas.ts'
import type { PlannedStep } from './plan-task.ts'

const position = { owner: 'wallet', tickLower: -60, tickUpper: 60 }
const steps: Pick<PlannedStep, 'step'>[] = [
  { step: { kind: 'REMOVE', world: 'pool', position, liquidity: 1n } },
  { step: { kind: 'APPROVE', world: 'pool' } },
  { step: { kind: 'VERIFY' } },
]
const venue = { id: 'pool', profile: { kind: 'UNISWAP_V3' } } as never
const one = 10n ** 18n
const units = gasTable.units.DECREASE
const costOf = (costs: object) =>
  gasOf({ costs: { gas: { constantWei: '7' }, nativePriceX18: `${2n * one}`, ...costs } }, steps, [
    venue,
  ])

it('is that of the steps that are measured, at the base fee and the tip', () => {
  expect(costOf({})).toEqual({ units, quote: `${units * 7 * 2}` })
  expect(costOf({ tipWei: '3' })).toEqual({ units, quote: `${units * 10 * 2}` })
  expect(gasOf({}, steps, [venue])).toBeNull()
})

it('takes a base fee that moves at its median', () => {
  const gas = { meanWei: '7', persistencePips: 900_000, deviationPips: 200_000 }
  expect(costOf({ gas })).toEqual(costOf({}))
  const codesOf = (fee: object) =>
    gasGapsOf({ costs: { gas: fee, nativePriceX18: `${one}` } as never }).map(({ code }) => code)
  expect(codesOf(gas)).toEqual(['GAS_NOT_MEASURED', 'GAS_AT_MEDIAN'])
  expect(codesOf({ constantWei: '7' })).toEqual(['GAS_NOT_MEASURED'])
  expect(gasGapsOf({})).toEqual([])
})

it('has the data fee of every transaction, measured or not, and none of what sends nothing', () => {
  expect(costOf({ l1DataFeeWei: '5' })).toEqual({ units, quote: `${(units * 7 + 2 * 5) * 2}` })
})

it('is rounded up', () => {
  expect(costOf({ nativePriceX18: '1' })?.quote).toBe('1')
})
