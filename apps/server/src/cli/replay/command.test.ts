import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import {
  applyOperation,
  createClmmPool,
  createCpmmPair,
  type PoolLog,
  randomV2Sequence,
  randomV3Sequence,
} from '@liquidity-os/engine'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { replayCommand } from './command.ts'

const datasets = fileURLToPath(new URL('../../../../../datasets/', import.meta.url))
let work = ''
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'replay-'))
})
afterAll(async () => rm(work, { recursive: true }))

test('all recorded markets of the datasets are exact, folder by folder', async () => {
  const { status, report } = await replayJson(
    ...['v3-swap-vectors', 'v3-ens-weth-from-init', 'v3-wbtc-weth-2023-04', 'cl-weth-op-2024'],
    ...['v3-usdc-weth-2024-01-05', 'v2-mainnet-swaps', 'onchain-quotes'],
  )
  expect(status).toBe(0)
  expect(report.status).toBe('EXACT')
  expect(Object.fromEntries(report.recordings.map((r) => [r.name, counts(r)]))).toEqual({
    'v3-swap-vectors': { swaps: '138/138', reverts: '38/38', 'tick values': '41/41' },
    'v3-ens-weth-from-init': { swaps: '63/63', mints: '3/3', burns: '2/2' },
    'v3-wbtc-weth-2023-04': { swaps: '329/329', mints: '19/19', burns: '31/31' },
    'cl-weth-op-2024': {
      swaps: '60000/60000',
      mints: '7518/7518',
      burns: '6800/6800',
      'fee changes': '1/1',
    },
    'v3-usdc-weth-2024-01-05': {
      swaps: '5478/5478',
      mints: '54/54',
      burns: '69/69',
      collects: '0/0',
    },
    'v2-mainnet-swaps': { swaps: '305/305' },
    'onchain-quotes/curve_3pool_24407242.json': {
      quotes: '18/18',
      'calc token amount': '9/9',
      'calc withdraw one coin': '9/9',
    },
    'onchain-quotes/pancakeswap_v2_base_weth_usdbc_46875151.json': { quotes: '24/24' },
    'onchain-quotes/uniswap_v3_wbtc_weth_24407242.json': { quotes: '80/80' },
  })
  const ends = report.recordings.filter((r) => r.endState?.reached === true)
  expect(ends.map((r) => r.name)).toEqual(['v3-wbtc-weth-2023-04', 'cl-weth-op-2024'])
})

test('the same recording gives the same report, byte for byte', async () => {
  const first = await run(['--json', `${datasets}v3-ens-weth-from-init`])
  const second = await run(['--json', `${datasets}v3-ens-weth-from-init`])
  expect(second.stdout).toBe(first.stdout)
  expect(first.stdout).not.toMatch(/events\/s|"ms"/)
})

test('columns may come in any order, with others between, as NDJSON and compressed', async () => {
  const source = await readFile(`${datasets}v3-ens-weth-from-init/events.csv`, 'utf8')
  const rows = source
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','))
  const shuffled = rows.map((cells) => [...cells].reverse().join(','))
  const header = rows[0]!
  const objects = rows
    .slice(1)
    .map((cells) => JSON.stringify(Object.fromEntries(header.map((name, i) => [name, cells[i]]))))
  const events = [
    await save('reversed.csv', `${shuffled.join('\r\n')}\r\n`),
    await save('events.ndjson.gz', gzipSync(objects.join('\n'))),
  ]
  const pool = `${datasets}v3-ens-weth-from-init/pool.json`
  const hashes = []
  for (const file of events) {
    const { status, stdout } = await run(['--json', '--pool', pool, '--events', file])
    expect(status).toBe(0)
    const [recording] = (JSON.parse(stdout) as Report).recordings
    expect(counts(recording!)).toEqual({ swaps: '63/63', mints: '3/3', burns: '2/2' })
    hashes.push(recording!.endState?.hash)
  }
  expect(hashes[0]).toBe(hashes[1])
})

