import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { isHash, parseStrict } from '@liquidity-os/evidence'
import type { CosignedHead, Memory } from './witness.ts'

/**
 * The witness state file is corrupt. The witness cosigns no head rather than start from empty
 * state.
 */
export class MemoryError extends Error {}

/**
 * Heads that a witness has cosigned. The file is replaced atomically, so a crash leaves the old or
 * the new version.
 *
 * @throws MemoryError if the file is corrupt or foreign
 */
export function openMemory(file: string): Memory {
  const heads = new Map(Object.entries(existsSync(file) ? readHeads(file) : {}))
  return {
    read: (origin) => heads.get(origin) ?? null,
    keep: (origin, head) => {
      replaceFile(file, `${JSON.stringify({ ...Object.fromEntries(heads), [origin]: head })}\n`)
      heads.set(origin, head)
    },
  }
}

function readHeads(file: string): Record<string, CosignedHead> {
  try {
    const heads = parseStrict(readFileSync(file, 'utf8')) as Record<string, CosignedHead>
    for (const { size, root } of Object.values(heads)) {
      if (!Number.isSafeInteger(size) || size < 0 || !isHash(root))
        throw new Error('Not a checkpoint.')
    }
    return heads
  } catch (cause) {
    throw new MemoryError(`${file} is not a witness state file.`, { cause })
  }
}

function replaceFile(file: string, text: string): void {
  const next = `${file}.next`
  const written = openSync(next, 'w', 0o600)
  writeSync(written, text)
  fsyncSync(written)
  closeSync(written)
  renameSync(next, file)
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}
