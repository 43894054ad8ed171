import { expect, test } from 'vitest'
import { quoteHashOf, quoteTypedData, quoteTypeHash } from './quote-typed-data.ts'

const safe = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

test('type hash and quote hash are the published golden values', () => {
  expect(quoteTypeHash).toBe('0xf7092a8d6ee68e4df914de1b7ce985aafae730005faa59b474c9cd88471365c6')
  const message = {
    requestHash: `0x${'11'.repeat(32)}`,
    maker: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    taker: safe,
    sellToken: `0x${'a1'.repeat(20)}`,
    buyToken: `0x${'b2'.repeat(20)}`,
    sellAmount: '1000000000',
    buyAmount: '500000000000000000000',
    minimumFillSellAmount: '1000000000',
    validFrom: 1_800_000_000,
    validUntil: 1_800_000_060,
    nonce: '1',
    firm: true,
  }
  expect(quoteHashOf(message, 31_337, safe)).toBe(
    '0x7d06cc6432cfd8bff8e5f91dee2b5f4e59b837736f7288fd5a07e68feea50c46',
  )
})

test('what makers are given hashes to the type', () => {
  const { types, domain, typeHash } = quoteTypedData(1, safe)
  expect(types.Quote.map(({ type, name }) => `${type} ${name}`)[7]).toBe(
    'uint256 minimumFillSellAmount',
  )
  expect([domain.chainId, domain.verifyingContract, typeHash]).toEqual([1, safe, quoteTypeHash])
})
