import type { contract } from '@liquidity-os/contract'
import { gasTable } from '@liquidity-os/engine/montecarlo'

type QuoteSet = contract.QuoteSet
type SetQuote = QuoteSet['quotes'][number]
type SetPool = QuoteSet['pools'][number]
type Route = contract.ExecutionLegRecord['route']
type Rejected = contract.ProtectedExecutionPlan['rejected'][number]

/**
 * Maximum number of quotes in the search. The plan lists the others, which have worse prices, as
 * rejected.
 */
export const maxQuotes = 12

/**
 * Gas of the vault's transaction for a GPv2 quote: the pre-signature at the settlement contract.
 * Measured on the original bytecode. The solver pays for settlement.
 */
export const preSignGas = 48_118

export interface UsableQuote {
  readonly quote: SetQuote
  readonly route: Route
  readonly gasUnits: number
}
export interface UsablePool {
  readonly pool: SetPool
  readonly route: Route
  readonly gasUnits: number
}

export interface Usable {
  readonly quotes: readonly UsableQuote[]
  readonly pools: readonly UsablePool[]
  readonly rejected: readonly Rejected[]
}

/** Usable sources of a set, with reasons for the rejected ones. */
export function usableSources(
  set: QuoteSet,
  terms: {
    /** Unix seconds. */
    readonly now: number
    readonly bufferSeconds: number
    readonly routes: readonly Route[]
    readonly allowLastLook: boolean
    readonly includeInformational: boolean
    readonly band: { readonly minX18: bigint | null; readonly maxX18: bigint | null }
  },
): Usable {
  const rejected: Rejected[] = []
  const reject = (sourceId: string, reason: string, detail: string) => {
    rejected.push({ sourceId, reason, detail })
    return []
  }
  const quotes = set.quotes.flatMap((quote): UsableQuote[] => {
    const no = (reason: string, detail: string) => reject(quote.quoteHash, reason, detail)
    if (!quote.admitted) return no('NOT_ADMITTED', firstFault(quote))
    if (quote.funded !== 'YES')
      return no('UNFUNDED', 'It is unknown if the market maker can deliver.')
    const min = terms.now + terms.bufferSeconds
    if (Date.parse(quote.validUntil) / 1000 < min) {
      return no(
        'EXPIRES_TOO_SOON',
        `It expires at ${quote.validUntil}, within the settlement buffer.`,
      )
    }
    if (!quote.firm && !terms.allowLastLook)
      return no('LAST_LOOK', 'The market maker has last look.')
    if (!quote.canArm && !terms.includeInformational) {
      return no('INFORMATIONAL', 'No contract settles this quote.')
    }
    if (isOutside(BigInt(quote.unitPriceX36), terms.band)) {
      return no(
        'OUTSIDE_BAND',
        `${quote.unitPriceX36} (X36) is outside the price band of the policy.`,
      )
    }
    const fitting: Route[] = quote.canArm ? ['SIGNED_QUOTE', 'BATCH_AUCTION'] : ['SIGNED_QUOTE']
    const route = fitting.find((one) => terms.routes.includes(one))
    if (!route) return no('ROUTE_NOT_ALLOWED', `It requires ${fitting.join(' or ')}.`)
    return [{ quote, route, gasUnits: quote.canArm ? preSignGas : 0 }]
  })
  for (const { quote } of quotes.slice(maxQuotes)) {
    reject(quote.quoteHash, 'NOT_CONSIDERED', `It ranks ${quote.rank} of ${quotes.length} quotes.`)
  }
  const pools = set.pools.flatMap((pool): UsablePool[] => {
    const no = (reason: string, detail: string) => reject(pool.venue.id, reason, detail)
    if (pool.router === null && !terms.includeInformational) {
      return no('NO_ADAPTER', 'No router of the signed release supports this pool.')
    }
    if (isOutside(BigInt(pool.midX36), terms.band)) {
      return no(
        'OUTSIDE_BAND',
        `Its mid price ${pool.midX36} (X36) is outside the price band of the policy.`,
      )
    }
    const route = (['PRIVATE', 'PUBLIC_MEMPOOL'] as const).find((one) => terms.routes.includes(one))
    if (!route)
      return no(
        'ROUTE_NOT_ALLOWED',
        'It requires PRIVATE, or PUBLIC_MEMPOOL if the policy allows it.',
      )
    const { SWAP, V2_SWAP } = gasTable.units
    return [{ pool, route, gasUnits: pool.kind === 'UNISWAP_V3' ? SWAP : V2_SWAP }]
  })
  return { quotes: quotes.slice(0, maxQuotes), pools, rejected }
}

const firstFault = ({ checks }: SetQuote) => {
  const failed = checks.find(({ outcome }) => outcome === 'FAIL')
  return failed ? `${failed.code}: ${failed.detail}`.slice(0, 300) : 'It was not admitted.'
}

const x18 = 10n ** 18n
const isOutside = (
  priceX36: bigint,
  { minX18, maxX18 }: { minX18: bigint | null; maxX18: bigint | null },
) => (minX18 !== null && priceX36 < minX18 * x18) || (maxX18 !== null && priceX36 > maxX18 * x18)
