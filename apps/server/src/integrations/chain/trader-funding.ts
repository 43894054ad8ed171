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
  readonly received: PairAmounts
}

/** An account that shares tokens of the pair with traders. */
export interface FundingSource {
  readonly address: Address
  readonly traders: readonly Address[]
}

export interface FundingRead {
  /** The first block whose transfers were read. */
  readonly fromBlock: number
  /** False if a limit of the provider, of traders or of accounts ended the read early. */
  readonly isComplete: boolean
  /** Accounts without code that sent tokens to traders. By number of traders, then by address. */
  readonly sources: readonly FundingSource[]
  /** Contracts that did the same. */
  readonly contracts: readonly FundingSource[]
  /** Accounts and contracts that received tokens from traders. */
  readonly receivers: readonly (FundingSource & { readonly isContract: boolean })[]
}

/**
 * Finds accounts that funded traders and accounts to which traders passed their proceeds. A source
 * sent at least half of a trader's payment in a token before the first trade. A receiver got at
 * least half of a trader's proceeds in a token after it. Transfer logs are read from the last block
 * backward. Contracts are reported apart, because pools, routers and distributors serve everyone.
 * Native coin transfers have no logs and stay invisible. If a later read fails, reading stops and
 * the partial result counts.
 *
 * @param tokens of the pair
 * @param pool receives the payments of the trades, which are no proceeds passed on
 * @param traders in order of importance
 * @param chunkBlocks blocks per request
 * @param signal stops between ranges
 * @throws ChainError if a first read fails
 */
export async function readFunding(
  client: ChainClient,
  {
    tokens,
    pool,
    traders,
    delivered = [],
    to,
    chunkBlocks,
    signal,
  }: {
    readonly tokens: readonly [Address, Address]
    readonly pool: Address
    readonly traders: readonly Trader[]
    /** Accounts to which trades paid their output instead of to the signer. */
    readonly delivered?: readonly FundingSource[]
    readonly to: Header
    readonly chunkBlocks: number
    readonly signal: AbortSignal
  },
): Promise<FundingRead> {
  const requested = traders.slice(0, limits.fundingTraders)
  const first = Math.max(0, to.number - limits.fundingBlocks + 1)
  const firstTrade = Math.min(...requested.map(({ firstBlock }) => firstBlock))
  const sent = new PassedAmounts(requested, 'TO_TRADERS', pool)
  const passedOn = new PassedAmounts(requested, 'FROM_TRADERS', pool)
  let fromBlock = to.number + 1
  for (const range of rangesBack(first, to.number, chunkBlocks)) {
    signal.throwIfAborted()
    const directions = range.to < firstTrade ? [sent] : [sent, passedOn]
    try {
      for (const [index, token] of tokens.entries()) {
        for (const amounts of directions) {
          const logs = await transfersOf(client, token, { requested, amounts, range })
          for await (const slice of slicesInTurns(logs)) {
            for (const log of slice) amounts.add(index, log)
          }
        }
      }
    } catch (error) {
      const isLater = error instanceof ChainError && fromBlock <= to.number
      if (!isLater && !isRefused(error)) throw error
      break
    }
    fromBlock = range.from
  }
  const [sources, receivers] = [sent.found(), together([...delivered, ...passedOn.found()])]
  const largest = {
    sources: sources.slice(0, limits.fundingSources),
    receivers: receivers.slice(0, limits.fundingSources),
  }
  const accounts = await withoutContracts(client, to, [
    ...new Set([...largest.sources, ...largest.receivers].map(({ address }) => address)),
  ])
  return {
    fromBlock,
    isComplete:
      fromBlock === first &&
      requested.length === traders.length &&
      largest.sources.length === sources.length &&
      largest.receivers.length === receivers.length,
    sources: largest.sources.filter(({ address }) => accounts.has(address)),
    contracts: largest.sources.filter(({ address }) => !accounts.has(address)),
    receivers: largest.receivers.map((one) => ({ ...one, isContract: !accounts.has(one.address) })),
  }
}