test('numbers may be hex in any case, and JSON numbers of any length keep their digits', async () => {
  const source = await readFile(`${datasets}v3-ens-weth-from-init/events.csv`, 'utf8')
  const [header, ...rows] = source
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(','))
  const asHex = (cell: string) => {
    if (!/^-?[0-9]+$/.test(cell)) return cell
    const value = BigInt(cell)
    return `${value < 0n ? '-' : ''}0x${(value < 0n ? -value : value).toString(16).toUpperCase()}`
  }
  const hex = [header!, ...rows.map((cells) => cells.map(asHex))].map((cells) => cells.join(','))
  const bare = rows.map((cells) => {
    const members = cells.flatMap((cell, slot) => {
      const value = /^-?[0-9]+$/.test(cell) ? cell : JSON.stringify(cell)
      return cell === '' && header![slot] !== 'amount0' ? [] : [`"${header![slot]}":${value}`]
    })
    return `{${members.join(',')}}`
  })
  const pool = await save(
    'pool-hex.json',
    '\uFEFF{"fee":"0xBB8","tickSpacing":60,"initialSqrtPriceX96":2505290050365003892876723467}',
  )
  for (const [name, lines] of [
    ['hex.csv', hex],
    ['bare.ndjson', bare],
  ] as const) {
    const events = await save(name, lines.join('\n'))
    const { status, stdout } = await run(['--json', '--pool', pool, '--events', events])
    const [recording] = (JSON.parse(stdout) as Report).recordings
    expect(counts(recording!)).toEqual({ swaps: '63/63', mints: '3/3', burns: '2/2' })
    expect(status).toBe(0)
  }
})

test.each([
  [
    '{"fee":3000,"tickSpacing":0,"initialSqrtPriceX96":"79228162514264337593543950336"}',
    'tickSpacing',
  ],
  [
    '{"fee":3000,"tickSpacing":-60,"initialSqrtPriceX96":"79228162514264337593543950336"}',
    'tickSpacing',
  ],
  ['{"fee":1000000,"tickSpacing":60,"initialSqrtPriceX96":"79228162514264337593543950336"}', 'fee'],
  ['{"fee":3000,"tickSpacing":60,"initialSqrtPriceX96":"1"}', 'initialSqrtPriceX96'],
  ['{"fee":3000,"tickSpacing":60,"protocolFee":3}', 'protocolFee'],
  ['{"kind":"UNISWAP_V2","feeNumerator":3,"feeDenominator":0}', 'feeNumerator'],
  ['{"reserve0":-1,"reserve1":2}', 'reserve0'],
])('terms that no pool has are an input error that names them: %s', async (terms, column) => {
  const pool = await save('terms.json', terms)
  const events = await save('one.csv', swapRow('9'))
  const { status, stderr } = await run(['--pool', pool, '--events', events])
  expect(status).toBe(2)
  expect(stderr).toMatch(new RegExp(`terms\\.json, column ${column}: expected .*, found `))
})

test.each([
  ['protocolFees', { protocolFees: { token0: '0', token1: '7' } }, 'protocolFees1'],
  ['a list of positions that is empty', { positions: [] }, 'positions['],
  ['the fee', { fee: 500 }, 'feePips'],
  ['a tick that is not there', { ticks: [] }, 'initialised ticks'],
  [
    'a position’s liquidity',
    {
      positions: [
        {
          ...{ owner: '0xC36442b4a4522E871399CD717aBDD847Ab11FE88', liquidity: '1' },
          ...{ tickLower: 49800, tickUpper: 64020 },
        },
      ],
    },
    '.liquidity',
  ],
])('an end state is compared in %s when it names it', async (_what, named, field) => {
  const folder = `${datasets}v3-ens-weth-from-init`
  const end = await save(
    'named-end.json',
    JSON.stringify({ ...(await reachedPrice(folder)), ...named }),
  )
  const { status, stdout } = await run([
    ...['--json', '--pool', `${folder}/pool.json`, '--events', `${folder}/events.csv`],
    ...['--end', end],
  ])
  expect(status).toBe(1)
  const [recording] = (JSON.parse(stdout) as Report).recordings
  expect(recording!.endState!.fields.map((entry) => entry.field).join()).toContain(field)
})

