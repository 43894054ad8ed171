import { safeTransactionHash } from '@liquidity-os/localchain'
import { expect, it } from 'vitest'
import { commitmentAddress, commitmentData } from './compile-policy.ts'
import { roleKeyOf } from './conditions.ts'
import { policyHashOf, termsOf } from './policy-terms.ts'

/** The policy of the design, every value of which was computed elsewhere. */
const terms = termsOf({
  vaultId: `vault_${'0'.repeat(31)}1`,
  level: 1,
  maximumSlippagePips: 5000,
  maximumAmountPerTransaction: '1000000',
  maximumDailyTurnover: '5000000',
  approvedContracts: [],
  approvedAssets: [],
  approvedAdapterIds: [],
  minimumSecondsBetweenActions: 3600,
  oracleMaximumAgeSeconds: 300,
  expiresAt: '2027-01-01T00:00:00Z',
  controlEpoch: '1',
  publicMempoolFallbackAllowed: false,
})
const hash = '0xa4053020bb839b58c8240ac82ce7a83b632d4eef07c64ac02993b3b06a71381e'

it('hashes the normal form of a policy, whatever is written that binds nothing', () => {
  expect(policyHashOf(terms)).toBe(hash)
  const loose = { ...terms, minimumPriceX18: 0n, maximumPriceX18: 2n ** 256n - 1n }
  const input = { ...loose, minimumPriceX18: '0', maximumPriceX18: `${2n ** 256n - 1n}` }
  expect(
    policyHashOf(
      termsOf({
        ...input,
        maximumAmountPerTransaction: '1000000',
        maximumDailyTurnover: '5000000',
        controlEpoch: '1',
        approvedContracts: [],
        approvedAssets: [],
        approvedAdapterIds: [],
      }),
    ),
  ).toBe(hash)
})

it('makes the call that owners sign, and the key of the role', () => {
  expect(commitmentAddress).toBe('0xC9A3549C3cb5c8897aB1f3f602F41936808702f0')
  const call = {
    to: commitmentAddress,
    value: 0n,
    data: commitmentData(hash, 1n),
    operation: 0,
    nonce: 7n,
  } as const
  const safe = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  expect(safeTransactionHash(31_337, safe, call)).toBe(
    '0x24cca3d0fd40358e5f49bece9225376a8d1bccc26a635dddf788a6122be5399c',
  )
  expect(roleKeyOf(terms)).toBe(
    '0xedf785376aa0c76db8159fcb29dbe63a7ed5dee4505e05e3e99ec77a8a3a0cfd',
  )
})
