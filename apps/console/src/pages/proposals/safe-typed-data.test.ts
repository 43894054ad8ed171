import { hashTypedData } from 'viem'
import { expect, it } from 'vitest'
import { safeHashes } from './safe-hash.ts'
import { safeTypedData, signatureIn } from './safe-typed-data.ts'

const safe = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const zero = '0x0000000000000000000000000000000000000000'
const call = {
  to: '0xC9A3549C3cb5c8897aB1f3f602F41936808702f0',
  value: '12',
  operation: 1,
  data: '0xa4053020',
  safeTxGas: '0',
  baseGas: '0',
  gasPrice: '0',
  gasToken: zero,
  refundReceiver: zero,
}

it('has the hash that the page shows', () => {
  const typedData = safeTypedData(31_337, safe, call, '7')
  expect(hashTypedData(typedData as unknown as Parameters<typeof hashTypedData>[0])).toBe(
    safeHashes(31_337, safe, call, '7').safeTxHash,
  )
})

it('finds the signature in the output of a signing tool', () => {
  const signature = `0x${'ab'.repeat(65)}`
  expect(signatureIn(` ${signature}\n`)).toBe(signature)
  expect(signatureIn(JSON.stringify({ address: safe, signature }))).toBe(signature)
  expect(signatureIn(`${signature}ab`)).toBe(null)
  expect(signatureIn('Signed.')).toBe(null)
})
