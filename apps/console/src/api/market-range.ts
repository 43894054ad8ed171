/** Ranges of the charts of a market, as the URL names them. */
export const ranges = [
  { key: '24h', label: '24 h', days: 1 },
  { key: '7d', label: '7 d', days: 7 },
  { key: '30d', label: '30 d', days: 30 },
  { key: 'all', label: 'All', days: null },
] as const
export type Range = (typeof ranges)[number]

/** The range of a URL; the last 24 hours if it names none. */
export const rangeOf = (key: string | undefined): Range =>
  ranges.find((range) => range.key === key) ?? ranges[0]

/** Depth bands of the depth chart, in millionths of the price, from the widest. */
export const depthBands = [100_000, 50_000, 20_000, 10_000] as const
