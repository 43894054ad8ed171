import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { type Hex, pad } from 'viem'
import { ChainError } from '../../../integrations/chain/chain-error.ts'
import type { ChainClient } from '../../../integrations/chain/client.ts'
import { inSlices } from '../../../integrations/chain/contract-call.ts'
import {
  agreeOnAnswer,
  agreeOnFinalizedHead,
  findBlockAtTime,
} from '../../../integrations/chain/finalized.ts'
import { type Header, readHeader } from '../../../integrations/chain/header.ts'
import { indexLogs, type LogChunk } from '../../../integrations/chain/index-logs.ts'
import { findDisagreement, type LogQuery } from '../../../integrations/chain/log-digest.ts'
import type { PlacedLog } from '../../../integrations/chain/placed-log.ts'
import type { TopicFilter } from '../../../integrations/chain/read-logs.ts'
import type { ChainProvider } from '../../../integrations/providers/chain-providers.ts'
import { keccak256 } from '../../../keccak256.ts'
import { limits } from '../../../limits.ts'
import { daySeconds } from '../../../units.ts'
import {
  isPayment,
  type PaidByDay,
  PaidLedger,
  type PaidTerms,
  type RewardTransfer,
} from './paid-ledger.ts'

type Request = Static<typeof contract.IncentiveProgramRequest>
type Providers = readonly [ChainProvider, ...ChainProvider[]]

/** A program, in the form for reading payments. */
export interface PayingProgram {
  request: Request
  /** Accounts of the issuer: transfers to them are not payments. */
  ownAccounts: readonly string[]
  /** Maximum blocks per log query. */
  logChunkBlocks: number
}

export interface FirstDistribution {
  block: { chainId: number; number: number; hash: string; timestamp: string }
  transactionHash: string
}

type PlacedTransfer = RewardTransfer & { readonly log: PlacedLog }

const transferTopic = keccak256(Buffer.from('Transfer(address,address,uint256)'))

/**
 * First reward payment by a distributor since the program's start.
 *
 * @param until last second that counts
 * @returns null if none exists, or `UNDECIDED` until a block at `until` is finalized
 * @throws ChainError from the reads
 */
export async function firstDistribution(
  providers: Providers,
  program: PayingProgram,
  until: number,
): Promise<FirstDistribution | 'UNDECIDED' | null> {
  const terms = termsOf(program)
  const range = await rangeOf(providers, terms.start, until)
  if (range === null) return 'UNDECIDED'
  const sent: TopicFilter = [transferTopic, topicsOf(terms)]
  for await (const transfer of transfersOf(providers, program, [sent], range)) {
    if (!isPayment(transfer, terms)) continue
    const { at, log } = transfer
    return {
      block: {
        chainId: program.request.pair.chainId,
        number: log.blockNumber,
        hash: log.blockHash,
        timestamp: new Date(at * 1000).toISOString(),
      },
      transactionHash: log.transactionHash,
    }
  }
  return range.isWhole ? null : 'UNDECIDED'
}

/**
 * Net amount paid by the distributors per program day, up to the finalized block. Null if the
 * number of transfers exceeds the limit.
 *
 * @throws ChainError from the reads
 */
export async function paidByDay(
  providers: Providers,
  program: PayingProgram,
): Promise<PaidByDay | null> {
  const terms = termsOf(program)
  const ledger = new PaidLedger(terms)
  const range = await rangeOf(providers, terms.start, terms.start + (terms.days + 1) * daySeconds)
  if (range === null) return ledger.byDay()
  const accounts = topicsOf(terms)
  const filters: TopicFilter[] = [
    [transferTopic, accounts],
    [transferTopic, null, accounts],
  ]
  let count = 0
  for await (const transfer of transfersOf(providers, program, filters, range)) {
    count += 1
    if (count > limits.incentiveTransfers) return null
    ledger.take(transfer)
  }
  return ledger.byDay()
}

function termsOf({ request, ownAccounts }: PayingProgram): PaidTerms {
  const accounts = request.venues.map(({ attestation }) => attestation.distributor.toLowerCase())
  return {
    distributors: [...new Set(accounts)],
    ownAccounts: ownAccounts.map((account) => account.toLowerCase()),
    start: Math.floor(Date.parse(request.start) / 1000),
    days: request.days,
  }
}

const topicsOf = ({ distributors }: PaidTerms): Hex[] =>
  distributors.map((account) => pad(account as Hex))

