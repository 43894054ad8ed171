import { simulatedMark } from '@liquidity-os/contract/test-networks'
import { ink, type Picture, pictureToSvg, textAt } from '@liquidity-os/drawing'
import { drawBitmapText } from './bitmap-text.ts'
import { encodePng } from './png.ts'

export const variants = ['current', 'expired', 'revoked', 'stale'] as const
export type Variant = (typeof variants)[number]

const look: Readonly<Record<Variant, { fill: string; words: string }>> = {
  current: { fill: '#1c7c4a', words: 'CURRENT' },
  expired: { fill: '#8a5a00', words: 'EXPIRED' },
  revoked: { fill: '#a3260f', words: 'REVOKED' },
  stale: { fill: '#6b5b00', words: 'STALE' },
}

/** A badge is embedded in other pages, so the simulation mark replaces the first word. */
const kindWords = (isSimulated: boolean) => `${isSimulated ? simulatedMark : 'LIQUIDITY'} PASSPORT`

const [width, height, divide] = [236, 28, 150]

export function badgeSvg(slug: string, variant: Variant, isSimulated: boolean): string {
  const { fill, words } = look[variant]
  const white = { color: '#ffffff', isBold: true, size: 11 } as const
  const picture: Picture = {
    id: `passport-badge-${variant}`,
    title: `Liquidity passport ${slug}: ${words}${isSimulated ? `, ${simulatedMark}` : ''}`,
    description: `The liquidity passport ${slug} is ${variant}.${isSimulated ? ' Its market is simulated.' : ''}`,
    width,
    height,
    shapes: [
      { kind: 'rect', x: 0, y: 0, width, height, fill: ink.text },
      { kind: 'rect', x: divide, y: 0, width: width - divide, height, fill },
      textAt(divide / 2, 18, kindWords(isSimulated), { ...white, anchor: 'middle' }),
      textAt((divide + width) / 2, 18, words, { ...white, anchor: 'middle' }),
    ],
  }
  return pictureToSvg(picture)
}

/**
 * PNG badge at double resolution. It uses built-in glyphs, so that installed fonts cannot change
 * the bytes.
 */
export function badgePng(variant: Variant, isSimulated: boolean): Uint8Array {
  const { fill, words } = look[variant]
  const scale = 2
  const image = { width: width * scale, height: height * scale, pixels: new Uint8Array(0) }
  image.pixels = new Uint8Array(image.width * image.height * 3)
  const [left, right] = [rgbOf(ink.text), rgbOf(fill)]
  for (let y = 0; y < image.height; y += 1) {
    for (let x = 0; x < image.width; x += 1) {
      image.pixels.set(x < divide * scale ? left : right, 3 * (y * image.width + x))
    }
  }
  const text = { scale, y: 21 }
  drawBitmapText(image, kindWords(isSimulated), { ...text, middle: (divide * scale) / 2 })
  drawBitmapText(image, words, { ...text, middle: ((divide + width) * scale) / 2 })
  return encodePng(image)
}

function rgbOf(color: string): [number, number, number] {
  const part = (from: number) => Number.parseInt(color.slice(from, from + 2), 16)
  return [part(1), part(3), part(5)]
}
