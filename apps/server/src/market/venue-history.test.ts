import { createClmmPool, marketToJson, toJsonSafe } from '@liquidity-os/engine/amm'
import { depthLadder } from '@liquidity-os/engine/depth'
import { type ClmmEvent, startReplay } from '@liquidity-os/engine/replay'
import { describe, expect, it } from 'vitest'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import type { ObservationRecord } from './completed-observations.ts'
import type { VenueRecord } from './named-venue.ts'
import {
  type HistoryStretch,
  historyOf,
  momentsOf,
  type VenueHistory,
  walkHistory,
} from './venue-history.ts'

const place = (second: number) => ({ block: second, timestamp: second, logIndex: 0, line: null })
const range = { owner: '0xa', tickLower: -600, tickUpper: 600 }
const o = { base: 0, quote: 1 } as const

/** A pool that is opened, filled and then loses a third of its liquidity. */
const events: ClmmEvent[] = [
  { ...place(10), type: 'Initialize', sqrtPriceX96: 1n << 96n },
  { ...place(20), type: 'Mint', ...range, liquidity: 9000n, amount0: 266n, amount1: 266n },
  { ...place(50), type: 'Burn', ...range, liquidity: 3000n, amount0: 88n, amount1: 88n },
]
const empty = {
  ...createClmmPool({ feePips: 3000, tickSpacing: 60 }),
  balance0: null,
  balance1: null,
}
const bytes = (text: string) => new TextEncoder().encode(text)
const lines = (some: readonly ClmmEvent[]) =>
  bytes(some.map((event) => `${JSON.stringify(toJsonSafe(event))}\n`).join(''))

function stretch(some: readonly ClmmEvent[], from: number, to: number): HistoryStretch {
  const replay = startReplay(empty)
  for (const event of events.filter(({ block }) => block < from)) replay.apply(event)
  const start = bytes(JSON.stringify(marketToJson(replay.final())))
  return { from, to, fromBlock: from, toBlock: to, start, events: [lines(some)] }
}

const history = (stretches: readonly HistoryStretch[]): VenueHistory => ({
  venueId: 'venue_a',
  kind: 'UNISWAP_V3',
  feePips: 3000,
  orientation: o,
  stretches,
})

/** What is seen at each step, with the depth at 1 % where it is a sample. */
const seen = (stretches: readonly HistoryStretch[], moments: readonly number[]) =>
  // The market is one object that moves on, so each step is looked at when it comes.
  Array.from(walkHistory(history(stretches), moments), (step) => {
    if (step.kind === 'HOLE') return `hole after ${step.after}`
    if (step.kind === 'EVENT') return step.event.type
    if (step.kind === 'BEFORE' || step.kind === 'REMOVAL') return `before ${step.event.type}`
    return `${step.at}: ${step.market.depth(o, [10_000]).map(({ quote }) => quote)}`
  })

function depthAt(second: number): string {
  const replay = startReplay(empty)
  for (const event of events.filter(({ timestamp }) => timestamp! <= second)) replay.apply(event)
  const market = replay.final()
  const hasPrice = market.kind === 'UNISWAP_V3' && market.sqrtPriceX96 > 0n
  return `${second}: ${hasPrice ? depthLadder(market, o, [10_000]).map(({ quote }) => quote) : ''}`
}

describe('a history', () => {
  it('shows each moment as the events up to that second left the market', () => {
    expect(seen([stretch(events, 5, 70)], [0, 5, 20, 49, 50, 70, 71])).toEqual([
      'hole after null',
      depthAt(5),
      'Initialize',
      'Mint',
      depthAt(20),
      depthAt(49),
      'before Burn',
      'Burn',
      depthAt(50),
      depthAt(70),
    ])
  })

  it('excludes unobserved intervals and names them', () => {
    const early = stretch(events.slice(0, 2), 5, 30)
    const late = stretch(events.slice(2), 45, 60)
    expect(seen([early, late], [10, 30, 40, 45, 60])).toEqual([
      'hole after null',
      'Initialize',
      depthAt(10),
      'Mint',
      depthAt(30),
      'hole after 30',
      depthAt(45),
      'before Burn',
      'Burn',
      depthAt(60),
    ])
  })

  it('is sampled from the begin of a window on', () => {
    expect(momentsOf({ from: 100, to: 310 }, 100)).toEqual([100, 200, 300])
    expect(momentsOf({ from: 100, to: 300 }, 100)).toEqual([100, 200, 300])
  })
})

describe('observations become a history', () => {
  const venue = {
    id: 'venue_a',
    payload: { kind: 'UNISWAP_V3', pair: { base: '0x1', quote: '0x2' } },
  } as unknown as VenueRecord
  const empty = async () => new Uint8Array()
  const nothing = { artifact: empty, sharedArtifact: empty } as unknown as TenantRecords

  /** Blocks of a fork, as far as they are asked for; `parent` is the hash of the block before. */
  const read = (id: string, [from, to]: [number, number], fork: string, parent?: string) => {
    const block = (number: number) => ({
      number,
      hash: `${fork}${number}`,
      timestamp: new Date(number * 1000).toISOString(),
    })
    const state = { snapshotHash: 'same', artifactHash: '' }
    const range = { from: block(from), to: block(to), ...(parent ? { parentHash: parent } : {}) }
    const payload = { range, start: state, state, events: state, counts: {} }
    return { id, payload } as unknown as ObservationRecord
  }
  const stretchesOf = async (...observations: ObservationRecord[]) => {
    const { stretches } = await historyOf(nothing, venue, observations)
    return stretches.map(({ fromBlock, toBlock }) => [fromBlock, toBlock])
  }

  it('continues only if one begins on the block with which another ends', async () => {
    const first = read('1', [1, 9], 'a', 'a0')
    expect(await stretchesOf(first, read('2', [10, 19], 'a', 'a9'))).toEqual([[1, 19]])
    expect(await stretchesOf(first, read('2', [10, 19], 'b', 'a9'))).toEqual([[1, 19]])
    expect(await stretchesOf(first, read('2', [10, 19], 'b', 'b9'))).toEqual([
      [1, 9],
      [10, 19],
    ])
    // Before the parent was sealed, the state says whether it does.
    expect(await stretchesOf(first, read('2', [10, 19], 'b'))).toEqual([[1, 19]])
  })
})
