import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClmmPool, createCpmmPair } from '@liquidity-os/engine/amm'
import {
  applyOperation,
  type PoolLog,
  randomV2Sequence,
  randomV3Sequence,
} from '@liquidity-os/engine/parity'
import { afterAll, expect, test } from 'vitest'
import { counts, type Report, run, withAddress, workFolder } from './testing/recordings.ts'

const { path: work, save, remove } = workFolder()
afterAll(remove)

test('pools of any fee and spacing, made by random operations, replay from their own logs', async () => {
  for (const [seed, fee, spacing] of [
    [1, 100, 1],
    [2, 2500, 50],
    [3, 0, 8],
    [4, 87_654, 200],
  ] as const) {
    const events = save(`made-${seed}.ndjson`, recordV3(seed, fee, spacing).join('\n'))
    const { status, stdout } = await run([
      '--json',
      '--events',
      events,
      '--fee',
      `${fee}`,
      '--tick-spacing',
      `${spacing}`,
    ])
    expect(status).toBe(0)
    const [recording] = (JSON.parse(stdout) as Report).recordings
    expect(Object.keys(counts(recording!))).toEqual(expect.arrayContaining(['swaps', 'collects']))
    for (const kind of Object.values(recording!.kinds)) expect(kind.exact).toBe(kind.total)
  }
})

test('a pair made by random operations replays from its own logs', async () => {
  let state = createCpmmPair({})
  const rows: string[] = []
  for (const operation of randomV2Sequence({ seed: 5, length: 400 })) {
    const step = applyOperation(state, operation)
    state = step.state
    if (step.outcome.reverted) continue
    for (const log of step.outcome.logs) rows.push(toRow(log, operation.timestamp, rows.length))
  }
  const events = save('pair.ndjson', rows.join('\n'))
  const { status, stdout } = await run(['--json', '--events', events])
  expect(status).toBe(0)
  const [recording] = (JSON.parse(stdout) as Report).recordings
  expect(recording!.kinds.swaps!.exact).toBeGreaterThan(20)
  expect(recording!.kinds.swaps!.different).toBe(0)
})

test('a fork that splits its fees in ten thousandths is replayed; what depends on the split is refused', async () => {
  const topics: Readonly<Record<string, string>> = {
    Swap: '0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83',
    SetFeeProtocol: '0xb3159fed3ddfba67bae294599eafe2d0ec98c08bb38e0e5fb87d33154b6e05aa',
    Initialize: '0x98636036cb66a9c19a37435efc1e90142190214e8abeb821bdba3f2990dd4c95',
    Mint: '0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde',
    CollectProtocol: '0x596b573906218d3411850b26a6b437d6c4522fdb43d2d2386263f86d50b8b151',
  }
  const word = (value: bigint | number) =>
    BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0')
  const rows: string[] = []
  const log = (name: string, indexed: (bigint | number)[], words: (bigint | number)[]) =>
    rows.push(
      JSON.stringify({
        blockNumber: 1,
        logIndex: rows.length,
        block_timestamp: 1_700_000_000,
        topics: [topics[name], ...indexed.map((value) => `0x${word(value)}`)],
        data: `0x${words.map(word).join('')}`,
      }),
    )
  let state = createClmmPool({ feePips: 2500, tickSpacing: 50 })
  const apply = (operation: Parameters<typeof applyOperation>[1]) => {
    const step = applyOperation(state, operation)
    state = step.state
    return (step.outcome as { logs: readonly PoolLog[] }).logs[0]!.args as Record<string, bigint>
  }
  const timestamp = 1_700_000_000
  const opened = apply({ kind: 'v3.initialize', timestamp, sqrtPriceX96: 1n << 96n })
  log('Initialize', [], [opened.sqrtPriceX96!, opened.tick!])
  log('SetFeeProtocol', [], [0, 0, 3200, 3200])
  const range = { owner: '0x01', tickLower: -5000, tickUpper: 5000, liquidity: 10n ** 21n }
  const minted = apply({ kind: 'v3.mint', timestamp, ...range })
  log('Mint', [1, -5000, 5000], [1, 10n ** 21n, minted.amount0!, minted.amount1!])
  for (const zeroForOne of [true, false, true]) {
    const sqrtPriceLimitX96 = zeroForOne ? 4295128740n : 1n << 159n
    const request = { zeroForOne, amountSpecified: 10n ** 18n, sqrtPriceLimitX96 }
    const s = apply({ kind: 'v3.swap', timestamp, ...request })
    const fee = [800_000_000_000_000n, 0n]
    log('Swap', [1, 1], [s.amount0!, s.amount1!, s.sqrtPriceX96!, s.liquidity!, s.tick!, ...fee])
  }
  log('CollectProtocol', [1, 1], [1_600_000_000_000_000n, 0n])
  const events = save('pancake.ndjson', rows.join('\n'))
  const terms = ['--fee', '2500', '--tick-spacing', '50']
  const { status, stdout } = await run(['--json', '--events', events, ...terms])
  expect(status).toBe(0)
  const [recording] = (JSON.parse(stdout) as Report).recordings
  expect(recording!.kinds.swaps).toMatchObject({ total: 3, exact: 3 })
  expect(recording!.refusals).toEqual({ PROTOCOL_SHARE_OF_FORK: 2 })
})

