import { contract, type FieldErrors } from '@liquidity-os/contract'
import { bookFault, type QuotedBook } from '@liquidity-os/engine/mandates'
import { validateSignedScalar } from '../../../http/signed-scalars.ts'
import { limits } from '../../../limits.ts'
import { daySeconds } from '../../../units.ts'
import { booksOf } from './batch-measures.ts'
import { isoOf, type MandateTerms, secondsOf } from './mandate-terms.ts'

type Batch = contract.ObservationBatch
type Sample = contract.BookSample

const maxValue = 2n ** 128n
const x18 = 10n ** 18n

/** Errors in the samples of a batch, by index; empty if all are measurable. */
export function validateSample(
  batch: Batch,
  { period }: Pick<MandateTerms, 'period'>,
  now: number,
): FieldErrors {
  const scalars = validateSignedScalar(contract.ObservationBatch, batch, 'payload')
  if (Object.keys(scalars).length > 0) return some(Object.entries(scalars))
  const faults: [string, string[]][] = []
  for (const [index, sample] of batch.samples.entries()) {
    if (faults.length >= limits.fieldErrors) break
    const fault = faultOf(batch, index, sample, period, now)
    if (fault) faults.push([`payload.samples.${index}${fault[0]}`, [fault[1]]])
  }
  return some(faults)
}

const some = (faults: readonly [string, string[]][]): FieldErrors =>
  Object.fromEntries(faults.slice(0, limits.fieldErrors))

type Fault = readonly [member: string, message: string]

function faultOf(
  { source, samples }: Batch,
  index: number,
  sample: Sample,
  period: MandateTerms['period'],
  now: number,
): Fault | null {
  return (
    timeFault(samples, index, period, now) ??
    formFault(source, sample) ??
    sequenceFault(samples, index) ??
    validateBook(source, sample)
  )
}

function timeFault(
  samples: readonly Sample[],
  index: number,
  period: MandateTerms['period'],
  now: number,
): Fault | null {
  const { at } = samples[index]!
  const seconds = secondsOf(at)
  const latest = Math.floor(now / 1000) + limits.mandateAheadSeconds
  const before = samples[index - 1]
  if (before && secondsOf(before.at) >= seconds) {
    return ['.at', `must be after ${before.at}, the time of the previous sample, got ${at}`]
  }
  if (seconds < period.from || seconds >= period.to) {
    const [from, to] = [isoOf(period.from), isoOf(period.to)]
    return ['.at', `must be in the period from ${from} to before ${to}, got ${at}`]
  }
  if (seconds > latest) return ['.at', `must be at most ${isoOf(latest)}, got ${at}`]
  const last = secondsOf(samples[0]!.at) + limits.mandateBatchDays * daySeconds
  if (seconds <= last) return null
  return ['.at', `must be within ${limits.mandateBatchDays} days of the first, got ${at}`]
}

function formFault(source: Batch['source'], sample: Sample): Fault | null {
  const { bids, asks, makerBids, makerAsks } = sample
  if (source !== 'PUBLIC_BOOK' && (makerBids || makerAsks)) {
    const member = makerBids ? '.makerBids' : '.makerAsks'
    return [member, `must be omitted for ${source}: its bids and asks are the orders`]
  }
  if ((makerBids === undefined) !== (makerAsks === undefined)) {
    const member = makerBids ? '.makerAsks' : '.makerBids'
    return [member, 'is required if the other side is set; empty if there are no quotes']
  }
  const isEmpty = bids.length === 0 && asks.length === 0
  if (source !== 'ONCHAIN' || isEmpty) return null
  const member = bids.length > 0 ? '.bids' : '.asks'
  return [member, 'must be empty for ONCHAIN: the service derives the book']
}

/** Numbers of a venue increase over the samples that have one. */
function sequenceFault(samples: readonly Sample[], index: number): Fault | null {
  const { sequence } = samples[index]!
  const before = samples[index - 1]?.sequence
  if (sequence === undefined || before === undefined || sequence > before) return null
  return ['.sequence', `must be above ${before}, the value of the previous sample, got ${sequence}`]
}

function validateBook(source: Batch['source'], sample: Sample): Fault | null {
  const { seen, own } = booksOf(source, sample)
  const isOrders = source === 'MAKER_ORDERS'
  return (
    (seen && faultOfBook(seen, '.bids', '.asks')) ??
    (own &&
      faultOfBook(
        own,
        ...((isOrders ? ['.bids', '.asks'] : ['.makerBids', '.makerAsks']) as [string, string]),
      ))
  )
}

const words = {
  NOT_POSITIVE: 'must have a price and a size above zero',
  UNSORTED: 'must be worse than the previous level: best first, no duplicate price',
  CROSSED: 'must be above the best bid: the book is crossed',
} as const

function faultOfBook(book: QuotedBook, bids: string, asks: string): Fault | null {
  const found = bookFault(book)
  if (found) {
    const { side, level, fault } = found
    const entry = (side === 'BID' ? book.bids : book.asks)[level]!
    const at = `${side === 'BID' ? bids : asks}.${level}`
    return [at, `${words[fault]}, got ${entry.priceX18} for ${entry.size}`]
  }
  for (const [name, levels] of [
    [bids, book.bids],
    [asks, book.asks],
  ] as const) {
    const level = levels.findIndex(({ priceX18, size }) => priceX18 * size >= maxValue * x18)
    if (level >= 0) return [`${name}.${level}`, 'must be worth less than 2^128 quote atoms']
  }
  return null
}
