import type { MarketEvent } from '@liquidity-os/engine/replay'
import type { Address } from 'viem'
import type { ChainClient } from '../../../integrations/chain/client.ts'
import { isLimited, singleProvider } from '../../../integrations/chain/finalized.ts'
import { type Header, readHeader } from '../../../integrations/chain/header.ts'
import { type IndexStep, indexEvents } from '../../../integrations/chain/index-events.ts'
import { findDisagreement } from '../../../integrations/chain/log-digest.ts'
import type { IndexedEvent, LoggedKind } from '../../../integrations/chain/logs.ts'
import { withPaidCoins } from '../../../integrations/chain/paid-coins.ts'
import { JobFailure, type JobRun } from '../../../jobs/job-run.ts'
import { limits } from '../../../limits.ts'
import { stableTerms } from './market-reads.ts'
import type { VenueProfile } from './venue.ts'

/** A part of a range that becomes one observation. */
export interface Segment {
  readonly from: Header
  readonly to: Header
  /** In chain order. */
  readonly events: readonly IndexedEvent<MarketEvent>[]
  /** Absent if another provider confirmed all logs, or if none exists. */
  readonly limitations?: readonly string[]
}

/**
 * All events of the venue in a range of finalized blocks, in consecutive segments. A segment ends with the chunk that
 * reaches its limit of events or blocks, so memory does not grow with the range. Each chunk is also read from all other
 * providers and is rejected if any of them differs. A provider that refuses because of its limits confirms nothing.
 *
 * @param clients all providers of the chain; the events come from the first
 * @param maxBlocks maximum blocks of a segment; the last chunk may exceed it
 * @throws JobFailure if the chain was reorganized, or providers disagree
 */
export async function* readSegments(
  run: JobRun,
  [client, ...others]: readonly [ChainClient, ...ChainClient[]],
  profile: VenueProfile,
  range: { readonly from: Header; readonly to: Header },
  maxBlocks: number = limits.observationBlocks,
): AsyncGenerator<Segment, void> {
  const max = run.services.config.observationEvents
  const steps = indexEvents(client, {
    kind: profile.kind as LoggedKind,
    address: profile.address as Address,
    fromBlock: range.from.number,
    to: range.to,
    logChunkBlocks: profile.read.logChunkBlocks,
  })
  const blocks = range.to.number - range.from.number + 1
  let from = range.from
  let events: IndexedEvent<MarketEvent>[] = []
  let isConfirmed = true
  for await (const step of steps) {
    run.signal.throwIfAborted()
    if (step.outcome === 'REORGED') throw reorganized(step.noticedAt)
    let confirming = 0
    for (const other of others) confirming += (await confirm(other, profile, step)) ? 1 : 0
    isConfirmed &&= others.length === 0 || confirming > 0
    for (const event of await completed(client, profile, step.events)) events.push(event)
    await run.progress(((step.to.number - range.from.number + 1) / blocks) * 1_000_000)
    const { to } = step
    const isFull = events.length >= max || to.number - from.number + 1 >= maxBlocks
    if (!isFull && to.number < range.to.number) continue
    yield { from, to, events, ...(isConfirmed ? {} : { limitations: [singleProvider] }) }
    events = []
    isConfirmed = true
    if (to.number === range.to.number) return
    from = await readHeader(client, to.number + 1)
    if (from.parentHash !== to.hash) throw reorganized(from.number)
  }
}

/**
 * Compares the logs with another provider.
 *
 * @returns false if that provider refuses because of its limits
 * @throws JobFailure that names the blocks in question
 */
async function confirm(
  other: ChainClient,
  { address }: VenueProfile,
  { fromBlock, to, logs: digest }: Extract<IndexStep, { outcome: 'EVENTS' }>,
): Promise<boolean> {
  const query = { address: address as Address }
  try {
    const found = await findDisagreement(other, query, { fromBlock, to, digest })
    if (found !== null) throw disagreement(found)
    return true
  } catch (error) {
    if (isLimited(error)) return false
    throw error
  }
}

function disagreement(what: string): JobFailure {
  return new JobFailure(
    'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
    `The providers of the chain disagree on ${what}.`,
    { retryable: false },
  )
}

/** A StableSwap log can omit the coin paid. The transfers of its transaction show it. */
function completed(
  client: ChainClient,
  profile: VenueProfile,
  events: readonly IndexedEvent<MarketEvent>[],
): Promise<readonly IndexedEvent<MarketEvent>[]> {
  return profile.kind === 'STABLESWAP'
    ? withPaidCoins(client, stableTerms(profile), events)
    : Promise.resolve(events)
}

/** The job retries and continues from the current chain. */
export function reorganized(block: number): JobFailure {
  return new JobFailure(
    'LIQUIDITY_CHAIN_REORGED',
    `Block ${block} has changed since it was read.`,
    { retryable: true },
  )
}
