import type { contract, FieldErrors } from '@liquidity-os/contract'
import { InvalidKeyError, importPublicKey } from '@liquidity-os/evidence'
import { limits } from '../../../limits.ts'
import { daySeconds } from '../../../units.ts'
import { secondsOf } from './mandate-terms.ts'

type Mandate = contract.MarketMakerMandate
type Faults = Record<string, string[]>

/** Contradictions in the terms of a mandate, by field; empty if valid. */
export function validateTerms(mandate: Mandate): FieldErrors {
  const faults: Faults = {}
  const at = (path: string, message: string) => {
    const field = `payload.${path}`
    faults[field] ??= [message]
  }
  validatePeriod(mandate, at)
  validateMaker(mandate, at)
  venueFaults(mandate, at)
  for (const [index, kpi] of mandate.kpis.entries()) validateKpi(mandate, kpi, index, at)
  validateCompensation(mandate, at)
  return faults
}

type At = (path: string, message: string) => void

const isWhole = (time: string) => Date.parse(time) % 1000 === 0

function validatePeriod({ period, exclusions }: Mandate, at: At): void {
  const spans = [
    { span: period, path: 'period' },
    ...exclusions.map((span, index) => ({ span, path: `exclusions.${index}` })),
  ]
  for (const { span, path } of spans) {
    for (const member of ['from', 'to'] as const) {
      if (!isWhole(span[member])) {
        at(`${path}.${member}`, `must be in whole seconds, got ${span[member]}`)
      }
    }
    if (secondsOf(span.from) >= secondsOf(span.to)) {
      at(`${path}.to`, `must be after ${span.from}, got ${span.to}`)
    }
  }
  const days = (secondsOf(period.to) - secondsOf(period.from)) / daySeconds
  if (days > limits.mandateLongestDays) {
    at(
      'period.to',
      `must be at most ${limits.mandateLongestDays} days after from, got ${period.to}`,
    )
  }
  for (const [itemIndex, { from, to }] of exclusions.entries()) {
    if (secondsOf(from) < secondsOf(period.from)) {
      at(`exclusions.${itemIndex}.from`, `must be in the period, got ${from}`)
    }
    if (secondsOf(to) > secondsOf(period.to)) {
      at(`exclusions.${itemIndex}.to`, `must be in the period, got ${to}`)
    }
  }
}

function validateMaker({ marketMaker: { signerKeys, wallets }, pair }: Mandate, at: At): void {
  for (const [index, key] of signerKeys.entries()) {
    const path = `marketMaker.signerKeys.${index}`
    const name = nameOfKey(key)
    if (signerKeys.findIndex((other) => nameOfKey(other) === name) < index) {
      at(path, `must be unique, got ${name} twice`)
    } else if (key.algorithm === 'ED25519' && !isSoundKey(key.publicKey)) {
      at(`${path}.publicKey`, `must be an Ed25519 key that is not of small order, got ${name}`)
    }
  }
  const names = wallets.map(({ chainId, address }) => `${chainId}:${address}`)
  for (const [place, name] of names.entries()) {
    if (names.indexOf(name) < place) {
      at(`marketMaker.wallets.${place}`, `must be unique, got ${name} twice`)
    }
    if (wallets[place]!.chainId !== pair.chainId) {
      at(`marketMaker.wallets.${place}.chainId`, `must be ${pair.chainId}, the chain of the pair`)
    }
  }
}

const nameOfKey = (key: contract.MandateSignerKey) =>
  key.algorithm === 'ED25519' ? key.publicKey : key.address

function isSoundKey(raw: string): boolean {
  try {
    return importPublicKey(raw).raw === raw
  } catch (error) {
    if (error instanceof InvalidKeyError) return false
    throw error
  }
}

function venueFaults({ venues, samplingSeconds, pair }: Mandate, at: At): void {
  if (pair.base.toLowerCase() === pair.quote.toLowerCase()) {
    at('pair.quote', `must differ from the base, got ${pair.quote}`)
  }
  for (const [index, { venueKey, kind, venue, feed }] of venues.entries()) {
    const path = `venues.${index}`
    if (venueKey === 'ALL') at(`${path}.venueKey`, 'must differ from ALL')
    if (venues.findIndex((other) => other.venueKey === venueKey) < index) {
      at(`${path}.venueKey`, `must be unique, got ${venueKey} twice`)
    }
    if (kind === 'CEX' && venue) at(`${path}.venue`, 'must be omitted for a CEX')
    if (kind === 'DEX' && feed) at(`${path}.feed`, 'must be omitted for a DEX')
    if (feed && samplingSeconds < limits.mandateReadSeconds) {
      const max = `${limits.mandateReadSeconds}, the read interval of a feed`
      at(`${path}.feed`, `requires samplingSeconds of at least ${max}, got ${samplingSeconds}`)
    }
  }
  const daily = daySeconds / samplingSeconds
  // Each venue needs two samples: own orders and public book.
  const samples = 2 * venues.length * daily
  if (samples > limits.mandateDaySamples) {
    at(
      'samplingSeconds',
      `must result in at most ${limits.mandateDaySamples} samples per day over all venues, got ${Math.ceil(samples)}`,
    )
  }
  const fetched = venues.filter(({ feed }) => feed).length * daily
  if (fetched > limits.mandateDayBatches) {
    at('venues', `must require at most ${limits.mandateDayBatches} book reads per day`)
  }
}

