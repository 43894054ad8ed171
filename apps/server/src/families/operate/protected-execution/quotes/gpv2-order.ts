import type { contract } from '@liquidity-os/contract'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  hashDomain,
  hashTypedData,
  parseAbi,
  zeroAddress,
} from 'viem'
import { packedUid } from './quote-typed-data.ts'

/**
 * GPv2 orders. `GPv2Settlement` exchanges both sides of a trade atomically for the signer, and only
 * within the limits of the order.
 *
 * @see the contracts of CoW Protocol: GPv2Order, GPv2Trade, GPv2Signing
 */

export const gpv2Adapter = 'cow-gpv2-order'

export const settlementAbi = parseAbi([
  'function domainSeparator() view returns (bytes32)',
  'function vaultRelayer() view returns (address)',
  'function filledAmount(bytes orderUid) view returns (uint256)',
  'function preSignature(bytes orderUid) view returns (uint256)',
  'function setPreSignature(bytes orderUid, bool signed)',
  'struct Trade { uint256 sellTokenIndex; uint256 buyTokenIndex; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; uint256 flags; uint256 executedAmount; bytes signature; }',
  'struct Interaction { address target; uint256 value; bytes callData; }',
  'function settle(address[] tokens, uint256[] clearingPrices, Trade[] trades, Interaction[][3] interactions)',
  'event Trade(address indexed owner, address sellToken, address buyToken, uint256 sellAmount, uint256 buyAmount, uint256 feeAmount, bytes orderUid)',
])

const types = {
  Order: [
    ...[
      { name: 'sellToken', type: 'address' },
      { name: 'buyToken', type: 'address' },
      { name: 'receiver', type: 'address' },
      { name: 'sellAmount', type: 'uint256' },
      { name: 'buyAmount', type: 'uint256' },
      { name: 'validTo', type: 'uint32' },
    ],
    ...[
      { name: 'appData', type: 'bytes32' },
      { name: 'feeAmount', type: 'uint256' },
      { name: 'kind', type: 'string' },
      { name: 'partiallyFillable', type: 'bool' },
      { name: 'sellTokenBalance', type: 'string' },
      { name: 'buyTokenBalance', type: 'string' },
    ],
  ],
}

const domainOf = (chainId: number, verifyingContract: string) => ({
  name: 'Gnosis Protocol',
  version: 'v2',
  chainId,
  verifyingContract: verifyingContract as Address,
})

export const gpv2DomainSeparator = (chainId: number, settlement: string): Hex =>
  hashDomain({
    domain: { ...domainOf(chainId, settlement), chainId: BigInt(chainId) },
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
    },
  })

/** Digest to be signed for an order. */
export const orderDigestOf = (
  order: contract.GPv2Order,
  chainId: number,
  settlement: string,
): Hex =>
  hashTypedData({
    domain: domainOf(chainId, settlement),
    types,
    primaryType: 'Order',
    message: {
      ...order,
      sellAmount: BigInt(order.sellAmount),
      buyAmount: BigInt(order.buyAmount),
      feeAmount: BigInt(order.feeAmount),
    },
  })

export const orderUidOf = (
  order: contract.GPv2Order,
  owner: string,
  chainId: number,
  settlement: string,
): Hex => packedUid(orderDigestOf(order, chainId, settlement), owner, order.validTo)

/**
 * The vault's counter-order to a market maker's order, approved with `setPreSignature`. It has the
 * market maker's price.
 */
export function counterOrder(terms: {
  readonly sellToken: string
  readonly buyToken: string
  readonly sellAmount: bigint
  readonly buyAmount: bigint
  readonly validTo: number
  readonly appData: string
}): contract.GPv2Order {
  const { sellToken, buyToken, sellAmount, buyAmount, validTo, appData } = terms
  return {
    sellToken,
    buyToken,
    receiver: zeroAddress,
    validTo,
    appData,
    sellAmount: `${sellAmount}`,
    buyAmount: `${buyAmount}`,
    feeAmount: '0',
    kind: 'sell',
    partiallyFillable: false,
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
  }
}

/** Signature schemes of a trade. ECDSA is accepted only over EIP-712 typed data. */
const schemes = { EIP712: 0n, EIP1271: 2n, PRESIGN: 3n } as const

const flagsOf = (order: contract.GPv2Order, scheme: keyof typeof schemes): bigint =>
  (order.kind === 'buy' ? 1n : 0n) | (order.partiallyFillable ? 2n : 0n) | (schemes[scheme] << 5n)

interface SettledOrder {
  readonly order: contract.GPv2Order
  /** Filled amounts of the order. */
  readonly sells: bigint
  readonly buys: bigint
  readonly scheme: keyof typeof schemes
  readonly signature: Hex
}

/**
 * Call for a solver to settle two orders against each other at exact amounts. Tokens are listed
 * separately per order, so that each order has independent prices without rounding.
 */
export function settleData(orders: readonly [SettledOrder, SettledOrder]): Hex {
  const tokens = orders.flatMap(({ order }) => [order.sellToken, order.buyToken] as Address[])
  // The clearing price of a token is the amount of the opposite token.
  const prices = orders.flatMap(({ sells, buys }) => [buys, sells])
  const trades = orders.map(({ order, sells, buys, scheme, signature }, index) => ({
    sellTokenIndex: BigInt(2 * index),
    buyTokenIndex: BigInt(2 * index + 1),
    receiver: order.receiver as Address,
    sellAmount: BigInt(order.sellAmount),
    buyAmount: BigInt(order.buyAmount),
    validTo: order.validTo,
    appData: order.appData as Hex,
    feeAmount: BigInt(order.feeAmount),
    flags: flagsOf(order, scheme),
    executedAmount: order.kind === 'sell' ? sells : buys,
    signature,
  }))
  return encodeFunctionData({
    abi: settlementAbi,
    functionName: 'settle',
    args: [tokens, prices, trades, [[], [], []]],
  })
}

/** Call for the owner to approve an order. */
export const preSignData = (orderUid: Hex): Hex =>
  encodeFunctionData({
    abi: settlementAbi,
    functionName: 'setPreSignature',
    args: [orderUid, true],
  })
