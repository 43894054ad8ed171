import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { datasets, type Report, run, workFolder } from './testing/recordings.ts'

const { save, remove } = workFolder()
afterAll(remove)

test.each([
  ['protocolFees', { protocolFees: { token0: '0', token1: '7' } }, 'protocolFees1'],
  ['a list of positions that is empty', { positions: [] }, 'positions['],
  ['the fee', { fee: 500 }, 'feePips'],
  ['a tick that is not there', { ticks: [] }, 'initialized ticks'],
  [
    'a position’s liquidity',
    {
      positions: [
        {
          owner: '0xC36442b4a4522E871399CD717aBDD847Ab11FE88',
          liquidity: '1',
          tickLower: 49800,
          tickUpper: 64020,
        },
      ],
    },
    '.liquidity',
  ],
])('an end state is compared in %s when it names it', async (_what, named, field) => {
  const folder = `${datasets}v3-ens-weth-from-init`
  const end = save('named-end.json', JSON.stringify({ ...(await reachedPrice(folder)), ...named }))
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

test('a forged amount gives status 1 and its line', async () => {
  const source = await readFile(`${datasets}v3-ens-weth-from-init/events.csv`, 'utf8')
  const forged = source.replace(',226019397190954581334,', ',226019397190954581335,')
  expect(forged).not.toBe(source)
  const events = save('forged.csv', forged)
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
  'with the requested amount on record, a forged %s is named as such',
  async (column, slot, by) => {
    const source = await readFile(`${datasets}v3-ens-weth-from-init/events.csv`, 'utf8')
    const lines = source.split('\n')
    const cells = lines[40]!.split(',')
    cells[slot] = `${BigInt(cells[slot]!.trim()) + by}`
    lines[40] = cells.join(',')
    const events = save(`forged-${column}-${by}.csv`, lines.join('\n'))
    const pool = `${datasets}v3-ens-weth-from-init/pool.json`
    const { status, stdout } = await run(['--json', '--pool', pool, '--events', events])
    expect(status).toBe(1)
    const [recording] = (JSON.parse(stdout) as Report).recordings
    expect(recording!.firstDifference).toMatchObject({ line: 41 })
    expect(recording!.firstDifference!.fields.map(({ field }) => field)).toEqual([column])
  },
)

test.each([
  ['sqrtPriceX96', 10n ** 15n],
  ['amount0', 1n],
  ['amount1', 1n],
  ['liquidity', 1n],
  ['tick', 1n],
])('without the requested amount, the next swap reveals a forged %s', async (column, by) => {
  const folder = `${datasets}v3-wbtc-weth-2023-04`
  const lines = (await readFile(`${folder}/events.csv`, 'utf8')).split('\n').slice(0, 160)
  const slot = lines[0]!.trim().split(',').indexOf(column)
  const at = lines.findIndex((line, index) => index >= 100 && /swap/i.test(line))
  const cells = lines[at]!.split(',')
  const value = BigInt(cells[slot]!)
  cells[slot] = `${value < 0n ? value - by : value + by}`
  lines[at] = cells.join(',')
  const events = save(`wbtc-${column}-${by}.csv`, lines.join('\n'))
  const terms = ['--fee', '3000', '--tick-spacing', '60']
  const state = `${folder}/state_before.json`
  const { stdout } = await run(['--json', '--state', state, '--events', events, ...terms])
  const [recording] = (JSON.parse(stdout) as Report).recordings
  expect(recording!.firstDifference).toMatchObject({ line: at + 1 })
  expect(recording!.firstDifference!.fields.map(({ field }) => field)).toEqual([column])
})

test('a price that is a little wrong reads as a limit: the next swap differs, and both are named', async () => {
  const folder = `${datasets}v3-wbtc-weth-2023-04`
  const lines = (await readFile(`${folder}/events.csv`, 'utf8')).split('\n').slice(0, 160)
  const slot = lines[0]!.trim().split(',').indexOf('sqrtPriceX96')
  const swaps = lines.flatMap((line, index) => (/swap/i.test(line) ? [index] : []))
  const at = swaps.find((index) => index >= 100)!
  const next = swaps[swaps.indexOf(at) + 1]!
  const cells = lines[at]!.split(',')
  cells[slot] = `${BigInt(cells[slot]!) + 1n}`
  lines[at] = cells.join(',')
  const events = save('wbtc-limit.csv', lines.join('\n'))
  const start = ['--state', `${folder}/state_before.json`, '--fee', '3000', '--tick-spacing', '60']
  const { stdout, status } = await run(['--json', '--events', events, ...start])
  expect(status).toBe(1)
  const { firstDifference } = (JSON.parse(stdout) as Report).recordings[0]!
  expect(firstDifference).toMatchObject({ line: next + 1, ambiguousWith: { line: at + 1 } })
  expect(firstDifference!.ambiguousWith!.fields).toMatchObject([{ field: 'sqrtPriceX96' }])
  const text = (await run(['--events', events, ...start])).stdout
  expect(text).toMatch(/ambiguous +alternative: Swap event/)
})

test('a forged amount in logs without a state is found too', async () => {
  const source = gunzipSync(await readFile(`${datasets}v3-usdc-weth-2024-01-05/raw_logs.csv.gz`))
  const lines = source.toString('utf8').split('\n').slice(0, 60)
  const amount = '6a143dee'
  const forged = lines.join('\n').replace(amount, '6a143def')
  const events = save('raw.csv', forged)
  const { status, stdout } = await run(['--events', events, '--fee', '500'])
  expect(stdout).toContain('1 different')
  expect(status).toBe(1)
})

test('a recording that disagrees with its end state gives status 1', async () => {
  const end = await readFile(`${datasets}cl-weth-op-2024/end_state.json`, 'utf8')
  const folder = `${datasets}cl-weth-op-2024`
  const forged = save('end.json', end.replace('"tick": 73304', '"tick": 73305'))
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
