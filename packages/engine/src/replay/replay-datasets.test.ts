import { expect, test } from 'vitest'
import { readDatasetJson, readDatasetRows } from '../../test/datasets.ts'
import { initialState, recordedEvents } from '../../test/recordings.ts'
import { type ClmmState, createClmmPool } from '../amm/v3/state.ts'
import { applyOperation } from '../parity/apply-operation.ts'
import { replayBaseline } from './baseline.ts'
import { decodeLog } from './decode-log.ts'
import type { ClmmEvent } from './events.ts'
import { readClmmState } from './read/clmm-state.ts'
import { parseUtc } from './read/event-row.ts'
import { SingleRangeReplay } from './single-range.ts'

test('the ENS launch pool is reproduced from its initialisation, 63 swaps and 5 liquidity changes', () => {
  const { fidelity } = replayBaseline(
    initialState('v3-ens-weth-from-init'),
    recordedEvents('v3-ens-weth-from-init/events.csv'),
  )
  expect(fidelity).toMatchObject({
    eventsReplayed: 68,
    eventsExact: 68,
    byKind: { Swap: { replayed: 63, exact: 63 }, Mint: { exact: 3 }, Burn: { exact: 2 } },
    // One input emptied the pool: the recording says that it asked for an atom more than was taken.
    modes: { EXACT_INPUT: 56, EXACT_OUTPUT: 7 },
    firstDivergence: null,
  })
})

test('a day of WBTC/WETH leads from the state before to the state after, storage field by field', () => {
  const read = (name: string) =>
    readClmmState(readDatasetJson(`v3-wbtc-weth-2023-04/${name}`), name).state
  const before = read('state_before.json')
  const wanted = read('state_after.json')
  const { final, fidelity } = replayBaseline(
    before,
    recordedEvents('v3-wbtc-weth-2023-04/events.csv'),
    {
      positions: 'PARTIAL',
    },
  )
  expect(fidelity.firstDivergence).toBeNull()
  expect(fidelity).toMatchObject({
    eventsExact: 379,
    byKind: { Swap: { exact: 329 }, Mint: { exact: 19 }, Burn: { exact: 31 } },
    modes: { EXACT_INPUT: 313, EXACT_OUTPUT: 16 },
  })
  const reached = final as ClmmState
  for (const field of [
    'sqrtPriceX96',
    'tick',
    'liquidity',
    'feeGrowthGlobal0X128',
    'feeGrowthGlobal1X128',
    'observationIndex',
  ] as const) {
    expect(reached[field]).toBe(wanted[field])
  }
  expect(reached.observations).toEqual(wanted.observations)
  // Tick 239760 lies outside the window in which the first reading listed ticks.
  const byIndex = new Map(reached.ticks.map((tick) => [tick.index, tick]))
  const listed = wanted.ticks.filter((tick) => tick.index !== 239760)
  expect(listed).toHaveLength(356)
  for (const tick of listed) expect(byIndex.get(tick.index)).toEqual(tick)
  expect(comparePositions(before, reached, wanted)).toBe(17)
})

test('74,318 events of WETH/OP lead from its creation to the recorded end, through a fee change', () => {
  const folder = 'cl-weth-op-2024'
  const { final, fidelity } = replayBaseline(
    initialState(folder),
    recordedEvents(`${folder}/events.csv.gz`, folder),
  )
  expect(fidelity.firstDivergence).toBeNull()
  expect(fidelity).toMatchObject({
    byKind: {
      Swap: { exact: 60_000 },
      Mint: { exact: 7518 },
      Burn: { exact: 6800 },
      FeeChange: { exact: 1 },
    },
  })
  type End = {
    sqrtPriceX96: string
    tick: number
    liquidity: string
    feeGrowthGlobal0X128_ifAllFeesToLps: string
    feeGrowthGlobal1X128_ifAllFeesToLps: string
    ticks: { tick: number; liquidityGross: string; liquidityNet: string }[]
  }
  const end = readDatasetJson<End>(`${folder}/end_state.json`)
  const reached = final as ClmmState
  expect(`${reached.sqrtPriceX96}`).toBe(end.sqrtPriceX96)
  expect(reached.tick).toBe(end.tick)
  expect(`${reached.liquidity}`).toBe(end.liquidity)
  expect(`${reached.feeGrowthGlobal0X128}`).toBe(end.feeGrowthGlobal0X128_ifAllFeesToLps)
  expect(`${reached.feeGrowthGlobal1X128}`).toBe(end.feeGrowthGlobal1X128_ifAllFeesToLps)
  expect(
    reached.ticks.map(({ index, liquidityGross, liquidityNet }) => ({
      tick: index,
      liquidityGross: `${liquidityGross}`,
      liquidityNet: `${liquidityNet}`,
    })),
  ).toEqual(end.ticks)
})

