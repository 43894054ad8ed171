import type { ChartSpec } from '@liquidity-os/drawing'
import { decimalOf } from '@liquidity-os/drawing/numbers'
import type { VenueLiquidity } from '../api/liquidity.ts'
import { priceDecimals, shortFigure } from '../fields/figures.ts'
import type { MarketChart } from './market-charts.ts'
import type { MarketTokens } from './market-figures.tsx'

/** Value behind each price step of a venue, with the own part. */
export function liquidityChart(
  { bins, priceX36 }: VenueLiquidity,
  { base, quote }: MarketTokens,
): MarketChart {
  const unit = `${quote.symbol} per ${base.symbol}`
  const decimals = priceDecimals(base, quote)
  const price = (atoms: string) => decimalOf(atoms, decimals)
  const value = (atoms: string) => decimalOf(atoms, quote.decimals)
  const sum = (side: string) =>
    bins
      .filter((bin) => bin.side === side)
      .reduce((total, { valueQuote }) => total + BigInt(valueQuote), 0n)
  const amount = (atoms: bigint) => `${shortFigure(atoms, quote.decimals)} ${quote.symbol}`
  const hasOwn = bins.some(({ ownValueQuote }) => ownValueQuote !== null)
  const columns = [
    { key: 'low', label: 'From', unit },
    { key: 'high', label: 'To', unit },
    { key: 'sell', label: 'Below the price (for sellers)', unit: quote.symbol },
    { key: 'buy', label: 'Above the price (for buyers)', unit: quote.symbol },
    ...(hasOwn ? [{ key: 'own', label: 'Own positions', unit: quote.symbol }] : []),
  ]
  const rows = bins.map((bin) => [
    price(bin.lowX36),
    price(bin.highX36),
    bin.side === 'SELL' ? value(bin.valueQuote) : null,
    bin.side === 'BUY' ? value(bin.valueQuote) : null,
    ...(hasOwn ? [bin.ownValueQuote === null ? null : value(bin.ownValueQuote)] : []),
  ])
  // A bin has a flat top: one drawn row at each of its edges.
  const drawn = rows.flatMap((row) => [
    [row[0] ?? null, ...row, '0'],
    [row[1] ?? null, ...row, '0'],
  ])
  const series: ChartSpec['series'] = [
    ...(['sell', 'buy'] as const).map((key) => ({
      id: key,
      label: columns.find((column) => column.key === key)!.label,
      mark: 'band' as const,
      role: 'observed' as const,
      x: 'price',
      y: ['zero', key],
    })),
    ...(hasOwn
      ? [
          {
            id: 'own',
            label: 'Own positions',
            mark: 'line' as const,
            role: 'observed' as const,
            x: 'price',
            y: ['own'],
          },
        ]
      : []),
  ]
  return {
    table: { columns, rows },
    spec: {
      id: 'venue-liquidity',
      kind: 'xy',
      title: 'Liquidity by price',
      summary: `${amount(sum('SELL'))} below the price and ${amount(sum('BUY'))} above it, at the current price.`,
      x: { label: 'Price', unit, scale: 'linear' },
      y: { label: 'Value per price step', unit: quote.symbol, scale: 'linear', zero: true },
      table: {
        columns: [
          { key: 'price', label: 'Price', unit },
          ...columns,
          { key: 'zero', label: 'Zero', unit: '' },
        ],
        rows: drawn,
      },
      series,
      markers: priceX36 === null ? [] : [{ at: price(priceX36), label: 'Price', tone: 'accent' }],
      notes: ['Excludes uncollected fees.'],
      empty: 'No liquidity within this distance of the price.',
    },
  }
}
