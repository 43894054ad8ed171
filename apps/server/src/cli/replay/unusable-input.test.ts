import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { datasets, type Report, run, swapRow, workFolder } from './testing/recordings.ts'

const { path: work, save, remove } = workFolder()
afterAll(remove)

const SWAP = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'
const word = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, '0')

/** A Swap log as a node gives it. */
function log(index: number, members: object = {}) {
  const words = [5n, -4n, 1n << 96n, 7n, 0n]
  return {
    address: '0xAb',
    blockNumber: '0x1',
    logIndex: `0x${index.toString(16)}`,
    removed: false,
    topics: [SWAP, `0x${word(1n)}`, `0x${word(1n)}`],
    data: `0x${words.map(word).join('')}`,
    ...members,
  }
}

const events = swapRow('9').trimEnd().split('\n')
const pairs = 'reserve0Before,reserve1Before,amount0In,amount1In,amount0Out,amount1Out'
test.each([
  ['events', `${events[0]},Amount0\n${events[1]},1\n`, 'Amount0'],
  ['raw logs', 'block_number,topics,data,data\n1,[],0x,0x\n', 'data'],
  ['single swaps', `${pairs},amount0In\n1,1,1,1,1,1,1\n`, 'amount0In'],
])('a column that %s have twice is refused by name', async (_what, text, column) => {
  const { status, stderr } = await run(['--events', save('twice.csv', text), '--fee', '3000'])
  expect(status).toBe(2)
  expect(stderr).toContain(`line 1, column ${column}: expected each column once`)
})

test.each([
  [
    'a removed log',
    { removed: true },
    /line 2, column removed: expected a log that is not removed/,
  ],
  ['a log of another pool', { address: '0xcd' }, /line 2, column address: .*0xab, found 0xcd/],
])('raw logs with %s are refused', async (_what, members, message) => {
  const lines = [log(0), log(1, members)].map((line) => JSON.stringify(line)).join('\n')
  const { status, stderr } = await run(['--events', save('logs.ndjson', lines), '--fee', '3000'])
  expect(status).toBe(2)
  expect(stderr).toMatch(message)
})

test('the answer of eth_getLogs is read as the list it is', async () => {
  const folder = join(work, 'list')
  await mkdir(folder)
  await writeFile(join(folder, 'logs.json'), JSON.stringify([log(0), log(1)], null, 2))
  const { status, stdout } = await run(['--json', folder, '--fee', '3000'])
  const [recording] = (JSON.parse(stdout) as Report).recordings
  expect(recording!.kinds.swaps).toMatchObject({ total: 2, refused: 1 })
  expect(status).toBe(recording!.kinds.swaps!.different > 0 ? 1 : 0)
  const broken = await run(['--events', save('broken.json', '[{"a":1},'), '--fee', '3000'])
  expect(broken).toMatchObject({ status: 2 })
  expect(broken.stderr).toContain('expected a JSON list of objects')
})

test('a time that falls is refused', async () => {
  const header = 'block,timestamp,type,amount0,amount1,sqrtPriceX96,liquidity,tick'
  const row = (block: number, time: number) => `${block},${time},SWAP,1,-1,${1n << 96n},5,0`
  const file = save('time.csv', [header, row(1, 100), row(2, 100), row(3, 99)].join('\n'))
  const { status, stderr } = await run(['--events', file, '--fee', '3000'])
  expect(status).toBe(2)
  expect(stderr).toMatch(/line 4, column timestamp: .*at least 100, found 99/)
})

test('one unusable recording of a folder is reported, and the others are replayed', async () => {
  const folder = join(work, 'several')
  for (const name of ['a-bad', 'b-good', 'c-bad'])
    await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, 'a-bad', 'events.csv'), 'block,type\n1,SWAPPED\n')
  await writeFile(join(folder, 'b-good', 'events.csv'), swapRow('9'))
  await writeFile(join(folder, 'c-bad', 'broken.json'), '{"quotes":')
  const args = [folder, `${datasets}v3-ens-weth-from-init`, join(work, 'nowhere'), '--fee', '3000']
  const { status, stdout, stderr } = await run(['--json', ...args])
  expect(status).toBe(2)
  const report = JSON.parse(stdout) as Report & { unusable: { name: string; message: string }[] }
  expect(report.status).toBe('UNUSABLE')
  expect(report.recordings.map(({ name }) => name)).toEqual(['b-good', 'v3-ens-weth-from-init'])
  const names = report.unusable.map(({ name }) => name)
  expect(names.toSorted()).toEqual(['a-bad', 'c-bad/broken.json', join(work, 'nowhere')].toSorted())
  expect(stderr.trimEnd().split('\n')).toHaveLength(3)
  expect((await run(args)).stdout).toContain('63 of 63 exact')
})

