import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { counts, datasets, type Report, run, swapRow, workFolder } from './testing/recordings.ts'

const { path: work, save, remove } = workFolder()
afterAll(remove)

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
    save('reversed.csv', `${shuffled.join('\r\n')}\r\n`),
    save('events.ndjson.gz', gzipSync(objects.join('\n'))),
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
  const pool = save(
    'pool-hex.json',
    '\uFEFF{"fee":"0xBB8","tickSpacing":60,"initialSqrtPriceX96":2505290050365003892876723467}',
  )
  for (const [name, lines] of [
    ['hex.csv', hex],
    ['bare.ndjson', bare],
  ] as const) {
    const events = save(name, lines.join('\n'))
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
  const pool = save('terms.json', terms)
  const events = save('one.csv', swapRow('9'))
  const { status, stderr } = await run(['--pool', pool, '--events', events])
  expect(status).toBe(2)
  expect(stderr).toMatch(new RegExp(`terms\\.json, column ${column}: expected .*, found `))
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
    /line 3, column block: .*chain order/,
  ],
  [
    'events of two kinds of market',
    `${swapRow('9').replace('tick\n', 'tick,reserve0,reserve1\n')}9,SYNC,,,,,,5,6\n`,
    /line 3, column type: expected an event of the v3 pool/,
  ],
  [
    'too many cells',
    `${swapRow('9').trimEnd()},1\n`,
    /line 2, column 8: expected at most 7 cells.*"1"/,
  ],
  ['nothing', '', /an empty file/],
])('input with %s is refused with status 2', async (_what, text, message) => {
  const events = save('bad.csv', text)
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
  const truncated = save('cut.csv.gz', gzipSync('block,type\n').subarray(0, 12))
  expect((await run(['--events', truncated])).stderr).toContain('a readable gzip file')
})

async function replayJson(...folders: string[]): Promise<{ status: number; report: Report }> {
  const { status, stdout } = await run(['--json', ...folders.map((folder) => datasets + folder)])
  return { status, report: JSON.parse(stdout) as Report }
}
