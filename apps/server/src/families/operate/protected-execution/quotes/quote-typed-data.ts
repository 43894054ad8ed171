import type { contract } from '@liquidity-os/contract'
import { type Address, encodePacked, type Hex, hashTypedData, toHex } from 'viem'
import { keccak256 } from '../../../../keccak256.ts'

const fields = [
  ...(['bytes32 requestHash', 'address maker', 'address taker', 'address sellToken'] as const),
  ...(['address buyToken', 'uint256 sellAmount', 'uint256 buyAmount'] as const),
  ...(['uint256 minimumFillSellAmount', 'uint64 validFrom', 'uint64 validUntil'] as const),
  ...(['uint256 nonce', 'bool firm'] as const),
]

const types = {
  Quote: fields.map((field) => {
    const [type = '', name = ''] = field.split(' ')
    return { name, type }
  }),
}

/** keccak-256 of the encoded type. @see EIP-712, `encodeType` */
export const quoteTypeHash: Hex = keccak256(toHex(`Quote(${fields.join(',')})`))

const domainOf = (chainId: number, verifyingContract: string) =>
  ({
    name: 'Liquidity OS RFQ',
    version: '1',
    chainId,
    verifyingContract: verifyingContract as Address,
  }) as const

/** Typed data that market makers sign. */
export const quoteTypedData = (
  chainId: number,
  settlementContract: string,
): contract.QuoteRequest['typedData'] => ({
  domain: domainOf(chainId, settlementContract),
  primaryType: 'Quote',
  types: { Quote: types.Quote.map((field) => ({ ...field })) },
  typeHash: quoteTypeHash,
})

/** EIP-712 hash that the market maker signs. */
export function quoteHashOf(
  message: contract.QuoteMessage,
  chainId: number,
  settlementContract: string,
): Hex {
  return hashTypedData({
    domain: domainOf(chainId, settlementContract),
    types,
    primaryType: 'Quote',
    message: {
      ...message,
      sellAmount: BigInt(message.sellAmount),
      buyAmount: BigInt(message.buyAmount),
      minimumFillSellAmount: BigInt(message.minimumFillSellAmount),
      validFrom: BigInt(message.validFrom),
      validUntil: BigInt(message.validUntil),
      nonce: BigInt(message.nonce),
    },
  })
}

/** Identifier of a market maker's order on chain: digest, owner and expiry, packed. */
export const packedUid = (digest: Hex, owner: string, validTo: number): Hex =>
  encodePacked(['bytes32', 'address', 'uint32'], [digest, owner as Address, validTo])
