import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { limits } from '../../limits.ts'
import type { ChainClient } from '../../outside/chain/client.ts'
import { commonSnapshot } from '../../outside/chain/common-snapshot.ts'
import type { FinalityRule } from '../../outside/chain/finalized.ts'
import type { Header } from '../../outside/chain/header.ts'
import { anyChainProviders, chainFailure } from '../../outside/providers/chain-providers.ts'
import type { Services } from '../../services.ts'
import type { TenantRecords } from '../../store/records/tenant-records.ts'

/** A chain at the block of a snapshot, and whoever can be asked of it. */
export interface PinnedChain {
  readonly chainId: number
  readonly block: Header
  readonly clients: readonly [ChainClient, ...ChainClient[]]
}

/** Blocks of several chains at one moment, as figures name them and as reads use them. */
export interface PinnedSnapshot {
  /** Unix seconds. */
  readonly asOf: number
  readonly view: contract.TreasurySnapshot
  readonly chains: ReadonlyMap<number, PinnedChain>
  readonly gaps: readonly contract.TreasuryGap[]
  readonly limitations: readonly string[]
}

const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString()

/**
 * Finds the final blocks of some chains at one moment, through every active provider of each.
 *
 * @param field of the request that names a chain, for the refusal
 * @throws Failure 422 LIQUIDITY_PROVIDER_UNKNOWN for a chain without provider, 503 as the chain refuses
 */
export async function takeSnapshot(
  records: TenantRecords,
  services: Services,
  chainIds: readonly number[],
  field: string,
): Promise<PinnedSnapshot> {
  const ids = [...new Set(chainIds)].sort((a, b) => a - b)
  const opened = await Promise.all(
    ids.map(async (chainId) => {
      const providers = await anyChainProviders(records, services, chainId, field)
      const [first, ...rest] = providers.map(({ client }) => client)
      const clients = [first as ChainClient, ...rest] as const
      const names = providers.map(({ record }) => record.payload.providerId)
      return { chainId, clients, names, rule: providers[0].configuration.finality }
    }),
  )
  const { asOf, blocks } = await asked(() => commonSnapshot(opened))
  const chains = blocks.map(({ chainId, block, rule }, index) => ({
    ...{ chainId, blockNumber: block.number, blockHash: block.hash, stateRoot: block.stateRoot },
    ...{ timestamp: isoOf(block.timestamp), ...finalityOf(rule) },
    ...{ isHashVerified: block.isHashVerified, providers: opened[index]!.names },
  }))
  const told = { asOf: isoOf(asOf), chains }
  return {
    asOf,
    view: { ...told, snapshotHash: H('snapshot/v1', told) },
    chains: new Map(
      blocks.map(({ chainId, block }, index) => [
        chainId,
        { chainId, block, clients: opened[index]!.clients },
      ]),
    ),
    gaps: blocks.flatMap(({ chainId, skewSeconds }) =>
      skewSeconds <= limits.treasurySkewSeconds
        ? []
        : [
            {
              ...{
                code: 'SNAPSHOT_SKEW',
                subject: `eip155:${chainId}`,
                effect: 'FLAGGED' as const,
              },
              detail: `Its last final block lies ${skewSeconds} s before the moment of the others.`,
            },
          ],
    ),
    limitations: opened.some(({ clients }) => clients.length === 1) ? ['SINGLE_RPC_PROVIDER'] : [],
  }
}

function finalityOf(rule: FinalityRule) {
  return rule === 'finalized'
    ? { finality: 'FINALIZED_TAG' as const, depth: null }
    : { finality: 'CONFIRMATION_DEPTH' as const, depth: rule }
}

/** Runs reads of a chain; what it refuses is a refusal of ours. */
export async function asked<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    throw chainFailure(error)
  }
}