test('quotes of a metapool are answered at its cached price; other markets are refused by name', async () => {
  const tokens = ['RAI', '3Crv'].map((symbol) => ({ symbol, address: symbol, decimals: 18 }))
  const quote = (name: string, direction: string, amount: string, value: string) => ({
    function: name,
    direction,
    amount,
    value,
  })
  const metapool = {
    state: {
      tokens,
      fee: 4_000_000,
      a_coefficient: 100,
      initial_a: 10_000,
      future_a: 10_000,
      balances: ['4824805628775442017834', '58957064477993656079334'],
      base_virtual_price: '1039823717209616949',
      base_cache_updated: 1_779_370_859,
      redemption_price: '2971996134945649119',
      block_timestamp: 1_779_371_039,
    },
    quotes: [
      quote('get_dy', '3Crv->RAI', '14739266119498414948352', '4162173321447248603338'),
      quote('get_dy', 'RAI->3Crv', '48248056287754420224', '142246020821032523105'),
      quote('get_dy_underlying', 'DAI->RAI', '1', '1'),
    ],
  }
  const crypto = {
    state: { balances: ['1', '1'], a_coefficient: 3645, gamma: 7 },
    quotes: [quote('get_dy', 'A->B', '1', '1'), { amount: 1 }],
  }
  const folder = join(work, 'other-quotes')
  await mkdir(folder)
  await writeFile(join(folder, 'crypto.json'), JSON.stringify(crypto))
  await writeFile(join(folder, 'metapool.json'), JSON.stringify(metapool))
  const { status, stdout } = await run(['--json', folder])
  expect(status).toBe(0)
  const [other, meta] = (JSON.parse(stdout) as Report).recordings
  expect(meta!.kinds.quotes).toMatchObject({ total: 3, exact: 2, refused: 1 })
  expect(meta!.refusals).toEqual({ 'FUNCTION_NOT_SUPPORTED get_dy_underlying': 1 })
  expect(other!.refusals).toEqual({
    'MARKET_NOT_SUPPORTED get_dy': 1,
    'MARKET_NOT_SUPPORTED without a function': 1,
  })
})

test('quotes of a StableSwap pool may be hex, and one about several coins is refused as a row', async () => {
  const tokens = ['A', 'B'].map((symbol) => ({ symbol, address: symbol, decimals: 18 }))
  const state = {
    tokens,
    fee: 1_000_000,
    a_coefficient: 200,
    initial_a: 20_000,
    future_a: 20_000,
    variant: 'NG',
    offpeg_fee_multiplier: '20000000000',
    block_timestamp: 1,
    balances: [`${12n * 10n ** 23n}`, `${8n * 10n ** 23n}`],
  }
  const row = { function: 'get_dy', direction: 'A->B', value: '9976795259466465231203' }
  const ask = (amount: string) => ({ ...row, amount })
  const several = { function: 'calc_token_amount', amounts: ['1', '2'], value: '3' }
  const quotes = [
    ask(`${10n ** 22n}`),
    ask(`0x${(10n ** 22n).toString(16).toUpperCase()}`),
    several,
  ]
  const folder = join(work, 'hex-quotes')
  await mkdir(folder)
  await writeFile(join(folder, 'pool.quotes.json'), JSON.stringify({ state, quotes }))
  const { stdout, stderr } = await run(['--json', folder])
  expect(stderr).toBe('')
  const [pool] = (JSON.parse(stdout) as Report).recordings
  expect(pool!.kinds.quotes).toMatchObject({ total: 3, exact: 2, refused: 1 })
  expect(pool!.refusals).toEqual({ 'FUNCTION_NOT_SUPPORTED calc_token_amount': 1 })
})