/** Price, tick and liquidity at the end of the ENS recording, as its last swap logs them. */
async function reachedPrice(folder: string) {
  const rows = (await readFile(`${folder}/events.csv`, 'utf8')).trimEnd().split('\n')
  const last = rows
    .filter((row) => row.includes(',SWAP,'))
    .at(-1)!
    .split(',')
  return { sqrtPriceX96: last[9], liquidity: last[10], tick: Number(last[11]) }
}

test('a forged amount gives status 1 and the line where it stands', async () => {
  const source = await readFile(`${datasets}v3-ens-weth-from-init/events.csv`, 'utf8')
  const forged = source.replace(',226019397190954581334,', ',226019397190954581335,')
  expect(forged).not.toBe(source)
  const events = await save('forged.csv', forged)
  const pool = `${datasets}v3-ens-weth-from-init/pool.json`
  const { status, stdout } = await run(['--pool', pool, '--events', events])
  expect(status).toBe(1)
  expect(stdout).toContain('62 of 63 exact, 1 different')
  expect(stdout).toMatch(/Swap event 4, block 13578932.*forged\.csv, line 5/)
  expect(stdout).toContain('amount1: recorded 226019397190954581335, computed')
})

test.each([
  ['sqrtPriceX96', 9, 1n],
  ['sqrtPriceX96', 9, 10n ** 20n],
  ['amount0', 7, 1n],
  ['amount1', 8, 1n],
  ['liquidity', 10, 1n],
  ['tick', 11, 1n],
  ['amountSpecified', 15, -1n],
])(
  'with the amount that was asked for on record, a forged %s is named as such',
  async (column, slot, by) => {
    const source = await readFile(`${datasets}v3-ens-weth-from-init/events.csv`, 'utf8')
    const lines = source.split('\n')
    const cells = lines[40]!.split(',')
    cells[slot] = `${BigInt(cells[slot]!.trim()) + by}`
    lines[40] = cells.join(',')
    const events = await save(`forged-${column}-${by}.csv`, lines.join('\n'))
    const pool = `${datasets}v3-ens-weth-from-init/pool.json`
    const { status, stdout } = await run(['--json', '--pool', pool, '--events', events])
    expect(status).toBe(1)
    const [recording] = (JSON.parse(stdout) as Report).recordings
    expect(recording!.firstDifference).toMatchObject({ line: 41 })
    expect(recording!.firstDifference!.fields.map(({ field }) => field)).toEqual([column])
  },
)

test.each([
  ['sqrtPriceX96', 1n],
  ['sqrtPriceX96', 10n ** 15n],
  ['amount0', 1n],
  ['amount1', 1n],
  ['liquidity', 1n],
  ['tick', 1n],
])(
  'without the amount that was asked for, the next swap tells that a forged %s is one',
  async (column, by) => {
    const folder = `${datasets}v3-wbtc-weth-2023-04`
    const lines = (await readFile(`${folder}/events.csv`, 'utf8')).split('\n').slice(0, 160)
    const slot = lines[0]!.trim().split(',').indexOf(column)
    const at = lines.findIndex((line, index) => index >= 100 && /swap/i.test(line))
    const cells = lines[at]!.split(',')
    const value = BigInt(cells[slot]!)
    cells[slot] = `${value < 0n ? value - by : value + by}`
    lines[at] = cells.join(',')
    const events = await save(`wbtc-${column}-${by}.csv`, lines.join('\n'))
    const terms = ['--fee', '3000', '--tick-spacing', '60']
    const state = `${folder}/state_before.json`
    const { stdout } = await run(['--json', '--state', state, '--events', events, ...terms])
    const [recording] = (JSON.parse(stdout) as Report).recordings
    expect(recording!.firstDifference).toMatchObject({ line: at + 1 })
    expect(recording!.firstDifference!.fields.map(({ field }) => field)).toEqual([column])
  },
)

test('a forged amount in logs without a state is found too', async () => {
  const source = gunzipSync(await readFile(`${datasets}v3-usdc-weth-2024-01-05/raw_logs.csv.gz`))
  const lines = source.toString('utf8').split('\n').slice(0, 60)
  const amount = '6a143dee'
  const forged = lines.join('\n').replace(amount, '6a143def')
  const events = await save('raw.csv', forged)
  const { status, stdout } = await run(['--events', events, '--fee', '500'])
  expect(stdout).toContain('1 different')
  expect(status).toBe(1)
})

