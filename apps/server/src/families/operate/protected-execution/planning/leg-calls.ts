import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { type Address, encodeFunctionData, encodePacked, type Hex } from 'viem'
import {
  allowanceAbi,
  swapRouterAbi,
  v2RouterAbi,
} from '../../../../integrations/chain/periphery-abis.ts'
import {
  counterOrder,
  gpv2Adapter,
  orderUidOf,
  preSignData,
  settleData,
} from '../quotes/gpv2-order.ts'

type Call = contract.ExecutionCall
type Settlement = contract.ExecutionLegRecord['settlement']

/** Submission form of a leg: the vault's call, and for an order the solver's settlement. */
export interface LegCall {
  readonly adapterId: string
  readonly call: Call
  readonly callHash: string
  /** The account that transfers the sold token and therefore needs the allowance. */
  readonly spender: string
  readonly settlement: Settlement
}

export interface CallTerms {
  readonly chainId: number
  readonly taker: string
  readonly sellToken: string
  readonly buyToken: string
  readonly settlementContract: string
  readonly relayer: string | null
}

interface LegTerms {
  readonly sellAmount: bigint
  readonly minimumBuy: bigint
  /** Unix seconds. */
  readonly deadline: number
}

export const callHashOf = (call: Call): string => H('call/v1', call)

const callTo = (to: string, data: Hex): Call => ({ to, value: '0', data })

export function poolCall(
  { taker, sellToken, buyToken }: CallTerms,
  { router, adapterId, kind, feePips }: contract.QuoteSet['pools'][number],
  { sellAmount, minimumBuy, deadline }: LegTerms,
): LegCall | null {
  if (router === null || adapterId === null) return null
  const [tokenIn, tokenOut, recipient] = [sellToken, buyToken, taker] as Address[] as [
    Address,
    Address,
    Address,
  ]
  const until = BigInt(deadline)
  const data =
    kind === 'UNISWAP_V3'
      ? encodeFunctionData({
          abi: swapRouterAbi,
          functionName: 'exactInputSingle',
          args: [
            {
              tokenIn,
              tokenOut,
              fee: feePips,
              recipient,
              deadline: until,
              amountIn: sellAmount,
              amountOutMinimum: minimumBuy,
              sqrtPriceLimitX96: 0n,
            },
          ],
        })
      : encodeFunctionData({
          abi: v2RouterAbi,
          functionName: 'swapExactTokensForTokens',
          args: [sellAmount, minimumBuy, [tokenIn, tokenOut], recipient, until],
        })
  const call = callTo(router, data)
  return { adapterId, call, callHash: callHashOf(call), spender: router, settlement: null }
}

/**
 * The vault's counter-order to a market maker's quote, approved with `setPreSignature`. Null if no
 * contract settles the quote.
 */
export function quoteCall(
  terms: CallTerms,
  signed: contract.SignedQuote,
  { sellAmount, minimumBuy, deadline }: LegTerms,
): LegCall | null {
  const { chainId, taker, sellToken, buyToken, settlementContract: to, relayer } = terms
  if (signed.kind !== 'GPV2_ORDER' || relayer === null) return null
  const own = counterOrder({
    sellToken,
    buyToken,
    sellAmount,
    buyAmount: minimumBuy,
    validTo: deadline,
    appData: signed.order.appData,
  })
  const orderUid = orderUidOf(own, taker, chainId, to)
  const call = callTo(to, preSignData(orderUid))
  const settle = callTo(
    to,
    settleData([
      {
        order: own,
        sells: sellAmount,
        buys: minimumBuy,
        scheme: 'PRESIGN',
        signature: taker.toLowerCase() as Hex,
      },
      {
        order: signed.order,
        sells: minimumBuy,
        buys: sellAmount,
        ...makerSignature(signed),
      },
    ]),
  )
  const settlement = { orderUid, contract: to, relayer, settle }
  return { adapterId: gpv2Adapter, call, callHash: callHashOf(call), spender: relayer, settlement }
}

/** A contract's signature follows its address. */
function makerSignature({
  makerKind,
  maker,
  signature,
}: Extract<contract.SignedQuote, { kind: 'GPV2_ORDER' }>) {
  return makerKind === 'EOA'
    ? ({ scheme: 'EIP712', signature: signature as Hex } as const)
    : ({
        scheme: 'EIP1271',
        signature: encodePacked(['address', 'bytes'], [maker as Address, signature as Hex]),
      } as const)
}

/** Missing allowances for the calls: one per spender, for exactly the amount of its legs. */
export function neededAllowances(
  sellToken: string,
  given: contract.QuoteSet['allowances'],
  legs: readonly { readonly spender: string; readonly sellAmount: bigint }[],
): contract.ProtectedExecutionPlan['allowances'] {
  const sums = new Map<string, bigint>()
  for (const { spender, sellAmount } of legs) {
    sums.set(spender, (sums.get(spender) ?? 0n) + sellAmount)
  }
  return [...sums].flatMap(([spender, amount]) => {
    const known = given.find((one) => one.spender.toLowerCase() === spender.toLowerCase())
    if (known && BigInt(known.amount) >= amount) return []
    const args = [spender as Address, amount] as const
    const data = encodeFunctionData({ abi: allowanceAbi, functionName: 'approve', args })
    const call = callTo(sellToken, data)
    return [{ spender, amount: `${amount}`, call, callHash: callHashOf(call) }]
  })
}
