import type { contract } from '@liquidity-os/contract'
import type { Hex } from 'viem'
import { ChainError } from '../../../integrations/chain/chain-error.ts'
import { indexLogs } from '../../../integrations/chain/index-logs.ts'
import { findDisagreement } from '../../../integrations/chain/log-digest.ts'
import type { PlacedLog } from '../../../integrations/chain/placed-log.ts'
import {
  controlTopics,
  executionTopics,
  loggedExecution,
  receivedTopic,
} from '../../../integrations/chain/safe-executions.ts'
import { limits } from '../../../limits.ts'
import type { PinnedChain } from '../../../market/treasury/treasury-snapshot.ts'
import type { VaultBinding } from './holdings.ts'

type Payload = contract.QualifiedVault

const topics: readonly Hex[] = [...Object.values(executionTopics), receivedTopic, ...controlTopics]

/** Logs of a Safe since its last read, or since the start of its venues. */
export interface ReadLogs {
  readonly logs: readonly PlacedLog[]
  readonly fromBlock: number
  readonly through: { readonly number: number; readonly hash: Hex }
  readonly isWhole: boolean
}

/**
 * Continues from the vault's last read block up to the snapshot block or an execution limit. Every
 * provider must return the same logs, and the last read block must still be on the chain.
 *
 * @throws ChainError REORGED, PROVIDERS_DISAGREE, or like the reads
 */
export async function readSafeLogs(
  { clients, block }: PinnedChain,
  { safe, venues }: VaultBinding,
  known: Payload | null,
): Promise<ReadLogs> {
  const [client, ...others] = clients
  const starts = venues.map(({ payload: { read } }) => read.startBlock)
  const fromBlock = known ? known.receipts.through.number + 1 : Math.min(...starts, block.number)
  const end = known ? checkpointOf(known) : null
  if (end && end.number >= block.number) {
    return { logs: [], fromBlock, through: end, isWhole: end.number === block.number }
  }
  const query = { address: safe, filters: [[topics]] }
  const width = Math.min(...venues.map(({ payload: { read } }) => read.logChunkBlocks))
  const logs: PlacedLog[] = []
  const range = { fromBlock, to: block, logChunkBlocks: width }
  const cursor = end ? { cursor: { nextBlock: fromBlock, checkpoints: [end] } } : {}
  for await (const chunk of indexLogs(client, query, { ...range, ...cursor })) {
    if (chunk.outcome === 'REORGED') throw reorganized(chunk.noticedAt)
    for (const other of others) {
      if ((await findDisagreement(other, query, chunk)) !== null) throw disagreed(chunk.to.number)
    }
    logs.push(...chunk.logs)
    const { number, hash } = chunk.to
    const executions = logs.filter((log) => loggedExecution(log) !== null).length
    if (executions >= limits.vaultReceiptsAtOnce || number === block.number) {
      return { logs, fromBlock, through: { number, hash }, isWhole: number === block.number }
    }
  }
  throw new Error(`The logs from ${fromBlock} to ${block.number} are incomplete.`)
}

// The read guarantees that it is a hash.
const checkpointOf = ({ receipts: { through } }: Payload) => through as ReadLogs['through']

const reorganized = (blockNumber: number) =>
  new ChainError({
    code: 'LIQUIDITY_CHAIN_REORGED',
    reason: 'CANONICAL_HASH_CHANGED',
    blockNumber,
  })

const disagreed = (blockNumber: number) =>
  new ChainError({
    code: 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
    reason: 'ANSWERS_DIFFER',
    blockNumber,
  })
