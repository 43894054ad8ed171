import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** The release of PGlite whose fresh data directory is shipped. */
export const imageRelease = '0.5.16'
export const imageFile = new URL(`../../../image/pglite-${imageRelease}.tar.zst`, import.meta.url)

/**
 * Fills a new data directory from the bundled image in a fraction of the time of `initdb`, without
 * the template databases. The directory appears atomically, so a crash leaves no partial database.
 * Leaves a non-empty directory unchanged.
 */
export async function fillFreshDirectory(directory: string): Promise<void> {
  if (existsSync(directory) && readdirSync(directory).length > 0) return
  const { zstdDecompress } = await import('node:zlib')
  const tar = await promisify(zstdDecompress)(readFileSync(imageFile))
  const own = `${directory}.new`
  rmSync(own, { recursive: true, force: true })
  unpack(tar, own)
  if (existsSync(directory)) rmdirSync(directory)
  renameSync(own, directory)
}

const block = 512

/** Writes the directories and files of a tar archive as PGlite dumps it: plain names, no links. */
function unpack(tar: Buffer, directory: string): void {
  const made = new Set<string>()
  const make = (path: string) => {
    if (!made.has(path)) mkdirSync(path, { recursive: true, mode: 0o700 })
    made.add(path)
  }
  for (let at = 0; at + block <= tar.length; ) {
    const field = (from: number, to: number) =>
      tar.toString('latin1', at + from, at + to).replace(/\0.*$/s, '')
    const name = field(0, 100)
    // Two blocks of zeros end the archive.
    if (name === '') return
    const size = Number.parseInt(field(124, 136), 8)
    const path = join(directory, name)
    if (field(156, 157) === '5') make(path)
    else {
      make(dirname(path))
      writeSparse(path, tar.subarray(at + block, at + block + size))
    }
    at += block + Math.ceil(size / block) * block
  }
}

const zeros = Buffer.alloc(64 * 1024)

/**
 * Writes a file. Leaves trailing zeros, as in the log, as a hole, which takes neither time nor
 * space.
 */
function writeSparse(path: string, content: Buffer): void {
  const file = openSync(path, 'wx', 0o600)
  let end = content.length
  while (end > zeros.length && content.subarray(end - zeros.length, end).equals(zeros)) {
    end -= zeros.length
  }
  writeSync(file, content, 0, end)
  if (end < content.length) ftruncateSync(file, content.length)
  closeSync(file)
}
