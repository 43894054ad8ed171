/** A curve, a set of points, or an area between two curves, by the place of its colour. */
export type Layer =
  | {
      readonly kind: 'line'
      readonly colour: Colour
      readonly points: readonly Point[]
      readonly dashed?: boolean
    }
  | { readonly kind: 'points'; readonly colour: Colour; readonly points: readonly Point[] }
  | { readonly kind: 'area'; readonly colour: Colour; readonly points: readonly Span[] }
  | {
      readonly kind: 'bars'
      readonly colour: Colour
      readonly points: readonly Point[]
      readonly width: number
    }
  | {
      readonly kind: 'label'
      readonly colour: Colour
      readonly at: Point
      readonly text: string
      readonly anchor?: 'start' | 'middle' | 'end'
    }

/** Okabe and Ito's colours, which people with any kind of colour vision can tell apart. */
export type Colour = 'blue' | 'orange' | 'green' | 'purple' | 'red' | 'sky' | 'grey'

export type Point = readonly [x: number, y: number]
export type Span = readonly [x: number, low: number, high: number]

export interface Chart {
  readonly title: string
  readonly description: string
  readonly x: Axis
  readonly y: Axis
  readonly layers: readonly Layer[]
  readonly legend: readonly (readonly [Colour, string])[]
}

interface Axis {
  readonly label: string
  readonly from: number
  readonly to: number
  readonly ticks: readonly number[]
  readonly scale?: 'log'
  readonly print?: (value: number) => string
}

const width = 720
const height = 380
const box = { left: 76, right: 700, top: 64, bottom: 316 }
const round = (value: number) => Math.round(value * 10) / 10
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Draws a chart as SVG text; the same numbers give the same text. */
export function draw(chart: Chart): string {
  const x = place(chart.x, box.left, box.right)
  const y = place(chart.y, box.bottom, box.top)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc">
<title id="title">${escaped(chart.title)}</title>
<desc id="desc">${escaped(chart.description)}</desc>
<style>
.card { fill: #ffffff; stroke: #d0d7de } text { fill: #1f2328; font: 12px system-ui, sans-serif }
.head { font-weight: 600; font-size: 15px } .note { fill: #59636e } .grid { stroke: #d8dee4 } .axis { stroke: #8b949e }
.blue { --c: #0072b2 } .orange { --c: #b87a00 } .green { --c: #007a5a } .purple { --c: #a3447f } .red { --c: #c04b00 } .sky { --c: #2b7fb0 } .grey { --c: #57606a }
.line { stroke: var(--c); fill: none; stroke-width: 2 } .dot { fill: var(--c) } .area { fill: var(--c); fill-opacity: 0.18 } .bar { fill: var(--c); fill-opacity: 0.75 } .word { fill: var(--c) }
@media (prefers-color-scheme: dark) {
.card { fill: #0d1117; stroke: #30363d } text { fill: #e6edf3 } .note { fill: #9198a1 } .grid { stroke: #21262d }
.blue { --c: #56b4e9 } .orange { --c: #e69f00 } .green { --c: #2bc793 } .purple { --c: #e29bc6 } .red { --c: #ff8c4a } .sky { --c: #9ad0f0 } .grey { --c: #9198a1 }
}
</style>
<rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
<text class="head" x="24" y="30">${escaped(chart.title)}</text>
${legend(chart.legend)}
${axes(chart, x, y)}
${chart.layers.map((layer) => drawLayer(layer, x, y)).join('\n')}
</svg>
`
}

type Scale = (value: number) => number

function place({ from, to, scale }: Axis, start: number, end: number): Scale {
  const map = scale === 'log' ? Math.log : (value: number) => value
  const [low, high] = [map(from), map(to)]
  return (value) => round(start + ((map(value) - low) / (high - low)) * (end - start))
}

function legend(entries: Chart['legend']): string {
  let at = 24
  return entries
    .map(([colour, text]) => {
      const entry = `<rect class="bar ${colour}" x="${at}" y="41" width="12" height="12"/><text class="note" x="${at + 17}" y="51">${escaped(text)}</text>`
      at += 34 + Math.round(text.length * 6.4)
      return entry
    })
    .join('')
}

function axes(chart: Chart, x: Scale, y: Scale): string {
  const lines = chart.y.ticks.map((value) => {
    const at = y(value)
    const text = (chart.y.print ?? String)(value)
    return `<line class="grid" x1="${box.left}" x2="${box.right}" y1="${at}" y2="${at}"/><text class="note" x="${box.left - 8}" y="${at + 4}" text-anchor="end">${escaped(text)}</text>`
  })
  const marks = chart.x.ticks.map((value) => {
    const text = (chart.x.print ?? String)(value)
    return `<text class="note" x="${x(value)}" y="${box.bottom + 18}" text-anchor="middle">${escaped(text)}</text>`
  })
  const middle = (box.top + box.bottom) / 2
  return [
    ...lines,
    `<line class="axis" x1="${box.left}" x2="${box.right}" y1="${box.bottom}" y2="${box.bottom}"/>`,
    ...marks,
    `<text class="note" x="${(box.left + box.right) / 2}" y="${box.bottom + 42}" text-anchor="middle">${escaped(chart.x.label)}</text>`,
    `<text class="note" x="20" y="${middle}" text-anchor="middle" transform="rotate(-90 20 ${middle})">${escaped(chart.y.label)}</text>`,
  ].join('\n')
}

function drawLayer(layer: Layer, x: Scale, y: Scale): string {
  const { colour } = layer
  switch (layer.kind) {
    case 'line': {
      const path = layer.points.map(([px, py]) => `${x(px)},${y(py)}`).join(' ')
      const dash = layer.dashed === true ? ' stroke-dasharray="6 4"' : ''
      return `<polyline class="line ${colour}"${dash} points="${path}"/>`
    }
    case 'points':
      return layer.points
        .map(([px, py]) => `<circle class="dot ${colour}" cx="${x(px)}" cy="${y(py)}" r="4"/>`)
        .join('')
    case 'area': {
      const there = layer.points.map(([px, , high]) => `${x(px)},${y(high)}`)
      const back = layer.points.toReversed().map(([px, low]) => `${x(px)},${y(low)}`)
      return `<polygon class="area ${colour}" points="${[...there, ...back].join(' ')}"/>`
    }
    case 'bars':
      return layer.points
        .map(([px, py]) => {
          const [left, right] = [x(px - layer.width / 2), x(px + layer.width / 2)]
          const [top, bottom] = [y(py), y(0)]
          return `<rect class="bar ${colour}" x="${left}" y="${top}" width="${round(right - left)}" height="${round(bottom - top)}"/>`
        })
        .join('')
    case 'label':
      return `<text class="word ${colour}" x="${x(layer.at[0])}" y="${y(layer.at[1])}" text-anchor="${layer.anchor ?? 'start'}">${escaped(layer.text)}</text>`
  }
}
