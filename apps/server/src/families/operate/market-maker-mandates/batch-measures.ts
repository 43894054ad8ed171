import type { contract } from '@liquidity-os/contract'
import { toJsonSafe } from '@liquidity-os/engine/amm'
import {
  type BookMeasures,
  measureBook,
  type QuotedBook,
  type QuotedLevel,
} from '@liquidity-os/engine/mandates'
import { canonicalize } from '@liquidity-os/evidence'
import { parseExact } from '../../../market/exact-json.ts'

/** A batch, as the days that it covers reference it. */
export interface DayBatch {
  readonly number: number
  readonly batchHash: string
  readonly venueKey: string
  readonly source: 'PUBLIC_BOOK' | 'MAKER_ORDERS' | 'ONCHAIN'
  readonly trust: contract.TrustClass
  /** Unix seconds of the first and the last sample. */
  readonly from: number
  readonly to: number
  readonly samples: number
  readonly rawBytes: number
  readonly hasOwnOrders: boolean
  readonly bandsPips: readonly number[]
  readonly measures: string
  readonly raw: string
}

/** Measures of a sample: public book and own orders, if present. */
export interface SampleMeasures {
  readonly at: number
  /** Hash of the original sample. */
  readonly hash: string
  readonly seen: BookMeasures | null
  readonly own: BookMeasures | null
}

export interface Compared {
  readonly venueKey: string
  readonly at: number
}

/** Stored measures of a batch, in addition to its bytes. */
export interface BatchMeasures {
  readonly samples: readonly SampleMeasures[]
  readonly fits: readonly Compared[]
  readonly violations: readonly Compared[]
}

type Level = contract.BookSample['bids'][number]

const levelsOf = (levels: readonly Level[]): QuotedLevel[] =>
  levels.map(({ priceX18, size }) => ({ priceX18: BigInt(priceX18), size: BigInt(size) }))

/** The books of a sample: the public book, and the orders of the market maker. */
export function booksOf(
  source: DayBatch['source'],
  { bids, asks, makerBids, makerAsks }: contract.BookSample,
): { readonly seen: QuotedBook | null; readonly own: QuotedBook | null } {
  const bookLevels = { bids: levelsOf(bids), asks: levelsOf(asks) }
  if (source === 'MAKER_ORDERS') return { seen: null, own: bookLevels }
  const own =
    makerBids && makerAsks ? { bids: levelsOf(makerBids), asks: levelsOf(makerAsks) } : null
  return { seen: bookLevels, own }
}

/** Own orders with an attached public book are measured around the mid price of the public book. */
export function measureSample(
  source: DayBatch['source'],
  sample: contract.BookSample,
  bandsPips: readonly number[],
): Pick<SampleMeasures, 'seen' | 'own'> {
  const { seen, own } = booksOf(source, sample)
  return {
    seen: seen && measureBook(seen, bandsPips),
    own: own && measureBook(own, bandsPips, seen ?? own),
  }
}

/** Original samples from the bytes of an admitted batch. */
export function samplesOfRaw(raw: Uint8Array): readonly contract.BookSample[] {
  const { payload } = JSON.parse(new TextDecoder().decode(raw)) as contract.ObservationBatchWrite
  return payload.samples
}

export const bytesOf = (value: unknown): Uint8Array =>
  new TextEncoder().encode(canonicalize(toJsonSafe(value)))

export const readExact = <Value>(bytes: Uint8Array): Value =>
  parseExact(new TextDecoder().decode(bytes)) as Value
