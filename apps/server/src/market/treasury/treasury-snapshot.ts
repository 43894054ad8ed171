import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import type { ChainClient } from '../../integrations/chain/client.ts'
import { commonSnapshot, requireAgreement } from '../../integrations/chain/common-snapshot.ts'
import { agreeOnFinalizedHead, type FinalityRule } from '../../integrations/chain/finalized.ts'
import { type Header, readHeader } from '../../integrations/chain/header.ts'
import {
  anyChainProviders,
  chainFailure,
  type Patience,
} from '../../integrations/providers/chain-providers.ts'
import { limits } from '../../limits.ts'
import type { ProviderAccess } from '../../services.ts'
import type { TenantRecords } from '../../store/records/tenant-records.ts'

export interface PinnedChain {
  readonly chainId: number
  readonly block: Header
  readonly clients: readonly [ChainClient, ...ChainClient[]]
}

/** Blocks of several chains at one time, in the forms of figures and of reads. */
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
 * Finds the finalized blocks of several chains at one moment, using every active provider. A chain
 * read failure raises 503.
 *
 * @param field request field that names a chain, for errors
 * @param patience how long the reads wait; that of a request by default
 * @throws Failure 422 LIQUIDITY_PROVIDER_UNKNOWN for a chain without provider
 */
export async function takeSnapshot(
  records: TenantRecords,
  services: ProviderAccess,
  chainIds: readonly number[],
  field: string,
  patience: Patience = {},
): Promise<PinnedSnapshot> {
  const opened = await openChains(records, services, { chainIds, field, patience })
  const { asOf, blocks } = await readFromChain(() => commonSnapshot(opened))
  return snapshotOf(
    asOf,
    blocks.map(({ block, skewSeconds }, index) => ({
      opened: opened[index] as OpenedChain,
      block,
      skewSeconds,
    })),
  )
}

interface OpenedChain {
  readonly chainId: number
  readonly clients: readonly [ChainClient, ...ChainClient[]]
  readonly names: readonly string[]
  readonly rule: FinalityRule
}

/** All active providers by chain, ascending. */
function openChains(
  records: TenantRecords,
  services: ProviderAccess,
  requested: { chainIds: readonly number[]; field: string; patience?: Patience },
): Promise<OpenedChain[]> {
  const { chainIds, field, patience } = requested
  const ids = [...new Set(chainIds)].sort((a, b) => a - b)
  return Promise.all(
    ids.map(async (chainId) => {
      const providers = await anyChainProviders(records, services, chainId, field, patience)
      const [first, ...rest] = providers.map(({ client }) => client)
      const clients = [first as ChainClient, ...rest] as const
      const names = providers.map(({ record }) => record.payload.providerId)
      return { chainId, clients, names, rule: providers[0].configuration.finality }
    }),
  )
}

interface FoundBlock {
  readonly opened: OpenedChain
  readonly block: Header
  readonly skewSeconds: number
}

function snapshotOf(asOf: number, found: readonly FoundBlock[]): PinnedSnapshot {
  const chains = found.map(({ opened: { chainId, rule, names }, block }) => ({
    chainId,
    blockNumber: block.number,
    blockHash: block.hash,
    stateRoot: block.stateRoot,
    timestamp: isoOf(block.timestamp),
    ...finalityOf(rule),
    isHashVerified: block.isHashVerified,
    providers: [...names],
  }))
  const snapshot = { asOf: isoOf(asOf), chains }
  return {
    asOf,
    view: { ...snapshot, snapshotHash: H('snapshot/v1', snapshot) },
    chains: new Map(
      found.map(({ opened: { chainId, clients }, block }) => [
        chainId,
        { chainId, block, clients },
      ]),
    ),
    gaps: found.flatMap(({ opened: { chainId }, skewSeconds }) =>
      skewSeconds <= limits.treasurySkewSeconds
        ? []
        : [
            {
              code: 'SNAPSHOT_SKEW',
              subject: `eip155:${chainId}`,
              effect: 'FLAGGED' as const,
              detail: `Its last finalized block is ${skewSeconds} s earlier than the time of the other chains.`,
            },
          ],
    ),
    limitations: found.some(({ opened }) => opened.clients.length === 1)
      ? ['SINGLE_RPC_PROVIDER']
      : [],
  }
}

function finalityOf(rule: FinalityRule) {
  return rule === 'finalized'
    ? { finality: 'FINALIZED_TAG' as const, depth: null }
    : { finality: 'CONFIRMATION_DEPTH' as const, depth: rule }
}

export async function readFromChain<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    throw chainFailure(error)
  }
}

export interface BlockPin {
  readonly chainId: number
  readonly blockNumber: number
  readonly blockHash: string
}

/** A pin whose block is not final, or not on the chain. */
export interface RefusedPin {
  readonly pin: BlockPin
  readonly member: 'blockNumber' | 'blockHash'
  readonly message: string
}

/**
 * Snapshot of named blocks. Each must be finalized and canonical, with equal hashes from all
 * providers. The time is that of the latest block, as in `takeSnapshot`.
 *
 * @returns the fault of a pin in place of a snapshot
 * @throws Failure as `takeSnapshot`
 */
export async function pinnedSnapshot(
  records: TenantRecords,
  services: ProviderAccess,
  pins: readonly BlockPin[],
  field: string,
): Promise<PinnedSnapshot | RefusedPin> {
  const chainIds = pins.map(({ chainId }) => chainId)
  const opened = await openChains(records, services, { chainIds, field })
  const found: { opened: OpenedChain; block: Header }[] = []
  for (const one of opened) {
    const pin = pins.find(({ chainId }) => chainId === one.chainId)
    if (!pin) throw new Error(`Chain ${one.chainId} has no pinned block.`)
    const { head } = await readFromChain(() => agreeOnFinalizedHead(one.clients, one.rule))
    if (pin.blockNumber > head.number) {
      const got = `got ${pin.blockNumber} on chain ${pin.chainId}`
      return {
        pin,
        member: 'blockNumber',
        message: `must be at most ${head.number}, the last finalized block, ${got}`,
      }
    }
    const block = await readFromChain(() => readHeader(one.clients[0], pin.blockNumber))
    if (block.hash !== pin.blockHash) {
      const got = `got ${pin.blockHash}`
      return {
        pin,
        member: 'blockHash',
        message: `must be ${block.hash}, the hash of block ${pin.blockNumber}, ${got}`,
      }
    }
    await readFromChain(() => requireAgreement(one.clients, block))
    found.push({ opened: one, block })
  }
  const asOf = Math.max(...found.map(({ block }) => block.timestamp))
  return snapshotOf(
    asOf,
    found.map(({ opened: one, block }) => ({
      opened: one,
      block,
      skewSeconds: asOf - block.timestamp,
    })),
  )
}
