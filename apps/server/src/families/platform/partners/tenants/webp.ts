import type { Picture } from './picture.ts'

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

interface Size {
  readonly width: number
  readonly height: number
}

/** Flags of the extended header: a still image needs only transparency. */
const alphaFlag = 0x10
const animationFlag = 0x02

/**
 * Repacks a still WebP: only the image and its transparency remain. Profiles, EXIF, XMP and unknown
 * chunks are dropped. The compressed image data stays unchanged; only its header is read for the
 * size.
 *
 * @returns the image, or the error as text
 * @see RFC 9649 §2; RFC 6386 §9.1 for the head of a lossy picture
 */
export function packWebpAnew(bytes: Buffer, pixels: number): Picture | string {
  const chunks = chunksOf(bytes)
  if (typeof chunks === 'string') return chunks
  const picture = chunks.filter(({ type }) => type === 'VP8 ' || type === 'VP8L')
  const extended = chunks.find(({ type }) => type === 'VP8X')
  const isMoving = chunks.some(({ type }) => type === 'ANIM' || type === 'ANMF')
  if (isMoving || ((extended?.data[0] ?? 0) & animationFlag) !== 0) return 'must not be animated'
  const [first] = picture
  if (!first || picture.length > 1) return 'must hold exactly one image'
  if (!extended && (chunks.length > 1 || chunks[0] !== first))
    return 'must hold one image and no other chunk'
  if (extended && chunks[0] !== extended) return 'must start with its extended header'
  const size = first.type === 'VP8L' ? losslessSize(first.data) : lossySize(first.data)
  if (!size) return 'must hold an image with a readable header'
  const { width, height } = size
  if (width > pixels || height > pixels) {
    return `must have at most ${pixels} pixels a side, got ${width} × ${height}`
  }
  const canvas = extended ? canvasOf(extended.data) : size
  if (!canvas || canvas.width !== width || canvas.height !== height) {
    return 'must have the size in its header'
  }
  const alpha = first.type === 'VP8 ' ? chunks.find(({ type }) => type === 'ALPH') : undefined
  const written = alpha ? [headerFor(size), alpha, first] : [first]
  return { mediaType: 'image/webp', width, height, bytes: container(written) }
}

function chunksOf(bytes: Buffer): Chunk[] | string {
  const name = (at: number) => bytes.toString('latin1', at, at + 4)
  if (bytes.length < 20 || name(0) !== 'RIFF' || name(8) !== 'WEBP')
    return 'must start with a WebP header'
  if (bytes.readUInt32LE(4) !== bytes.length - 8) return 'must have the length in its header'
  const chunks: Chunk[] = []
  for (let at = 12; at < bytes.length; ) {
    if (at + 8 > bytes.length) return 'must not be truncated'
    const length = bytes.readUInt32LE(at + 4)
    if (length > bytes.length - at - 8) return 'must not be truncated'
    chunks.push({ type: name(at), data: bytes.subarray(at + 8, at + 8 + length) })
    at += 8 + length + (length % 2)
  }
  return chunks
}

/** 14 bits each of width and height after a signature, minus one. */
function losslessSize(data: Buffer): Size | null {
  if (data.length < 5 || data[0] !== 0x2f) return null
  const bits = data.readUInt32LE(1)
  if (bits >>> 29 !== 0) return null
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

/** A key frame with its start code, then width and height of 14 bits each. */
function lossySize(data: Buffer): Size | null {
  if (data.length < 10 || ((data[0] ?? 1) & 1) !== 0) return null
  if (data[3] !== 0x9d || data[4] !== 0x01 || data[5] !== 0x2a) return null
  const size = { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
  return size.width > 0 && size.height > 0 ? size : null
}

function canvasOf(data: Buffer): Size | null {
  if (data.length !== 10) return null
  return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }
}

function headerFor({ width, height }: Size): Chunk {
  const data = Buffer.alloc(10)
  data[0] = alphaFlag
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return { type: 'VP8X', data }
}

function container(chunks: readonly Chunk[]): Buffer {
  const body = Buffer.concat(
    chunks.map(({ type, data }) => {
      const head = Buffer.alloc(8)
      head.write(type, 'latin1')
      head.writeUInt32LE(data.length, 4)
      return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
    }),
  )
  const head = Buffer.alloc(12)
  head.write('RIFF', 'latin1')
  head.writeUInt32LE(body.length + 4, 4)
  head.write('WEBP', 8, 'latin1')
  return Buffer.concat([head, body])
}
