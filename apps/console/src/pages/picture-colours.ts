import { darkColors } from '@liquidity-os/drawing/theme'

/** Dark-mode colors of charts. The hue of colors with a meaning is unchanged. */
const inTheDark: Readonly<Record<string, string>> = {
  ...darkColors,
  '#1a1a1a': '#e8ecf1',
  '#000000': '#e8ecf1',
  '#121212': '#e8ecf1',
  '#4d4d4d': '#b4bdc9',
  '#595959': '#b4bdc9',
  '#767676': '#929dab',
  '#e2e2e2': '#2d3540',
  '#0072b2': '#579ee9',
  '#d55e00': '#f17a36',
  '#009e73': '#5ee0a7',
  '#cc79a7': '#d59ab5',
  '#e69f00': '#e8b455',
}

/**
 * A chart for dark mode; only paint colors change. Unmapped colors, such as heat map steps, change
 * lightness but not hue. Their order remains visible.
 *
 * @param svg as served; paints are attributes of six hex digits
 */
export function darkened(svg: string): string {
  return svg.replaceAll(
    /\b(fill|stroke)="(#[0-9a-f]{6})"/g,
    (_, paint: string, colour: string) =>
      `${paint}="${inTheDark[colour] ?? invertLightness(colour)}"`,
  )
}

/** Inverts the lightness of a color, mapped to the range from dark paper to light ink. */
function invertLightness(colour: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
  const [max, min] = [Math.max(...parts), Math.min(...parts)]
  const light = (max + min) / 2
  const target = 0.93 - light * 0.83
  // Preserves the distance from gray where the new lightness permits it.
  const headroom = (some: number) => Math.min(some, 1 - some)
  const scale = headroom(light) === 0 ? 0 : Math.min(1, headroom(target) / headroom(light))
  return `#${parts.map((part) => hex(target + (part - light) * scale)).join('')}`
}

const hex = (part: number): string =>
  Math.round(Math.min(1, Math.max(0, part)) * 255)
    .toString(16)
    .padStart(2, '0')
