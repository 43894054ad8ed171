import type { PoolMarket } from '@liquidity-os/engine/amm'
import { pairBeforeSwap, poolFromEvents } from '@liquidity-os/engine/attribution'
import type { ClmmEvent, PoolEvent } from '@liquidity-os/engine/replay'
import type { Address } from 'viem'
import type { Header } from '../../../integrations/chain/header.ts'
import { readV2State, readV3State } from '../../../integrations/chain/pool-state.ts'
import type { PoolTerms } from '../../../integrations/chain/verify-pool.ts'
import { limits } from '../../../limits.ts'
import { anyObservations } from '../../../market/completed-observations.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { TaskPool } from './attribute-task.ts'
import type { ChainView } from './chain-view.ts'

export type StateSource = 'ARCHIVE' | 'OBSERVATION' | 'EVENT_STATE'

export interface PreState {
  readonly source: StateSource
  /**
   * Block of the state (at its end); null if the state was rebuilt within the block of the fill.
   */
  readonly at: Header | null
  readonly pool: TaskPool
  /** Number of events of the block before the first replayed one. */
  readonly offset: number
}

/** Marks the events of the fill and of the attacker within a block. */
export interface BlockCut {
  readonly block: Header
  /** Events of the pool in the block up to the last leg. */
  readonly events: readonly PoolEvent[]
  readonly firstLeg: number
  readonly front: number | null
}

/**
 * Pool state at the end of the previous block. Sources, in order: archive node, proven observation
 * of the organization, reconstruction from the last events.
 *
 * @returns null if no source has the state
 */
export async function preStateOf(
  view: ChainView,
  records: TenantRecords,
  terms: PoolTerms,
  cut: BlockCut,
): Promise<PreState | null> {
  const { block, events, front } = cut
  const whole = { events, front, isSingleRange: false, feePips: terms.feePips }
  if (block.number > 0) {
    const at = await view.header(block.number - 1)
    const market = await view.withState((client) => readMarket(client, at, terms, events))
    if (market !== null && market !== 'NOTHING_THERE') {
      return { source: 'ARCHIVE', at, offset: 0, pool: { ...whole, start: { market } } }
    }
    const start = await observedStart(view, records, terms.address, block)
    if (start) return { source: 'OBSERVATION', at, offset: 0, pool: { ...whole, start } }
  }
  return rebuilt(view, terms, cut)
}

function readMarket(
  client: ChainView['clients'][number],
  at: Header,
  terms: PoolTerms,
  events: readonly PoolEvent[],
): Promise<PoolMarket> {
  if (terms.kind === 'UNISWAP_V2') return readV2State(client, at, terms.address)
  const keys = new Map<string, { owner: Address; tickLower: number; tickUpper: number }>()
  for (const event of events) {
    if (!('tickLower' in event)) continue
    const { owner, tickLower, tickUpper } = event
    keys.set(`${owner}|${tickLower}|${tickUpper}`, {
      owner: owner as Address,
      tickLower,
      tickUpper,
    })
  }
  const positions = [...keys.values()]
  return readV3State(client, at, terms.address, { positions, oracle: 'NEWEST' })
}

/**
 * The sealed start state and events of an observation that covers the block, from a validated venue
 * of the pool.
 */
async function observedStart(
  view: ChainView,
  records: TenantRecords,
  pool: Address,
  block: Header,
): Promise<TaskPool['start'] | null> {
  const venueId = await validatedVenue(records, view.chainId, pool)
  if (!venueId) return null
  const newest = await anyObservations(records, venueId, limits.attributionObservations)
  for (const { observation } of newest) {
    const { status, payload } = observation
    const { from, to } = payload.range
    if (status !== 'COMPLETED') continue
    if (from.chainId !== to.chainId || from.number > block.number || to.number < block.number - 1) {
      continue
    }
    // Checks the current chain, because an earlier check may be outdated by a reorg.
    if ((await view.header(to.number)).hash !== to.hash) continue
    const [sealed, events] = await Promise.all([
      records.artifact(payload.start.artifactHash),
      records.sharedArtifact(payload.events.artifactHash),
    ])
    return { sealed, events: [events], beforeBlock: block.number }
  }
  return null
}

/** The validated venue of a pool, or null. */
export async function validatedVenue(
  records: TenantRecords,
  chainId: number,
  pool: Address,
): Promise<string | null> {
  const id = await records.holder({ kind: 'venue', name: `${chainId}|${pool}` })
  if (id === null) return null
  const [venue] = await records.find('VenueProfile', { ids: [id], status: ['VALIDATED'] })
  return venue?.id ?? null
}

/**
 * From the last events before the attack or the fill; for a pair, even from the logs of the swap.
 */
async function rebuilt(
  view: ChainView,
  terms: PoolTerms,
  { block, events, firstLeg, front }: BlockCut,
): Promise<PreState | null> {
  const first = front ?? firstLeg
  const pool = { front: null as number | null, isSingleRange: true, feePips: terms.feePips }
  if (terms.kind === 'UNISWAP_V2') {
    const [sync, swap] = [events[first - 1], events[first]]
    if (sync?.type !== 'Sync' || swap?.type !== 'Swap' || !('amount0In' in swap)) return null
    const offset = first - 1
    const remaining = {
      events: events.slice(offset),
      front: front === null ? null : front - offset,
    }
    const start = { market: pairBeforeSwap(sync, swap) }
    return { source: 'EVENT_STATE', at: null, offset, pool: { ...pool, ...remaining, start } }
  }
  const inBlock = events.slice(0, first)
  const hasSwap = inBlock.some(({ type }) => type === 'Swap')
  const earlier =
    hasSwap || block.number === 0 ? [] : await view.eventsSinceLastPrice(terms, block.number - 1)
  const market = poolFromEvents(terms, [...(earlier ?? []), ...inBlock] as ClmmEvent[])
  if (market === null) return null
  const remaining = { events: events.slice(first), front: front === null ? null : 0 }
  const start = { market }
  return { source: 'EVENT_STATE', at: null, offset: first, pool: { ...pool, ...remaining, start } }
}
