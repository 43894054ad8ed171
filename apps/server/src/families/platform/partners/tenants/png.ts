import { promisify } from 'node:util'
import { crc32, deflate, inflate } from 'node:zlib'
import type { Picture } from './picture.ts'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/**
 * Chunks that define the visible image. Times, texts, profiles, animations and all others are
 * dropped.
 */
const keptChunks: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
/** Samples per pixel by color type, with the permitted bit depths. */
const colours: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
}
/** Encoders write a few dozen chunks; thousands of empty ones only cost time. */
const maxChunks = 1024
/**
 * Bytes of a transparent color by color type (§11.3.1.1); a palette has up to one byte per color.
 */
const transparencyBytes: Readonly<Record<number, number>> = { 0: 2, 2: 6 }
/**
 * First column and row per pass of an interlaced image, and the steps between its columns and rows.
 */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

interface Header {
  readonly width: number
  readonly height: number
  readonly bits: number
  readonly colour: number
  readonly isInterlaced: boolean
}

/**
 * Re-encodes a PNG. Chunks are validated, and the pixel data must inflate to exactly the size of
 * the image. Only these chunks are written, so equal images give equal bytes and hidden data is
 * dropped.
 *
 * @param bytes original file
 * @param pixels maximum width and height
 * @returns the image, or the error as text
 * @see W3C PNG, third edition, §5, §7.2, §9 and §11
 */
export async function encodePngAnew(bytes: Buffer, pixels: number): Promise<Picture | string> {
  const chunks = chunksOf(bytes)
  if (typeof chunks === 'string') return chunks
  const header = headerOf(chunks[0])
  if (typeof header === 'string') return header
  const { width, height } = header
  if (width > pixels || height > pixels) {
    return `must have at most ${pixels} pixels a side, got ${width} × ${height}`
  }
  const order = faultOfOrder(chunks, header)
  if (order !== null) return order
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data))
  const expected = lengthOf(header)
  const lines = await inflated(packed, expected)
  if (lines === null) return 'must hold pixel rows that can be inflated'
  if (lines.length !== expected) {
    return `must hold ${expected} bytes of pixel rows, got ${lines.length}`
  }
  if (!hasKnownFilters(lines, header)) return 'must have row filters from 0 to 4'
  const again = await promisify(deflate)(lines, { level: 9 })
  const rest = chunks.filter(({ type }) => type === 'PLTE' || type === 'tRNS')
  const written = [chunks[0]!, ...rest, { type: 'IDAT', data: again }, { type: 'IEND', data: none }]
  return {
    mediaType: 'image/png',
    width,
    height,
    bytes: Buffer.concat([signature, ...written.map(encoded)]),
  }
}

const none = Buffer.alloc(0)

function chunksOf(bytes: Buffer): Chunk[] | string {
  if (!bytes.subarray(0, 8).equals(signature)) return 'must start with the PNG signature'
  const chunks: Chunk[] = []
  let count = 0
  for (let at = 8; at < bytes.length; ) {
    if (at + 12 > bytes.length) return 'must not be truncated'
    const length = bytes.readUInt32BE(at)
    if (length > bytes.length - at - 12) return 'must not be truncated'
    const type = bytes.toString('latin1', at + 4, at + 8)
    const data = bytes.subarray(at + 8, at + 8 + length)
    if (crc32(bytes.subarray(at + 4, at + 8 + length)) !== bytes.readUInt32BE(at + 8 + length)) {
      return `must have valid checksums; the checksum of ${JSON.stringify(type)} is not valid`
    }
    at += length + 12
    count += 1
    if (count > maxChunks) return `must have at most ${maxChunks} chunks`
    if (keptChunks.has(type)) chunks.push({ type, data })
    else if (!/^[a-z]/.test(type)) return `must not have the critical chunk ${JSON.stringify(type)}`
    if (type === 'IEND') {
      return at === bytes.length ? chunks : 'must end with IEND, without data after it'
    }
  }
  return 'must not be truncated'
}

function headerOf(first: Chunk | undefined): Header | string {
  if (first?.type !== 'IHDR' || first.data.length !== 13) return 'must start with the IHDR header'
  const { data } = first
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)]
  const [bits = 0, colour = 0, compression, filter, interlace] = data.subarray(8)
  if (width === 0 || height === 0) return 'must have at least one pixel'
  if (!colours[colour]?.depths.includes(bits)) {
    return `must have a standard color type and bit depth, got ${colour} and ${bits}`
  }
  if (compression !== 0 || filter !== 0 || interlace === undefined || interlace > 1) {
    return 'must have the standard compression, filter and interlace methods'
  }
  return { width, height, bits, colour, isInterlaced: interlace === 1 }
}

function faultOfOrder(chunks: readonly Chunk[], { colour }: Header): string | null {
  const types = chunks.map(({ type }) => type)
  const count = (type: string) => types.filter((one) => one === type).length
  if (count('IHDR') !== 1 || count('PLTE') > 1 || count('tRNS') > 1 || count('IDAT') === 0) {
    return 'must have one header, image data, and at most one palette'
  }
  const palette = chunks.find(({ type }) => type === 'PLTE')
  const isFirst = types.indexOf('PLTE') < types.indexOf('IDAT')
  if (colour === 3 && (!palette || !isFirst)) return 'must have its palette before its image data'
  if (palette && (palette.data.length % 3 !== 0 || palette.data.length > 768)) {
    return 'must have a palette of at most 256 colors'
  }
  if (types.indexOf('tRNS') > types.indexOf('IDAT'))
    return 'must have its transparency (tRNS) before its image data'
  return faultOfTransparency(chunks, colour)
}

/** A chunk of unexpected length could carry hidden data into the output. */
function faultOfTransparency(chunks: readonly Chunk[], colour: number): string | null {
  const transparency = chunks.find(({ type }) => type === 'tRNS')
  if (!transparency) return null
  const { length } = transparency.data
  const palette = chunks.find(({ type }) => type === 'PLTE')
  const isRight =
    colour === 3 ? length <= (palette?.data.length ?? 0) / 3 : length === transparencyBytes[colour]
  return isRight
    ? null
    : `must have transparency data that fits its color type, got ${length} bytes`
}

/** Bytes of a line without its filter. */
const lineBytes = (width: number, { bits, colour }: Header): number =>
  Math.ceil((width * bits * (colours[colour]?.samples ?? 0)) / 8)

/** Widths and heights of the passes; passes without pixels have no lines. */
function partsOf({ width, height, isInterlaced }: Header): { width: number; height: number }[] {
  if (!isInterlaced) return [{ width, height }]
  return passes
    .map(([column, row, columns, rows]) => ({
      width: Math.ceil(Math.max(0, width - column) / columns),
      height: Math.ceil(Math.max(0, height - row) / rows),
    }))
    .filter((part) => part.width > 0 && part.height > 0)
}

const lengthOf = (header: Header): number =>
  partsOf(header).reduce((sum, part) => sum + part.height * (1 + lineBytes(part.width, header)), 0)

function hasKnownFilters(lines: Buffer, header: Header): boolean {
  let at = 0
  for (const part of partsOf(header)) {
    for (let row = 0; row < part.height; row += 1) {
      if ((lines[at] ?? 5) > 4) return false
      at += 1 + lineBytes(part.width, header)
    }
  }
  return true
}

/** Limits the output to one byte more than expected, so a decompression bomb cannot inflate. */
async function inflated(packed: Buffer, expected: number): Promise<Buffer | null> {
  try {
    return await promisify(inflate)(packed, { maxOutputLength: expected + 1 })
  } catch {
    return null
  }
}

function encoded({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
