import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StableVariant } from './src/amm/stableswap/state.ts'
import type { StableParity } from './src/parity/recorded-stable.ts'

let hash: string | null = null

/**
 * Hash over the engine source of the running release: path and content of every non-test file,
 * sorted by path. Each result names it, so a reader can find the exact code behind a number. It
 * excludes the lists in `exports/`, which compute no values.
 */
export function engineBuildHash(): string {
  hash ??= hashSources(fileURLToPath(new URL('./src', import.meta.url)))
  return hash
}

function hashSources(folder: string): string {
  return hashFiles(
    folder,
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.ts$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
}

let marketHash: string | null = null

/**
 * Hash over the source of the market mathematics that a parity run executes: the pools, the
 * comparison and their imports. Other parts of the engine may change without an effect on pools.
 */
export function marketSourceHash(): string {
  marketHash ??= hashFiles(fileURLToPath(new URL('./src', import.meta.url)), marketSources())
  return marketHash
}

/** The files of the market mathematics: all imports of its public exports, resolved recursively. */
export function marketSources(): string[] {
  const lists = ['./exports/amm.ts', './exports/parity.ts']
  const entries = lists.map((list) => fileURLToPath(new URL(list, import.meta.url)))
  const found = new Set<string>()
  const visit = (file: string): void => {
    if (found.has(file)) return
    found.add(file)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/\bfrom '(\.[^']+)'/g)) {
      visit(resolve(dirname(file), path))
    }
  }
  for (const entry of entries) visit(entry)
  return [...found].filter((file) => !entries.includes(file))
}

function hashFiles(folder: string, paths: readonly string[]): string {
  const total = createHash('sha256')
  const files = paths
    .map((file) => ({ file, name: relative(folder, file).replaceAll('\\', '/') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const { file, name } of files) {
    total.update(`${name}\n${createHash('sha256').update(readFileSync(file)).digest('hex')}\n`)
  }
  return `0x${total.digest('hex')}`
}

/** The newest comparison of the engine with the genuine bytecode, as the parity run wrote it. */
export interface ParityRun {
  marketSourceHash: string
  sequences: number
  operations: number
  fields: number
  divergences: number
  firstSeed: number
  /** By build of StableSwap: how the engine compares with recorded answers; absent in older runs. */
  stableSwap?: Partial<Record<StableVariant, StableParity>>
}

/** @returns null if no run is stored */
export function lastParityRun(): ParityRun | null {
  try {
    return JSON.parse(readFileSync(new URL('./parity.json', import.meta.url), 'utf8')) as ParityRun
  } catch {
    return null
  }
}
