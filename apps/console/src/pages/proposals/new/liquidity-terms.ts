import type { contract } from '@liquidity-os/contract'
import { priceDecimals } from '../../../fields/figures.ts'
import { AmountFault, atomsOf } from '../../../fields/numbers.ts'
import type { Asset } from '../../../fields/units.tsx'
import { type ReadTerms, readAddress } from './proposal-terms.ts'

export type LiquidityChange = contract.LiquidityCalls['change']

/** Input of a deposit or withdrawal, as typed. */
export interface LiquidityTerms {
  readonly change: LiquidityChange
  readonly venueId: string
  /** Position token; empty for a new position. */
  readonly tokenId: string
  /** Position manager of a chain without a well-known one; empty for the default. */
  readonly manager: string
  readonly isFullRange: boolean
  /** Prices of the base in the quote. */
  readonly low: string
  readonly high: string
  readonly base: string
  readonly quote: string
  readonly sharePips: string
  readonly slippagePips: string
}

export interface LiquidityTokens {
  readonly base: Asset
  readonly quote: Asset
}

/** Largest amounts of the Safe; null if unknown. */
export interface HeldAmounts {
  readonly base: bigint | null
  readonly quote: bigint | null
}

export type LiquidityField = 'manager' | 'low' | 'high' | 'base' | 'quote' | 'tokenId'
export type LiquidityFaults = Readonly<Partial<Record<LiquidityField, string>>>

export const shares: Readonly<Record<string, string>> = {
  '1000000': 'Whole position',
  '750000': '75 %',
  '500000': '50 %',
  '250000': '25 %',
}

export const slippages: Readonly<Record<string, string>> = {
  '5000': '0.5 %',
  '10000': '1 %',
  '20000': '2 %',
  '50000': '5 %',
}

/** Query of `prepareLiquidityCalls`, or the faults of the fields. A missing input has an empty fault. */
export function readLiquidityTerms(
  terms: LiquidityTerms,
  tokens: LiquidityTokens,
  { held, chainId }: { held: HeldAmounts; chainId: number },
): { query: Readonly<Record<string, string>>; faults: null } | { faults: LiquidityFaults } {
  const { change, venueId, tokenId, sharePips, slippagePips } = terms
  const pasted = readAddress(terms.manager, chainId)
  if (pasted.fault) return { faults: { manager: pasted.fault } }
  const manager: { manager?: string } = pasted.address === null ? {} : { manager: pasted.address }
  const common = { venueId, change, slippagePips, ...manager }
  if (change === 'REMOVE') {
    return tokenId === ''
      ? { faults: { tokenId: '' } }
      : { query: { ...common, tokenId, sharePips }, faults: null }
  }
  const base = readDeposit(terms.base, tokens.base, held.base)
  const quote = readDeposit(terms.quote, tokens.quote, held.quote)
  const range =
    tokenId !== '' || terms.isFullRange ? { query: {}, faults: {} } : readRange(terms, tokens)
  const faults: Partial<Record<LiquidityField, string>> = { ...range.faults }
  if ('fault' in base) faults.base = base.fault
  if ('fault' in quote) faults.quote = quote.fault
  if ('fault' in base || 'fault' in quote || Object.keys(faults).length > 0) return { faults }
  if (base.atoms === 0n && quote.atoms === 0n) return { faults: { base: '' } }
  return {
    query: {
      ...common,
      ...(tokenId === '' ? range.query : { tokenId }),
      base: `${base.atoms}`,
      quote: `${quote.atoms}`,
    },
    faults: null,
  }
}

/** Atoms of a typed number; an empty text is zero. */
function readDeposit(
  text: string,
  { symbol, decimals }: Asset,
  held: bigint | null,
): { atoms: bigint } | { fault: string } {
  if (text.trim() === '') return { atoms: 0n }
  const read = readNumber(text, decimals)
  if ('fault' in read) return read
  return held !== null && read.atoms > held ? { fault: `The Safe holds less ${symbol}.` } : read
}

function readNumber(text: string, decimals: number): { atoms: bigint } | { fault: string } {
  try {
    const atoms = atomsOf(text, decimals)
    return atoms < 0n ? { fault: 'Enter zero or more.' } : { atoms }
  } catch (error) {
    if (!(error instanceof AmountFault)) throw error
    return { fault: error.message }
  }
}

function readRange({ low, high }: LiquidityTerms, { base, quote }: LiquidityTokens) {
  const faults: Partial<Record<LiquidityField, string>> = {}
  const decimals = priceDecimals(base, quote)
  const read = (field: 'low' | 'high', text: string): bigint | null => {
    const price = text.trim() === '' ? { fault: '' } : readNumber(text, decimals)
    if ('atoms' in price && price.atoms > 0n) return price.atoms
    faults[field] = 'fault' in price ? price.fault : 'Enter a price above zero.'
    return null
  }
  const [lowX36, highX36] = [read('low', low), read('high', high)]
  if (lowX36 === null || highX36 === null) return { query: {}, faults }
  return lowX36 < highX36
    ? { query: { lowX36: `${lowX36}`, highX36: `${highX36}` }, faults }
    : { query: {}, faults: { high: 'Enter a price above the lower price.' } }
}

/** The calls of the response as the result of the page. */
export function readLiquidityCalls(
  { packets, change, minimum }: contract.LiquidityCalls,
  query: Readonly<Record<string, string>>,
  { base, quote }: LiquidityTokens,
): Extract<ReadTerms, { faults: null }> {
  const sides = [
    { address: base.address, most: query.base ?? '0', least: minimum.base },
    { address: quote.address, most: query.quote ?? '0', least: minimum.quote },
  ]
  return {
    packets: packets.map((calls) =>
      calls.map((decoded) => {
        const { to, value, data } = decoded
        return { call: { to, value, data }, decoded }
      }),
    ),
    // A withdrawal also pays fees, which grow until the execution.
    effects:
      change === 'REMOVE'
        ? null
        : sides
            .filter(({ most }) => most !== '0')
            .map(({ address, most, least }) => ({
              asset: address,
              minimumDelta: `-${most}`,
              maximumDelta: least === '0' ? '0' : `-${least}`,
            })),
    faults: null,
  }
}

/** Title of the proposal. */
export function titleOfLiquidity(
  { change, tokenId, base, quote, sharePips }: LiquidityTerms,
  tokens: LiquidityTokens,
): string {
  const pair = `${tokens.base.symbol}/${tokens.quote.symbol}`
  if (change === 'REMOVE') {
    const share = sharePips === '1000000' ? 'all' : shares[sharePips]
    return `Withdraw ${share} of position #${tokenId} in ${pair}`
  }
  const amounts = [
    [base, tokens.base.symbol],
    [quote, tokens.quote.symbol],
  ].flatMap(([text = '', symbol]) => (text.trim() === '' ? [] : [`${text.trim()} ${symbol}`]))
  const to = tokenId === '' ? `a new position in ${pair}` : `position #${tokenId} in ${pair}`
  return `Add ${amounts.join(' and ')} to ${to}`.slice(0, 160)
}
