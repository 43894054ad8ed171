import { expect, test } from 'vitest'
import { type CpmmState, createCpmmPair } from '../amm/v2/state.ts'
import { applyOperation } from '../parity/apply-operation.ts'
import type { PoolLog } from '../parity/logs.ts'
import type { UniswapV2Operation } from '../parity/operations.ts'
import { randomV2Sequence } from '../parity/random-v2.ts'
import { startReplay } from './baseline.ts'
import type { CpmmEvent } from './events.ts'

const FEES = [
  { numerator: 3n, denominator: 1000n },
  { numerator: 25n, denominator: 10_000n },
  { numerator: 0n, denominator: 1n },
]

test('a pair followed from its creation ends with its supply, its protocol share and its prices', () => {
  let withShare = 0
  let burns = 0
  for (let seed = 0; seed < 150; seed++) {
    const fee = FEES[seed % 3]!
    const start = createCpmmPair({ fee, feeTo: seed % 2 === 0 ? 'treasury' : null })
    const { state, events } = record(start, seed, true)
    const replay = startReplay(start)
    for (const event of events) {
      expect(replay.apply(event), `seed ${seed}, ${event.type}`).toMatchObject({ status: 'EXACT' })
    }
    const reached = replay.final() as CpmmState
    expect(replay.undetermined()).toEqual([])
    if (events.length === 0) continue
    expect(stored(reached)).toEqual(stored(state))
    if (reached.liquidityOf.treasury !== undefined) withShare += 1
    burns += events.filter(({ type }) => type === 'Burn').length
  }
  expect(withShare).toBeGreaterThan(10)
  expect(burns).toBeGreaterThan(50)
})

test('without the burned liquidity on record the supply is followed where the amounts determine it', () => {
  let followed = 0
  for (let seed = 0; seed < 100; seed++) {
    const start = createCpmmPair({})
    const { state, events } = record(start, seed, false)
    const replay = startReplay(start)
    for (const event of events) expect(replay.apply(event).status).not.toBe('DIFFERENT')
    const reached = replay.final() as CpmmState
    expect(reached.price0CumulativeLast).toBe(state.price0CumulativeLast)
    if (replay.undetermined().includes('totalSupply')) continue
    followed += 1
    expect(reached.totalSupply).toBe(state.totalSupply)
  }
  expect(followed).toBeGreaterThan(20)
})

test('a pair whose reserves are not known begins with the deposit that brought all there is', () => {
  const { state, events } = record(createCpmmPair({}), 3, true)
  const replay = startReplay(createCpmmPair({}), { reservesKnown: false })
  const verdicts = events.map((event) => replay.apply(event).status)
  expect(verdicts.every((status) => status === 'EXACT')).toBe(true)
  expect((replay.final() as CpmmState).totalSupply).toBe(state.totalSupply)
})

test('a protocol share that nobody declared ends the knowledge of the supply, not the exactness', () => {
  let ended = 0
  for (let seed = 0; seed < 60; seed++) {
    const { events } = record(createCpmmPair({ feeTo: 'treasury' }), seed, true)
    const replay = startReplay(createCpmmPair({}), { reservesKnown: false })
    for (const event of events) expect(replay.apply(event).status).not.toBe('DIFFERENT')
    if (replay.undetermined().includes('totalSupply')) ended += 1
  }
  expect(ended).toBeGreaterThan(5)
})

test('a protocol share that is switched on in between is no difference where the amounts account for all', () => {
  let ended = 0
  for (let seed = 0; seed < 60; seed++) {
    const { events } = record(createCpmmPair({ feeTo: 'treasury' }), seed, false)
    const replay = startReplay(createCpmmPair({}))
    for (const event of events) expect(replay.apply(event).status).not.toBe('DIFFERENT')
    if (replay.undetermined().includes('totalSupply')) ended += 1
  }
  expect(ended).toBeGreaterThan(5)
})

test('a deposit that is said to have minted another amount is a difference', () => {
  const { events } = record(createCpmmPair({}), 3, true)
  const forged = events.map((event) =>
    event.type === 'Mint' ? { ...event, liquidity: event.liquidity! + 1n } : event,
  )
  const replay = startReplay(createCpmmPair({}))
  const verdict = forged.map((event) => replay.apply(event)).find((v) => v.status === 'DIFFERENT')
  expect(verdict).toMatchObject({ mismatches: [{ field: 'liquidity' }] })
})

