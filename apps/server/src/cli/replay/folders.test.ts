import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { datasets, type Report, run, workFolder } from './testing/recordings.ts'

const { path: work, remove } = workFolder()
afterAll(remove)

async function notesOf(folder: string) {
  const { status, stdout, stderr } = await run(['--json', folder])
  const { recordings } = JSON.parse(stdout) as Report
  return { status, stderr, recordings, notes: recordings.flatMap(({ notes }) => notes) }
}

test('a start is found under each of its names, and a file that nothing reads is named', async () => {
  const source = join(datasets, 'v3-wbtc-weth-2023-04')
  const hashes: (string | undefined)[] = []
  for (const name of ['state_before.json', 'start_state.json', 'state.json']) {
    const folder = join(work, name.replace('.json', ''))
    await mkdir(folder)
    await copyFile(join(source, 'events.csv'), join(folder, 'events.csv'))
    await copyFile(join(source, 'state_before.json'), join(folder, name))
    await writeFile(join(folder, 'SOURCE.md'), 'Where it is from.')
    await writeFile(join(folder, 'state_befor.json'), '{}')
    const { status, recordings, notes } = await notesOf(folder)
    expect([name, status]).toEqual([name, 0])
    expect(notes).toContain('unused files: state_befor.json')
    hashes.push(recordings[0]?.endState?.hash)
  }
  expect(new Set(hashes).size).toBe(1)
})

test('a state of an unknown market names the known markets, and other files continue', async () => {
  const folder = join(work, 'quotes')
  await mkdir(folder)
  const known = join(datasets, 'onchain-quotes/curve_3pool_24407242.json')
  await copyFile(known, join(folder, 'curve.json'))
  const document = JSON.parse(await readFile(known, 'utf8'))
  const other = { state: { spot: '1', depth: '2' }, quotes: [{ function: 'getPrice' }] }
  await writeFile(join(folder, 'other.json'), JSON.stringify(other))
  const { recordings, notes } = await notesOf(folder)
  expect(recordings.map(({ market }) => market)).toEqual(['STABLESWAP', 'UNKNOWN'])
  expect(recordings[0]?.kinds.quotes?.exact ?? 0).toBeGreaterThan(0)
  expect(document.quotes.length).toBeGreaterThan(0)
  expect(notes.join()).toMatch(
    /unknown market in the state; known: UNISWAP_V3.*UNISWAP_V2.*STABLESWAP/,
  )
})

test.each(['pool.json', 'state_before.json'])(
  'a recording with an unknown %s names the known kinds, and other recordings continue',
  async (name) => {
    const [other, sound] = [join(work, `moon-${name}`), join(datasets, 'v3-ens-weth-from-init')]
    await mkdir(other)
    await copyFile(join(sound, 'events.csv'), join(other, 'events.csv'))
    const terms = JSON.parse(await readFile(join(sound, 'pool.json'), 'utf8')) as object
    await writeFile(join(other, name), JSON.stringify({ ...terms, kind: 'MOONSWAP' }))
    const { status, stdout, stderr } = await run(['--json', other, sound])
    expect(status).not.toBe(0)
    expect(stderr).toContain(
      `${name}, column kind: expected one of UNISWAP_V2, UNISWAP_V3, STABLESWAP`,
    )
    const { recordings } = JSON.parse(stdout) as Report
    expect(recordings.map(({ kinds }) => kinds.swaps?.exact)).toEqual([63])
  },
)
