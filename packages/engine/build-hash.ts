import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StableVariant } from './src/amm/stableswap/state.ts'
import type { StableParity } from './src/parity/recorded-stable.ts'

let hash: string | null = null

/**
 * Hash over the engine's source as this release runs it: path and content of every file that is not a test,
 * in the order of their paths. A result names it, so that the very code behind a number can be found. The lists in
 * `exports/` compute nothing and are not of it: what else is offered changes no number.
 */
export function engineBuildHash(): string {
  hash ??= hashSources(fileURLToPath(new URL('./src', import.meta.url)))
  return hash
}

function hashSources(folder: string): string {
  const total = createHash('sha256')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file, name: relative(folder, file).replaceAll('\\', '/') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const { file, name } of files) {
    total.update(`${name}\n${createHash('sha256').update(readFileSync(file)).digest('hex')}\n`)
  }
  return `0x${total.digest('hex')}`
}

/** The newest comparison of the engine with the genuine bytecode, as the parity run wrote it. */
export interface ParityRun {
  engineBuildHash: string
  sequences: number
  operations: number
  fields: number
  divergences: number
  firstSeed: number
  /** By build of StableSwap: how the engine compares with recorded answers; absent in older runs. */
  stableSwap?: Partial<Record<StableVariant, StableParity>>
}

/** @returns null where no run has been kept */
export function lastParityRun(): ParityRun | null {
  try {
    return JSON.parse(readFileSync(new URL('./parity.json', import.meta.url), 'utf8')) as ParityRun
  } catch {
    return null
  }
}
