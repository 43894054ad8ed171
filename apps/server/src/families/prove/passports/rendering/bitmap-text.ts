import type { RgbImage } from './png.ts'

/**
 * Capital letters on a 5 × 7 grid: one number per row, with the leftmost pixel in the highest of
 * five bits.
 */
const glyphs: Readonly<Record<string, readonly number[]>> = {
  A: [14, 17, 17, 31, 17, 17, 17],
  C: [14, 17, 16, 16, 16, 17, 14],
  D: [30, 17, 17, 17, 17, 17, 30],
  E: [31, 16, 16, 30, 16, 16, 31],
  I: [14, 4, 4, 4, 4, 4, 14],
  K: [17, 18, 20, 24, 20, 18, 17],
  L: [16, 16, 16, 16, 16, 16, 31],
  M: [17, 27, 21, 21, 17, 17, 17],
  N: [17, 25, 21, 19, 17, 17, 17],
  O: [14, 17, 17, 17, 17, 17, 14],
  P: [30, 17, 17, 30, 16, 16, 16],
  Q: [14, 17, 17, 17, 21, 18, 13],
  R: [30, 17, 17, 30, 20, 18, 17],
  S: [15, 16, 16, 14, 1, 1, 30],
  T: [31, 4, 4, 4, 4, 4, 4],
  U: [17, 17, 17, 17, 17, 17, 14],
  V: [17, 17, 17, 17, 17, 10, 4],
  X: [17, 17, 10, 4, 10, 17, 17],
  Y: [17, 17, 10, 4, 4, 4, 4],
  ' ': [0, 0, 0, 0, 0, 0, 0],
}
const [glyphWidth, advance] = [5, 6]

/**
 * Writes white capitals into an image.
 *
 * @throws RangeError for a letter that is not among the glyphs
 */
export function drawBitmapText(
  image: RgbImage,
  text: string,
  { scale, middle, y }: { scale: number; middle: number; y: number },
): void {
  const left = Math.round(middle - ((text.length * advance - 1) * scale) / 2)
  for (const [index, letter] of [...text].entries()) {
    const rows = glyphs[letter]
    if (!rows) throw new RangeError(`The font has no glyph for ${letter}.`)
    for (const [row, bits] of rows.entries()) {
      for (let column = 0; column < glyphWidth; column += 1) {
        if (((bits >> (glyphWidth - 1 - column)) & 1) === 0) continue
        const x = left + (index * advance + column) * scale
        fillSquare(image, x, y + row * scale, scale)
      }
    }
  }
}

function fillSquare({ width, pixels }: RgbImage, x: number, y: number, size: number): void {
  for (let row = y; row < y + size; row += 1) {
    pixels.fill(255, 3 * (row * width + x), 3 * (row * width + x + size))
  }
}
