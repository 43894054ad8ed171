import { type Address, type Hex, isAddressEqual } from 'viem'
import { limits } from '../../limits.ts'
import { ChainError } from './chain-error.ts'
import { ask, type ChainClient, inconsistent } from './client.ts'
import { slicesInTurns } from './in-turns.ts'
import type { PlacedLog } from './placed-log.ts'

/** Filter per topic: one value, one of several values, or null for any. */
export type TopicFilter = readonly (Hex | readonly Hex[] | null)[]

type RpcLog = {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: Hex
  readonly blockHash: Hex
  readonly logIndex: Hex
  readonly transactionHash: Hex
  readonly removed?: boolean
}

/**
 * Logs of one contract, or of several, in a range of blocks, in no particular order. Too wide a range raises
 * RANGE_REFUSED, a mismatched response INCONSISTENT_ANSWER.
 *
 * @param topics filter per topic; null for any
 * @throws ChainError if a read fails
 */
export async function readLogs(
  client: ChainClient,
  address: Address | readonly Address[],
  fromBlock: number,
  toBlock: number,
  topics?: TopicFilter,
): Promise<PlacedLog[]> {
  const method = 'eth_getLogs'
  const quantity = (value: number): Hex => `0x${value.toString(16)}`
  const filter = {
    address,
    fromBlock: quantity(fromBlock),
    toBlock: quantity(toBlock),
    ...(topics && { topics }),
  }
  const answer = await ask<readonly RpcLog[]>(client, method, [filter])
  if (answer.length > limits.chainAnswerLogs) {
    throw new ChainError({
      code: 'LIQUIDITY_CHAIN_UNAVAILABLE',
      reason: 'ANSWER_TOO_LARGE',
      method,
    })
  }
  const addresses = typeof address === 'string' ? [address] : address
  const placedOf = (log: RpcLog): PlacedLog => {
    const placed = { blockNumber: Number(log.blockNumber), logIndex: Number(log.logIndex) }
    const emitter = addresses.find((one) => isAddressEqual(log.address, one))
    const isRequested =
      log.removed !== true &&
      placed.blockNumber >= fromBlock &&
      placed.blockNumber <= toBlock &&
      matches(log.topics, topics ?? [])
    if (emitter === undefined || !isRequested) throw inconsistent(method)
    // Some providers write hex digits in upper case.
    return {
      address: emitter,
      topics: log.topics.map(lower),
      data: lower(log.data),
      blockHash: lower(log.blockHash),
      transactionHash: lower(log.transactionHash),
      ...placed,
    }
  }
  const logs: PlacedLog[] = []
  for await (const slice of slicesInTurns(answer)) logs.push(...slice.map(placedOf))
  const places = new Set(logs.map(({ blockNumber, logIndex }) => `${blockNumber}:${logIndex}`))
  if (places.size !== logs.length) throw inconsistent(method)
  return logs
}

const lower = (hex: Hex) => hex.toLowerCase() as Hex

function matches(logged: readonly Hex[], wanted: TopicFilter): boolean {
  return wanted.every((choice, index) => {
    if (choice === null) return true
    const found = logged[index]?.toLowerCase()
    return [choice].flat().some((topic) => topic.toLowerCase() === found)
  })
}
