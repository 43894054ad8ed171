import type { ClmmEvent, CpmmEvent, MarketEvent, PoolEvent } from '@liquidity-os/engine/replay'
import {
  AbiEventSignatureEmptyTopicsError,
  AbiEventSignatureNotFoundError,
  type Address,
  decodeEventLog,
  getAddress,
  type Hex,
} from 'viem'
import { v2PairAbi, v3PoolAbi } from './abis.ts'
import { inconsistent } from './client.ts'
import type { Parties, Place, PlacedLog } from './placed-log.ts'
import { decodeStableLog } from './stableswap-logs.ts'

/** A market event with details that the engine does not need. */
export type IndexedEvent<Event extends MarketEvent = PoolEvent> = {
  readonly event: Event
  readonly blockHash: Hex
  readonly transactionHash: Hex
  readonly parties: Parties
}

/** Uniswap markets, whose code is known. */
export type MarketKind = 'UNISWAP_V2' | 'UNISWAP_V3'
/** All markets whose logs are read. */
export type LoggedKind = MarketKind | 'STABLESWAP'

/**
 * Decodes the logs of one market into the engine's events, in the order (block, log index).
 *
 * Logs the market's interface does not know (approvals and transfers of a pair's liquidity token)
 * are left out.
 *
 * @throws ChainError INCONSISTENT_ANSWER for a known event whose data is not that event's
 * @param timestamps block time in seconds by block number
 */
export function decodeLogs(
  kind: MarketKind,
  logs: readonly PlacedLog[],
  timestamps: ReadonlyMap<number, number>,
): IndexedEvent[]
export function decodeLogs(
  kind: LoggedKind,
  logs: readonly PlacedLog[],
  timestamps: ReadonlyMap<number, number>,
): IndexedEvent<MarketEvent>[]
export function decodeLogs(
  kind: LoggedKind,
  logs: readonly PlacedLog[],
  timestamps: ReadonlyMap<number, number>,
): IndexedEvent<MarketEvent>[] {
  const decodeLog = decoders[kind]
  const ordered = [...logs].sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  return ordered.flatMap((log): IndexedEvent<MarketEvent>[] => {
    const place: Place = {
      block: log.blockNumber,
      logIndex: log.logIndex,
      line: null,
      timestamp: timestamps.get(log.blockNumber) ?? null,
    }
    const decoded = decodeLog(log, place)
    if (decoded === null) return []
    const { blockHash, transactionHash } = log
    return [{ ...decoded, blockHash, transactionHash }]
  })
}

const decoders: Readonly<
  Record<LoggedKind, (log: PlacedLog, place: Place) => Decoded<MarketEvent>>
> = { UNISWAP_V3: decodeV3, UNISWAP_V2: decodeV2, STABLESWAP: decodeStableLog }

type Decoded<Event extends MarketEvent> = {
  readonly event: Event
  readonly parties: Parties
} | null

function decode<const Interface extends typeof v3PoolAbi | typeof v2PairAbi>(
  abi: Interface,
  log: PlacedLog,
) {
  try {
    // A log has at least one topic unless it is anonymous, which decoding refuses.
    const topics = log.topics as [Hex, ...Hex[]]
    return decodeEventLog({ abi, topics, data: log.data })
  } catch (error) {
    const isUnknown =
      error instanceof AbiEventSignatureNotFoundError ||
      error instanceof AbiEventSignatureEmptyTopicsError
    // A known event with other data was not written by this code.
    if (!isUnknown) throw inconsistent('eth_getLogs')
    return null
  }
}

function decodeV3(log: PlacedLog, place: Place): Decoded<ClmmEvent> {
  const decoded = decode(v3PoolAbi, log)
  if (decoded === null) return null
  const { eventName: type, args } = decoded
  switch (type) {
    case 'Initialize':
      return { event: { ...place, type, sqrtPriceX96: args.sqrtPriceX96 }, parties: {} }
    case 'Mint':
    case 'Burn': {
      const { tickLower, tickUpper, amount, amount0, amount1 } = args
      const owner = getAddress(args.owner)
      const range = { owner, tickLower, tickUpper, liquidity: amount }
      const parties = { owner, ...('sender' in args && { sender: getAddress(args.sender) }) }
      return { event: { ...place, type, ...range, amount0, amount1 }, parties }
    }
    case 'Collect': {
      const { tickLower, tickUpper, amount0, amount1 } = args
      const owner = getAddress(args.owner)
      const parties = { owner, recipient: getAddress(args.recipient) }
      return { event: { ...place, type, owner, tickLower, tickUpper, amount0, amount1 }, parties }
    }
    case 'Swap': {
      const { amount0, amount1, sqrtPriceX96, liquidity, tick } = args
      const after = { sqrtPriceX96, liquidity, tick }
      return { event: { ...place, type, amount0, amount1, ...after }, parties: traders(args) }
    }
    case 'Flash': {
      const { amount0, amount1, paid0, paid1 } = args
      return { event: { ...place, type, amount0, amount1, paid0, paid1 }, parties: traders(args) }
    }
    case 'CollectProtocol': {
      const { amount0, amount1 } = args
      return { event: { ...place, type, amount0, amount1 }, parties: traders(args) }
    }
    case 'SetFeeProtocol': {
      const { feeProtocol0New: feeProtocol0, feeProtocol1New: feeProtocol1 } = args
      return { event: { ...place, type, feeProtocol0, feeProtocol1 }, parties: {} }
    }
    case 'IncreaseObservationCardinalityNext': {
      const { observationCardinalityNextNew: observationCardinalityNext } = args
      return { event: { ...place, type, observationCardinalityNext }, parties: {} }
    }
  }
}

function decodeV2(log: PlacedLog, place: Place): Decoded<CpmmEvent> {
  const decoded = decode(v2PairAbi, log)
  if (decoded === null) return null
  const { eventName: type, args } = decoded
  switch (type) {
    case 'Sync': {
      const { reserve0, reserve1 } = args
      return { event: { ...place, type, reserve0, reserve1 }, parties: {} }
    }
    case 'Swap': {
      const { amount0In, amount1In, amount0Out, amount1Out } = args
      const amounts = { amount0In, amount1In, amount0Out, amount1Out }
      const parties = traders({ sender: args.sender, recipient: args.to })
      return { event: { ...place, type, ...amounts }, parties }
    }
    case 'Mint': {
      const { amount0, amount1 } = args
      const parties = { sender: getAddress(args.sender) }
      return { event: { ...place, type, amount0, amount1 }, parties }
    }
    case 'Burn': {
      const { amount0, amount1 } = args
      const parties = traders({ sender: args.sender, recipient: args.to })
      return { event: { ...place, type, amount0, amount1 }, parties }
    }
  }
}

function traders(args: { readonly sender: Address; readonly recipient: Address }): Parties {
  return { sender: getAddress(args.sender), recipient: getAddress(args.recipient) }
}