interface BlockRange {
  fromBlock: number
  to: Header
  /** True if the chain is finalized up to the requested end. */
  isWhole: boolean
}

/**
 * Finalized blocks of a time span. All providers must agree on its first and last block. Null
 * before the span starts.
 */
async function rangeOf(
  providers: Providers,
  start: number,
  until: number,
): Promise<BlockRange | null> {
  const clients = clientsOf(providers)
  const [client] = clients
  const { head } = await agreeOnFinalizedHead(clients, providers[0].configuration.finality)
  if (head.timestamp < start) return null
  const before = await findBlockAtTime(client, start - 1, head)
  // The head is not before the start, so at least one block is not after the later end.
  const to = (await findBlockAtTime(client, until, head)) ?? head
  const fromBlock = (before?.number ?? -1) + 1
  const edges = [fromBlock - 1, fromBlock, to.number, to.number + 1]
  const known = edges.filter((number) => number >= 0 && number <= head.number)
  await agreeOnAnswer(clients, (each) =>
    Promise.all(known.map((number) => readHeader(each, number).then(edgeOf))),
  )
  return { fromBlock, to, isWhole: head.timestamp > until }
}

const edgeOf = ({ number, hash, timestamp }: Header) => ({ number, hash, timestamp })

const clientsOf = ([first, ...others]: Providers) =>
  [first.client, ...others.map(({ client }) => client)] as const

/**
 * Reward transfers in chain order. Logs are checked against block headers. Ranges shrink if a
 * provider requires it. Every chunk and its block times must match all other providers.
 *
 * @throws ChainError from the reads, and RANGE_REFUSED if the ranges would become too many
 */
async function* transfersOf(
  providers: Providers,
  { request, logChunkBlocks }: PayingProgram,
  filters: readonly TopicFilter[],
  range: BlockRange,
): AsyncGenerator<PlacedTransfer> {
  const [client, ...others] = clientsOf(providers)
  const query: LogQuery = { address: request.rewardAsset as Hex, filters }
  let chunks = 0
  for await (const chunk of indexLogs(client, query, { ...range, logChunkBlocks })) {
    if (chunk.outcome === 'REORGED') {
      const facts = { reason: 'CANONICAL_HASH_CHANGED', blockNumber: chunk.noticedAt } as const
      throw new ChainError({ code: 'LIQUIDITY_CHAIN_REORGED', ...facts })
    }
    chunks += 1
    if (chunks > limits.incentiveLogChunks) {
      const facts = { reason: 'RANGE_REFUSED', method: 'eth_getLogs' } as const
      throw new ChainError({ code: 'LIQUIDITY_CHAIN_UNAVAILABLE', ...facts })
    }
    for (const other of others) {
      const isSame = (await findDisagreement(other, query, chunk)) === null
      if (isSame && (await agreesOnTimes(other, chunk))) continue
      const facts = { reason: 'ANSWERS_DIFFER', blockNumber: chunk.to.number } as const
      throw new ChainError({ code: 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE', ...facts })
    }
    yield* transfersIn(chunk)
  }
}

/**
 * The block time decides the day of a payment. Equal block hashes do not prove that a provider
 * reports the right time.
 */
async function agreesOnTimes(other: ChainClient, { logs, timestamps }: LogChunk): Promise<boolean> {
  const blocks = [...new Set(logs.map(({ blockNumber }) => blockNumber))]
  const headers = await inSlices(blocks, limits.chainHeadersAtOnce, (number) =>
    readHeader(other, number),
  )
  return headers.every(({ number, timestamp }) => timestamps.get(number) === timestamp)
}

/** A token can emit other events under this signature. Events without an amount are ignored. */
function transfersIn({ logs, timestamps }: LogChunk): PlacedTransfer[] {
  return logs
    .toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
    .filter(({ topics, data }) => topics.length === 3 && data.length === 66)
    .map((log): PlacedTransfer => {
      const [, from, to] = log.topics.map((topic) => `0x${topic.slice(26)}`.toLowerCase())
      // The check above requires three topics, and the header of every block with a log was read.
      return {
        from: from!,
        to: to!,
        amount: BigInt(log.data),
        at: timestamps.get(log.blockNumber)!,
        log,
      }
    })
    .filter(({ from, to, amount }) => amount > 0n && from !== to)
}
