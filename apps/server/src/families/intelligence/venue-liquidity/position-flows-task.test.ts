import { expect, it } from 'vitest'
import readEmptyPositions from './empty-positions-task.ts'
import readPositionFlows, { noFlows } from './position-flows-task.ts'

const owner = `0x${'a'.repeat(40)}`
const rival = `0x${'b'.repeat(40)}`
const range = { tickLower: -60, tickUpper: 60 }
const positions = [
  { owner, ...range },
  { owner: rival, ...range },
  { owner, tickLower: 0, tickUpper: 60 },
]

const bytes = (lines: readonly object[]) =>
  new TextEncoder().encode(lines.map((line) => JSON.stringify(line)).join('\n'))
const event = (type: string, timestamp: number, amount0: string | null, by = owner) => ({
  type,
  block: timestamp,
  logIndex: 0,
  timestamp,
  owner: by,
  ...range,
  liquidity: '1',
  amount0,
  amount1: amount0,
})

const parts = [
  bytes([event('Mint', 10, '5', rival)]),
  bytes([event('Mint', 20, '100'), event('Burn', 21, '30')]),
  bytes([event('Collect', 30, '31'), event('Mint', 31, '7'), event('Mint', 32, null, rival)]),
]
const both = (amount: bigint) => ({ amount0: amount, amount1: amount })

it('sums the events of positions, in one group or continued over groups', () => {
  const sums = positions.map(() => noFlows)
  const whole = readPositionFlows({ events: parts, from: 0, positions, sums })
  expect(whole[0]).toEqual({
    deposited: both(107n),
    withdrawn: both(30n),
    collected: both(31n),
    first: 1,
    since: 20,
    isComplete: true,
  })
  expect(whole[1]).toMatchObject({ deposited: both(5n), first: 0, since: 10, isComplete: false })
  expect(whole[2]).toEqual(noFlows)
  const groups = parts.reduce(
    (before, part, from) => readPositionFlows({ events: [part], from, positions, sums: before }),
    sums,
  )
  expect(groups).toEqual(whole)
})

it('finds positions that are empty in a state', () => {
  const held = { ...positions[0], liquidity: '0', tokensOwed0: '0', tokensOwed1: '0' }
  const read = (changes: object, areAllListed: boolean) =>
    readEmptyPositions({
      state: bytes([{ kind: 'UNISWAP_V3', positions: [{ ...held, ...changes }] }]),
      positions,
      areAllListed,
    })
  expect(read({}, true)).toEqual([true, true, true])
  expect(read({ liquidity: '1' }, true)).toEqual([false, true, true])
  // Withdrawn, but not collected.
  expect(read({ tokensOwed1: '1' }, false)).toEqual([false, false, false])
  const pair = bytes([{ kind: 'UNISWAP_V2' }])
  expect(readEmptyPositions({ state: pair, positions, areAllListed: true })).toEqual([
    ...[false, false, false],
  ])
})
