import type { contract } from '@liquidity-os/contract'
import { textAfterLast } from '../../texts.ts'
import { decimalText } from '../cell-text.ts'

export type Analysis = contract.PublicProjectAnalysis
export type Pool = Analysis['pools'][number]

/** Short form of an address: both ends. */
export const shortAddress = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`

/** A time to the minute, in UTC. */
export const minuteOf = (at: string) => `${at.slice(0, 10)} ${at.slice(11, 16)}`

const kinds: Readonly<Record<Pool['kind'], string>> = {
  UNISWAP_V2: 'Uniswap v2',
  UNISWAP_V3: 'Uniswap v3',
}

/** Kind, fee and address: two pools of one pair and fee tier are two pools. */
export function nameOfPool({ kind, feePips, address, codeKnown }: Pool): string {
  const fee = feePips === null ? '' : ` ${decimalText(BigInt(feePips), 4)} %`
  return `${kinds[kind]}${codeKnown ? '' : '-like'}${fee} ${shortAddress(address)}`
}

/** Symbols of the token and the quote of a pool; a short address if a token has no symbol. */
export function namesIn({ token }: Analysis, { quote }: Pick<Pool, 'quote'>) {
  const own = token.symbol.value ?? 'token'
  return { base: own, quote: quote.symbol ?? shortAddress(textAfterLast(quote.assetKey, ':')) }
}

/** An amount in whole tokens; in atoms if the decimals are unknown. */
export function amountText(atoms: string, decimals: number | null, symbol: string): string {
  return decimals === null
    ? `${decimalText(BigInt(atoms), 0)} atoms of ${symbol}`
    : `${decimalText(BigInt(atoms), decimals)} ${symbol}`
}

/**
 * The marginal price of a pool in whole quote tokens per whole token; null if decimals are unknown.
 */
export function priceText(midX36: string, { token }: Analysis, { quote }: Pick<Pool, 'quote'>) {
  const [base, other] = [token.decimals.value, quote.decimals]
  return base === null || other === null ? null : decimalText(BigInt(midX36), 36 + other - base)
}
