import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { contrastOf } from './contrast.ts'
import { readLogo } from './logo.ts'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

interface Shape {
  width: number
  height: number
  bits?: number
  colour?: number
  interlace?: number
}

function header({ width, height, bits = 8, colour = 6, interlace = 0 }: Shape): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width)
  data.writeUInt32BE(height, 4)
  data.set([bits, colour, 0, 0, interlace], 8)
  return chunk('IHDR', data)
}

const end = chunk('IEND', Buffer.alloc(0))
const lines = (bytes: Buffer) => chunk('IDAT', deflateSync(bytes))
const png = (...chunks: Buffer[]) => Buffer.concat([signature, ...chunks])
/** Two pixels by two of four samples: two lines, each after its filter. */
const square = Buffer.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 9, 8, 7, 6, 5, 4, 3, 2])
const small = png(header({ width: 2, height: 2 }), lines(square), end)

const read = (bytes: Buffer, mediaType: 'image/png' | 'image/webp' = 'image/png') =>
  readLogo({ mediaType, base64: bytes.toString('base64') })

describe('a PNG', () => {
  it('comes out with its pixels, and without what else its file carried', async () => {
    const laden = png(
      header({ width: 2, height: 2 }),
      chunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>')),
      chunk('eXIf', Buffer.from('GPS 52.5 13.4')),
      lines(square),
      end,
    )
    const [plain, stripped] = [await read(small), await read(laden)]
    if (typeof plain === 'string' || typeof stripped === 'string') throw new Error('Refused.')
    expect(stripped.bytes.equals(plain.bytes)).toBe(true)
    expect(stripped.bytes.includes('script')).toBe(false)
    expect(stripped).toMatchObject({ mediaType: 'image/png', width: 2, height: 2 })
    const at = stripped.bytes.indexOf('IDAT')
    const packed = stripped.bytes.subarray(at + 4, at + 4 + stripped.bytes.readUInt32BE(at - 4))
    expect(inflateSync(packed).equals(square)).toBe(true)
  })

  it('returns the same bytes after encoding and reading again', async () => {
    const once = await read(small)
    if (typeof once === 'string') throw new Error(once)
    expect(await read(once.bytes)).toEqual(once)
  })

  it('of a palette and interlaced is taken by the lines of its passes', async () => {
    const palette = chunk('PLTE', Buffer.from([0, 0, 0, 255, 255, 255]))
    // One bit a pixel, 3 × 3 interlaced: the passes have 1, 0, 0, 1, 1, 2 and 1 lines of one byte and a filter each.
    const passes = Buffer.alloc(2 * 6)
    const shape = { width: 3, height: 3, bits: 1, colour: 3, interlace: 1 }
    expect(await read(png(header(shape), palette, lines(passes), end))).toMatchObject({ width: 3 })
    expect(await read(png(header(shape), palette, lines(Buffer.alloc(11)), end))).toMatch(
      /12 bytes/,
    )
  })

  it('keeps transparency of the length that its colour type has, and nothing longer', async () => {
    const palette = chunk('PLTE', Buffer.from([0, 0, 0, 255, 255, 255]))
    const shape = { width: 8, height: 1, bits: 1, colour: 3 }
    const clear = (bytes: number) =>
      read(
        png(
          header(shape),
          palette,
          chunk('tRNS', Buffer.alloc(bytes, '<')),
          lines(Buffer.alloc(2)),
          end,
        ),
      )
    expect(await clear(2)).toMatchObject({ width: 8 })
    expect(await clear(24_000)).toMatch(/transparency data that fits its color type/)
    const grey = { width: 8, height: 1, bits: 8, colour: 0 }
    const hidden = png(header(grey), chunk('tRNS', Buffer.alloc(3)), lines(Buffer.alloc(9)), end)
    expect(await read(hidden)).toMatch(/transparency/)
    const opaque = png(
      header({ width: 2, height: 2 }),
      chunk('tRNS', Buffer.alloc(2)),
      lines(square),
      end,
    )
    expect(await read(opaque)).toMatch(/transparency/)
  })

  it('of thousands of chunks is refused', async () => {
    const empty = Array.from({ length: 2000 }, () => chunk('IDAT', Buffer.alloc(0)))
    expect(await read(png(header({ width: 2, height: 2 }), ...empty, lines(square), end))).toMatch(
      /at most 1024 chunks/,
    )
  })

  const cut = Buffer.from(small.subarray(0, small.length - 13))
  const flipped = Buffer.from(small)
  flipped[20] = 9
  it.each<[string, Buffer, RegExp]>([
    ['nothing of one', Buffer.from('<svg onload="alert(1)"/>'), /start with the PNG/],
    ['one that is cut', cut, /truncated|length in its header/],
    ['one with a changed byte', flipped, /checksums/],
    ['one with a file after it', Buffer.concat([small, Buffer.from('PK\x03\x04')]), /after it/],
    [
      'one wider than it may be',
      png(header({ width: 1025, height: 1 }), lines(square), end),
      /1024/,
    ],
    [
      'one with too few lines',
      png(header({ width: 2, height: 3 }), lines(square), end),
      /27 bytes/,
    ],
    [
      'one that inflates to far more',
      png(header({ width: 2, height: 2 }), lines(Buffer.alloc(50_000_000)), end),
      /inflated/,
    ],
    [
      'one of an unknown colour',
      png(header({ width: 2, height: 2, colour: 5 }), lines(square), end),
      /standard color type/,
    ],
    [
      'one with an unknown filter',
      png(header({ width: 2, height: 2 }), lines(Buffer.from([9, ...square.subarray(1)])), end),
      /filters/,
    ],
    [
      'one with an unknown critical chunk',
      png(header({ width: 2, height: 2 }), chunk('EVIL', square), lines(square), end),
      /critical chunk "EVIL"/,
    ],
    [
      'one without its palette',
      png(header({ width: 2, height: 2, colour: 3 }), lines(square), end),
      /palette/,
    ],
  ])('refuses %s', async (_, bytes, fault) => {
    expect(await read(bytes)).toMatch(fault)
  })

  it('is refused where it is larger than it may be, or no base64', async () => {
    expect(await read(Buffer.alloc(256 * 1024 + 1))).toMatch(/262144/)
    expect(await readLogo({ mediaType: 'image/png', base64: 'AB' })).toMatch(/padding/)
  })
})

