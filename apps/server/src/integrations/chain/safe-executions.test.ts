import { zeroAddress } from 'viem'
import { expect, it } from 'vitest'
import { loggedHashes, safeTransactionHash } from './safe-executions.ts'

/**
 * A transaction of a Safe 1.1.1 on chain 31337, built from the authors' package
 * `@gnosis.pm/safe-contracts` 1.1.1; the first hash is the one that the Safe logged.
 */
const safe = '0x389bbe4643bd4942c254752199e70b70059ceb37'
const call = {
  to: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  value: 0n,
  data: '0xa9059cbb00000000000000000000000023618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f000000000000000000000000000000000000000000000000000000000000001e',
  operation: 0,
  safeTxGas: 0n,
  baseGas: 0n,
  gasPrice: 0n,
  gasToken: zeroAddress,
  refundReceiver: zeroAddress,
} as const
const logged = '0x490fa717b9a696eb05761795f721be4bea53e67976fae001af3f192b756fbfdd'
const hashOf13 = '0x83ff1c16d4b3e020a191cb0d19e57c499133c97391eb9b40cc4e20f117c863da'

it('finds the call of a Safe before 1.3.0 by the hash without a chain ID', () => {
  expect(loggedHashes(31_337, safe, call, 0n)).toEqual([hashOf13, logged])
  expect(safeTransactionHash(31_337, safe, call, 0n)).toBe(hashOf13)
  expect(loggedHashes(31_337, safe, call, 1n)).not.toContain(logged)
})
