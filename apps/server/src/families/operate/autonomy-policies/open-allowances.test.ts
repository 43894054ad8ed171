import { contract } from '@liquidity-os/contract'
import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Release } from '../../../market/adapters/release.ts'
import { readCalls } from './action-calls.ts'
import { movementOf } from './action-movement.ts'
import { openAfter, openAllowances } from './open-allowances.ts'
import { refundsOf } from './refunds.ts'

const release = { manifest: { adapters: contract.adapters } } as unknown as Release
const [safeAddress, base, quote, spender, stranger] = ['5', 'a', 'b', 'c', 'd'].map((digit) =>
  getAddress(`0x${digit.repeat(40)}`),
) as [Address, Address, Address, Address, Address]
const router = getAddress(
  contract.adapters
    .find(({ adapterId }) => adapterId === 'uniswap-v2-swaps')!
    .contracts.find(({ chainId }) => chainId === 1)!.address,
)
const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)',
])
const call = (to: Address, data: Hex) => ({ to, data, value: '0', operation: 'CALL' as const })
const approve = (to: Address, amount: bigint) =>
  call(base, encodeFunctionData({ abi, functionName: 'approve', args: [to, amount] }))
const swap = (amount: bigint) =>
  call(
    router,
    encodeFunctionData({
      abi,
      functionName: 'swapTokensForExactTokens',
      args: [1n, amount, [base, quote], safeAddress, 1n],
    }),
  )
type Calls = readonly ReturnType<typeof call>[]

const receipt = (calls: Calls, paid = 0n, to = stranger) =>
  ({
    safeAddress,
    outcome: 'SUCCESS' as 'SUCCESS' | 'FAILURE',
    calls: calls.map((one) => ({ ...one, selector: null, adapterId: null, arguments: null })),
    effects: {
      transfers: paid === 0n ? [] : [{ asset: base, from: safeAddress, to, amount: `${paid}` }],
      net: paid === 0n ? [] : [{ asset: base, delta: `${-paid}` }],
    },
  }) as Pick<contract.ExecutionReceipt, 'safeAddress' | 'outcome' | 'calls' | 'effects'>

const pair = { base, quote } as contract.QualifiedVault['pair']
const open = (...receipts: ReturnType<typeof receipt>[]) =>
  openAllowances(receipts, { release, chainId: 1, pair, legs: [], counted: [] }).map(
    ({ amount }) => amount,
  )
const read = (calls: Calls) =>
  readCalls(
    calls.map(({ to, data }) => ({ to, data, value: 0n, operation: 0 })),
    1,
    { approvedAssets: [base, quote] },
    release,
    safeAddress,
  )

describe('open allowances', () => {
  it('count each, because a spender can use one before the next', () => {
    expect(open(receipt([approve(spender, 4n)]), receipt([approve(spender, 4n)]))).toEqual([4n, 4n])
    expect(open(receipt([approve(spender, 4n)]), receipt([approve(spender, 0n)]))).toEqual([4n])
  })

  it('end with the use by calls of the spender, the newest first', () => {
    expect(open(receipt([approve(router, 4n), swap(4n)], 4n))).toEqual([])
    expect(open(receipt([approve(router, 4n)]), receipt([swap(4n)], 3n))).toEqual([1n])
    const own = receipt([approve(router, 4n), swap(4n)], 4n)
    expect(open(receipt([approve(router, 5n)]), own)).toEqual([5n])
    expect(open(receipt([approve(router, 4n), swap(2n), approve(router, 0n)], 2n))).toEqual([])
  })

  it('do not exist after a failed execution', () => {
    expect(open({ ...receipt([approve(spender, 4n)]), outcome: 'FAILURE' })).toEqual([])
  })

  it('are used by an action beyond its own allowances', () => {
    const given = [{ token: base, spender: router, amount: 4n, isPlanned: false }]
    const after = (calls: Calls) =>
      openAfter(given, movementOf(read(calls)), null).map(({ amount }) => amount)
    expect(after([swap(3n)])).toEqual([1n])
    expect(after([approve(router, 3n), swap(3n)])).toEqual([4n])
    expect(after([approve(router, 1n), swap(3n)])).toEqual([2n])
  })
})

describe('the refund of an execution', () => {
  const refunds = (executed: ReturnType<typeof receipt>, calls: Calls) =>
    refundsOf(executed, read(calls), movementOf(read(calls)))

  it('is the outflow beyond the declared inputs of its calls', () => {
    expect(refunds(receipt([swap(4n)], 4n), [swap(4n)])).toEqual([])
    expect(refunds(receipt([approve(router, 4n)], 7n), [approve(router, 4n)])).toEqual([
      { token: base, amount: 7n, receiver: stranger },
    ])
    expect(refunds(receipt([swap(4n)], 7n), [swap(4n)])).toEqual([
      { token: base, amount: 3n, receiver: null },
    ])
  })

  it('is every outflow of a failed execution', () => {
    const failed = { ...receipt([swap(4n)], 3n), outcome: 'FAILURE' as const }
    expect(refunds(failed, [swap(4n)])).toEqual([{ token: base, amount: 3n, receiver: stranger }])
  })

  it('is unknown if a call is not decoded', () => {
    const other = [call(spender, '0x12345678')]
    expect(refunds(receipt(other, 3n), other)).toEqual([])
  })

  it('includes the native coin', () => {
    const net = [{ asset: 'native', delta: '-5' }]
    const executed = { ...receipt([approve(router, 0n)]), effects: { transfers: [], net } }
    expect(refunds(executed, [approve(router, 0n)])).toEqual([
      { token: 'native', amount: 5n, receiver: null },
    ])
  })
})
