import { crc32 } from 'node:zlib'

/** Three bytes per pixel, row by row. */
export interface RgbImage {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

const signature = [137, 80, 78, 71, 13, 10, 26, 10]
const storedBlock = 65_535

/**
 * An image as PNG without compression, so that its bytes depend on no library.
 *
 * @see RFC 2083, RFC 1950, RFC 1951 §3.2.4
 */
export function encodePng({ width, height, pixels }: RgbImage): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits per channel, three channels; the only defined compression and filter; not
  // interlaced.
  header.set([8, 2, 0, 0, 0], 8)
  const row = 3 * width
  const raw = Buffer.alloc(height * (row + 1))
  for (let y = 0; y < height; y += 1) {
    raw.set(pixels.subarray(y * row, (y + 1) * row), y * (row + 1) + 1)
  }
  return Buffer.concat([
    Buffer.from(signature),
    chunk('IHDR', header),
    chunk('IDAT', stored(raw)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** A zlib stream with stored (uncompressed) blocks. */
function stored(raw: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.of(0x78, 0x01)]
  for (let from = 0; from < raw.length; from += storedBlock) {
    const part = raw.subarray(from, from + storedBlock)
    const head = Buffer.alloc(5)
    head[0] = from + storedBlock >= raw.length ? 1 : 0
    head.writeUInt16LE(part.length, 1)
    head.writeUInt16LE(~part.length & 0xffff, 3)
    parts.push(head, part)
  }
  let [a, b] = [1, 0]
  for (const byte of raw) {
    a = (a + byte) % 65_521
    b = (b + a) % 65_521
  }
  const adler = Buffer.alloc(4)
  adler.writeUInt32BE(b * 65_536 + a)
  return Buffer.concat([...parts, adler])
}
