import type { contract } from '@liquidity-os/contract'
import type { MarketEvent } from '@liquidity-os/engine/replay'
import type { Address } from 'viem'
import { ChainError } from '../../../integrations/chain/chain-error.ts'
import type { ChainClient } from '../../../integrations/chain/client.ts'
import { isTrade } from '../../../integrations/chain/is-trade.ts'
import type { IndexedEvent } from '../../../integrations/chain/logs.ts'
import { type PaidTrade, readPayers } from '../../../integrations/chain/trade-payers.ts'
import {
  type FundingSource,
  isHalf,
  type PairAmounts,
  readFunding,
  type Trader,
  together,
} from '../../../integrations/chain/trader-funding.ts'
import { limits } from '../../../limits.ts'
import { tradedBy } from '../../../market/traded-by.ts'
import { venueOrientation } from '../../../market/venue-orientation.ts'
import type { Segment } from './segments.ts'
import type { VenueProfile } from './venue.ts'

/**
 * Accounts that funded the traders or paid for their trades. Optional data from one provider: an
 * observation does not fail without it.
 *
 * @returns undefined without trades, without known signers, or if the provider does not respond
 */
export async function fundingOf(
  client: ChainClient,
  profile: Pick<VenueProfile, 'address' | 'pair' | 'read' | 'stableswap'>,
  { to, events }: Pick<Segment, 'to' | 'events'>,
  signal: AbortSignal,
): Promise<contract.ObservedFunding | undefined> {
  const trades = events.filter(({ event }) => isTrade(event))
  const orientation = venueOrientation(profile)
  const traders = tradersOf(trades, orientation)
  if (traders.length === 0) return undefined
  const { pair, read } = profile
  const tokens = [pair.base, pair.quote] as [Address, Address]
  const paid = trades.flatMap(({ transactionHash, parties: { origin, sender } }): PaidTrade[] =>
    origin && sender ? [{ origin, sender, transactionHash }] : [],
  )
  try {
    const { logChunkBlocks: chunkBlocks } = read
    const pool = profile.address as Address
    const paidBy = await readPayers(client, { pool, tokens }, paid)
    const payers = paidBy.payers.map((payer) => asTrader(payer, traders))
    const accounts = [...traders, ...payers]
    const found = await readFunding(client, {
      tokens,
      pool,
      traders: accounts,
      delivered: deliveredOf(trades, traders, orientation),
      to,
      chunkBlocks,
      signal,
    })
    const isSigned = trades.every(({ parties }) => parties.origin !== undefined)
    let isCut = false
    const links = (some: readonly FundingSource[]) =>
      together(toSigners(some, paidBy.payers)).map(({ address, traders: signers }) => {
        isCut ||= signers.length > limits.fundingTraders
        return { address, traders: signers.slice(0, limits.fundingTraders) }
      })
    const receivers = (isContract: boolean) =>
      links(found.receivers.filter((one) => one.isContract === isContract)).map((one) => ({
        ...one,
        isContract,
      }))
    const accountLinks = {
      sources: links([...found.sources, ...paidBy.payers]),
      contracts: links(found.contracts),
      receivers: [...receivers(false), ...receivers(true)],
    }
    return {
      fromBlock: found.fromBlock,
      isComplete: found.isComplete && paidBy.isComplete && isSigned && !isCut,
      ...accountLinks,
    }
  } catch (error) {
    if (error instanceof ChainError) return undefined
    throw error
  }
}

/** A payer pays and receives what its signers trade. */
function asTrader({ address, traders }: FundingSource, known: readonly Trader[]): Trader {
  const own = known.filter((trader) => traders.includes(trader.address))
  const sum = (read: (trader: Trader) => readonly [bigint, bigint]) =>
    own.map(read).reduce(([a, b], [c, d]) => [a + c, b + d] as const, [0n, 0n] as const)
  return {
    address,
    firstBlock: Math.min(...own.map(({ firstBlock }) => firstBlock)),
    paid: sum(({ paid }) => paid),
    received: sum(({ received }) => received),
  }
}

/** Replaces payers among the traders by the signers of their trades. */
function toSigners(
  links: readonly FundingSource[],
  payers: readonly FundingSource[],
): FundingSource[] {
  const signersOf = new Map(payers.map(({ address, traders }) => [address, traders]))
  return links.map(({ address, traders }) => ({
    address,
    traders: traders.flatMap((trader) => signersOf.get(trader) ?? [trader]),
  }))
}

/** Signers of trades with the base and quote that they paid and received, most trades first. */
function tradersOf(
  trades: readonly IndexedEvent<MarketEvent>[],
  orientation: ReturnType<typeof venueOrientation>,
): Trader[] {
  const bySigner = Map.groupBy(trades, ({ parties }) => parties.origin)
  return [...bySigner]
    .flatMap(([address, own]) => {
      const [first] = own
      if (!address || !first) return []
      const sizes = own.flatMap(({ event }) => tradedBy(event, orientation) ?? [])
      const sum = (amounts: bigint[]) => amounts.reduce((total, one) => total + one, 0n)
      const base = sum(sizes.map((size) => (size.base < 0n ? -size.base : 0n)))
      const quote = sum(sizes.map((size) => (size.base > 0n ? size.volumeQuote : 0n)))
      const bought = sum(sizes.map((size) => (size.base > 0n ? size.base : 0n)))
      const proceeds = sum(sizes.map((size) => (size.base < 0n ? size.volumeQuote : 0n)))
      return [
        {
          address,
          firstBlock: first.event.block,
          paid: [base, quote] as const,
          received: [bought, proceeds] as const,
          count: own.length,
        },
      ]
    })
    .sort((a, b) => b.count - a.count || (a.address < b.address ? -1 : 1))
}

/**
 * Recipients of swaps that neither signed them nor called the pool, if they got at least half of
 * the signer's proceeds in a token. A relayer delivers to many accounts, each a small part.
 */
function deliveredOf(
  trades: readonly IndexedEvent<MarketEvent>[],
  traders: readonly Trader[],
  orientation: ReturnType<typeof venueOrientation>,
): FundingSource[] {
  const received = new Map(traders.map((trader) => [trader.address, trader.received]))
  const delivered = new Map<string, { account: Address; signer: Address; amounts: PairAmounts }>()
  for (const { event, parties } of trades) {
    const { origin, sender, recipient } = parties
    const size = tradedBy(event, orientation)
    if (!origin || !recipient || !size || recipient === origin || recipient === sender) continue
    const key = `${recipient} ${origin}`
    const [base, quote] = delivered.get(key)?.amounts ?? [0n, 0n]
    const amounts: PairAmounts =
      size.base > 0n ? [base + size.base, quote] : [base, quote + size.volumeQuote]
    delivered.set(key, { account: recipient, signer: origin, amounts })
  }
  return together(
    [...delivered.values()].flatMap(({ account, signer, amounts }) =>
      isHalf(received.get(signer) ?? [0n, 0n], amounts)
        ? [{ address: account, traders: [signer] }]
        : [],
    ),
  )
}