test('raw logs of a pair from its creation lead to its supply, its product and its prices', async () => {
  let state = createCpmmPair({})
  const rows: string[] = []
  const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, '0')
  const log = (timestamp: number, topics: string[], words: (bigint | number)[]) =>
    rows.push(
      JSON.stringify({
        blockNumber: '0x1',
        logIndex: `0x${rows.length.toString(16)}`,
        block_timestamp: timestamp,
        topics,
        data: `0x${words.map(word).join('')}`,
      }),
    )
  const [zeroAddress, someone] = [`0x${word(0)}`, `0x${word(7)}`]
  const signatures: Readonly<Record<string, string>> = {
    Sync: '0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1',
    Mint: '0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f',
    Burn: '0xdccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496',
    Swap: '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822',
  }
  const transfer = '0xDDF252AD1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
  for (const operation of randomV2Sequence({ seed: 21, length: 300 })) {
    if (operation.kind === 'v2.setFeeTo') continue
    const before = state
    const step = applyOperation(state, operation)
    state = step.state
    if (step.outcome.reverted) continue
    const { timestamp } = operation
    if (operation.kind === 'v2.burn') {
      log(timestamp, [transfer, someone, zeroAddress], [before.liquidityOf.pair ?? 0n])
    }
    if (operation.kind === 'v2.mint') {
      const { to } = operation
      const minted = (state.liquidityOf[to] ?? 0n) - (before.liquidityOf[to] ?? 0n)
      log(timestamp, [transfer, zeroAddress, someone], [minted])
    }
    for (const { name, args } of step.outcome.logs) {
      const words = Object.entries(args).filter(([key]) => key !== 'to')
      const indexed = { Sync: 0, Mint: 1, Burn: 2, Swap: 2 }[name] ?? 0
      const topics = [signatures[name]!, ...Array.from({ length: indexed }, () => someone)]
      const order = name === 'Swap' ? ['amount0In', 'amount1In', 'amount0Out', 'amount1Out'] : null
      const values = order === null ? words.map(([, v]) => v) : order.map((key) => args[key]!)
      log(timestamp, topics, values as bigint[])
    }
  }
  const events = save('pair-logs.ndjson', rows.join('\n'))
  const { totalSupply, kLast, reserve0, price0CumulativeLast, blockTimestampLast } = state
  const wanted = { totalSupply, kLast, reserve0, price0CumulativeLast, blockTimestampLast }
  const text = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
  const end = save('pair-end.json', JSON.stringify(wanted, text))
  const { status, stdout } = await run(['--json', '--events', events, '--end', end])
  const [recording] = (JSON.parse(stdout) as Report).recordings
  expect(recording!.endState).toMatchObject({ reached: true, compared: 5 })
  expect(recording!.kinds.burns!.exact).toBeGreaterThan(2)
  expect(status).toBe(0)
  const wrong = { ...wanted, totalSupply: totalSupply + 1n }
  const other = save('pair-end-wrong.json', JSON.stringify(wrong, text))
  expect((await run(['--json', '--events', events, '--end', other])).status).toBe(1)
})

/** Runs random operations and writes their logs as lines of NDJSON. */
function recordV3(seed: number, feePips: number, tickSpacing: number): string[] {
  let state = createClmmPool({ feePips, tickSpacing })
  const rows: string[] = []
  for (const operation of randomV3Sequence({ seed, length: 400, tickSpacing }).map(withAddress)) {
    const step = applyOperation(state, operation)
    state = step.state
    if (step.outcome.reverted) continue
    for (const log of step.outcome.logs) rows.push(toRow(log, operation.timestamp, rows.length))
  }
  return rows
}

function toRow(log: PoolLog, timestamp: number, logIndex: number): string {
  const args = Object.entries(log.args).map(([name, value]) => [name, `${value}`])
  return JSON.stringify({
    block: 1,
    logIndex,
    timestamp,
    type: log.name,
    ...Object.fromEntries(args),
  })
}
