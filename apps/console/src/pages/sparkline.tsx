import { decimalOf } from '@liquidity-os/drawing/numbers'
import { Missing } from '../fields/exact.tsx'
import { shortFigure } from '../fields/figures.ts'

const width = 80
const height = 28
const inset = 2

type Point = readonly [at: number, priceX36: string | null]

/** Lines of a price over time, in SVG coordinates. A missing price breaks the line. */
export function sparkLines(points: readonly Point[], decimals: number): string[] {
  const values = points.map(([at, price]) => ({
    at,
    value: price === null ? null : Number(decimalOf(price, decimals)),
  }))
  const known = values.flatMap(({ value }) => value ?? [])
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const [from, to] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0]
  const x = (at: number) => inset + ((width - 2 * inset) * (at - from)) / Math.max(1, to - from)
  const y = (value: number) =>
    high === low ? height / 2 : inset + ((height - 2 * inset) * (high - value)) / (high - low)
  const runs: string[][] = [[]]
  for (const { at, value } of values) {
    if (value === null) runs.push([])
    else runs.at(-1)!.push(`${x(at).toFixed(1)},${y(value).toFixed(1)}`)
  }
  return runs.flatMap((run) => (run.length > 0 ? [run.join(' ')] : []))
}

/** Prices of 7 days as a small line, with first and last price as its text. */
export function Sparkline({
  points,
  decimals,
  unit,
}: {
  points: readonly Point[]
  decimals: number
  unit: string
}) {
  const known = points.flatMap(([, price]) => price ?? [])
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined)
    return <Missing reason="No price in the last 7 days." />
  const [from, to] = [first, last].map((price) => shortFigure(BigInt(price), decimals))
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`Price of the last 7 days: ${from} to ${to} ${unit}`}
    >
      {sparkLines(points, decimals).map((line) =>
        line.includes(' ') ? (
          <polyline
            key={line}
            points={line}
            fill="none"
            stroke="var(--accent)"
            strokeWidth="1.5"
            strokeLinejoin="round"
          />
        ) : (
          <circle
            key={line}
            cx={line.split(',')[0]}
            cy={line.split(',')[1]}
            r="2"
            fill="var(--accent)"
          />
        ),
      )}
    </svg>
  )
}
