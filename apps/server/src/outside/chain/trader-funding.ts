import { type Address, getAddress, type Hex, pad } from 'viem'
import { limits } from '../../limits.ts'
import { ChainError } from './chain-error.ts'
import type { ChainClient } from './client.ts'
import { inSlices } from './contract-call.ts'
import { readAtBlock } from './finalized.ts'
import type { Header } from './header.ts'
import { readLogs } from './read-logs.ts'
import { codeAt } from './safe-account.ts'
import { transferTopic } from './transfer-topic.ts'

/** An account without code that sent tokens of a pair to traders. */
export interface FundingSource {
  readonly address: Address
  readonly traders: readonly Address[]
}

export interface FundingRead {
  /** The first block whose transfers were read. */
  readonly fromBlock: number
  /** False if the provider, the number of traders or that of sources set a limit before all was read. */
  readonly isComplete: boolean
  /** By number of traders, then by address. */
  readonly sources: readonly FundingSource[]
}

/**
 * Reads which accounts sent tokens of a pair to traders, by the Transfer logs of the tokens, from the last block back. Contracts are
 * no sources: pools, routers and distributors serve strangers. Transfers of the chain's own coin have no log and are not seen.
 *
 * @param traders in the order in which they matter
 * @param chunkBlocks blocks that the provider answers at once
 * @throws ChainError as the reads do
 */
export async function readFunding(
  client: ChainClient,
  {
    tokens,
    traders,
    to,
    chunkBlocks,
  }: {
    readonly tokens: readonly Address[]
    readonly traders: readonly Address[]
    readonly to: Header
    readonly chunkBlocks: number
  },
): Promise<FundingRead> {
  const asked = traders.slice(0, limits.fundingTraders)
  const first = Math.max(0, to.number - limits.fundingBlocks)
  const bySource = new Map<Address, Set<Address>>()
  let fromBlock = to.number + 1
  for (const range of rangesBack(first, to.number, chunkBlocks)) {
    const read = await inSlices(tokens, 1, (token) => sentTo(client, token, asked, range)).catch(
      orNullIfRefused,
    )
    if (read === null) break
    for (const [source, trader] of read.flat()) {
      const known = bySource.get(source)
      if (known) known.add(trader)
      else bySource.set(source, new Set([trader]))
    }
    fromBlock = range.from
  }
  const largest = [...bySource]
    .sort(([a, of], [b, others]) => others.size - of.size || (a < b ? -1 : 1))
    .slice(0, limits.fundingSources)
  const accounts = await withoutContracts(
    client,
    to,
    largest.map(([address]) => address),
  )
  return {
    fromBlock,
    isComplete:
      fromBlock === first && asked.length === traders.length && largest.length === bySource.size,
    sources: largest.flatMap(([address, funded]) =>
      accounts.has(address) ? [{ address, traders: [...funded].sort() }] : [],
    ),
  }
}

interface BlockRange {
  readonly from: number
  readonly to: number
}

/** Ranges from the last block back to the first, as many as one reading may ask for. */
function rangesBack(first: number, last: number, width: number): BlockRange[] {
  const count = Math.min(limits.fundingRanges, Math.ceil((last - first + 1) / width))
  return Array.from({ length: count }, (_, place) => {
    const to = last - place * width
    return { from: Math.max(first, to - width + 1), to }
  })
}

/** A provider that answers fewer blocks, or no old ones, ends the reading; what it answered counts. */
function orNullIfRefused(error: unknown): null {
  if (error instanceof ChainError && isRefused(error)) return null
  throw error
}

const isRefused = ({ facts: { reason } }: ChainError) =>
  reason === 'RANGE_REFUSED' || reason === 'ANSWER_TOO_LARGE'

async function sentTo(
  client: ChainClient,
  token: Address,
  traders: readonly Address[],
  { from, to }: BlockRange,
): Promise<[source: Address, trader: Address][]> {
  const receivers = traders.map((trader) => pad(trader))
  const logs = await readLogs(client, token, from, to, [transferTopic, null, receivers])
  return logs.flatMap(({ topics: [, source, trader], data }) => {
    // A token of another standard logs its id as a fourth topic, and no amount; a transfer of nothing funds nobody.
    if (!source || !trader || data.length !== 66 || BigInt(data) === 0n) return []
    const [sender, receiver] = [addressOf(source), addressOf(trader)]
    return sender === receiver || BigInt(source) === 0n ? [] : [[sender, receiver]]
  })
}

const addressOf = (topic: Hex): Address => getAddress(`0x${topic.slice(26)}`)

/** An account that delegates to code by EIP-7702 is still the account of its key. */
const delegation = '0xef0100'

async function withoutContracts(
  client: ChainClient,
  at: Header,
  addresses: readonly Address[],
): Promise<ReadonlySet<Address>> {
  if (addresses.length === 0) return new Set()
  const codes = await readAtBlock(client, at, (pin) =>
    inSlices(addresses, limits.fundingCodesAtOnce, (address) => codeAt(client, pin, address)),
  )
  return new Set(
    addresses.filter((_, place) => {
      const code = codes[place] ?? '0x'
      return code === '0x' || code.startsWith(delegation)
    }),
  )
}
