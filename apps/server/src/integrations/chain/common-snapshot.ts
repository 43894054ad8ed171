import { ChainError } from './chain-error.ts'
import type { ChainClient } from './client.ts'
import { agreeOnFinalizedHead, type FinalityRule, findBlockAtTime } from './finalized.ts'
import { type Header, readHeader } from './header.ts'

/** Read access to one chain: providers in order of preference, and the finality rule. */
export interface SnapshotChain {
  readonly chainId: number
  readonly rule: FinalityRule
  readonly clients: readonly [ChainClient, ...ChainClient[]]
}

/** The block of one chain in a snapshot over several. */
export interface SnapshotBlock {
  readonly chainId: number
  readonly block: Header
  readonly rule: FinalityRule
  /** Age of the block at the time of the snapshot, seconds. */
  readonly skewSeconds: number
}

export interface CommonSnapshot {
  /** The earliest of the finalized heads, Unix seconds. */
  readonly asOf: number
  readonly blocks: readonly SnapshotBlock[]
}

/**
 * Finalized blocks of several chains at one moment. The chain with the earliest finalized head sets
 * the time. Each other chain contributes its highest block up to that time. All providers of a
 * chain must agree on the hash.
 *
 * @param chains one entry per chain
 * @throws ChainError if a read fails; PROVIDERS_DISAGREE if hashes differ
 */
export async function commonSnapshot(chains: readonly SnapshotChain[]): Promise<CommonSnapshot> {
  const heads = await Promise.all(
    chains.map(({ clients, rule }) => agreeOnFinalizedHead(clients, rule)),
  )
  const asOf = Math.min(...heads.map(({ head }) => head.timestamp))
  const blocks = await Promise.all(
    chains.map(async (chain, index): Promise<SnapshotBlock> => {
      const { head } = heads[index]!
      const block = await blockAt(chain, asOf, head)
      const { chainId, rule } = chain
      return { chainId, rule, block, skewSeconds: asOf - block.timestamp }
    }),
  )
  return { asOf, blocks }
}

async function blockAt({ clients }: SnapshotChain, asOf: number, head: Header): Promise<Header> {
  const found = await findBlockAtTime(clients[0], asOf, head)
  if (found === null) {
    throw new ChainError({ code: 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE', reason: 'UNKNOWN_BLOCK' })
  }
  if (found.hash !== head.hash) await requireAgreement(clients, found)
  return found
}

/**
 * Checks that every provider confirms a block that one provider returned.
 *
 * @throws ChainError PROVIDERS_DISAGREE
 */
export async function requireAgreement(
  clients: readonly ChainClient[],
  block: Header,
): Promise<void> {
  const others = await Promise.all(
    clients.slice(1).map((client) => readHeader(client, block.number)),
  )
  if (others.every(({ hash }) => hash === block.hash)) return
  throw new ChainError({
    code: 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
    reason: 'HASHES_DIFFER',
    blockNumber: block.number,
  })
}
