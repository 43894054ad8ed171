// @module-tag long

import { expect, test } from 'vitest'
import { readDatasetJson } from '../../test/datasets.ts'
import { initialState, recordedClmmEvents } from '../../test/recordings.ts'
import { loadPool, snapshotPool } from '../amm/v3/pool.ts'
import type { ClmmState } from '../amm/v3/state.ts'
import { replayBaseline } from './baseline.ts'
import { type PositionCoverage, replayClmmEvent } from './clmm-replay.ts'
import { ClmmReplay } from './clmm-session-replay.ts'
import type { ClmmEvent } from './events.ts'
import { FidelityTally } from './fidelity.ts'
import { readClmmState } from './read/clmm-state.ts'

const opFolder = 'cl-weth-op-2024'
const opEvents = () => recordedClmmEvents(`${opFolder}/events.csv.gz`, opFolder)

/** The replay as the readable engine does it alone. */
function replayReadable(state: ClmmState, events: ClmmEvent[], positions: PositionCoverage) {
  const pool = loadPool(state)
  const tally = new FidelityTally()
  for (const event of events) tally.add(event, replayClmmEvent(pool, event, positions))
  return { final: snapshotPool(pool), fidelity: tally.report() }
}

test('74,318 events and a fee change leave the same pool and the same counts as on the readable engine', () => {
  const state = initialState(opFolder)
  const events = opEvents()
  expect(replayBaseline(state, events)).toEqual(replayReadable(state, events, 'COMPLETE'))
})

test('a list of positions that is not complete is completed the same way', () => {
  const { state } = readClmmState(
    readDatasetJson('v3-wbtc-weth-2023-04/state_before.json'),
    'state_before.json',
  )
  const events = recordedClmmEvents('v3-wbtc-weth-2023-04/events.csv')
  expect(replayBaseline(state, events, { positions: 'PARTIAL' })).toEqual(
    replayReadable(state, events, 'PARTIAL'),
  )
})

test('after a swap that no call explains the replay goes on as the readable engine does', () => {
  const state = initialState(opFolder)
  const events = opEvents().slice(0, 3000)
  const at = events.findIndex((event, index) => index > 1500 && event.type === 'Swap')
  const swap = events[at]
  if (swap?.type !== 'Swap') throw new Error('the recording has no swap there')
  for (const wrong of [
    { ...swap, amount0: swap.amount0 * 3n },
    { ...swap, sqrtPriceX96: swap.sqrtPriceX96 + (1n << 160n) },
    { ...swap, amount1: swap.amount1 - (1n << 128n) },
    { ...swap, liquidity: -swap.liquidity },
  ]) {
    const changed = events.with(at, wrong)
    const wanted = replayReadable(state, changed, 'COMPLETE')
    expect(wanted.fidelity.firstDivergence?.index).toBe(at)
    expect(replayBaseline(state, changed)).toEqual(wanted)
  }
})

test('a recorded request is held to on both engines', () => {
  const state = initialState(opFolder)
  const events = opEvents()
    .slice(0, 800)
    .map((event, index) => {
      if (event.type !== 'Swap') return event
      const [paid, got] =
        event.amount0 > 0n ? [event.amount0, event.amount1] : [event.amount1, event.amount0]
      return { ...event, amountSpecified: index % 3 === 0 ? got : paid }
    })
  const wanted = replayReadable(state, events, 'COMPLETE')
  expect(wanted.fidelity.eventsExact).toBeGreaterThan(10)
  expect(replayBaseline(state, events)).toEqual(wanted)
  for (const event of events.filter((event) => event.type === 'Swap').slice(0, 20)) {
    const forged = events.with(events.indexOf(event), { ...event, amountSpecified: 1n << 255n })
    expect(replayBaseline(state, forged)).toEqual(replayReadable(state, forged, 'COMPLETE'))
  }
})

