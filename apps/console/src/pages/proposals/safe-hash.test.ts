import { expect, it } from 'vitest'
import { safeHashes } from './safe-hash.ts'

const zero = '0x0000000000000000000000000000000000000000'

it('computes what owners sign as the service does, by the golden value of the methodology', () => {
  const commitment = {
    to: '0xC9A3549C3cb5c8897aB1f3f602F41936808702f0',
    value: '0',
    operation: 0,
    data: `0xa4053020bb839b58c8240ac82ce7a83b632d4eef07c64ac02993b3b06a71381e${'1'.padStart(64, '0')}`,
    safeTxGas: '0',
    baseGas: '0',
    gasPrice: '0',
    gasToken: zero,
    refundReceiver: zero,
  }
  const safe = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  expect(safeHashes(31_337, safe, commitment, '7').safeTxHash).toBe(
    '0x24cca3d0fd40358e5f49bece9225376a8d1bccc26a635dddf788a6122be5399c',
  )
  expect(safeHashes(31_337, safe, commitment, '8').safeTxHash).not.toBe(
    '0x24cca3d0fd40358e5f49bece9225376a8d1bccc26a635dddf788a6122be5399c',
  )
})