const owner = `0x${'0'.repeat(38)}aa`
const mintHeader =
  'block,timestamp,type,sender,owner,amount0,amount1,tickLower,tickUpper,positionLiquidity'
const mintRow = (kind: string, time: number, ownerCell: string) =>
  `1,${time},${kind},${owner},${ownerCell},,,-60,60,1000000000000000000`
const poolFile = () =>
  save(
    'pool.json',
    `{"fee":3000,"tickSpacing":60,"initialSqrtPriceX96":"79228162514264337593543950336"}`,
  )

test.each(['NULL', 'NaN', 'None', '0xaa', '5'])(
  'an owner %s is refused by line and column',
  async (cell) => {
    const rows = [
      mintHeader,
      mintRow('MINT', 1_700_000_000, owner),
      mintRow('BURN', 1_700_000_012, cell),
    ]
    const events = save('owner.csv', rows.join('\n'))
    const { status, stderr } = await run(['--events', events, '--pool', poolFile()])
    expect(status).toBe(2)
    expect(stderr).toContain(`line 3, column owner: expected an address or an empty cell`)
    expect(stderr).toContain(`found "${cell}"`)
  },
)

test('an owner that is no address is refused in an object and as the sender', async () => {
  const row = { block: 1, type: 'MINT', tickLower: -60, tickUpper: 60, positionLiquidity: '5' }
  const line = JSON.stringify({ ...row, sender: 'NULL', amount0: '', amount1: '' })
  const events = save('owner.ndjson', line)
  const { status, stderr } = await run(['--events', events, '--pool', poolFile()])
  expect(status).toBe(2)
  expect(stderr).toContain('line 1, column sender: expected an address')
})

test.each([
  ['events', [mintHeader, mintRow('MINT', 1_700_000_000_000, owner)].join('\n'), 'timestamp'],
  ['raw logs', JSON.stringify(log(0, { blockTimestamp: 1_700_000_000_000 })), 'block_timestamp'],
])('times of %s in milliseconds are refused', async (_what, text, column) => {
  const events = save(`milliseconds.${text.startsWith('{') ? 'ndjson' : 'csv'}`, text)
  const { status, stderr } = await run(['--events', events, '--pool', poolFile()])
  expect(status).toBe(2)
  expect(stderr).toContain(
    `column ${column}: expected a time in seconds, found 1700000000000, a time in milliseconds`,
  )
})

test.each([
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'vertical bars'],
])('the delimiter %j is named', async (delimiter, name) => {
  const text = swapRow('9').replaceAll(',', delimiter)
  const { status, stderr } = await run(['--events', save('cells.csv', text), '--fee', '3000'])
  expect(status).toBe(2)
  expect(stderr).toContain(
    `line 1: expected columns separated by commas, found columns separated by ${name}`,
  )
})

test.each([
  ['UTF-16 text', Buffer.from(`\ufeff${swapRow('9')}`, 'utf16le')],
  ['UTF-16 text', Buffer.from(swapRow('9'), 'utf16le')],
  ['gzip data; name the file *.gz', gzipSync(swapRow('9'))],
])('a file with another encoding is refused: %s', async (found, bytes) => {
  const { status, stderr } = await run(['--events', save('text.csv', bytes), '--fee', '3000'])
  expect(status).toBe(2)
  expect(stderr).toContain(`expected UTF-8 text, found ${found}`)
})

test('bytes that are not UTF-8 are refused by line', async () => {
  const text = `${events[0]},note\n${events[1]},caf\u00e9\n`
  const file = save('latin.csv', Buffer.from(text, 'latin1'))
  const { status, stderr } = await run(['--events', file, '--fee', '3000'])
  expect(status).toBe(2)
  expect(stderr).toContain('line 2: expected UTF-8 text, found another encoding')
})
