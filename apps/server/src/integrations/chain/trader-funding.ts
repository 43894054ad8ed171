import { type Address, getAddress, type Hex, pad } from 'viem'
import { limits } from '../../limits.ts'
import { ChainError } from './chain-error.ts'
import type { ChainClient } from './client.ts'
import { inSlices } from './contract-call.ts'
import { readAtBlock } from './finalized.ts'
import type { Header } from './header.ts'
import { slicesInTurns } from './in-turns.ts'
import type { PlacedLog } from './placed-log.ts'
import { readLogs } from './read-logs.ts'
import { codeAt } from './safe-account.ts'
import { transferTopic } from './transfer-topic.ts'

/** Amounts of the tokens of a pair, in their order, atoms. */
export type PairAmounts = readonly [bigint, bigint]

export interface Trader {
  readonly address: Address
  /** Block of the first trade; later transfers cannot have funded it. */
  readonly firstBlock: number
  readonly paid: PairAmounts
}

/** An account without code that sent traders the tokens of their trades. */
export interface FundingSource {
  readonly address: Address
  readonly traders: readonly Address[]
}

export interface FundingRead {
  /** The first block whose transfers were read. */
  readonly fromBlock: number
  /** False if a limit of the provider, of traders or of sources ended the read early. */
  readonly isComplete: boolean
  /** By number of traders, then by address. */
  readonly sources: readonly FundingSource[]
}

/**
 * Finds accounts that funded traders. A source sent at least half of a trader's payment in a token
 * before the first trade. Transfer logs are read from the last block backward. Contracts do not
 * count, because pools, routers and distributors serve everyone. Native coin transfers have no logs
 * and stay invisible. If a later read fails, reading stops and the partial result counts.
 *
 * @param tokens of the pair
 * @param traders in order of importance
 * @param chunkBlocks blocks per request
 * @param signal stops between ranges
 * @throws ChainError if a first read fails
 */
export async function readFunding(
  client: ChainClient,
  {
    tokens,
    traders,
    to,
    chunkBlocks,
    signal,
  }: {
    readonly tokens: readonly [Address, Address]
    readonly traders: readonly Trader[]
    readonly to: Header
    readonly chunkBlocks: number
    readonly signal: AbortSignal
  },
): Promise<FundingRead> {
  const requested = traders.slice(0, limits.fundingTraders)
  const first = Math.max(0, to.number - limits.fundingBlocks + 1)
  const received = new ReceivedAmounts(requested)
  let fromBlock = to.number + 1
  for (const range of rangesBack(first, to.number, chunkBlocks)) {
    signal.throwIfAborted()
    try {
      for (const [index, token] of tokens.entries()) {
        const logs = await sentTo(client, token, requested, range)
        for await (const slice of slicesInTurns(logs)) {
          for (const log of slice) received.add(index, log)
        }
      }
    } catch (error) {
      const isLater = error instanceof ChainError && fromBlock <= to.number
      if (!isLater && !isRefused(error)) throw error
      break
    }
    fromBlock = range.from
  }
  const found = received.sources()
  const largest = found.slice(0, limits.fundingSources)
  const accounts = await withoutContracts(
    client,
    to,
    largest.map(({ address }) => address),
  )
  return {
    fromBlock,
    isComplete:
      fromBlock === first && requested.length === traders.length && largest.length === found.length,
    sources: largest.filter(({ address }) => accounts.has(address)),
  }
}

/**
 * Transfers to traders before they traded. Addresses stay topics until the end, because there may
 * be many.
 */
class ReceivedAmounts {
  readonly #traders: ReadonlyMap<string, Trader>
  readonly #bySource = new Map<string, Map<string, [bigint, bigint]>>()

  constructor(traders: readonly Trader[]) {
    this.#traders = new Map(traders.map((trader) => [topicOf(trader.address), trader]))
  }

  add(token: number, { topics: [, source, receiver], data, blockNumber }: PlacedLog): void {
    // A token of another standard logs its id as a fourth topic, and no amount.
    if (!source || !receiver || data.length !== 66 || source === receiver || /^0x0+$/.test(source))
      return
    const trader = this.#traders.get(receiver)
    if (!trader || blockNumber > trader.firstBlock) return
    const ofSource = this.#bySource.get(source) ?? new Map<string, [bigint, bigint]>()
    const amounts = ofSource.get(receiver) ?? [0n, 0n]
    amounts[token === 0 ? 0 : 1] += BigInt(data)
    ofSource.set(receiver, amounts)
    this.#bySource.set(source, ofSource)
  }

  /** Accounts that sent enough, by number of traders, then by address. */
  sources(): FundingSource[] {
    const enough = [...this.#bySource].flatMap(([source, byReceiver]) => {
      const funded = [...byReceiver].flatMap(([receiver, amounts]) => {
        const trader = this.#traders.get(receiver)
        return trader && isFunded(trader, amounts) ? [trader.address] : []
      })
      return funded.length === 0 ? [] : [{ source, traders: funded.sort() }]
    })
    return enough
      .sort((a, b) => b.traders.length - a.traders.length || (a.source < b.source ? -1 : 1))
      .map(({ source, traders }) => ({ address: getAddress(`0x${source.slice(26)}`), traders }))
  }
}

const topicOf = (address: Address): string => pad(address).toLowerCase()

/** True if the received amount covers at least half of the payment in one token. */
const isFunded = ({ paid }: Trader, received: PairAmounts): boolean =>
  ([0, 1] as const).some((token) => paid[token] > 0n && 2n * received[token] >= paid[token])

interface BlockRange {
  readonly from: number
  readonly to: number
}

/** Ranges from the last block backward, up to the limit per read. */
function rangesBack(first: number, last: number, width: number): BlockRange[] {
  const count = Math.min(limits.fundingRanges, Math.ceil((last - first + 1) / width))
  return Array.from({ length: count }, (_, index) => {
    const to = last - index * width
    return { from: Math.max(first, to - width + 1), to }
  })
}

const isRefused = (error: unknown): boolean =>
  error instanceof ChainError &&
  (error.facts.reason === 'RANGE_REFUSED' || error.facts.reason === 'ANSWER_TOO_LARGE')

function sentTo(
  client: ChainClient,
  token: Address,
  traders: readonly Trader[],
  { from, to }: BlockRange,
): Promise<PlacedLog[]> {
  const receivers = traders.map(({ address }) => topicOf(address) as Hex)
  return readLogs(client, token, from, to, [transferTopic, null, receivers])
}

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
    addresses.filter((_, index) => {
      const code = codes[index] ?? '0x'
      return code === '0x' || code.startsWith(delegation)
    }),
  )
}
