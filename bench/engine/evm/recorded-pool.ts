import { type Hex, numberToHex, pad } from 'viem'
import type { ClmmState } from '../../../packages/engine/src/amm/v3/state.ts'
import { openLimit } from '../../../packages/engine/src/amm/v3/swap.ts'
import { startReplay } from '../../../packages/engine/src/replay/baseline.ts'
import type { ClmmEvent, SwapEvent } from '../../../packages/engine/src/replay/events.ts'
import type { SwapMode } from '../../../packages/engine/src/replay/fidelity.ts'
import {
  answersOf,
  type BytecodePool,
  encodeScript,
  type Operation,
  openBytecodePool,
} from './bytecode.ts'

/** Part of a recording as a script, and the block after which it runs. */
export interface Part {
  readonly script: Hex
  readonly events: number
  readonly block: bigint
}

const PART = 1000
const UNLIMITED = (1n << 255n) - 1n
/** An unused fee, so that its 32 bytes can be found in the code. */
const MARKER_FEE = 123_457

/**
 * Brings a recording onto the genuine bytecode: compares every amount and the end state, and keeps the block
 * before each part, at which the part can be run again and timed.
 *
 * The fee of a pool lies in its code, so a pool with a spacing the factory does not pair with that fee,
 * and a change of the fee, are the same code with other 32 bytes.
 */
export async function loadRecordedPool(
  state: ClmmState,
  events: readonly ClmmEvent[],
): Promise<{ pool: BytecodePool; parts: readonly Part[] }> {
  const { tickSpacing, sqrtPriceX96 } = state
  const pool = await openBytecodePool({ fee: MARKER_FEE, tickSpacing, sqrtPriceX96 })
  const { publicClient, testClient } = pool.chain
  const code = (await publicClient.getCode({ address: pool.address })) as Hex
  const setFee = (fee: number) => {
    const bytecode = code.replaceAll(push32(MARKER_FEE), push32(fee)) as Hex
    return testClient.setCode({ address: pool.address, bytecode })
  }
  await setFee(state.feePips)
  const replay = startReplay(state)
  const parts: Part[] = []
  let pending: ClmmEvent[] = []
  let operations: Operation[] = []
  const flush = async () => {
    if (operations.length === 0) return
    const script = encodeScript(operations)
    assertAnswers(pending, await pool.call(script))
    const block = await publicClient.getBlockNumber({ cacheTime: 0 })
    parts.push({ script, events: operations.length, block })
    await pool.send(script)
    pending = []
    operations = []
  }
  for (const event of events) {
    const verdict = replay.apply(event)
    if (event.type === 'FeeChange') {
      await flush()
      await setFee(event.feePips)
      // A separate block; the next part runs with the new fee.
      await pool.chain.mine()
      continue
    }
    operations.push(toOperation(event, verdict.status === 'EXACT' ? verdict.mode : undefined))
    pending.push(event)
    if (operations.length === PART) await flush()
  }
  await flush()
  const end = replay.final() as ClmmState
  const { tick, liquidity, feeGrowthGlobal0X128, feeGrowthGlobal1X128 } = end
  const wanted = [end.sqrtPriceX96, tick, liquidity, feeGrowthGlobal0X128, feeGrowthGlobal1X128]
  const observed = await pool.observed()
  if (observed !== wanted.join(' ')) {
    throw new Error(`the bytecode ends at ${observed}, the replay at ${wanted.join(' ')}`)
  }
  return { pool, parts }
}

/** A PUSH32 of a number, as the compiler writes an immutable. */
function push32(value: number): string {
  return `7f${pad(numberToHex(value), { size: 32 }).slice(2)}`
}

function toOperation(event: ClmmEvent, mode: SwapMode | undefined): Operation {
  if (event.type === 'Swap') return toSwap(event, mode)
  if (event.type !== 'Mint' && event.type !== 'Burn') throw new Error(`no script for ${event.type}`)
  const { tickLower, tickUpper, liquidity } = event
  return { kind: event.type === 'Mint' ? 'mint' : 'burn', tickLower, tickUpper, liquidity }
}

function toSwap(
  { amount0, amount1, sqrtPriceX96 }: SwapEvent,
  mode: SwapMode | undefined,
): Operation {
  const zeroForOne = amount0 > 0n || amount1 < 0n
  const [paid, got] = zeroForOne ? [amount0, amount1] : [amount1, amount0]
  const isLimited = mode === 'PRICE_LIMIT' || mode === 'PRICE_LIMIT_WITH_INPUT'
  const sqrtPriceLimitX96 = isLimited ? sqrtPriceX96 : openLimit(zeroForOne)
  const amountSpecified = mode === 'PRICE_LIMIT' ? UNLIMITED : mode === 'EXACT_OUTPUT' ? got : paid
  return { kind: 'swap', zeroForOne, amountSpecified, sqrtPriceLimitX96 }
}

function assertAnswers(events: readonly ClmmEvent[], answers: Hex): void {
  for (const [index, event] of events.entries()) {
    if (event.type !== 'Swap' && event.type !== 'Mint' && event.type !== 'Burn') continue
    const [amount0, amount1] = answersOf(answers, index)
    if (amount0 !== event.amount0 || amount1 !== event.amount1) {
      throw new Error(`the bytecode moves ${amount0}, ${amount1} in line ${event.line}`)
    }
  }
}
