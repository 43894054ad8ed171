import type { contract } from '@liquidity-os/contract'
import { normalTerms, type PolicyTerms, type TermsComparison } from '@liquidity-os/engine/policy'
import { H } from '@liquidity-os/evidence'

type Input = contract.AutonomyPolicyInput

/** Limits in normal form, for comparison by the engine. */
export function termsOf(input: Input): PolicyTerms {
  const { minimumPriceX18: min, maximumPriceX18: max } = input
  return normalTerms({
    vaultId: input.vaultId,
    level: input.level as PolicyTerms['level'],
    maximumAmountPerTransaction: BigInt(input.maximumAmountPerTransaction),
    maximumDailyTurnover: BigInt(input.maximumDailyTurnover),
    maximumSlippagePips: input.maximumSlippagePips,
    approvedContracts: input.approvedContracts,
    approvedAssets: input.approvedAssets,
    approvedAdapterIds: input.approvedAdapterIds,
    minimumSecondsBetweenActions: input.minimumSecondsBetweenActions,
    oracleMaximumAgeSeconds: input.oracleMaximumAgeSeconds,
    expiresAt: input.expiresAt,
    controlEpoch: BigInt(input.controlEpoch),
    publicMempoolFallbackAllowed: input.publicMempoolFallbackAllowed,
    minimumPriceX18: min === undefined ? null : BigInt(min),
    maximumPriceX18: max === undefined ? null : BigInt(max),
  })
}

/** Normal form for storage, hashing and signing. Bounds without effect are omitted. */
export function inputOf(terms: PolicyTerms): Input {
  const { minimumPriceX18: min, maximumPriceX18: max } = terms
  return {
    vaultId: terms.vaultId,
    level: terms.level,
    maximumAmountPerTransaction: `${terms.maximumAmountPerTransaction}`,
    maximumDailyTurnover: `${terms.maximumDailyTurnover}`,
    maximumSlippagePips: terms.maximumSlippagePips,
    approvedContracts: [...terms.approvedContracts],
    approvedAssets: [...terms.approvedAssets],
    approvedAdapterIds: [...terms.approvedAdapterIds],
    minimumSecondsBetweenActions: terms.minimumSecondsBetweenActions,
    oracleMaximumAgeSeconds: terms.oracleMaximumAgeSeconds,
    expiresAt: terms.expiresAt,
    controlEpoch: `${terms.controlEpoch}`,
    publicMempoolFallbackAllowed: terms.publicMempoolFallbackAllowed,
    ...(min === null ? {} : { minimumPriceX18: `${min}` }),
    ...(max === null ? {} : { maximumPriceX18: `${max}` }),
  }
}

/** The digest that owners sign: the hash of the normal form. */
export const policyHashOf = (terms: PolicyTerms): `0x${string}` =>
  H('autonomy-policy/v1', inputOf(terms)) as `0x${string}`

export const comparisonOf = ({
  relation,
  perField,
}: TermsComparison): contract.PolicyComparison => ({
  relation,
  perField: perField.map(({ added, removed, ...one }) => ({
    ...one,
    ...(added ? { added: [...added] } : {}),
    ...(removed ? { removed: [...removed] } : {}),
  })),
})
