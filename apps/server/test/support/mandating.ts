import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { callOperation } from './requests.ts'
import type { TestMember } from './service.ts'

export type Mandate = VersionedRecord<contract.MarketMakerMandate>
export type Batch = VersionedRecord<contract.MandateBookBatch>

/** Noon of the start day of a test service's clock. */
export const noon = Date.parse('2026-01-05T12:00:00Z') / 1000
export const timeOf = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
const e18 = 10n ** 18n

export const uptime = {
  kpiId: 'uptime',
  metric: 'UPTIME_PIPS',
  venueKey: 'book',
  side: 'BOTH',
  bandPips: 20_000,
  sizeQuote: `${e18}`,
  comparator: 'GTE',
  threshold: '900000',
  window: 'DAY',
}

export const termsWith = (changes: object = {}): contract.MarketMakerMandate =>
  ({
    title: 'On one book',
    marketMaker: { name: 'A maker', signerKeys: [], wallets: [] },
    pair: {
      chainId: 31_337,
      baseDecimals: 18,
      quoteDecimals: 18,
      base: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72',
      quote: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    },
    venues: [{ venueKey: 'book', kind: 'CEX', name: 'A book' }],
    kpis: [uptime],
    samplingSeconds: 600,
    exclusions: [],
    compensation: { model: 'RETAINER', feeQuotePerMonth: '5' },
    period: { from: '2026-01-01T00:00:00Z', to: '2026-03-01T00:00:00Z' },
    ...changes,
  }) as contract.MarketMakerMandate

export async function mandated(by: TestMember, changes: object = {}, status = 'ACTIVE') {
  const { client } = by
  const body = { payload: termsWith(changes), status, reason: 'Signed' } as never
  return (await client.createMarketMakerMandates({ body })).body.data as Mandate
}

/** A level: the price in hundredths of a quote unit, the size in thousandths of a base unit. */
export const level = (price: number, size = 4_000) => ({
  priceX18: `${BigInt(price) * 10n ** 16n}`,
  size: `${BigInt(size) * 10n ** 15n}`,
})

/** A book that quotes 3.96 and 4.04 quote units 1 % around the price, and an empty book. */
export const quotedBook = { bids: [level(99)], asks: [level(101)] }
export const emptyBook = { bids: [], asks: [] }

export const sampleAt = (seconds: number, book: object = quotedBook) => ({
  at: timeOf(seconds),
  ...book,
})

/** Samples from a time on, one every ten minutes. */
export const samplesFrom = (from: number, count: number, book: object = quotedBook, every = 600) =>
  Array.from({ length: count }, (_, index) => sampleAt(from + index * every, book))

export const ingest = (by: TestMember, id: string, payload: object, more: object = {}) =>
  callOperation<Batch>(by, 'ingestMarketMakerEvidence', {
    params: { id },
    body: {
      payload: { source: 'PUBLIC_BOOK', venueKey: 'book', ...payload },
      reason: 'Seen',
      ...more,
    },
  })

export const evaluate = async (by: TestMember, id: string, query: object = {}) => {
  const response = await callOperation<contract.MandateEvaluations>(
    by,
    'evaluateMarketMakerMandate',
    {
      params: { id },
      query: query as Record<string, string>,
    },
  )
  return response.data.evaluations
}