/** Place of the trader in the topics of a Transfer log. */
const traderTopics = { TO_TRADERS: 2, FROM_TRADERS: 1 } as const

/**
 * Transfers between traders and other accounts: before the first trade to traders, after it from
 * them. Addresses stay topics until the end, because there may be many.
 */
class PassedAmounts {
  readonly direction: keyof typeof traderTopics
  readonly #traders: ReadonlyMap<string, Trader>
  readonly #pool: string
  readonly #byAccount = new Map<string, Map<string, [bigint, bigint]>>()

  constructor(traders: readonly Trader[], direction: keyof typeof traderTopics, pool: Address) {
    this.direction = direction
    this.#pool = topicOf(pool)
    this.#traders = new Map(traders.map((trader) => [topicOf(trader.address), trader]))
  }

  add(token: number, { topics, data, blockNumber }: PlacedLog): void {
    const place = traderTopics[this.direction]
    const [own, account] = [topics[place], topics[3 - place]]
    // A token of another standard logs its id as a fourth topic, and no amount.
    if (!own || !account || data.length !== 66 || own === account || /^0x0+$/.test(account)) return
    if (account === this.#pool) return
    const trader = this.#traders.get(own)
    if (!trader) return
    const isEarly = blockNumber < trader.firstBlock
    if (blockNumber !== trader.firstBlock && isEarly !== (this.direction === 'TO_TRADERS')) return
    const ofAccount = this.#byAccount.get(account) ?? new Map<string, [bigint, bigint]>()
    const amounts = ofAccount.get(own) ?? [0n, 0n]
    amounts[token === 0 ? 0 : 1] += BigInt(data)
    ofAccount.set(own, amounts)
    this.#byAccount.set(account, ofAccount)
  }

  /** Accounts with enough, by number of traders, then by address. */
  found(): FundingSource[] {
    const enough = [...this.#byAccount].flatMap(([account, byTrader]) => {
      const linked = [...byTrader].flatMap(([own, amounts]) => {
        const trader = this.#traders.get(own)
        if (!trader) return []
        const whole = this.direction === 'TO_TRADERS' ? trader.paid : trader.received
        return isHalf(whole, amounts) ? [trader.address] : []
      })
      return linked.length === 0 ? [] : [{ account, traders: linked.sort() }]
    })
    return enough
      .sort((a, b) => b.traders.length - a.traders.length || (a.account < b.account ? -1 : 1))
      .map(({ account, traders }) => ({ address: getAddress(`0x${account.slice(26)}`), traders }))
  }
}

/** Joins the traders of equal accounts, by number of traders, then by address. */
export function together(links: readonly FundingSource[]): FundingSource[] {
  return [...Map.groupBy(links, ({ address }) => address)]
    .map(([address, some]) => ({
      address,
      traders: [...new Set(some.flatMap(({ traders }) => traders))].sort(),
    }))
    .sort((a, b) => b.traders.length - a.traders.length || (a.address < b.address ? -1 : 1))
}

const topicOf = (address: Address): string => pad(address).toLowerCase()

/** True if the part is at least half of the whole in one token. */
export const isHalf = (whole: PairAmounts, part: PairAmounts): boolean =>
  ([0, 1] as const).some((token) => whole[token] > 0n && 2n * part[token] >= whole[token])

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

function transfersOf(
  client: ChainClient,
  token: Address,
  {
    requested,
    amounts: { direction },
    range: { from, to },
  }: {
    readonly requested: readonly Trader[]
    readonly amounts: Pick<PassedAmounts, 'direction'>
    readonly range: BlockRange
  },
): Promise<PlacedLog[]> {
  const traders = requested.map(({ address }) => topicOf(address) as Hex)
  const topics =
    direction === 'TO_TRADERS' ? [transferTopic, null, traders] : [transferTopic, traders]
  return readLogs(client, token, from, to, topics)
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
