import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type CpmmState, createCpmmPair } from '../../../packages/engine/exports/amm.ts'

export const UNIT = 10n ** 18n
/** Base is token 0, quote token 1. */
export const o = { base: 0, quote: 1 }
export const percent = (value: number) => `${Math.round(value * 10_000) / 100} %`
/** A ratio of two integers as a coordinate; nine digits are more than a picture shows. */
export const ratio = (num: bigint, den: bigint) => Number((num * 10n ** 9n) / den) / 1e9

/** Points of equal distance on a logarithmic scale. */
export function decades(from: number, to: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => from * (to / from) ** (i / (count - 1)))
}

/** A pair with a fee in thousandths, balances in whole tokens. */
export function pair(base: bigint, quote: bigint, feePermille: bigint): CpmmState {
  const [reserve0, reserve1] = [base * UNIT, quote * UNIT]
  const fee = { numerator: feePermille, denominator: 1000n }
  const held = { reserve0, reserve1, balance0: reserve0, balance1: reserve1 }
  return { ...createCpmmPair({ fee }), ...held }
}

/** Text of a dataset file. */
export function dataset(path: string): string {
  const bytes = readFileSync(new URL(`../../../datasets/${path}`, import.meta.url))
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}
