import { contract } from '@liquidity-os/contract'
import { type Address, getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { declaredOf } from '../../../market/adapters/decode-call.ts'
import type { Release } from '../../../market/adapters/release.ts'
import { compilePolicy } from './compile-policy.ts'
import { conditionsOf, evaluateCondition } from './conditions.ts'
import { termsOf } from './policy-terms.ts'

const [safe, token, router, batch] = ['5', 'a', 'c', 'd'].map((digit) =>
  getAddress(`0x${digit.repeat(40)}`),
) as [Address, Address, Address, Address]
const terms = termsOf({
  vaultId: 'vault_1',
  level: 2,
  maximumSlippagePips: 5000,
  maximumAmountPerTransaction: '5',
  maximumDailyTurnover: '9',
  approvedContracts: [router],
  approvedAssets: [token],
  approvedAdapterIds: ['erc20-allowance'],
  minimumSecondsBetweenActions: 0,
  oracleMaximumAgeSeconds: 300,
  expiresAt: '2027-01-01T00:00:00Z',
  controlEpoch: '1',
  publicMempoolFallbackAllowed: false,
})
const pair = { base: token, quote: token } as contract.QualifiedVault['pair']

const declared = (adapterId: string, name: string) => {
  const adapter = contract.adapters.find((one) => one.adapterId === adapterId)!
  return declaredOf(adapter, adapter.functions.find((one) => one.signature.startsWith(`${name}(`))!)
}
const verdict = (adapterId: string, name: string, args: object) =>
  evaluateCondition(conditionsOf(terms, pair, declared(adapterId, name)), args, safe)

describe('conditions on arguments', () => {
  it.each(['uniswap-v3-swaps', 'uniswap-swap-router-02'])(
    'of %s require no price limit of an exact output',
    (adapterId) => {
      const swap = (sqrtPriceLimitX96: bigint) => {
        const params = {
          tokenIn: token,
          tokenOut: token,
          fee: 3000,
          recipient: safe,
          deadline: 1n,
          amountOut: 1n,
          amountInMaximum: 1n,
          sqrtPriceLimitX96,
        }
        return verdict(adapterId, 'exactOutputSingle', { params })
      }
      expect(swap(0n)).toEqual({ holds: true })
      expect(swap(1n)).toEqual({
        holds: false,
        path: 'params.sqrtPriceLimitX96',
        operator: 'EqualTo',
      })
    },
  )

  it('leave the price limit of an exact input free, because its minimum always binds', () => {
    expect(declared('uniswap-v3-swap-router', 'exactInputSingle').zeros).toEqual([])
    expect(declared('uniswap-swap-router-02', 'exactInputSingle').zeros).toEqual([])
  })

  it('end an allowance of Permit2 with the policy', () => {
    const ends = Date.parse(terms.expiresAt) / 1000
    const approve = (expiration: number) =>
      verdict('permit2-allowance', 'approve', { token, spender: router, amount: 1n, expiration })
    expect(approve(ends)).toEqual({ holds: true })
    expect(approve(ends + 1)).toEqual({ holds: false, path: 'expiration', operator: 'LessThan' })
  })

  it('name no batch contract as a spender on chain', () => {
    const adapters = contract.adapters.map((adapter) =>
      adapter.adapterId === 'safe-batch-call-only'
        ? { ...adapter, contracts: [{ chainId: 1, address: batch }] }
        : adapter,
    )
    const release = {
      manifest: { adapters },
      releaseHash: `0x${'0'.repeat(64)}`,
    } as unknown as Release
    const role = (approvedContracts: Address[]) =>
      compilePolicy({ ...terms, approvedContracts }, { chainId: 1, pair }, release).role.targets
    expect(role([router])).toHaveLength(1)
    expect(role([router, batch])).toEqual(role([router]))
  })
})
