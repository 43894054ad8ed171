import { type Address, decodeEventLog, type Hex, toEventSelector, zeroAddress } from 'viem'
import { limits } from '../../limits.ts'
import { CallRevertedError, ChainError } from '../chain/chain-error.ts'
import type { ChainClient } from '../chain/client.ts'
import { readContract } from '../chain/contract-call.ts'
import { type Pin, pinBlock } from '../chain/finalized.ts'
import { type Header, readHeader } from '../chain/header.ts'
import { indexLogs } from '../chain/index-logs.ts'
import { findDisagreement } from '../chain/log-digest.ts'
import type { PlacedLog } from '../chain/placed-log.ts'
import { aggregatorAbi, aggregatorBoundsAbi } from './aggregator-abi.ts'
import { FeedError } from './feed-error.ts'

/** An answer of an aggregator, as it logged it. */
export interface Round {
  readonly answer: bigint
  /** Unix seconds. */
  readonly updatedAt: number
  readonly block: number
}

/** Answers of an aggregator over a range of finalized blocks. */
export interface Rounds {
  readonly decimals: number
  readonly rounds: readonly Round[]
  /** Answers at or below zero, or at a bound of the aggregator: no valid price. */
  readonly clamped: readonly Round[]
  /** First block with known answers; later than requested if the node lacks older state. */
  readonly fromBlock: number
}

const answerUpdated = toEventSelector('AnswerUpdated(int256,uint256,uint256)')

/**
 * Reads the answers of a proxy over finalized blocks: logs of the aggregator that it pointed to at
 * each block. Every other provider must agree on the logs. The newest log must match the proxy's
 * own answer at the end.
 *
 * @param clients the first is read, the others must agree
 * @throws ChainError if a read fails
 * @throws FeedError WRONG_SUBJECT for another contract
 */
export async function readRounds(
  clients: readonly [ChainClient, ...ChainClient[]],
  proxy: Address,
  range: { readonly fromBlock: number; readonly to: Header; readonly logChunkBlocks: number },
): Promise<Rounds> {
  const [client] = clients
  const end = await pinBlock(client, range.to)
  const decimals = await asAggregator(() =>
    readContract(client, end, { address: proxy, abi: aggregatorAbi, functionName: 'decimals' }),
  )
  const { phases, fromBlock } = await phasesOver(client, proxy, range)
  const found: Round[] = []
  const clamped: Round[] = []
  for (const { aggregator, from, to } of phases) {
    await requireSameDecimals(client, end, aggregator, { decimals, until: to.number })
    const bounds = await boundsOf(client, end, aggregator)
    for (const round of await roundsOf(clients, aggregator, { ...range, fromBlock: from, to })) {
      const isPrice = round.answer > bounds.low && round.answer < bounds.high
      ;(isPrice ? found : clamped).push(round)
    }
  }
  await assertNewest(client, end, proxy, [...found, ...clamped])
  return { decimals, rounds: found.sort(byTime), clamped: clamped.sort(byTime), fromBlock }
}

const byTime = (a: Round, b: Round) => a.updatedAt - b.updatedAt || a.block - b.block

/** Answer of a proxy at a block. @throws FeedError if it is no aggregator */
export async function latestRound(client: ChainClient, at: Pin, proxy: Address) {
  return asAggregator(async () => {
    const terms = { address: proxy, abi: aggregatorAbi } as const
    const [, answer, startedAt, updatedAt] = await readContract(client, at, {
      ...terms,
      functionName: 'latestRoundData',
    })
    const decimals = await readContract(client, at, { ...terms, functionName: 'decimals' })
    return { answer, decimals, startedAt: Number(startedAt), updatedAt: Number(updatedAt) }
  })
}

/**
 * Requires that a proxy had an aggregator at the first block to read. Passes if the node lacks the
 * state of that block.
 *
 * @throws FeedError START_BLOCK with the block where it began; WRONG_SUBJECT if it has none
 */
export async function requireBegun(
  client: ChainClient,
  proxy: Address,
  { startBlock, head }: { readonly startBlock: number; readonly head: Header },
): Promise<void> {
  const isBegun = async (block: number) =>
    (await phaseOf(client, await readHeader(client, block), proxy)) !== null
  if (startBlock > head.number || (await isBegun(startBlock))) return
  let [low, high] = [startBlock, head.number]
  if (!(await isBegun(high))) throw withoutAggregator()
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (await isBegun(middle)) high = middle
    else low = middle
  }
  throw FeedError.refused(
    'START_BLOCK',
    `the proxy began in block ${high}, but startBlock is ${startBlock}`,
  )
}

const withoutAggregator = () => FeedError.refused('WRONG_SUBJECT', 'the proxy has no aggregator')

async function asAggregator<Answer>(read: () => Promise<Answer>): Promise<Answer> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof CallRevertedError)) throw error
    throw FeedError.refused('WRONG_SUBJECT', 'the contract does not respond as an aggregator')
  }
}

interface Phase {
  readonly aggregator: Address
  readonly from: number
  readonly to: Header
}

/**
 * Aggregators of a proxy by block. A proxy emits no event when it switches, so a binary search over
 * historical state finds the block of the switch. Blocks without historical state are omitted.
 */