test('a recording that disagrees with its end state gives status 1', async () => {
  const end = await readFile(`${datasets}cl-weth-op-2024/end_state.json`, 'utf8')
  const folder = `${datasets}cl-weth-op-2024`
  const forged = await save('end.json', end.replace('"tick": 73304', '"tick": 73305'))
  const { status, stdout } = await run([
    '--pool',
    `${folder}/pool.json`,
    '--events',
    `${folder}/events.csv.gz`,
    '--end',
    forged,
  ])
  expect(status).toBe(1)
  expect(stdout).toContain('tick: recorded 73305, computed 73304')
})

test('pools of any fee and spacing, made by random operations, replay from their own logs', async () => {
  for (const [seed, fee, spacing] of [
    [1, 100, 1],
    [2, 2500, 50],
    [3, 0, 8],
    [4, 87_654, 200],
  ] as const) {
    const events = await save(`made-${seed}.ndjson`, recordV3(seed, fee, spacing).join('\n'))
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
  const events = await save('pair.ndjson', rows.join('\n'))
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
        ...{ blockNumber: 1, logIndex: rows.length, block_timestamp: 1_700_000_000 },
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
  const events = await save('pancake.ndjson', rows.join('\n'))
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
    ...{ function: name, direction, amount, value },
  })
  const metapool = {
    state: {
      ...{ tokens, fee: 4_000_000, a_coefficient: 100, initial_a: 10_000, future_a: 10_000 },
      balances: ['4824805628775442017834', '58957064477993656079334'],
      ...{ base_virtual_price: '1039823717209616949', base_cache_updated: 1_779_370_859 },
      ...{ redemption_price: '2971996134945649119', block_timestamp: 1_779_371_039 },
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

test('raw logs of a pair from its creation lead to its supply, its product and its prices', async () => {
  let state = createCpmmPair({})
  const rows: string[] = []
  const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, '0')
  const log = (timestamp: number, topics: string[], words: (bigint | number)[]) =>
    rows.push(
      JSON.stringify({
        ...{ blockNumber: '0x1', logIndex: `0x${rows.length.toString(16)}` },
        ...{ block_timestamp: timestamp, topics, data: `0x${words.map(word).join('')}` },
      }),
    )
  const [nobody, someone] = [`0x${word(0)}`, `0x${word(7)}`]
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
      log(timestamp, [transfer, someone, nobody], [before.liquidityOf.pair ?? 0n])
    }
    if (operation.kind === 'v2.mint') {
      const { to } = operation
      const minted = (state.liquidityOf[to] ?? 0n) - (before.liquidityOf[to] ?? 0n)
      log(timestamp, [transfer, nobody, someone], [minted])
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
  const events = await save('pair-logs.ndjson', rows.join('\n'))
  const { totalSupply, kLast, reserve0, price0CumulativeLast, blockTimestampLast } = state
  const wanted = { totalSupply, kLast, reserve0, price0CumulativeLast, blockTimestampLast }
  const text = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
  const end = await save('pair-end.json', JSON.stringify(wanted, text))
  const { status, stdout } = await run(['--json', '--events', events, '--end', end])
  const [recording] = (JSON.parse(stdout) as Report).recordings
  expect(recording!.endState).toMatchObject({ reached: true, compared: 5 })
  expect(recording!.kinds.burns!.exact).toBeGreaterThan(2)
  expect(status).toBe(0)
  const wrong = { ...wanted, totalSupply: totalSupply + 1n }
  const other = await save('pair-end-wrong.json', JSON.stringify(wrong, text))
  expect((await run(['--json', '--events', events, '--end', other])).status).toBe(1)
})

test.each([
  [
    'a column that is missing',
    'block,type,amount0\n1,SWAP,5\n',
    /line 2, column amount1: .*no such column/,
  ],
  [
    'no block column',
    'type,amount0\nSWAP,1\n',
    /line 1, column block: expected a column named block/,
  ],
  ['a fraction', 'block,type,amount0,amount1\n1,SWAP,1.5,2\n', /line 2, column amount0: .*"1\.5"/],
  [
    'an unknown event',
    'block,type\n7,SWAPPED\n',
    /line 2, column type: expected SWAP, .*"SWAPPED"/,
  ],
  [
    'blocks out of order',
    swapRow('9') + swapRow('8', false),
    /line 3, column block: .*order of the chain/,
  ],
  [
    'events of two kinds of market',
    `${swapRow('9').replace('tick\n', 'tick,reserve0,reserve1\n')}9,SYNC,,,,,,5,6\n`,
    /line 3, column type: expected an event of a v3 pool/,
  ],
  [
    'too many cells',
    `${swapRow('9').trimEnd()},1\n`,
    /line 2, column 8: expected at most 7 cells.*"1"/,
  ],
  ['nothing', '', /an empty file/],
])('input with %s is refused with status 2', async (_what, text, message) => {
  const events = await save('bad.csv', text)
  const { status, stderr } = await run(['--events', events, '--fee', '3000'])
  expect(status).toBe(2)
  expect(stderr).toMatch(message)
  expect(stderr).toContain('bad.csv')
})

test('event rows without a pool or state are refused, unless the fee is given to judge them alone', async () => {
  const events = `${datasets}v3-ens-weth-from-init/events.csv`
  const refused = await run(['--events', events])
  expect(refused.status).toBe(2)
  expect(refused.stderr).toContain('a pool file with the initial price')
  const alone = await run(['--events', events, '--fee', '3000', '--tick-spacing', '60'])
  expect(alone.status).toBe(0)
  expect(alone.stdout).toMatch(/56 of 56 exact, 7 refused/)
})

test('arguments that make no sense are refused with status 2', async () => {
  for (const args of [
    [],
    ['--nonsense'],
    ['x', '--events', 'y'],
    ['--events', 'x', '--fee', '2/1'],
  ]) {
    expect((await run(args)).status).toBe(2)
  }
  expect((await run([join(work, 'nowhere')])).stderr).toContain('nowhere')
  const truncated = await save('cut.csv.gz', gzipSync('block,type\n').subarray(0, 12))
  expect((await run(['--events', truncated])).stderr).toContain('a readable gzip file')
})

type Kind = { total: number; exact: number; refused: number; different: number }
type Recording = {
  name: string
  kinds: Record<string, Kind>
  refusals: Record<string, number>
  firstDifference: { line: number; fields: { field: string }[] } | null
  endState: { hash: string; reached: boolean | null; fields: { field: string }[] } | null
}
type Report = { status: string; recordings: Recording[] }

function counts(recording: Recording): Record<string, string> {
  return Object.fromEntries(
    Object.entries(recording.kinds).map(([kind, { exact, total, refused }]) => [
      kind,
      `${exact}/${total - refused}`,
    ]),
  )
}

async function replayJson(...folders: string[]): Promise<{ status: number; report: Report }> {
  const { status, stdout } = await run(['--json', ...folders.map((folder) => datasets + folder)])
  return { status, report: JSON.parse(stdout) as Report }
}

async function run(args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const written = { stdout: '', stderr: '' }
  const status = await replayCommand({
    args,
    stdout: {
      write(text) {
        written.stdout += text
      },
    },
    stderr: {
      write(text) {
        written.stderr += text
      },
    },
  })
  return { status, ...written }
}

async function save(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(work, name)
  await writeFile(path, content)
  return path
}

function swapRow(block: string, header = true): string {
  const columns = 'block,type,amount0,amount1,sqrtPriceX96,liquidity,tick\n'
  return `${header ? columns : ''}${block},SWAP,1,-1,79228162514264337593543950336,5,0\n`
}

/** Runs random operations and writes their logs as lines of NDJSON. */
function recordV3(seed: number, feePips: number, tickSpacing: number): string[] {
  let state = createClmmPool({ feePips, tickSpacing })
  const rows: string[] = []
  for (const operation of randomV3Sequence({ seed, length: 400, tickSpacing })) {
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
