import { type ChartSpec, columnsOf, decimalOf, layout, type Scene } from '@liquidity-os/drawing'
import { type Pair, type Payload, quoteWords, slippageWords } from './words.ts'

/** Width of the passport page. */
const pageWidth = 380
/** From here on, a size cannot be filled. */
const unfilled = 1_000_000

/** Slippage by trade size on both sides. A size that cannot be filled has no point. */
export function depthChart({ usableDepthByTradeSize: sizes }: Payload, pair: Pair): ChartSpec {
  const percent = (pips: number) => (pips >= unfilled ? null : decimalOf(`${pips}`, 4))
  const missing = sizes.flatMap(({ tradeSizeQuote, buySlippagePips, sellSlippagePips }) => [
    ...(buySlippagePips >= unfilled ? [`buying ${quoteWords(tradeSizeQuote, pair)}`] : []),
    ...(sellSlippagePips >= unfilled ? [`selling ${quoteWords(tradeSizeQuote, pair)}`] : []),
  ])
  const texts = sizes.map(
    ({ tradeSizeQuote, buySlippagePips, sellSlippagePips }) =>
      `${quoteWords(tradeSizeQuote, pair)}: buying ${slippageWords(buySlippagePips)}, selling ${slippageWords(sellSlippagePips)}`,
  )
  const line = { mark: 'line', role: 'observed', x: 'size' } as const
  return {
    id: 'passport-depth',
    kind: 'xy',
    title: 'Slippage by trade size, fees included',
    summary: `Slippage by size in quote tokens. ${texts.join('; ')}.`,
    x: { label: 'Trade size', unit: 'quote tokens', scale: 'log' },
    y: { label: 'Slippage', unit: '%', scale: 'linear', zero: true },
    table: {
      columns: columnsOf({
        size: ['Trade size', 'quote tokens'],
        buy: ['Buying', '%'],
        sell: ['Selling', '%'],
      }),
      rows: sizes.map(({ tradeSizeQuote, buySlippagePips, sellSlippagePips }) => [
        decimalOf(tradeSizeQuote, pair.quoteDecimals),
        ...[percent(buySlippagePips), percent(sellSlippagePips)],
      ]),
    },
    series: [
      { ...line, id: 'buy', label: 'Buying', y: ['buy'] },
      { ...line, id: 'sell', label: 'Selling', y: ['sell'] },
    ],
    notes: missing.length > 0 ? [`Cannot be filled, or costs 100 %: ${missing.join(', ')}.`] : [],
    empty: 'No size can be filled.',
  }
}

/** The chart as the page and the document of a passport show it. */
export const depthPicture = (payload: Payload, pair: Pair): Scene =>
  layout(depthChart(payload, pair), pageWidth)
