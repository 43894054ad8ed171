import type { contract } from '@liquidity-os/contract'
import { meetTerms, type PolicyTerms } from '@liquidity-os/engine/policy'

/** The tightest combination of policy, request and plan constraints. */
export interface Bounds {
  readonly slippagePips: number
  readonly maximumMakerPips: number | null
  readonly routes: readonly contract.ExecutionLegRecord['route'][]
  readonly band: { readonly minX18: bigint | null; readonly maxX18: bigint | null }
  /** Unix seconds. */
  readonly deadline: number
  readonly routeNotes: readonly string[]
}

export function effectiveBounds(
  terms: PolicyTerms,
  set: Pick<contract.QuoteSet, 'maximumMakerShare'>,
  constraints: contract.ExecutionConstraints,
): Bounds {
  const seconds = Math.floor(Date.parse(constraints.deadline) / 1000)
  const combined = meetTerms(terms, {
    ...terms,
    maximumSlippagePips: constraints.maximumSlippagePips,
    publicMempoolFallbackAllowed: constraints.routes.includes('PUBLIC_MEMPOOL'),
    expiresAt: `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`,
  })
  // The second terms are the first with tighter limits, so they always intersect.
  if (combined === null) throw new Error('Both policies must be for the same vault.')
  const shares = [set.maximumMakerShare, constraints.maximumMakerShare ?? null].filter(
    (one) => one !== null,
  )
  const isPublic = combined.publicMempoolFallbackAllowed
  const dropped = constraints.routes.includes('PUBLIC_MEMPOOL') && !isPublic
  return {
    slippagePips: combined.maximumSlippagePips,
    maximumMakerPips: shares.length === 0 ? null : Math.min(...shares),
    routes: constraints.routes.filter((route) => route !== 'PUBLIC_MEMPOOL' || isPublic),
    band: { minX18: combined.minimumPriceX18, maxX18: combined.maximumPriceX18 },
    deadline: Math.floor(Date.parse(combined.expiresAt) / 1000),
    routeNotes: dropped
      ? ['PUBLIC_MEMPOOL is removed: the policy does not allow the public mempool.']
      : [],
  }
}
