import { workbookToXlsx } from '@liquidity-os/sheet'
import { readXlsx } from '@liquidity-os/sheet/testing'
import { expect, it } from 'vitest'
import { historyExport } from './history-export.ts'
import type { History } from './market-history.ts'

/** Volume and observed share of each bucket. */
type Bucket = readonly [volume: string | null, coveredPips: number]

function historyOf(buckets: readonly Bucket[]): History {
  const at = buckets.map((_, index) => 1_767_225_600 + index * 3_600)
  const volumes = buckets.map(([volume]) => volume)
  const unknown = buckets.map(() => null)
  const asset = (digit: string, symbol: string) => ({
    assetKey: `eip155:1/erc20:0x${digit.repeat(40)}`,
    address: `0x${digit.repeat(40)}`,
    symbol,
    decimals: 6,
  })
  return {
    pairKey: `1-0x${'1'.repeat(40)}-0x${'2'.repeat(40)}`,
    base: asset('1', 'ENS'),
    quote: asset('2', 'USDC'),
    venues: [],
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-01-02T00:00:00.000Z',
    resolutionSeconds: 3_600,
    at,
    price: { open: unknown, high: unknown, low: unknown, close: unknown },
    depth: {},
    volumeQuote: volumes,
    feesQuote: volumes,
    tvlQuote: unknown,
    trades: unknown,
    coveredPips: buckets.map(([, coveredPips]) => coveredPips),
    gaps: [],
    markers: [],
    evidence: { observations: 0, first: null, last: null, root: `0x${'0'.repeat(64)}` },
  } as History
}

/** The totals as facts, and their cells: label, result and formula. */
function totals(buckets: readonly Bucket[]) {
  const { workbook } = historyExport(historyOf(buckets))
  const { sheets, names } = readXlsx(workbookToXlsx(workbook))
  return ['total_volume', 'total_fees', 'coverage'].map((name) => {
    const { value } = workbook.facts.find((fact) => fact.name === name)!
    const row = names[name]!.split('$').at(-1)
    const [label, cell] = [sheets.Summary![`A${row}`], sheets.Summary![`B${row}`]]
    return [label?.text, value, cell?.text, cell?.formula?.replaceAll("'Market history'!", '')]
  })
}

it('has no totals for a window without observations', () => {
  expect(
    totals([
      [null, 0],
      [null, 0],
    ]),
  ).toEqual([
    ['Volume', null, null, 'IF(COUNT(J2:J3)=0,"",SUM(J2:J3))'],
    ['LP fees', null, null, 'IF(COUNT(L2:L3)=0,"",SUM(L2:L3))'],
    ['Coverage', { atoms: 0n, decimals: 16 }, '0', 'IF(COUNT(Q2:Q3)=0,"",AVERAGE(Q2:Q3))'],
  ])
})

it('has lower bounds for a half-observed window', () => {
  const [volume, fees, coverage] = totals([
    ['1500000', 1_000_000],
    [null, 0],
  ])
  const total = { atoms: 1_500_000n, decimals: 6 }
  expect(volume?.slice(0, 3)).toEqual(['Volume, at least', total, '1.5'])
  expect(fees?.slice(0, 3)).toEqual(['LP fees, at least', total, '1.5'])
  expect(coverage?.slice(0, 3)).toEqual([
    'Coverage',
    { atoms: 500_000n * 10n ** 12n, decimals: 16 },
    '0.5',
  ])
})

it('has totals from a coverage of 95 % on, and 0 for a market without trades', () => {
  expect(totals([['0', 950_000]])[0]?.slice(0, 3)).toEqual([
    'Volume',
    { atoms: 0n, decimals: 6 },
    '0',
  ])
  expect(totals([['0', 949_999]])[0]?.[0]).toBe('Volume, at least')
})