test('a day of raw USDC/WETH logs without a state: all 5,478 single-range swaps, 567 refused', () => {
  const replay = new SingleRangeReplay(null, null)
  let line = 1
  for (const row of readDatasetRows('v3-usdc-weth-2024-01-05/raw_logs.csv.gz')) {
    line += 1
    const topics = [...row.topics!.matchAll(/0x[0-9a-f]+/g)].map(([word]) => word)
    const place = {
      block: Number(row.block_number),
      timestamp: parseUtc(row.block_timestamp!),
      logIndex: Number(row.log_index),
      line,
    }
    const event = decodeLog({ topics, data: row.data! }, place)
    expect(event).not.toBeNull()
    replay.apply(event as ClmmEvent)
  }
  expect(replay.feePips).toBe(500)
  expect(replay.fidelity()).toMatchObject({
    byKind: {
      Swap: { replayed: 6046, exact: 5478, refused: 568 },
      Mint: { replayed: 54, exact: 54 },
      Burn: { replayed: 69, exact: 69 },
      Collect: { replayed: 65, refused: 65 },
    },
    refusals: { TICK_CROSSED: 567, STATE_BEFORE_UNKNOWN: 66 },
    firstDivergence: null,
  })
})

test('a falsified amount is named as the first divergence, and later events are still judged', () => {
  const recorded = [...recordedEvents('v3-ens-weth-from-init/events.csv')]
  const position = recorded.findIndex((event) => event.type === 'Swap')
  const forged = recorded[position] as Extract<ClmmEvent, { type: 'Swap' }>
  const stream = recorded.with(position, { ...forged, amount0: forged.amount0 + 1n })
  const { fidelity } = replayBaseline(initialState('v3-ens-weth-from-init'), stream)
  expect(fidelity.firstDivergence).toMatchObject({
    index: position,
    event: { line: forged.line },
    mismatches: [
      { field: 'amount0', recorded: `${forged.amount0 + 1n}`, computed: `${forged.amount0}` },
    ],
  })
  expect(fidelity.eventsExact).toBe(67)
})

test('a state chosen by operations can be replayed from the events they leave', () => {
  const empty = createClmmPool({ feePips: 3000, tickSpacing: 60 })
  const { state } = applyOperation(empty, {
    kind: 'v3.initialize',
    timestamp: 5,
    sqrtPriceX96: 1n << 96n,
  })
  const place = { block: 1, timestamp: 5, logIndex: 0, line: null }
  const replayed = replayBaseline(empty, [
    { type: 'Initialize', ...place, sqrtPriceX96: 1n << 96n },
  ])
  expect(replayed.final).toEqual(state)
})

/** Positions touched during the day whose fee growth can be compared; every one must be equal. */
function comparePositions(before: ClmmState, reached: ClmmState, wanted: ClmmState): number {
  const name = (p: { owner: string; tickLower: number; tickUpper: number }) =>
    `${p.owner}:${p.tickLower}:${p.tickUpper}`
  const start = new Map(before.positions.map((position) => [name(position), position]))
  const listed = new Map(wanted.positions.map((position) => [name(position), position]))
  let compared = 0
  for (const position of reached.positions) {
    const earlier = start.get(name(position))
    const later = listed.get(name(position))
    const touched =
      earlier?.feeGrowthInside0LastX128 !== position.feeGrowthInside0LastX128 ||
      earlier.liquidity !== position.liquidity
    if (!touched || later === undefined) continue
    expect(position.feeGrowthInside0LastX128).toBe(later.feeGrowthInside0LastX128)
    expect(position.feeGrowthInside1LastX128).toBe(later.feeGrowthInside1LastX128)
    compared += 1
  }
  return compared
}
