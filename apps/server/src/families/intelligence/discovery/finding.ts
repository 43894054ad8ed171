import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { sharePips } from './reading/pool-figures.ts'
import type { ProjectReading } from './reading/read-project.ts'

export type Finding = contract.PublicLiquidityInvestigation
type Reason = Finding['reasons'][number]
type Pool = contract.PublicPool

const statement =
  'Compares a size with the holdings of one pool at one block. This is not a quote, a slippage estimate or a claim that the token can be traded at any size or price.'

const caveats = {
  one: 'Other pools, other quote assets and routes over several pools are not counted.',
  token: 'Fees, lists and pauses of the token itself are not checked.',
  single: 'Only one provider was queried. No second source confirms the data.',
  unknown: 'The pool code matches no known published build.',
  range: 'Only payouts of the active range count. Liquidity outside the range is not a reserve.',
} as const

const safe = BigInt(Number.MAX_SAFE_INTEGER)

/**
 * Compares a size with the quote reserve of the token's deepest pool against the reference quote
 * asset.
 *
 * @param quoteSize atoms of the reference quote asset, above zero
 */
export function findingOf(reading: ProjectReading, quoteSize: string): Finding {
  const { analysis, reference, providers } = reading
  // Pools are sorted: reference quote first, deepest first.
  const pool = analysis.pools.find(({ quote }) => quote.assetKey === reference.assetKey) ?? null
  const index = pool ? analysis.pools.indexOf(pool) : -1
  const size = BigInt(quoteSize)
  const reserve = pool?.reserveQuote.value ?? null
  const share = reserve === null || BigInt(reserve) === 0n ? null : sharePips(size, BigInt(reserve))
  const reason = reasonOf(reading, pool, share)
  const gaps = analysis.gaps.filter(
    ({ pointer }) => pointer === '/pools' || pointer.startsWith(`/pools/${index}/`),
  )
  const hasResult = reason === null
  const body: Omit<Finding, 'findingHash'> = {
    state: hasResult ? (gaps.length === 0 ? 'COMPLETED' : 'PARTIAL') : 'ABSTAINED',
    reasons: reason === null ? [] : [reason],
    assetKey: analysis.assetKey,
    referenceQuote: reference,
    pool: pool && { kind: pool.kind, address: pool.address, feePips: pool.feePips },
    reserves: pool && {
      base: pool.reserveBase,
      quote: pool.reserveQuote,
      basis: pool.kind === 'UNISWAP_V2' ? 'HELD' : 'IN_RANGE',
    },
    quoteSize,
    sharePips: hasResult && share !== null ? Number(share) : null,
    confidence: hasResult && pool ? confidenceOf(pool, providers) : null,
    caveats: caveatsOf(pool, providers),
    statement,
    isQuote: false,
    isSlippageEstimate: false,
    isTradabilityClaim: false,
    blocks: analysis.blocks,
    gaps,
    executionAuthorityGranted: false,
  }
  return { ...body, findingHash: H('public-finding/v1', body) as Finding['findingHash'] }
}

function reasonOf(
  { isWhole, analysis }: ProjectReading,
  pool: Pool | null,
  share: bigint | null,
): Reason | null {
  if (pool === null) {
    const isCut = analysis.gaps.some(({ pointer }) => pointer === '/pools')
    return isWhole && !isCut ? 'NO_POOL' : 'POOL_NOT_READ'
  }
  if (pool.reserveQuote.value === null) return 'POOL_NOT_READ'
  if (share === null) return 'NO_RESERVE'
  return share > safe ? 'SIZE_BEYOND_SCALE' : null
}

function confidenceOf({ kind, codeKnown }: Pool, providers: number): Finding['confidence'] {
  if (!codeKnown) return 'LOW'
  return kind === 'UNISWAP_V2' && providers >= 2 ? 'HIGH' : 'MEDIUM'
}

function caveatsOf(pool: Pool | null, providers: number): string[] {
  return [
    ...(providers === 1 ? [caveats.single] : []),
    ...(pool === null ? [] : [caveats.one, caveats.token]),
    ...(pool?.kind === 'UNISWAP_V3' ? [caveats.range] : []),
    ...(pool && !pool.codeKnown ? [caveats.unknown] : []),
  ]
}