test('a liquidity change the pool refuses is told and left out', () => {
  const state = initialState(opFolder)
  const events = opEvents().slice(0, 200)
  const at = events.findIndex((event) => event.type === 'Burn' && event.liquidity > 0n)
  const burn = events[at]
  if (burn?.type !== 'Burn') throw new Error('the recording has no burn there')
  const changed = events.with(at, { ...burn, liquidity: burn.liquidity + (1n << 120n) })
  const wanted = replayReadable(state, changed, 'COMPLETE')
  expect(wanted.fidelity.firstDivergence?.mismatches[0]?.computed).toBe('revert LS')
  expect(replayBaseline(state, changed)).toEqual(wanted)
})

test('flashes, shares, collections and slots of the oracle are replayed as on the readable engine', () => {
  const state = initialState(opFolder)
  const place = { block: 1, timestamp: 1_710_000_000, logIndex: null, line: null }
  const mint = opEvents().find((event) => event.type === 'Mint')
  if (mint?.type !== 'Mint') throw new Error('the recording has no mint')
  const { owner, tickLower, tickUpper } = mint
  const events: ClmmEvent[] = [
    mint,
    { type: 'Flash', ...place, amount0: 10n, amount1: 10n, paid0: 10_000n, paid1: 7n },
    { type: 'SetFeeProtocol', ...place, feeProtocol0: 4, feeProtocol1: 0 },
    { type: 'Flash', ...place, amount0: 10n, amount1: 10n, paid0: 90_000n, paid1: 70_000n },
    { type: 'SetFeeProtocol', ...place, feeProtocol0: 3, feeProtocol1: 0 },
    { type: 'CollectProtocol', ...place, amount0: 22_499n, amount1: 0n },
    { type: 'IncreaseObservationCardinalityNext', ...place, observationCardinalityNext: 5 },
    {
      type: 'Burn',
      ...place,
      owner,
      tickLower,
      tickUpper,
      liquidity: 0n,
      amount0: 0n,
      amount1: 0n,
    },
    { type: 'Collect', ...place, owner, tickLower, tickUpper, amount0: 5n, amount1: 1n << 99n },
    { type: 'Initialize', ...place, sqrtPriceX96: 1n << 96n },
    { type: 'FeeChange', ...place, feePips: 77 },
  ]
  const wanted = replayReadable(state, events, 'COMPLETE')
  expect(wanted.fidelity.eventsExact).toBeGreaterThan(6)
  expect(replayBaseline(state, events)).toEqual(wanted)
})

test('numbers no contract could log are judged as by the readable engine', () => {
  const state = initialState(opFolder)
  const [mint, ...rest] = opEvents().slice(0, 60)
  if (mint?.type !== 'Mint') throw new Error('the recording begins otherwise')
  const { block, timestamp, logIndex, line } = mint
  const place = { block, timestamp, logIndex, line }
  const burn = { ...mint, type: 'Burn' as const, amount0: 0n, amount1: 0n }
  const strange: ClmmEvent[] = [
    { ...burn, liquidity: 1n << 140n },
    { ...burn, liquidity: 1n << 170n },
    { ...burn, tickLower: -1_000_000, tickUpper: 1_000_000 },
    { ...mint, liquidity: 1n << 300n },
    { ...mint, liquidity: -5n },
    { ...mint, tickLower: 2 ** 40, tickUpper: 2 ** 41 },
    { type: 'Flash', ...place, amount0: 1n, amount1: 0n, paid0: 1n << 280n, paid1: 0n },
    { type: 'CollectProtocol', ...place, amount0: 1n << 280n, amount1: 0n },
  ]
  for (const event of strange) {
    const events = [mint, event, ...rest]
    for (const positions of ['COMPLETE', 'PARTIAL'] as const) {
      expect(replayBaseline(state, events, { positions })).toEqual(
        replayReadable(state, events, positions),
      )
    }
  }
})

test('a state that no contract could be in is replayed by the readable engine', () => {
  const state = { ...initialState(opFolder), observations: [] }
  const events = opEvents().slice(0, 1)
  const replay = new ClmmReplay(state, 'COMPLETE')
  const pool = loadPool(state)
  expect(events.map((event) => replay.apply(event))).toEqual(
    events.map((event) => replayClmmEvent(pool, event, 'COMPLETE')),
  )
  expect(replay.final()).toEqual(snapshotPool(pool))
})
