import { type MarkForm, markForms, type Shape } from '../picture.ts'
import type { ChartTone } from './spec.ts'

/** Colors of a chart. */
export interface Theme {
  readonly paper: string
  readonly ink: string
  readonly faint: string
  readonly grid: string
  readonly axis: string
  /** Lines of a hatched area. */
  readonly hatch: string
  readonly gain: string
  readonly loss: string
  readonly net: string
  readonly series: readonly string[]
  readonly tones: Readonly<Record<ChartTone, { readonly edge: string; readonly tint: string }>>
}

/** People with any color vision tell the series apart; every color has a contrast of 3 on its paper. */
export const lightTheme: Theme = {
  paper: '#ffffff',
  ink: '#151a21',
  faint: '#48525f',
  grid: '#d8dde4',
  axis: '#7d8796',
  hatch: '#b8c0cb',
  gain: '#0072b2',
  loss: '#d55e00',
  net: '#48525f',
  series: ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#1a1a1a', '#4b0082'],
  tones: {
    neutral: { edge: '#5f6a78', tint: '#eceff3' },
    accent: { edge: '#0b62a8', tint: '#e1eef9' },
    good: { edge: '#006b4f', tint: '#e2f3ec' },
    warn: { edge: '#7a4d00', tint: '#fdf0d5' },
    bad: { edge: '#b3261e', tint: '#fbe7e5' },
    hold: { edge: '#574a7e', tint: '#eeebf6' },
  },
}

export const darkTheme: Theme = {
  paper: '#151a21',
  ink: '#e8ecf1',
  faint: '#b4bdc9',
  grid: '#2d3540',
  axis: '#6f7a89',
  hatch: '#48525f',
  gain: '#579ee9',
  loss: '#f17a36',
  net: '#b4bdc9',
  series: ['#579ee9', '#f17a36', '#5ee0a7', '#d59ab5', '#e8ecf1', '#7358df'],
  tones: {
    neutral: { edge: '#929dab', tint: '#0a0d12' },
    accent: { edge: '#6fb3f2', tint: '#10253a' },
    good: { edge: '#5ecfa3', tint: '#10291f' },
    warn: { edge: '#e8b455', tint: '#2f2410' },
    bad: { edge: '#ff8f85', tint: '#361a18' },
    hold: { edge: '#b9abe6', tint: '#241f36' },
  },
}

const colorsOf = ({ series, tones, ...inks }: Theme): string[] => [
  ...Object.values(inks),
  ...series,
  ...Object.values(tones).flatMap(({ edge, tint }) => [edge, tint]),
]

/** Each color of a light chart with its color in the dark, for charts that are already drawn. */
export const darkColors: Readonly<Record<string, string>> = Object.fromEntries(
  colorsOf(lightTheme).map((color, index) => [color, colorsOf(darkTheme)[index] ?? color]),
)

/** A series is told from others by its color, its dashes and its mark. */
export interface Style {
  readonly color: string
  readonly dash: readonly number[]
  readonly mark: MarkForm
}

const dashes = [[], [7, 3], [2, 2], [9, 3, 2, 3], [4, 2], [12, 3]] as const

/** Style of the series at an index; after six colors the marks still differ. @param dash index among solid and dashed lines */
export function styleAt({ series }: Theme, index: number, dash: number): Style {
  // Each list has an element at a remainder of its length.
  return {
    color: series[index % series.length]!,
    dash: dashes[dash % dashes.length]!,
    mark: markForms[(index + Math.floor(index / series.length)) % (markForms.length - 1)]!,
  }
}

export type Rect = Omit<Extract<Shape, { kind: 'rect' }>, 'kind' | 'fill' | 'stroke'>
