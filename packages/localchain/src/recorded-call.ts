import { type Address, encodeFunctionData, type Hex, maxInt256, parseEventLogs } from 'viem'
import { v3PoolAbi } from './abis.ts'
import { paymentData } from './payer.ts'
import type { RecordedEvent, RecordedSwap } from './recording.ts'
import type { SimulatedLog } from './simulation.ts'

/** Lowest and highest price a swap may name as its limit, √P as Q64.96. */
const openLimit = {
  down: 4295128740n,
  up: 1461446703485210103287273052203988822378723970341n,
}

/** The pool's tokens, and the payer for each recorded caller. */
export type Cast = {
  readonly token0: Address
  readonly token1: Address
  readonly payerOf: ReadonlyMap<string, Address>
}

/**
 * Every pool call that can have caused a recorded event, most likely first.
 *
 * A swap event does not contain the requested amount. The order is the collector's own resolution,
 * exact input, exact output, and a swap stopped only by its price limit.
 */
export function possibleCalls(event: RecordedEvent, cast: Cast): Hex[] {
  if (event.kind === 'SWAP') return possibleSwaps(event, cast)
  const { tickLower, tickUpper, liquidity } = event
  if (event.kind === 'BURN') {
    const args = [tickLower, tickUpper, liquidity] as const
    return [encodeFunctionData({ abi: v3PoolAbi, functionName: 'burn', args })]
  }
  const owner = cast.payerOf.get(event.owner) ?? event.owner
  const args = [owner, tickLower, tickUpper, liquidity, paymentData(cast)] as const
  return [encodeFunctionData({ abi: v3PoolAbi, functionName: 'mint', args })]
}

function possibleSwaps(event: RecordedSwap, cast: Cast): Hex[] {
  const zeroForOne = event.amount0 > 0n
  const [paid, received] = zeroForOne
    ? [event.amount0, event.amount1]
    : [event.amount1, event.amount0]
  const open = zeroForOne ? openLimit.down : openLimit.up
  const requests: [amountSpecified: bigint, sqrtPriceLimitX96: bigint][] = [
    [event.amountSpecified, open],
    [paid, open],
    [received, open],
    [maxInt256, event.sqrtPriceX96],
    [event.amountSpecified, event.sqrtPriceX96],
  ]
  return requests.map(([amountSpecified, limit]) =>
    encodeFunctionData({
      abi: v3PoolAbi,
      functionName: 'swap',
      args: [event.recipient, zeroForOne, amountSpecified, limit, paymentData(cast)],
    }),
  )
}

/** True if the logs of a transaction contain the recorded event, equal in every amount. */
export function isReproduced(event: RecordedEvent, logs: readonly SimulatedLog[]): boolean {
  // parseEventLogs reads topics and data only; a simulated log has no place in a block.
  const parsed = parseEventLogs({ abi: v3PoolAbi, logs: [...logs] as never })
  return parsed.some((log) => {
    if (log.eventName.toUpperCase() !== event.kind) return false
    const facts: Record<string, unknown> = log.args
    return Object.entries(expectedFacts(event)).every(([name, value]) => facts[name] === value)
  })
}

function expectedFacts(event: RecordedEvent): Record<string, bigint | number> {
  const { amount0, amount1, liquidity } = event
  if (event.kind === 'SWAP') {
    return { amount0, amount1, liquidity, sqrtPriceX96: event.sqrtPriceX96, tick: event.tick }
  }
  const { tickLower, tickUpper } = event
  return { amount0, amount1, amount: liquidity, tickLower, tickUpper }
}