test('a withdrawal whose Sync lacks an atom is a difference, however much of it is on record', () => {
  let forgeries = 0
  for (let seed = 0; seed < 20; seed++) {
    const { events } = record(createCpmmPair({}), seed, seed % 2 === 0)
    for (const [at, sync] of events.entries()) {
      if (sync.type !== 'Sync' || !isPlainBurn(events, at)) continue
      for (const field of ['reserve0', 'reserve1'] as const) {
        const replay = startReplay(createCpmmPair({}))
        const forged = events.with(at, { ...sync, [field]: sync[field] - 1n })
        const verdict = forged.map((event) => replay.apply(event))[at + 1]
        const mismatches = [{ field, recorded: `${sync[field] - 1n}`, computed: `${sync[field]}` }]
        expect(verdict, `seed ${seed}, event ${at}`).toEqual({ status: 'DIFFERENT', mismatches })
        forgeries += 1
      }
    }
  }
  expect(forgeries).toBeGreaterThan(10)
})

test('reserves that no pair can hold are a difference, and the replay goes on without them', () => {
  const { events } = record(createCpmmPair({}), 3, true)
  const at = events.findIndex(({ type }) => type === 'Sync')
  const forged = events.map((event, index) =>
    index === at && event.type === 'Sync' ? { ...event, reserve1: 1n << 112n } : event,
  )
  const replay = startReplay(createCpmmPair({}))
  const verdicts = forged.map((event) => replay.apply(event))
  expect(verdicts[at]).toMatchObject({
    status: 'DIFFERENT',
    mismatches: [{ field: 'reserve1', recorded: `${1n << 112n}` }],
  })
})

test('events without a time leave the prices undetermined, and nothing else', () => {
  const { state, events } = record(createCpmmPair({}), 3, true)
  const replay = startReplay(createCpmmPair({}))
  for (const event of events) replay.apply({ ...event, timestamp: null })
  expect(replay.undetermined()).toEqual([
    'price0CumulativeLast',
    'price1CumulativeLast',
    'blockTimestampLast',
  ])
  expect((replay.final() as CpmmState).totalSupply).toBe(state.totalSupply)
})

/** Runs a random sequence and keeps the logs a pair leaves. */
function record(
  start: CpmmState,
  seed: number,
  withLiquidity: boolean,
): { state: CpmmState; events: CpmmEvent[] } {
  let state = start
  const events: CpmmEvent[] = []
  for (const operation of randomV2Sequence({ seed, length: 60 })) {
    // Whoever switches the protocol share does so at the factory, and the pair logs nothing.
    if (operation.kind === 'v2.setFeeTo') continue
    const before = state
    const step = applyOperation(state, operation)
    state = step.state
    if (step.outcome.reverted) continue
    const liquidity = withLiquidity ? { liquidity: moved(before, state, operation) } : {}
    for (const log of step.outcome.logs) events.push(toEvent(log, operation.timestamp, liquidity))
  }
  return { state, events }
}

/** Whether a withdrawal follows the Sync at a place and nothing else changed the reserves. */
function isPlainBurn(events: readonly CpmmEvent[], at: number): boolean {
  const before = events.slice(0, at).findLast(({ type }) => type === 'Sync')
  const [sync, burn] = [events[at], events[at + 1]]
  if (before?.type !== 'Sync' || sync?.type !== 'Sync' || burn?.type !== 'Burn') return false
  return (
    sync.reserve0 === before.reserve0 - burn.amount0 &&
    sync.reserve1 === before.reserve1 - burn.amount1
  )
}

/** Liquidity that a mint issued to its owner, or that a burn destroyed. */
function moved(before: CpmmState, after: CpmmState, operation: UniswapV2Operation): bigint {
  if (operation.kind === 'v2.burn') return before.liquidityOf.pair ?? 0n
  if (operation.kind !== 'v2.mint') return 0n
  const { to } = operation
  return (after.liquidityOf[to] ?? 0n) - (before.liquidityOf[to] ?? 0n)
}

function toEvent(
  { name, args }: PoolLog,
  timestamp: number,
  liquidity: { liquidity?: bigint },
): CpmmEvent {
  const place = { block: 1, timestamp, logIndex: null, line: null }
  const isChange = name === 'Mint' || name === 'Burn'
  // The logs of the engine have the members of the events, with their types.
  return { type: name, ...place, ...args, ...(isChange ? liquidity : {}) } as unknown as CpmmEvent
}

/** What a replay can know: no holders, and no transfers that were never booked. */
function stored(state: CpmmState) {
  const { liquidityOf, balance0, balance1, blockTimestamp, ...rest } = state
  return rest
}