describe('a WebP', () => {
  const part = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8)
    head.write(type, 'latin1')
    head.writeUInt32LE(data.length, 4)
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
  }
  const riff = (...parts: Buffer[]) => {
    const body = Buffer.concat([Buffer.from('WEBP'), ...parts])
    const head = Buffer.alloc(8)
    head.write('RIFF')
    head.writeUInt32LE(body.length, 4)
    return Buffer.concat([head, body])
  }
  /** A lossless picture of 3 × 5: the signature, and 14 bits of each side less by one. */
  const lossless = Buffer.from([0x2f, 2, 0, 1, 0, 0x77, 0x77])
  const lossy = Buffer.from([0x10, 0, 0, 0x9d, 0x01, 0x2a, 3, 0, 5, 0, 0x11])
  const extended = (flags: number, width = 3, height = 5) => {
    const data = Buffer.alloc(10)
    data[0] = flags
    data.writeUIntLE(width - 1, 4, 3)
    data.writeUIntLE(height - 1, 7, 3)
    return part('VP8X', data)
  }

  it('comes out with its picture and transparency alone', async () => {
    const plain = await read(riff(part('VP8L', lossless)), 'image/webp')
    const laden = riff(
      extended(0x2c),
      part('ICCP', Buffer.from('profile')),
      part('VP8L', lossless),
      part('EXIF', Buffer.from('GPS!')),
    )
    expect(await read(laden, 'image/webp')).toEqual(plain)
    expect(plain).toMatchObject({ mediaType: 'image/webp', width: 3, height: 5 })
    const clear = riff(extended(0x10), part('ALPH', Buffer.from([0, 1])), part('VP8 ', lossy))
    const again = await read(clear, 'image/webp')
    if (typeof again === 'string') throw new Error(again)
    expect(again.bytes.equals(clear)).toBe(true)
  })

  it.each<[string, Buffer, RegExp]>([
    ['nothing of one', small, /start with a WebP/],
    [
      'one that moves',
      riff(extended(0x02), part('ANIM', Buffer.alloc(6)), part('VP8L', lossless)),
      /animated/,
    ],
    ['one that is cut', riff(part('VP8L', lossless)).subarray(0, 22), /length in its header/],
    ['one whose header says another size', riff(extended(0, 9, 9), part('VP8L', lossless)), /size/],
    ['one without a picture', riff(extended(0), part('EXIF', Buffer.alloc(8))), /one image/],
    ['one whose head is not that of a picture', riff(part('VP8L', Buffer.alloc(8))), /head/],
  ])('refuses %s', async (_, bytes, fault) => {
    expect(await read(bytes, 'image/webp')).toMatch(fault)
  })
})

describe('contrast', () => {
  it.each([
    ['#000000', 2100, 112],
    ['#ffffff', 100, 1873],
    ['#767676', 454, 412],
    ['#949494', 303, 617],
  ])('of %s on white and on the dark page', (color, onWhiteX100, onDarkX100) => {
    expect(contrastOf(color)).toEqual({ onWhiteX100, onDarkX100 })
  })
})
