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

/** The market before a range, and whether it lists every position of the pool or those that events name. */
export interface StartState {
  market: LoggedMarket
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
  known: { earlier: EarlierEnd | null; events: readonly IndexedEvent<MarketEvent>[] },
): Promise<StartState> {
  const { earlier, events } = known
  const follows = earlier?.nextBlock === from.number ? earlier : null
  if (follows?.positions === 'COMPLETE') return follows
  if (profile.kind === 'STABLESWAP') {
    const at = mode === 'STATE' ? from : await beforeFirst(client, profile, from, events)
    const market = await readState(client, profile, at, [])
    // Its liquidity is a token, so there are no positions to be known.
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
 * The block at whose end a StableSwap pool is read: before the range or, where it was made within the range, before
 * its first event, since what it was made with is in no event.
 *
 * @throws JobFailure where it was made and used in one block
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
    `The pool was made and used in block ${first}; index it from the block after.`,
    { retryable: false },
  )
}

/** What a profile says of a StableSwap pool. */
export function stableTerms({
  address,
  stableswap,
}: Pick<VenueProfile, 'address' | 'stableswap'>): StableTerms {
  if (stableswap === undefined) throw new Error('A StableSwap venue without its coins.')
  const { variant, coins, lpToken } = stableswap
  return {
    address: address as Address,
    variant,
    coins: coins as Address[],
    ...(lpToken === undefined ? {} : { lpToken: lpToken as Address }),
  }
}

/**
 * Whether the market had no state yet at a block. A provider without the state of that block cannot be asked for
 * the code, but nothing can happen to a v3 pool before its one Initialize.
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
 * The market as the chain has it at a block.
 *
 * @param positions of a v3 pool, to be read beside those that the profile says are owned
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
  // What is behind a token is the manager's in the pool, together with what it keeps for others.
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

/** The positions that a market knows of. */
function positionsOf(market: LoggedMarket): readonly PositionKey[] {
  return market.kind === 'UNISWAP_V3' ? market.positions : []
}
