import type { CpmmEvent, LiquidityEvent, MarketEvent, SwapEvent } from '@liquidity-os/engine/replay'
import { SealedLine } from './sealed-line.ts'

const line = new SealedLine()

/**
 * Fast parser for the most frequent event types; equals `parseExact` in less than half its time.
 * The field order is known, so it needs no lookups and allocates each object once.
 *
 * @param text lines without a backslash
 * @param at start of the line
 * @param end end of the line
 * @returns null for a line of another type or form
 */
export function frequentEvent(text: string, at: number, end: number): MarketEvent | null {
  line.begin(text, at)
  if (text.startsWith('"Swap"}', end - 7)) {
    if (line.has('{"amount0":"')) return readSwap(end)
    return line.has('{"amount0In":"') ? readPairSwap(end) : null
  }
  if (text.startsWith('"Sync"}', end - 7)) return readSync(end)
  if (!line.has('{"amount0":"')) return null
  if (text.startsWith('"Mint"}', end - 7)) return readLiquidity('Mint', end)
  return text.startsWith('"Burn"}', end - 7) ? readLiquidity('Burn', end) : null
}

function readSwap(end: number): SwapEvent | null {
  const amount0 = line.big('{"amount0":"')
  const amount1 = line.big(',"amount1":"')
  const block = line.number(',"block":')
  const blockHash = line.text(',"blockHash":"')
  const liquidity = line.big(',"liquidity":"')
  const logIndex = line.numberOrNull(',"logIndex":')
  const origin = line.textIfAny(',"origin":"')
  const recipient = line.textIfAny(',"recipient":"')
  const sender = line.textIfAny(',"sender":"')
  const sqrtPriceX96 = line.big(',"sqrtPriceX96":"')
  const tick = line.number(',"tick":')
  const timestamp = line.numberOrNull(',"timestamp":')
  const transactionHash = line.text(',"transactionHash":"')
  if (!line.wasWhole(',"type":"Swap"}', end)) return null
  const place = { block, blockHash, timestamp, transactionHash, logIndex, line: null }
  const event = { type: 'Swap', ...place, amount0, amount1, sqrtPriceX96, liquidity, tick } as const
  return withParties(event, origin, recipient, sender)
}

function readLiquidity(type: 'Mint' | 'Burn', end: number): LiquidityEvent | null {
  const amount0 = line.big('{"amount0":"')
  const amount1 = line.big(',"amount1":"')
  const block = line.number(',"block":')
  const blockHash = line.text(',"blockHash":"')
  const liquidity = line.big(',"liquidity":"')
  const logIndex = line.numberOrNull(',"logIndex":')
  const origin = line.textIfAny(',"origin":"')
  const owner = line.text(',"owner":"')
  const sender = line.textIfAny(',"sender":"')
  const tickLower = line.number(',"tickLower":')
  const tickUpper = line.number(',"tickUpper":')
  const timestamp = line.numberOrNull(',"timestamp":')
  const transactionHash = line.text(',"transactionHash":"')
  if (!line.wasWhole(type === 'Mint' ? ',"type":"Mint"}' : ',"type":"Burn"}', end)) return null
  const place = { block, blockHash, timestamp, transactionHash, logIndex, line: null }
  const event = { type, ...place, owner, tickLower, tickUpper, liquidity, amount0, amount1 }
  return withParties(event, origin, undefined, sender)
}

function readPairSwap(end: number): CpmmEvent | null {
  const amount0In = line.big('{"amount0In":"')
  const amount0Out = line.big(',"amount0Out":"')
  const amount1In = line.big(',"amount1In":"')
  const amount1Out = line.big(',"amount1Out":"')
  const block = line.number(',"block":')
  const blockHash = line.text(',"blockHash":"')
  const logIndex = line.numberOrNull(',"logIndex":')
  const origin = line.textIfAny(',"origin":"')
  const recipient = line.textIfAny(',"recipient":"')
  const sender = line.textIfAny(',"sender":"')
  const timestamp = line.numberOrNull(',"timestamp":')
  const transactionHash = line.text(',"transactionHash":"')
  if (!line.wasWhole(',"type":"Swap"}', end)) return null
  const place = { block, blockHash, timestamp, transactionHash, logIndex, line: null }
  const amounts = { amount0In, amount1In, amount0Out, amount1Out }
  return withParties({ type: 'Swap', ...place, ...amounts }, origin, recipient, sender)
}

function readSync(end: number): CpmmEvent | null {
  const block = line.number('{"block":')
  const blockHash = line.text(',"blockHash":"')
  const logIndex = line.numberOrNull(',"logIndex":')
  const origin = line.textIfAny(',"origin":"')
  const reserve0 = line.big(',"reserve0":"')
  const reserve1 = line.big(',"reserve1":"')
  const timestamp = line.numberOrNull(',"timestamp":')
  const transactionHash = line.text(',"transactionHash":"')
  if (!line.wasWhole(',"type":"Sync"}', end)) return null
  const place = { block, blockHash, timestamp, transactionHash, logIndex, line: null }
  const event = { type: 'Sync', ...place, reserve0, reserve1 } as const
  return withParties(event, origin, undefined, undefined)
}

type Party = string | undefined

function withParties<Event extends MarketEvent>(
  event: Event & { origin?: string; recipient?: string; sender?: string },
  origin: Party,
  recipient: Party,
  sender: Party,
): Event {
  if (origin !== undefined) event.origin = origin
  if (recipient !== undefined) event.recipient = recipient
  if (sender !== undefined) event.sender = sender
  return event
}