const bandMetrics: ReadonlySet<string> = new Set([
  ...['UPTIME_PIPS', 'DEPTH_QUOTE', 'DEPTH_SHARE_PIPS'],
])
/** Maximum meaningful thresholds. Amounts and loans have no maximum. */
const maxPips: Readonly<Record<string, bigint>> = {
  UPTIME_PIPS: 1_000_000n,
  SPREAD_PIPS: 2_000_000n,
  PRESENCE_AT_BEST_PIPS: 1_000_000n,
  DEPTH_SHARE_PIPS: 1_000_000n,
}

function validateKpi(mandate: Mandate, kpi: contract.MandateKpi, index: number, at: At): void {
  const { kpiId, metric, venueKey, side, bandPips, sizeQuote, threshold } = kpi
  const path = `kpis.${index}`
  const { kpis, venues, marketMaker, compensation } = mandate
  if (kpis.findIndex((other) => other.kpiId === kpiId) < index) {
    at(`${path}.kpiId`, `must be unique, got ${kpiId} twice`)
  }
  const about = venueKey === 'ALL' ? venues : venues.filter((one) => one.venueKey === venueKey)
  if (about.length === 0) at(`${path}.venueKey`, `must be a venue or ALL, got ${venueKey}`)
  const needsBand = bandMetrics.has(metric)
  if (needsBand && bandPips === undefined) at(`${path}.bandPips`, `is required for ${metric}`)
  if (!needsBand && bandPips !== undefined) {
    at(`${path}.bandPips`, `must be omitted for ${metric}, got ${bandPips}`)
  }
  const needsSize = metric === 'UPTIME_PIPS'
  if (needsSize && (sizeQuote === undefined || sizeQuote === '0')) {
    at(`${path}.sizeQuote`, `must be above zero for ${metric}`)
  }
  if (!needsSize && sizeQuote !== undefined) {
    at(`${path}.sizeQuote`, `must be omitted for ${metric}, got ${sizeQuote}`)
  }
  const max = maxPips[metric]
  if (max !== undefined && BigInt(threshold) > max) {
    at(`${path}.threshold`, `must be at most ${max} for ${metric}, got ${threshold}`)
  }
  const isOfWhole = metric === 'SPREAD_PIPS' || metric === 'LOAN_COVERAGE_PIPS'
  if (isOfWhole && side !== 'BOTH') at(`${path}.side`, `must be BOTH for ${metric}, got ${side}`)
  const isOfBest = metric === 'TOP_SIZE_QUOTE' || metric === 'PRESENCE_AT_BEST_PIPS'
  const pool = about.find(({ venue }) => venue)
  if (isOfBest && pool) {
    at(`${path}.venueKey`, `must be an order book: the pool ${pool.venueKey} has no best level`)
  }
  if (metric !== 'LOAN_COVERAGE_PIPS') return
  if (venueKey !== 'ALL') at(`${path}.venueKey`, `must be ALL for ${metric}, got ${venueKey}`)
  if (marketMaker.wallets.length === 0) {
    at('marketMaker.wallets', `must list the wallets with the lent tokens for ${metric}`)
  }
  if (!compensation.loan) at('compensation.loan', `is required for ${metric}`)
}

function validateCompensation({ compensation }: Mandate, at: At): void {
  const { model, loan, feeQuotePerMonth } = compensation
  const needs = { loan: model !== 'RETAINER', fee: model !== 'LOAN_OPTION' }
  if (needs.loan !== (loan !== undefined)) {
    at(
      'compensation.loan',
      needs.loan ? `is required for ${model}` : `must be omitted for ${model}`,
    )
  }
  if (needs.fee !== (feeQuotePerMonth !== undefined)) {
    const message = needs.fee ? `is required for ${model}` : `must be omitted for ${model}`
    at('compensation.feeQuotePerMonth', message)
  }
}
