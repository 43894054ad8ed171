// @module-tag long

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { randomStream } from '@liquidity-os/engine/random'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { replayCommand } from './command.ts'

const datasets = fileURLToPath(new URL('../../../../../datasets/', import.meta.url))
const FOLDERS = [
  'v3-ens-weth-from-init',
  'v3-wbtc-weth-2023-04',
  'cl-weth-op-2024',
  'v3-usdc-weth-2024-01-05',
  'v3-swap-vectors',
  'v2-mainnet-swaps',
  'onchain-quotes',
]
/** Lines of a table that are kept: what goes wrong in one goes wrong in few. */
const ROWS = 12

let work = ''
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'hostile-'))
})
afterAll(async () => rm(work, { recursive: true }))

test.each(FOLDERS)(
  'no change of one place in %s ends in anything but a status and a message',
  async (name) => {
    const files = await readFolder(name)
    const random = randomStream(7)
    const seen = new Map<number, number>()
    for (let round = 0; round < 60; round++) {
      const folder = join(work, `${name}-${round}`)
      await mkdir(folder)
      const hit = random.below(files.length)
      for (const [index, { file, text }] of files.entries()) {
        const content = index === hit ? mutate(text, file, random) : text
        await writeFile(join(folder, file), content)
      }
      const { status, stderr } = await run([folder])
      expect([0, 1, 2]).toContain(status)
      if (status === 2) expect(stderr).toMatch(/^liquidity replay: .*expected .*, found /)
      seen.set(status, (seen.get(status) ?? 0) + 1)
    }
    // Most changes are noticed; some touch what is not read.
    expect((seen.get(1) ?? 0) + (seen.get(2) ?? 0)).toBeGreaterThan(10)
  },
)

interface FileText {
  readonly file: string
  readonly text: string
}

/** The files of a recording, decompressed and cut to a few rows. */
async function readFolder(name: string): Promise<FileText[]> {
  const files: FileText[] = []
  for (const file of (await readdir(join(datasets, name))).sort()) {
    if (!/\.(csv|json|ndjson)(\.gz)?$/.test(file) || /minute|sandwich|arbitrages/.test(file))
      continue
    const bytes = await readFile(join(datasets, name, file))
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
    const isTable = file.includes('.csv')
    const shortened = isTable ? text.split('\n').slice(0, ROWS).join('\n') : text
    files.push({ file: file.replace(/\.gz$/, ''), text: shortened })
  }
  return files
}

const VALUES = [
  '',
  '0',
  '-1',
  '1.5',
  '1e18',
  '0x',
  '0XFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF',
  `${1n << 260n}`,
  `-${1n << 255n}`,
  '99999999999999999999',
  '887272',
  '-887273',
  'null',
  '"',
  'ü',
  'NaN',
]

function mutate(text: string, file: string, random: ReturnType<typeof randomStream>): string {
  const choice = random.below(12)
  const at = random.below(text.length + 1)
  if (choice === 0) return text.slice(0, at)
  if (choice === 1) return text.slice(0, at) + text.slice(at + 1 + random.below(20))
  if (choice === 2) return `\uFEFF${text.replaceAll('\n', '\r\n')}`
  return file.endsWith('.csv') ? mutateTable(text, random) : mutateJson(text, random)
}

function mutateTable(text: string, random: ReturnType<typeof randomStream>): string {
  const lines = text.split('\n')
  const value = VALUES[random.below(VALUES.length)]!
  const line = random.below(lines.length)
  const cells = lines[line]!.split(',')
  const cell = random.below(cells.length)
  const choice = random.below(5)
  if (choice === 0) cells.splice(cell, 1)
  else if (choice === 1) cells.splice(cell, 0, value)
  else cells[cell] = value
  lines[line] = cells.join(',')
  return lines.join('\n')
}

/** Replaces one number of the document, as a number or as text, or renames one field. */
function mutateJson(text: string, random: ReturnType<typeof randomStream>): string {
  const places = [...text.matchAll(/"?-?[0-9]+"?(?=\s*[,}\]])/g)]
  const names = [...text.matchAll(/"[a-zA-Z0-9_]+"(?=\s*:)/g)]
  const value = VALUES[random.below(VALUES.length)]!
  const rename = random.below(3) === 0
  const list = rename ? names : places
  const place = list[random.below(Math.min(list.length, 200))]
  if (place === undefined) return text
  const shown = rename
    ? '"renamed"'
    : random.below(2) === 0
      ? JSON.stringify(value)
      : value || 'null'
  return text.slice(0, place.index) + shown + text.slice(place.index + place[0].length)
}

async function run(args: string[]): Promise<{ status: number; stderr: string }> {
  let stderr = ''
  const silent = { write: () => undefined }
  const status = await replayCommand({
    args,
    stdout: silent,
    stderr: {
      write(text) {
        stderr += text
      },
    },
  })
  return { status, stderr }
}
