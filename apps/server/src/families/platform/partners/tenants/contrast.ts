import { power } from '@liquidity-os/engine/numerics'

/**
 * Page backgrounds behind an accent color: white, and the darkest one of the console and shared
 * pages.
 */
const white = '#ffffff'
export const darkPage = '#121212'

/** Minimum contrast of non-text elements, times 100. @see WCAG 2.2, 1.4.11 */
export const minContrastX100 = 300

export interface Contrast {
  readonly onWhiteX100: number
  readonly onDarkX100: number
}

/** Contrast of a color on a white and on a dark page, times 100, rounded down. */
export function contrastOf(color: string): Contrast {
  return { onWhiteX100: ratioX100(color, white), onDarkX100: ratioX100(color, darkPage) }
}

/** (L₁ + 0.05) / (L₂ + 0.05) of the lighter over the darker. @see WCAG 2.2, contrast ratio */
function ratioX100(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return Math.floor(((lighter + 0.05) / (darker + 0.05)) * 100 + tolerance)
}

/** A ratio of exactly 3 must not become 2.99 by the last bit of a float. */
const tolerance = 1e-9

/** 0.2126·R + 0.7152·G + 0.0722·B of the linear parts of sRGB. @see WCAG 2.2, relative luminance */
function luminanceOf(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => linearOf(color.slice(at, at + 2)))
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

function linearOf(hex: string): number {
  const part = Number.parseInt(hex, 16) / 255
  return part <= 0.04045 ? part / 12.92 : power((part + 0.055) / 1.055, 2.4)
}
