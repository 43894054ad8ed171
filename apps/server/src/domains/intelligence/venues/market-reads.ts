import {
  createClmmPool,
  createCpmmPair,
  type PoolMarket,
  type PositionKey,
} from '@liquidity-os/engine'
import type { Address } from 'viem'
import { ChainError } from '../../../chain/chain-error.ts'
import { ask, type ChainClient } from '../../../chain/client.ts'
import { type Header, readHeader } from '../../../chain/header.ts'
import type { IndexedEvent } from '../../../chain/logs.ts'
import { readV2State, readV3State } from '../../../chain/pool-state.ts'
import type { EarlierEnd } from './earlier-end.ts'
import type { Recorded } from './event-recorder.ts'
import type { VenueProfile } from './venue.ts'

/** The market before a range, and whether it lists every position of the pool or those that events name. */
export interface StartState {
  market: PoolMarket
  positions: 'COMPLETE' | 'PARTIAL'
  /** False where the engine alone computed it, from an observation whose end could not be read. */
  isRead: boolean
}

/**
 * The market before the first block of the range: nothing where the pool did not exist, else the sealed end
 * of the observation before, else what the chain says. A pool does not list its positions, so those that
 * the events of the range name are read at that block too; every event can then be judged.
 */
export async function startState(
  client: ChainClient,
  profile: VenueProfile,
  from: Header,
  mode: 'STATE' | 'EVENTS' | 'FULL',
  known: { earlier: EarlierEnd | null; events: readonly IndexedEvent[] },
): Promise<StartState> {
  const { earlier, events } = known
  const follows = earlier?.nextBlock === from.number ? earlier : null
  if (follows?.positions === 'COMPLETE') return follows
  if (mode === 'STATE') {
    return {
      market: await readState(client, profile, from, []),
      positions: 'PARTIAL',
      isRead: true,
    }
  }
  const before = from.number === 0 ? null : await readHeader(client, from.number - 1)
  if (before && !(await isUnborn(client, profile, before, events))) {
    const named = events.flatMap(({ event }) => ('tickLower' in event ? [event] : []))
    return {
      market: await readState(client, profile, before, named),
      positions: 'PARTIAL',
      isRead: true,
    }
  }
  const market =
    profile.kind === 'UNISWAP_V3'
      ? createClmmPool({ feePips: profile.feePips ?? 0, tickSpacing: profile.tickSpacing ?? 1 })
      : createCpmmPair({})
  return { market, positions: 'COMPLETE', isRead: true }
}

/**
 * Whether the market had no state yet at a block. A provider without the state of that block cannot be asked for
 * the code, but nothing can happen to a v3 pool before its one Initialize.
 */
async function isUnborn(
  client: ChainClient,
  { kind, address }: VenueProfile,
  block: Header,
  events: readonly IndexedEvent[],
): Promise<boolean> {
  try {
    const at = `0x${block.number.toString(16)}`
    return (await ask<string>(client, 'eth_getCode', [address, at])) === '0x'
  } catch (error) {
    const isAnswered = kind === 'UNISWAP_V3' && events[0]?.event.type === 'Initialize'
    if (isPruned(error) && isAnswered) return true
    throw error
  }
}

function isPruned(error: unknown): boolean {
  return error instanceof ChainError && error.facts.reason === 'STATE_PRUNED'
}

/**
 * The market as the chain has it at the end of a segment, or null where the provider no longer has the state of that
 * block. Then the engine's end is all there is, which serves only if every event came out exactly.
 *
 * @throws ChainError as the reads do; STATE_PRUNED when an event did not come out
 */
export async function readEnd(
  client: ChainClient,
  profile: VenueProfile,
  to: Header,
  recorded: Pick<Recorded, 'final' | 'fidelity'>,
): Promise<PoolMarket | null> {
  try {
    return await readState(client, profile, to, positionsOf(recorded.final))
  } catch (error) {
    const { eventsExact, eventsReplayed } = recorded.fidelity
    if (isPruned(error) && eventsExact === eventsReplayed) return null
    throw error
  }
}

/**
 * The market as the chain has it at a block.
 *
 * @param positions of a v3 pool, to be read beside those that the profile says are owned
 */
export function readState(
  client: ChainClient,
  profile: VenueProfile,
  block: Header,
  positions: readonly PositionKey[],
): Promise<PoolMarket> {
  const address = profile.address as Address
  if (profile.kind === 'UNISWAP_V2') return readV2State(client, block, address)
  const keys = new Map<string, { owner: Address; tickLower: number; tickUpper: number }>()
  for (const { owner, tickLower, tickUpper } of [...positions, ...(profile.ownedPositions ?? [])]) {
    keys.set(`${owner}|${tickLower}|${tickUpper}`, {
      owner: owner as Address,
      tickLower,
      tickUpper,
    })
  }
  return readV3State(client, block, address, { positions: [...keys.values()] })
}

/** The positions that a market knows of. */
function positionsOf(market: PoolMarket): readonly PositionKey[] {
  return market.kind === 'UNISWAP_V3' ? market.positions : []
}
