import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { type Address, getAddress, type Hex, keccak256, pad } from 'viem'
import { ask, type ChainClient } from '../chain/client.ts'
import { agreeOnFinalizedHead, findBlockAtTime } from '../chain/finalized.ts'
import { readHeader } from '../chain/header.ts'
import type { ChainProvider } from '../providers/chain-providers.ts'

type Request = Static<typeof contract.IncentiveProgramRequest>
type Providers = readonly [ChainProvider, ...ChainProvider[]]

/** Reward that a distributor of a program sent to another account. */
interface Distribution {
  distributor: string
  amount: bigint
  block: { number: number; hash: Hex }
  transactionHash: Hex
}

export interface FirstDistribution {
  block: { chainId: number; number: number; hash: string; timestamp: string }
  transactionHash: string
}

/** Reward atoms that reached others, by distributor (lower case) and day of the program. */
export type PaidByDay = ReadonlyMap<string, readonly bigint[]>

const transferTopic = keccak256(Buffer.from('Transfer(address,address,uint256)'))
const logChunkBlocks = 2000
const daySeconds = 86_400
/** Each needs the time of its block. */
const mostDistributions = 50_000

/**
 * The first transfer of the reward by a distributor of the program from its start on; null where there is none up to
 * the finalized head.
 *
 * @throws ChainError as the reads do
 */
export async function firstDistribution(
  providers: Providers,
  request: Request,
): Promise<FirstDistribution | null> {
  for await (const { block, transactionHash } of distributionsOf(providers, request)) {
    const { timestamp } = await readHeader(providers[0].client, block.number)
    return {
      block: {
        ...{ chainId: request.pair.chainId, number: block.number, hash: block.hash },
        timestamp: new Date(timestamp * 1000).toISOString(),
      },
      transactionHash,
    }
  }
  return null
}

/**
 * What the distributors really sent on each day of a program, as far as the chain is final; null where there were
 * too many transfers to tell the days apart.
 *
 * @throws ChainError as the reads do
 */
export async function paidByDay(providers: Providers, request: Request): Promise<PaidByDay | null> {
  const start = startOf(request)
  const paid = new Map<string, bigint[]>()
  let known: { number: number; timestamp: number } | null = null
  let count = 0
  for await (const { distributor, amount, block } of distributionsOf(providers, request)) {
    count += 1
    if (count > mostDistributions) return null
    if (known?.number !== block.number) known = await readHeader(providers[0].client, block.number)
    const day = Math.floor((known.timestamp - start) / daySeconds)
    const days = paid.get(distributor) ?? new Array<bigint>(request.days + 1).fill(0n)
    // What comes later is of no day of the program.
    if (day >= 0 && day < days.length) days[day]! += amount
    paid.set(distributor, days)
  }
  return paid
}

const startOf = ({ start }: Request) => Math.floor(Date.parse(start) / 1000)

/** In chain order, from the start to a day behind the end or to the finalized head. */
async function* distributionsOf(
  providers: Providers,
  request: Request,
): AsyncGenerator<Distribution> {
  const { client, configuration } = providers[0]
  const head = await agreeOnFinalizedHead(
    providers.map((provider) => provider.client),
    configuration.finality,
  ).then((agreed) => agreed.head)
  const start = startOf(request)
  if (head.timestamp < start) return
  const before = await findBlockAtTime(client, start - 1, head)
  const last = await findBlockAtTime(client, start + (request.days + 1) * daySeconds, head)
  const senders = request.venues.map(({ attestation }) =>
    pad(getAddress(attestation.distributor)).toLowerCase(),
  )
  const end = last?.number ?? head.number
  for (let from = (before?.number ?? -1) + 1; from <= end; from += logChunkBlocks) {
    const to = Math.min(from + logChunkBlocks - 1, end)
    yield* await transfers(client, request.rewardAsset, senders, { from, to })
  }
}

type TransferLog = {
  blockNumber: Hex
  blockHash: Hex
  logIndex: Hex
  transactionHash: Hex
  data: Hex
  topics: Hex[]
}

async function transfers(
  client: ChainClient,
  token: string,
  senders: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<Distribution[]> {
  const filter = {
    address: token as Address,
    topics: [transferTopic, senders],
    ...{ fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` },
  }
  const logs = await ask<TransferLog[]>(client, 'eth_getLogs', [filter])
  return logs
    .filter(({ data, topics }) => data !== '0x' && BigInt(data) > 0n && topics[1] !== topics[2])
    .map((log) => ({ log, number: Number(log.blockNumber), index: Number(log.logIndex) }))
    .sort((a, b) => a.number - b.number || a.index - b.index)
    .map(({ log, number }) => ({
      distributor: `0x${log.topics[1]?.slice(26)}`.toLowerCase(),
      amount: BigInt(log.data),
      block: { number, hash: log.blockHash },
      transactionHash: log.transactionHash,
    }))
}
