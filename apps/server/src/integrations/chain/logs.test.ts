import { type Localchain, startLocalchain } from '@liquidity-os/localchain'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChainError } from './chain-error.ts'
import { decodeLogs } from './logs.ts'
import type { PlacedLog } from './placed-log.ts'
import { deployMarkets, type Markets } from './testing/markets.ts'

let chain: Localchain
let markets: Markets
let logs: { pool: PlacedLog[]; pair: PlacedLog[] }
beforeAll(async () => {
  chain = await startLocalchain()
  markets = await deployMarkets(chain)
  await markets.mint(-600, 600, 10n ** 20n)
  await markets.growOracle(3)
  await markets.setFeeProtocol(4, 5)
  await markets.swap(true, 10n ** 16n)
  await markets.flash(1000n, 0n)
  await markets.burn(-600, 600, 7n)
  await markets.collect(-600, 600)
  await markets.provide(10n ** 18n, 10n ** 18n)
  await markets.trade(10n ** 15n, 10n ** 14n)
  const read = async (address: Markets['pool']['address']) =>
    (await chain.publicClient.getLogs({ address, fromBlock: 0n })).map((log) => ({
      ...log,
      blockNumber: Number(log.blockNumber),
    }))
  logs = { pool: await read(markets.pool.address), pair: await read(markets.pair.address) }
})
afterAll(() => chain.stop())

describe('decodeLogs', () => {
  it('knows every event of a pool that changes its storage', () => {
    const events = decodeLogs('UNISWAP_V3', logs.pool, new Map())
    expect(events.map(({ event }) => event.type)).toEqual([
      ...['Initialize', 'Mint', 'IncreaseObservationCardinalityNext', 'SetFeeProtocol'],
      ...['Swap', 'Flash', 'Burn', 'Collect'],
    ])
    const [initialize, mint, grow, share, swap, flash, burn, collect] = events
    const { payer } = chain.contracts
    expect(initialize?.event).toMatchObject({
      sqrtPriceX96: 2n ** 96n,
      line: null,
      timestamp: null,
    })
    expect(mint?.event).toMatchObject({ owner: payer, tickLower: -600, liquidity: 10n ** 20n })
    expect(mint?.parties).toEqual({ owner: payer, sender: payer })
    expect(grow?.event).toMatchObject({ observationCardinalityNext: 3 })
    expect(share?.event).toMatchObject({ feeProtocol0: 4, feeProtocol1: 5 })
    expect(swap?.event).toMatchObject({ amount0: 10n ** 16n })
    expect(flash?.event).toMatchObject({ amount0: 1000n, paid0: 3n })
    expect(burn?.event).toMatchObject({ owner: payer, liquidity: 7n })
    expect(collect?.parties).toEqual({ owner: payer, recipient: payer })
  })

  it('knows the events of a pair and leaves out its liquidity token', () => {
    const events = decodeLogs('UNISWAP_V2', logs.pair, new Map())
    expect(events.map(({ event }) => event.type)).toEqual(['Sync', 'Mint', 'Sync', 'Swap'])
    expect(logs.pair.length).toBeGreaterThan(4)
    expect(events.at(-1)?.event).toMatchObject({ amount0In: 10n ** 15n, amount1Out: 10n ** 14n })
  })

  it('puts logs into the order of the chain and gives them the time of their block', () => {
    const times = new Map(logs.pool.map(({ blockNumber }) => [blockNumber, blockNumber * 12]))
    const ordered = decodeLogs('UNISWAP_V3', logs.pool, times)
    const shuffled = decodeLogs('UNISWAP_V3', [...logs.pool].reverse(), times)
    expect(shuffled).toEqual(ordered)
    expect(ordered.every(({ event }) => event.timestamp === event.block * 12)).toBe(true)
  })

  it.each([
    ['cut short', '0x1234'],
    ['empty', '0x'],
  ] as const)('rejects a known event whose data is %s', (_what, data) => {
    const swap = logs.pool.find(({ data: whole }) => whole.length > 300)!
    expect(() => decodeLogs('UNISWAP_V3', [{ ...swap, data }], new Map())).toThrow('INCONSISTENT')
    expect(() =>
      decodeLogs('UNISWAP_V3', [{ ...swap, topics: swap.topics.slice(0, 1) }], new Map()),
    ).toThrow('INCONSISTENT')
  })

  it('reads or refuses whatever a provider makes of a log', () => {
    const hex = (bytes: number) =>
      fc
        .uint8Array({ maxLength: bytes })
        .map((some) => `0x${Buffer.from(some).toString('hex')}` as const)
    const genuine = fc.constantFrom(...logs.pool, ...logs.pair)
    const cut = fc.record({
      log: genuine,
      at: fc.nat(700),
      piece: hex(40),
      topics: fc.array(hex(40), { maxLength: 5 }),
    })
    const forged = cut.chain(({ log, at, piece, topics }) =>
      fc.constantFrom<PlacedLog>(
        { ...log, data: `${log.data.slice(0, 2 + at)}${piece.slice(2)}` as never },
        {
          ...log,
          data: `${log.data.slice(0, 2 + at)}${piece.slice(2)}${log.data.slice(at + piece.length)}` as never,
        },
        { ...log, topics: [log.topics[0] ?? '0x', ...topics] },
        { ...log, topics, data: piece },
      ),
    )
    let refused = 0
    fc.assert(
      fc.property(
        fc.constantFrom('UNISWAP_V3', 'UNISWAP_V2', 'STABLESWAP'),
        forged,
        (kind, log) => {
          try {
            decodeLogs(kind, [log], new Map())
          } catch (error) {
            refused += 1
            expect(error).toBeInstanceOf(ChainError)
          }
        },
      ),
      { numRuns: 5_000, seed: 7 },
    )
    expect(refused).toBeGreaterThan(100)
  })

  it('leaves out a log that no interface knows', () => {
    const [log] = logs.pool
    const unknown = { ...log!, topics: [`0x${'99'.repeat(32)}` as const] }
    expect(decodeLogs('UNISWAP_V3', [unknown, { ...unknown, topics: [] }], new Map())).toEqual([])
  })
})
