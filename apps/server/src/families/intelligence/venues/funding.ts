import type { contract } from '@liquidity-os/contract'
import type { MarketEvent } from '@liquidity-os/engine/replay'
import type { Address } from 'viem'
import { ChainError } from '../../../outside/chain/chain-error.ts'
import type { ChainClient } from '../../../outside/chain/client.ts'
import type { Header } from '../../../outside/chain/header.ts'
import { isTrade } from '../../../outside/chain/is-trade.ts'
import type { IndexedEvent } from '../../../outside/chain/logs.ts'
import { type PaidTrade, readPayers } from '../../../outside/chain/trade-payers.ts'
import { type FundingSource, readFunding } from '../../../outside/chain/trader-funding.ts'
import type { VenueProfile } from './venue.ts'

/**
 * Which accounts sent tokens of the pair to those who traded, or paid for their trades. One provider tells it; an observation does not fail because it was not
 * told.
 *
 * @returns undefined if nobody traded, no signer is known, or the provider does not answer
 */
export async function fundingOf(
  client: ChainClient,
  { address, pair, read }: Pick<VenueProfile, 'address' | 'pair' | 'read'>,
  to: Header,
  events: readonly IndexedEvent<MarketEvent>[],
): Promise<contract.ObservedFunding | undefined> {
  const trades = events.filter(({ event }) => isTrade(event))
  const counts = new Map<Address, number>()
  for (const { parties } of trades) {
    if (parties.origin) counts.set(parties.origin, (counts.get(parties.origin) ?? 0) + 1)
  }
  if (counts.size === 0) return undefined
  const traders = [...counts]
    .sort(([a, of], [b, others]) => others - of || (a < b ? -1 : 1))
    .map(([trader]) => trader)
  const tokens = [pair.base, pair.quote] as Address[]
  try {
    const found = await readFunding(client, {
      ...{ tokens, traders, to },
      chunkBlocks: read.logChunkBlocks,
    })
    const paid = trades.flatMap(({ transactionHash, parties: { origin, sender } }): PaidTrade[] =>
      origin && sender ? [{ origin, sender, transactionHash }] : [],
    )
    const { payers, ...told } = await readPayers(client, { pool: address as Address, tokens }, paid)
    const isSigned = trades.every(({ parties }) => parties.origin !== undefined)
    return {
      fromBlock: found.fromBlock,
      isComplete: found.isComplete && told.isComplete && isSigned,
      sources: together([...found.sources, ...payers]),
    }
  } catch (error) {
    if (error instanceof ChainError) return undefined
    throw error
  }
}

/** An account that sends tokens and pays is one source. */
const together = (sources: readonly FundingSource[]): contract.ObservedFunding['sources'] =>
  [...Map.groupBy(sources, (source) => source.address)].map(([address, some]) => ({
    address,
    traders: [...new Set(some.flatMap(({ traders }) => traders))].sort(),
  }))
