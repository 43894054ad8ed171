import type { contract } from '@liquidity-os/contract'
import { branchesOf, type TokenSwap } from '@liquidity-os/engine/attribution'
import type { PoolEvent } from '@liquidity-os/engine/replay'
import { type Address, type Hex, isAddressEqual, toEventSelector } from 'viem'
import { decodeLogs, type IndexedEvent } from '../../../integrations/chain/logs.ts'
import type { Receipt } from '../../../integrations/chain/receipts.ts'
import type { PoolTerms } from '../../../integrations/chain/verify-pool.ts'
import { limits } from '../../../limits.ts'
import type { ChainView } from './chain-view.ts'

/** One swap of a fill with its pool. */
export interface FillLeg extends TokenSwap {
  readonly terms: PoolTerms
  /** Indexes of the tokens that entered and left. */
  readonly from: 0 | 1
  readonly to: 0 | 1
  readonly logIndex: number
}

/** Trades of a transaction, or the reason they are unknown. */
export type TradedLegs =
  | { readonly branches: readonly (readonly FillLeg[])[] }
  | { readonly reason: UnresolvedReason }
  /** The pair is not traded in this direction here. */
  | { readonly refused: string }

export type UnresolvedReason = 'POOL_UNKNOWN' | 'ROUTE_UNRESOLVED' | 'TOO_MANY_LEGS'

const swapTopics = new Set<Hex>([
  toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24)'),
  toEventSelector('Swap(address,uint256,uint256,uint256,uint256,address)'),
])

/** Combines the swaps of a transaction into branches between the two tokens of the pair. */
export async function tradedLegs(
  view: ChainView,
  receipt: Receipt,
  { pair, side }: contract.AttributionInput,
): Promise<TradedLegs> {
  const [given, taken] = (side === 'BUY' ? [pair.quote, pair.base] : [pair.base, pair.quote]) as [
    Address,
    Address,
  ]
  const swapLogs = receipt.logs.filter(({ topics }) => topics[0] && swapTopics.has(topics[0]))
  const emitted = (token: Address) =>
    receipt.logs.some(({ address }) => isAddressEqual(address, token))
  if (swapLogs.length === 0) return { refused: 'must contain a swap' }
  if (!emitted(given) || !emitted(taken)) return { refused: 'must move both tokens' }
  if (swapLogs.length > limits.attributionLegs) return { reason: 'TOO_MANY_LEGS' }
  const addresses = [...new Set(swapLogs.map(({ address }) => address))]
  const pools = await Promise.all(addresses.map((address) => view.pool(address)))
  if (pools.some((terms) => terms === null)) return { reason: 'POOL_UNKNOWN' }
  const byAddress = new Map(pools.flatMap((terms) => (terms ? [[terms.address, terms]] : [])))
  const legs = swapLogs.map((log) => {
    // The code above has read every address of a swap log.
    const terms = byAddress.get(log.address) as PoolTerms
    const [found] = decodeLogs(terms.kind, [log], new Map())
    return found ? legOf(terms, found) : null
  })
  if (legs.some((leg) => leg === null)) return { reason: 'ROUTE_UNRESOLVED' }
  const swaps = legs.filter((leg) => leg !== null)
  const turned = branchesOf(swaps, taken, given)
  if (turned)
    return {
      refused: `must trade in the direction of the order, but ${side === 'BUY' ? 'sells' : 'buys'} the base`,
    }
  const branches = branchesOf(swaps, given, taken)
  if (branches) return { branches }
  const isTouched = swaps.some(({ tokenIn, tokenOut }) => tokenIn === given || tokenOut === taken)
  return isTouched ? { reason: 'ROUTE_UNRESOLVED' } : { refused: 'must contain a swap of the pair' }
}

/** Null if both tokens moved in the same direction, as in a flash swap. */
export function legOf(terms: PoolTerms, { event }: IndexedEvent): FillLeg | null {
  const flows = flowsOf(event)
  if (!flows) return null
  const { zeroForOne, amountIn, amountOut } = flows
  if (amountIn <= 0n || amountOut <= 0n) return null
  const [tokenIn, tokenOut] = zeroForOne
    ? [terms.token0, terms.token1]
    : [terms.token1, terms.token0]
  return {
    pool: terms.address,
    terms,
    tokenIn,
    tokenOut,
    amountIn,
    amountOut,
    from: zeroForOne ? 0 : 1,
    to: zeroForOne ? 1 : 0,
    logIndex: event.logIndex ?? 0,
  }
}

/**
 * Direction and amounts of a Swap. Null for other events, and if both tokens moved in the same
 * direction.
 */
export function flowsOf(
  event: PoolEvent,
): { zeroForOne: boolean; amountIn: bigint; amountOut: bigint } | null {
  if (event.type !== 'Swap') return null
  if ('amount0In' in event) {
    const { amount0In, amount1In, amount0Out, amount1Out } = event
    const net0 = amount0In - amount0Out
    const net1 = amount1In - amount1Out
    if (amount0In > 0n === amount1In > 0n) return null
    return net0 > 0n
      ? { zeroForOne: true, amountIn: net0, amountOut: -net1 }
      : { zeroForOne: false, amountIn: net1, amountOut: -net0 }
  }
  const { amount0, amount1 } = event
  return amount0 > 0n
    ? { zeroForOne: true, amountIn: amount0, amountOut: -amount1 }
    : { zeroForOne: false, amountIn: amount1, amountOut: -amount0 }
}
