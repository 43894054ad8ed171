import { expect, it } from 'vitest'
import { type GasModel, gasAlong } from './gas.ts'
import type { ActionKind } from './gas-table.ts'

const gwei = 10n ** 9n
const rollup: GasModel = {
  baseFee: { kind: 'CONSTANT', baseFeeWei: 2n * gwei },
  tipWei: gwei,
  l1DataFeeWei: 50_000n * gwei,
  nativePriceX18: 2000n * 10n ** 18n,
}
const cost = (model: GasModel, action: ActionKind) =>
  gasAlong(model, new Uint8Array(32), 0, false, 4)(action, 1)

it('an action costs its units at base fee and tip, and the data fee once', () => {
  // (130,047·3 + 50,000) gwei at 2,000 quote each.
  expect(cost(rollup, 'SWAP')).toBe(440_141n * 2000n * gwei)
  // (326,609·3 + 50,000) gwei: the data fee does not grow with the units.
  expect(cost(rollup, 'MINT')).toBe(1_029_827n * 2000n * gwei)
  const dataOnly = { ...rollup, baseFee: { kind: 'CONSTANT', baseFeeWei: 0n }, tipWei: 0n } as const
  expect(cost(dataOnly, 'MINT')).toBe(50_000n * 2000n * gwei)
})

it('the data fee comes on top of a base fee that moves, and the cost is rounded up', () => {
  const moving = {
    ...rollup,
    baseFee: { kind: 'AR1_LOG', meanWei: 2n * gwei, persistence: 0.5, deviation: 0.1 },
  } as const
  const without = cost({ ...moving, l1DataFeeWei: 0n }, 'SWAP')
  expect(cost(moving, 'SWAP') - without).toBe(50_000n * 2000n * gwei)
  expect(cost({ ...rollup, nativePriceX18: 1n }, 'SWAP')).toBe(1n)
})
