import {
  createClmmPool,
  createCpmmPair,
  type PoolMarket,
  type PositionKey,
} from '@liquidity-os/engine'
import type { Address } from 'viem'
import { ask, type ChainClient } from '../../../chain/client.ts'
import { type Header, readHeader } from '../../../chain/header.ts'
import { indexEvents } from '../../../chain/index-events.ts'
import type { IndexedEvent, MarketKind } from '../../../chain/logs.ts'
import { readV2State, readV3State } from '../../../chain/pool-state.ts'
import { JobFailure, type JobRun } from '../../../jobs/job-run.ts'
import { limits } from '../../../limits.ts'
import type { EarlierEnd } from './earlier-end.ts'
import type { VenueProfile } from './venue.ts'

/** Every event of the venue in a range of final blocks, in chain order. */
export async function readEvents(
  run: JobRun,
  client: ChainClient,
  profile: VenueProfile,
  range: { from: Header; to: Header },
): Promise<IndexedEvent[]> {
  const steps = indexEvents(client, {
    kind: profile.kind as MarketKind,
    address: profile.address as Address,
    fromBlock: range.from.number,
    to: range.to,
    logChunkBlocks: profile.read.logChunkBlocks,
  })
  const blocks = range.to.number - range.from.number + 1
  const events: IndexedEvent[] = []
  for await (const step of steps) {
    run.signal.throwIfAborted()
    if (step.outcome === 'REORGED') {
      throw new JobFailure(
        'LIQUIDITY_CHAIN_REORGED',
        `Block ${step.noticedAt} is no longer the one that was read.`,
        { retryable: true },
      )
    }
    for (const event of step.events) events.push(event)
    if (events.length > limits.studyEvents) {
      throw new JobFailure(
        'LIQUIDITY_VENUE_RANGE_INVALID',
        `The range holds more than ${limits.studyEvents} events; choose a smaller one.`,
        { retryable: false },
      )
    }
    await run.progress(((step.to.number - range.from.number + 1) / blocks) * 1_000_000)
  }
  return events
}

/** The market before a range, and whether it lists every position of the pool or those that events name. */
export interface StartState {
  market: PoolMarket
  positions: 'COMPLETE' | 'PARTIAL'
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
    return { market: await readState(client, profile, from, []), positions: 'PARTIAL' }
  }
  const before = from.number === 0 ? null : await readHeader(client, from.number - 1)
  const code = before
    ? await ask<string>(client, 'eth_getCode', [profile.address, `0x${before.number.toString(16)}`])
    : '0x'
  if (before && code !== '0x') {
    const named = events.flatMap(({ event }) => ('tickLower' in event ? [event] : []))
    return { market: await readState(client, profile, before, named), positions: 'PARTIAL' }
  }
  const market =
    profile.kind === 'UNISWAP_V3'
      ? createClmmPool({ feePips: profile.feePips ?? 0, tickSpacing: profile.tickSpacing ?? 1 })
      : createCpmmPair({})
  return { market, positions: 'COMPLETE' }
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
export function positionsOf(market: PoolMarket): readonly PositionKey[] {
  return market.kind === 'UNISWAP_V3' ? market.positions : []
}