async function phasesOver(
  client: ChainClient,
  proxy: Address,
  { fromBlock, to }: { readonly fromBlock: number; readonly to: Header },
): Promise<{ phases: Phase[]; fromBlock: number }> {
  const phaseAt = async (block: number) => phaseOf(client, await readHeader(client, block), proxy)
  const last = await phaseOf(client, to, proxy)
  if (last === null || last === 'UNKNOWN') throw withoutAggregator()
  const phases: Phase[] = []
  let end: PhaseFound & { to: Header } = { ...last, to }
  for (let turns = 0; turns < limits.feedPhases; turns += 1) {
    const begin = await firstOfPhase(phaseAt, end.phase, fromBlock, end.to.number)
    phases.unshift({ aggregator: end.aggregator, from: begin, to: end.to })
    if (begin <= fromBlock) break
    const before = await phaseAt(begin - 1)
    if (before === null || before === 'UNKNOWN') break
    end = { ...before, to: await readHeader(client, begin - 1) }
  }
  return { phases, fromBlock: phases[0]!.from }
}

/**
 * Finds the first known block of this phase in a range. Binary search works because phases only
 * increase.
 */
async function firstOfPhase(
  phaseAt: (block: number) => Promise<{ phase: number } | 'UNKNOWN' | null>,
  phase: number,
  from: number,
  to: number,
): Promise<number> {
  const isIn = async (block: number) => {
    const found = await phaseAt(block)
    return found !== null && found !== 'UNKNOWN' && found.phase === phase
  }
  if (await isIn(from)) return from
  let [low, high] = [from, to]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (await isIn(middle)) high = middle
    else low = middle
  }
  return high
}

type PhaseFound = { phase: number; aggregator: Address }

async function phaseOf(
  client: ChainClient,
  block: Header,
  proxy: Address,
): Promise<PhaseFound | 'UNKNOWN' | null> {
  try {
    const at = await pinBlock(client, block)
    const terms = { address: proxy, abi: aggregatorAbi } as const
    const phase = await readContract(client, at, { ...terms, functionName: 'phaseId' })
    const aggregator = await readContract(client, at, {
      ...terms,
      functionName: 'phaseAggregators',
      args: [phase],
    })
    return aggregator === zeroAddress ? null : { phase, aggregator }
  } catch (error) {
    // Not deployed yet at this block.
    if (error instanceof CallRevertedError) return null
    const isForgotten = error instanceof ChainError && forgotten.has(error.facts.reason)
    if (isForgotten) return 'UNKNOWN'
    throw error
  }
}

const forgotten: ReadonlySet<string> = new Set(['STATE_PRUNED', 'UNKNOWN_BLOCK'])

/** Answers of an earlier aggregator use its own decimals. @throws FeedError DECIMALS */
async function requireSameDecimals(
  client: ChainClient,
  at: Pin,
  aggregator: Address,
  { decimals, until }: { readonly decimals: number; readonly until: number },
): Promise<void> {
  const own = await asAggregator(() =>
    readContract(client, at, { address: aggregator, abi: aggregatorAbi, functionName: 'decimals' }),
  )
  if (own === decimals) return
  throw FeedError.refused(
    'DECIMALS',
    `the aggregator up to block ${until} returned ${own} decimals, but the proxy returns ${decimals}; set startBlock after that block`,
  )
}

async function boundsOf(client: ChainClient, at: Pin, address: Address) {
  const read = async (
    names: readonly ['minAnswer' | 'maxAnswer', 'minSubmissionValue' | 'maxSubmissionValue'],
  ) => {
    for (const functionName of names) {
      try {
        return await readContract(client, at, { address, abi: aggregatorBoundsAbi, functionName })
      } catch (error) {
        if (!(error instanceof CallRevertedError)) throw error
      }
    }
    return null
  }
  const [min, max] = await Promise.all([
    read(['minAnswer', 'minSubmissionValue']),
    read(['maxAnswer', 'maxSubmissionValue']),
  ])
  return {
    low: min !== null && min > 0n ? min : 0n,
    high: max ?? 2n ** 255n,
  }
}

async function roundsOf(
  clients: readonly [ChainClient, ...ChainClient[]],
  aggregator: Address,
  range: { readonly fromBlock: number; readonly to: Header; readonly logChunkBlocks: number },
): Promise<Round[]> {
  const [client, ...others] = clients
  const query = { address: aggregator, filters: [[answerUpdated]] }
  const rounds: Round[] = []
  for await (const chunk of indexLogs(client, query, range)) {
    if (chunk.outcome === 'REORGED') {
      throw new ChainError({ code: 'LIQUIDITY_CHAIN_REORGED', reason: 'CANONICAL_HASH_CHANGED' })
    }
    for (const other of others) {
      const differs = await findDisagreement(other, query, chunk)
      if (differs === null) continue
      const code = 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE'
      throw new ChainError({ code, reason: 'ANSWERS_DIFFER', method: 'eth_getLogs' })
    }
    rounds.push(...chunk.logs.map(roundOf))
  }
  return rounds
}

function roundOf({ topics, data, blockNumber }: PlacedLog): Round {
  const { args } = decodeEventLog({ abi: aggregatorAbi, topics: topics as [Hex, ...Hex[]], data })
  return { answer: args.current, updatedAt: Number(args.updatedAt), block: blockNumber }
}

/** The last logged answer must equal the proxy's current answer, unless the range has no logs. */
async function assertNewest(
  client: ChainClient,
  end: Pin,
  proxy: Address,
  rounds: readonly Round[],
): Promise<void> {
  const newest = rounds.toSorted(byTime).at(-1)
  if (newest === undefined) return
  const { answer, updatedAt } = await latestRound(client, end, proxy)
  if (answer === newest.answer && updatedAt === newest.updatedAt) return
  throw FeedError.refused('SHAPE', 'the last logged answer differs from the answer of the proxy')
}
