import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ReplayInputError } from '@liquidity-os/engine/replay'
import { required } from '../../required.ts'

/** Reports how much of a file has been read, between 0 and 1. */
export type OnProgress = (share: number) => void

/**
 * Returns the lines of a text file in batches. Decompresses a `.gz` file. Memory use does not
 * depend on the file length.
 *
 * @throws ReplayInputError if the file cannot be read or decompressed
 */
export async function* readLineBatches(
  path: string,
  onProgress: OnProgress,
): AsyncGenerator<string[]> {
  try {
    yield* splitLines(await open(path, onProgress), path)
  } catch (error) {
    if (error instanceof ReplayInputError) throw error
    throw new ReplayInputError({
      file: path,
      expected: path.endsWith('.gz') ? 'a readable gzip file' : 'a readable text file',
      found: error instanceof Error ? error.message : String(error),
    })
  }
}

async function open(path: string, onProgress: OnProgress): Promise<Readable> {
  const { size } = await stat(path)
  const file = createReadStream(path, { highWaterMark: 1 << 18 })
  let read = 0
  file.on('data', (chunk) => {
    read += chunk.length
    onProgress(size === 0 ? 1 : read / size)
  })
  if (!path.endsWith('.gz')) return file
  const gunzip = createGunzip({ chunkSize: 1 << 18 })
  // A pipe does not pass errors on; without this a missing disk block would hang the reader.
  file.on('error', (error) => gunzip.destroy(error))
  return file.pipe(gunzip)
}

const otherEncoding = {
  expected: 'UTF-8 text',
  found: 'another encoding, such as Windows-1252',
}

async function* splitLines(source: Readable, file: string): AsyncGenerator<string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  let lineNumber = 0
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined })
    } catch {
      const text = rest + new TextDecoder().decode(bytes)
      const index = text.split('\n').findIndex((line) => line.includes('\ufffd'))
      const line = lineNumber + 1 + Math.max(0, index)
      throw new ReplayInputError({ file, line, ...otherEncoding })
    }
  }
  let isFirst = true
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    if (isFirst) refuseEncoding(chunk, file)
    isFirst = false
    const lines = (rest + decode(chunk)).split('\n')
    rest = required(lines.pop(), 'line of a chunk')
    lineNumber += lines.length
    if (lines.length > 0) yield lines.map(withoutReturn)
  }
  rest += decode()
  if (rest !== '') yield [withoutReturn(rest)]
}

/** @throws ReplayInputError for another encoding, by the first bytes of the file */
function refuseEncoding(bytes: Uint8Array, file: string): void {
  const [first = 0, second = 0] = bytes
  const hasUtf16Mark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  const isGzip = first === 0x1f && second === 0x8b
  const found =
    hasUtf16Mark || (!isGzip && bytes.subarray(0, 1024).includes(0))
      ? 'UTF-16 text'
      : isGzip
        ? 'gzip data; name the file *.gz'
        : null
  if (found !== null) throw new ReplayInputError({ file, expected: 'UTF-8 text', found })
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

/**
 * Cells of one CSV line (RFC 4180). A quoted cell may contain commas and doubled quotes, but no
 * line end.
 */
export function splitCsv(line: string): string[] {
  if (!line.includes('"')) return line.split(',')
  const cells: string[] = []
  for (const [, quoted, plain] of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    cells.push(quoted === undefined ? required(plain, 'cell') : quoted.replaceAll('""', '"'))
  }
  return cells
}
