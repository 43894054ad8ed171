import { isDeepStrictEqual } from 'node:util'
import { contract } from '@liquidity-os/contract'
import {
  amountColors,
  chartBox,
  type Drawing,
  drawing,
  emptyNote,
  frameOf,
  ink,
  isNarrow,
  lineBetween,
  numberAxis,
  type Paper,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { quoteWords, unitsOf } from './units.ts'

type Study = contract.TreasuryStressStudy

const height = 286

/** Histogram of simulated losses, with the tail and its mean. */
export function drawLosses(study: Study, paper: Paper): Drawing {
  const box = chartBox({ x: 66, y: 46, height: 190 }, 40, paper)
  const { monteCarlo } = study
  const drawn = shownLosses(study)
  const about = {
    id: 'stress-losses',
    title: 'Simulated losses',
    description: monteCarlo
      ? `Mark-to-market losses of ${monteCarlo.paths} paths over ${study.request.horizonDays ?? 30} days, without sales. The dark area is beyond the quantile; the line is its mean.${countedWords(study)}`
      : 'No simulated paths.',
  }
  const table = {
    columns: ['from, atoms', 'paths'],
    rows: monteCarlo ? binsOf(study).map(({ from, count }) => [Math.round(from), count]) : [],
  }
  if (!drawn) {
    return drawing(about, table, { height, shapes: [emptyNote(box, 'No simulated paths.')] }, paper)
  }
  const scale = 10 ** (study.quoteDecimals ?? 0)
  const bins = binsOf(study)
  const shortfall = unitsOf(study, drawn.expectedShortfallQuote)
  const quantile = quantileOf(study)
  const x = numberAxis(
    [...bins.flatMap(({ from, to }) => [from / scale, to / scale]), 0, shortfall],
    [box.x, box.x + box.width],
    {
      title: `loss after ${study.request.horizonDays ?? 30} days, ${quoteWords(study)}; negative is a gain`,
      count: isNarrow(paper) ? 3 : 7,
    },
  )
  const y = numberAxis([0, ...bins.map(({ count }) => count)], [box.y + box.height, box.y], {
    title: 'paths',
  })
  const shapes: Shape[] = frameOf(box, x, y)
  for (const { from, to, count } of bins) {
    const [begin, end] = [x.scale.at(from / scale), x.scale.at(to / scale)]
    const isTail = quantile !== null && from / scale >= quantile
    shapes.push({
      kind: 'rect',
      x: begin,
      width: Math.max(end - begin - 0.6, 0.4),
      y: y.scale.at(count),
      height: y.scale.at(0) - y.scale.at(count),
      fill: isTail ? amountColors.loss : '#9db8c9',
    })
  }
  const at = x.scale.at(shortfall)
  const percent = (study.request.confidencePips ?? contract.stressConfidencePips) / 10_000
  shapes.push(
    lineBetween(
      { x: at, y: box.y - 6 },
      { x: at, y: box.y + box.height },
      { color: ink.text, width: 1.3, dash: [5, 3] },
    ),
    textAt(Math.min(at, box.x + box.width - 6), box.y - 12, `mean beyond ${percent} %`, {
      size: 10.5,
      anchor: 'end',
      isBold: true,
    }),
  )
  return drawing(about, table, { height, shapes }, paper)
}

/** Losses of controlled holdings. Older studies contain the losses of all holdings only. */
const shownLosses = ({ monteCarlo }: Study) => monteCarlo?.controlled ?? monteCarlo

const countedWords = ({ monteCarlo }: Study) =>
  monteCarlo?.controlled &&
  !isDeepStrictEqual(monteCarlo.controlled.histogram, monteCarlo.histogram)
    ? ' Only proven and attested holdings count.'
    : ''

/** The stored quantile at the confidence level, if reported. */
function quantileOf(study: Study): number | null {
  const { request } = study
  const drawn = shownLosses(study)
  const names = { 900000: 'p90', 950000: 'p95', 975000: 'p975', 990000: 'p99' } as const
  const name =
    names[(request.confidencePips ?? contract.stressConfidencePips) as keyof typeof names]
  return drawn && name ? unitsOf(study, drawn.quantiles[name]) : null
}

function binsOf(study: Study): { from: number; to: number; count: number }[] {
  const drawn = shownLosses(study)
  if (!drawn) return []
  const { fromQuote, toQuote, counts } = drawn.histogram
  const [low, high] = [Number(fromQuote), Number(toQuote)]
  const step = (high - low) / counts.length
  return counts.map((count, index) => ({
    from: low + index * step,
    to: low + (index + 1) * step,
    count,
  }))
}
