import { type Address, type Hex, isAddressEqual } from 'viem'
import { ask, type ChainClient } from './client.ts'
import { inconsistent } from './header.ts'
import type { PlacedLog } from './logs.ts'

/** What each topic must be: one, one of several, or anything. */
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
 * The logs of one contract in a range of blocks, in no particular order.
 *
 * @param topics what each topic must be; null for any
 * @throws ChainError as the read does; a range that is too wide is RANGE_REFUSED, and an answer that is not what was asked
 *         for is INCONSISTENT_ANSWER
 */
export async function readLogs(
  client: ChainClient,
  address: Address,
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
  const answer = await ask<unknown>(client, method, [filter])
  if (!Array.isArray(answer)) throw inconsistent(method)
  const logs = answer.map((log: unknown): PlacedLog => {
    if (!isLog(log)) throw inconsistent(method)
    const { topics: logged, data, blockHash, transactionHash } = log
    const placed = { blockNumber: Number(log.blockNumber), logIndex: Number(log.logIndex) }
    const isAskedFor =
      isAddressEqual(log.address, address) &&
      log.removed !== true &&
      placed.blockNumber >= fromBlock &&
      placed.blockNumber <= toBlock &&
      matches(logged, topics ?? [])
    if (!isAskedFor) throw inconsistent(method)
    return { address, topics: logged, data, blockHash, transactionHash, ...placed }
  })
  const places = new Set(logs.map(({ blockNumber, logIndex }) => `${blockNumber}:${logIndex}`))
  if (places.size !== logs.length) throw inconsistent(method)
  return logs
}

const addressForm = /^0x[0-9a-f]{40}$/i
const wordForm = /^0x[0-9a-f]{64}$/i
const bytesForm = /^0x([0-9a-f]{2})*$/i
/** Up to 2^48: neither blocks nor logs are more. */
const placeForm = /^0x[0-9a-f]{1,12}$/i

/** Whether all is there that is read; what a provider sends is not what its type says. */
function isLog(value: unknown): value is RpcLog {
  if (typeof value !== 'object' || value === null) return false
  const log = value as Partial<Record<keyof RpcLog, unknown>>
  const has = (field: keyof RpcLog, form: RegExp) => {
    const text = log[field]
    return typeof text === 'string' && form.test(text)
  }
  return (
    has('address', addressForm) &&
    has('data', bytesForm) &&
    has('blockNumber', placeForm) &&
    has('logIndex', placeForm) &&
    has('blockHash', wordForm) &&
    has('transactionHash', wordForm) &&
    Array.isArray(log.topics) &&
    log.topics.length <= 4 &&
    log.topics.every((topic) => typeof topic === 'string' && wordForm.test(topic))
  )
}

function matches(logged: readonly Hex[], wanted: TopicFilter): boolean {
  return wanted.every((choice, place) => {
    if (choice === null) return true
    const found = logged[place]?.toLowerCase()
    return [choice].flat().some((topic) => topic.toLowerCase() === found)
  })
}
