import { expect, test } from 'vitest'
import { readDatasetJson, readDatasetRows } from '../../test/datasets.ts'
import { suspiciousTrades, type TapeTrade } from './flow-integrity.ts'

const trade = (change: Partial<TapeTrade>): TapeTrade => ({
  venueId: 'v',
  at: 0,
  block: 1,
  position: 0,
  base: 100n,
  volumeQuote: 200n,
  origin: 'a',
  sender: 'router',
  recipient: 'a',
  ...change,
})

/** Four strangers who use the router, so that it is nobody's own. */
const strangers = ['w', 'x', 'y', 'z'].map((origin, index) =>
  trade({ origin, recipient: origin, block: 100 + index, at: 7200 }),
)

test('legs of one signer that leave nothing are suspicious, and what moves on is not', () => {
  const legs = [100n, -100n, 50n, -50n].map((base, position) => trade({ base, position }))
  const honest = [1, 2, 3, 4].map((position) =>
    trade({ origin: 'b', recipient: 'b', position, base: 10n, block: 2 }),
  )
  const found = suspiciousTrades([...legs, ...honest, ...strangers])
  expect([...found!.keys()]).toEqual(legs)
})

test('who buys on one venue and sells on another makes no round trip', () => {
  const legs = [100n, -100n, 50n, -50n].map((base, position) =>
    trade({ base, position, venueId: base > 0n ? 'v' : 'w' }),
  )
  expect([...suspiciousTrades([...legs, ...strangers])!.keys()]).toEqual([])
})

test('of a sandwich the two outer swaps are suspicious, by a shared signer or an own contract', () => {
  const front = trade({ origin: 'm', sender: 'bot', recipient: 'bot', base: 100n, position: 1 })
  const victim = trade({ origin: 'v', recipient: 'v', base: 50n, position: 2 })
  const back = (change: Partial<TapeTrade>) =>
    trade({ origin: 'm', sender: 'bot', recipient: 'bot', base: -100n, position: 3, ...change })
  const found = (closing: TapeTrade) => [
    ...suspiciousTrades([closing, victim, front, ...strangers])!.keys(),
  ]
  expect(found(back({}))).toEqual([front, back({})])
  expect(found(back({ origin: 'n' }))).toHaveLength(2)
  // Two strangers who happen to use one router are no party.
  const apart = { sender: 'router', recipient: 'q' }
  expect(found(back({ origin: 'q', ...apart }))).toEqual([])
})

test('without signers nobody can tell', () => {
  expect(suspiciousTrades([trade({ origin: null })])).toBeNull()
  expect([...suspiciousTrades([])!]).toEqual([])
})

test('the labelled sandwich of a real block is found on its tape', () => {
  const rows = readDatasetRows('v2-mainnet-swaps/swaps.csv').filter(
    ({ blockNumber }) => blockNumber === '12775690',
  )
  const tape = rows.map((row): TapeTrade => {
    const sells = BigInt(row.amount0In!) > 0n
    const [first, second] = row.traceAddress!.split('/')
    const within = Number(first || 0) * 30 + Number(second ?? 0)
    return {
      venueId: row.pair!,
      at: 0,
      block: 12_775_690,
      position: Number(row.transactionPosition) * 1000 + within,
      base: sells ? -BigInt(row.amount0In!) : BigInt(row.amount0Out!),
      volumeQuote: sells ? BigInt(row.amount1Out!) : BigInt(row.amount1In!),
      origin: row.txFrom!,
      sender: row.txTo!,
      recipient: row.txFrom!,
    }
  })
  const [label] = readDatasetJson<
    {
      frontrun_swap: { transaction_position: number }
      backrun_swap: { transaction_position: number }
    }[]
  >('v2-mainnet-swaps/sandwich_12775690.json')
  const found = [...suspiciousTrades(tape)!.keys()].map(({ position }) =>
    Math.floor(position / 1000),
  )
  expect(found.toSorted()).toEqual(
    [
      label!.frontrun_swap.transaction_position,
      label!.backrun_swap.transaction_position,
    ].toSorted(),
  )
})
