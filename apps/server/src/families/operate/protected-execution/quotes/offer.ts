import type { contract, FieldErrors } from '@liquidity-os/contract'
import { contract as declared } from '@liquidity-os/contract'
import type { Hex } from 'viem'
import { validateSignedScalar } from '../../../../http/signed-scalars.ts'
import { orderDigestOf, orderUidOf } from './gpv2-order.ts'
import { quoteHashOf } from './quote-typed-data.ts'

/** A signed quote of any kind, from the vault's side. */
export interface Offer {
  readonly signed: contract.SignedQuote
  readonly quoteHash: Hex
  readonly requestHash: string
  readonly maker: string
  readonly taker: string | null
  /** Tokens that the vault sells and buys. */
  readonly sellToken: string
  readonly buyToken: string
  readonly sellAmount: bigint
  readonly buyAmount: bigint
  readonly minimumFill: bigint
  /** Unix seconds. */
  readonly validFrom: number
  readonly validUntil: number
  readonly firm: boolean
  /** Unique nonce: no other quote may reuse it. */
  readonly nonceName: string
  /** Order UID of a GPv2 order; else null. */
  readonly orderUid: Hex | null
}

/** Settlement target and opening time of a request. */
export interface SettlementTarget {
  readonly chainId: number
  readonly settlementContract: string
  /** Unix seconds. */
  readonly openedAt: number
}

export function offerOf(signed: contract.SignedQuote, place: SettlementTarget): Offer {
  const { chainId, settlementContract } = place
  const at = `${chainId}|${settlementContract.toLowerCase()}`
  if (signed.kind === 'LIQUIDITY_RFQ') {
    const { message } = signed
    const { requestHash, maker, taker, sellToken, buyToken, validFrom, validUntil, firm } = message
    return {
      signed,
      requestHash,
      maker,
      taker,
      sellToken,
      buyToken,
      validFrom,
      validUntil,
      firm,
      quoteHash: quoteHashOf(message, chainId, settlementContract),
      sellAmount: BigInt(message.sellAmount),
      buyAmount: BigInt(message.buyAmount),
      minimumFill: BigInt(message.minimumFillSellAmount),
      nonceName: `${at}|${maker.toLowerCase()}|${message.nonce}`,
      orderUid: null,
    }
  }
  const { order, maker } = signed
  const orderUid = orderUidOf(order, maker, chainId, settlementContract)
  const sellAmount = BigInt(order.buyAmount)
  return {
    signed,
    requestHash: order.appData,
    maker,
    taker: null,
    orderUid,
    quoteHash: orderDigestOf(order, chainId, settlementContract),
    // The market maker buys the token that the vault sells.
    sellToken: order.buyToken,
    buyToken: order.sellToken,
    sellAmount,
    buyAmount: BigInt(order.sellAmount),
    minimumFill: order.partiallyFillable ? 1n : sellAmount,
    validFrom: place.openedAt,
    validUntil: order.validTo,
    firm: true,
    nonceName: `${at}|${orderUid}`,
  }
}

/** Members of a quote outside the canonical form for signing. */
export function validateForm(signed: contract.SignedQuote, at: string): FieldErrors {
  if (signed.kind === 'LIQUIDITY_RFQ') {
    return validateSignedScalar(declared.QuoteMessage, signed.message, `${at}.message`)
  }
  return {
    ...validateSignedScalar(declared.GPv2Order, signed.order, `${at}.order`),
    ...validateSignedScalar(declared.GPv2Order.properties.receiver, signed.maker, `${at}.maker`),
  }
}

const x36 = 10n ** 36n

/** Quote atoms per base atom times 10^36, rounded against the vault; 0 if an amount is 0. */
export function unitPriceX36(
  side: contract.QuoteRequest['side'],
  { sellAmount, buyAmount }: Pick<Offer, 'sellAmount' | 'buyAmount'>,
): bigint {
  if (sellAmount === 0n || buyAmount === 0n) return 0n
  return side === 'SELL'
    ? (buyAmount * x36) / sellAmount
    : (sellAmount * x36 + buyAmount - 1n) / buyAmount
}
