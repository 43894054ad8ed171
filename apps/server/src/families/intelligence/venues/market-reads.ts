import {
  createClmmPool,
  createCpmmPair,
  type LoggedMarket,
  type PositionKey,
} from '@liquidity-os/engine/amm'
import type { MarketEvent } from '@liquidity-os/engine/replay'
import type { Address } from 'viem'
import { ChainError } from '../../../integrations/chain/chain-error.ts'
import { ask, type ChainClient } from '../../../integrations/chain/client.ts'
import { type Header, readHeader } from '../../../integrations/chain/header.ts'
import type { IndexedEvent } from '../../../integrations/chain/logs.ts'
import { readV2State, readV3State } from '../../../integrations/chain/pool-state.ts'
import {
  readStableSwapState,
  type StableTerms,
} from '../../../integrations/chain/stableswap-state.ts'
import { pairFeeOf } from '../../../integrations/chain/swap-fee-evidence.ts'
import { JobFailure } from '../../../jobs/job-run.ts'
import type { EarlierEnd } from './earlier-end.ts'
import type { Recorded } from './event-recorder.ts'
import type { VenueProfile } from './venue.ts'

/**
 * Market before a range. States if its list of pool positions is complete or limited to positions
 * in events.
 */
export interface StartState {
  market: LoggedMarket
  positions: 'COMPLETE' | 'PARTIAL'
  /** False if only the engine computed it, from an observation whose end state was unreadable. */
  isRead: boolean
}

/**
 * Market before the first block of the range. Empty if the pool did not exist, else the sealed end
 * of the previous observation, else chain state. A pool cannot list its positions, so positions in
 * the range's events are read at that block too. Every event can then be checked.
 */
export async function startState(
  client: ChainClient,
  profile: VenueProfile,
  from: Header,
  mode: 'STATE' | 'EVENTS' | 'FULL',
  known: { earlier: EarlierEnd | null; events: readonly IndexedEvent<MarketEvent>[] },
): Promise<StartState> {
  const { earlier, events } = known
  const follows = earlier?.nextBlock === from.number ? earlier : null
  if (follows?.positions === 'COMPLETE') return follows
  if (profile.kind === 'STABLESWAP') {
    const at = mode === 'STATE' ? from : await beforeFirst(client, profile, from, events)
    const market = await readState(client, profile, at, [])
    // LP shares of a StableSwap pool are a token, so the pool has no positions.
    return { market, positions: 'COMPLETE', isRead: true }
  }
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
      : createCpmmPair({ fee: pairFeeOf(profile.feePips ?? 3000) })
  return { market, positions: 'COMPLETE', isRead: true }
}

/**
 * Block whose final state starts a StableSwap pool. It is the block before the range, or before the
 * first event if the pool was created within the range. The creation parameters appear in no event.
 *
 * @throws JobFailure if the pool was created and used in one block
 */
async function beforeFirst(
  client: ChainClient,
  profile: VenueProfile,
  from: Header,
  events: readonly IndexedEvent<MarketEvent>[],
): Promise<Header> {
  const before = await readHeader(client, Math.max(0, from.number - 1))
  if (!(await isUnborn(client, profile, before, events))) return before
  const first = events[0]?.event.block
  if (first === undefined) return from
  const made = await readHeader(client, first - 1)
  if (!(await isUnborn(client, profile, made, events))) return made
  throw new JobFailure(
    'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
    `The pool was created and used in block ${first}. Index it from the next block.`,
    { retryable: false },
  )
}

export function stableTerms({
  address,
  stableswap,
}: Pick<VenueProfile, 'address' | 'stableswap'>): StableTerms {
  if (stableswap === undefined) throw new Error('A StableSwap venue must have coins.')
  const { variant, coins, lpToken } = stableswap
  return {
    address: address as Address,
    variant,
    coins: coins as Address[],
    ...(lpToken === undefined ? {} : { lpToken: lpToken as Address }),
  }
}

/**
 * True if the market did not exist yet at a block. Without archive state the code is unknown, but a
 * v3 pool has no event before Initialize.
 */
async function isUnborn(
  client: ChainClient,
  { kind, address }: VenueProfile,
  block: Header,
  events: readonly IndexedEvent<MarketEvent>[],
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
 * Chain state at the end of a segment, or null if the provider pruned it. Without it only the
 * engine's end state remains, which is valid only if every event matched exactly.
 *
 * @throws ChainError from the reads; STATE_PRUNED if an event did not match
 */
export async function readEnd(
  client: ChainClient,
  profile: VenueProfile,
  to: Header,
  recorded: Pick<Recorded, 'final' | 'fidelity'>,
): Promise<LoggedMarket | null> {
  try {
    return await readState(client, profile, to, positionsOf(recorded.final))
  } catch (error) {
    const { eventsExact, eventsReplayed } = recorded.fidelity
    if (isPruned(error) && eventsExact === eventsReplayed) return null
    throw error
  }
}

/**
 * Chain state of the market at a block.
 *
 * @param positions v3 positions to read in addition to the owned positions in the profile
 */
export function readState(
  client: ChainClient,
  profile: VenueProfile,
  block: Header,
  positions: readonly PositionKey[],
): Promise<LoggedMarket> {
  const address = profile.address as Address
  if (profile.kind === 'UNISWAP_V2') {
    return readV2State(client, block, address, { fee: pairFeeOf(profile.feePips ?? 3000) })
  }
  if (profile.kind === 'STABLESWAP') return readStableSwapState(client, block, stableTerms(profile))
  const keys = new Map<string, { owner: Address; tickLower: number; tickUpper: number }>()
  // In the pool, liquidity of a position token belongs to the manager, mixed with other owners.
  const owned = (profile.ownedPositions ?? []).flatMap((one) => ('tokenId' in one ? [] : [one]))
  for (const { owner, tickLower, tickUpper } of [...positions, ...owned]) {
    keys.set(`${owner}|${tickLower}|${tickUpper}`, {
      owner: owner as Address,
      tickLower,
      tickUpper,
    })
  }
  return readV3State(client, block, address, { positions: [...keys.values()] })
}

/** The positions in a market. */
function positionsOf(market: LoggedMarket): readonly PositionKey[] {
  return market.kind === 'UNISWAP_V3' ? market.positions : []
}
