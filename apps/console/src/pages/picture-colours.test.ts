import { type ChartSpec, darkTheme, layout, pictureToSvg } from '@liquidity-os/drawing'
import { expect, it } from 'vitest'
import { darkened } from './picture-colours.ts'

it('changes paints alone: no word, no place and no other attribute', () => {
  const svg = '<text x="1" fill="#1a1a1a">#1a1a1a</text><rect fill="none" stroke="#0072b2"/>'
  expect(darkened(svg)).toBe(
    '<text x="1" fill="#e8ecf1">#1a1a1a</text><rect fill="none" stroke="#579ee9"/>',
  )
})

it('gives a chart the colors of the dark theme', () => {
  const spec = {
    id: 'share',
    kind: 'bars',
    title: 'Share',
    summary: 'Share of each venue.',
    x: { label: '', unit: '', scale: 'band' },
    y: { label: 'Share', unit: '%', scale: 'linear' },
    table: {
      columns: ['venue', 'share'].map((key) => ({ key, label: key, unit: '' })),
      rows: [['Uniswap v3', '60']],
    },
    series: [
      { id: 'share', label: 'Share', mark: 'bar', role: 'observed', x: 'venue', y: ['share'] },
    ],
  } satisfies ChartSpec
  expect(darkened(pictureToSvg(layout(spec, 360)))).toBe(pictureToSvg(layout(spec, 360, darkTheme)))
})

it('keeps the order of shades, turned about: the lightest is the darkest', () => {
  const shades = ['#e3edf5', '#9dc0dc', '#4a84b3', '#174672']
  const dark = shades.map((shade) => /#[0-9a-f]{6}/.exec(darkened(`fill="${shade}"`))?.[0] ?? '')
  const light = dark.map((colour) => Number.parseInt(colour.slice(1), 16) & 0xffff)
  expect(light).toEqual([...light].sort((a, b) => a - b))
  expect(new Set(dark).size).toBe(4)
})
