import type { contract } from '@liquidity-os/contract'
import type { PolicyField, PolicyTerms } from '@liquidity-os/engine/policy'

type Coverage = contract.PolicyCompilation['coverage']

/**
 * Limits that an on-chain role can enforce, with notes. The service alone checks all other limits.
 */
const compiled: Readonly<Partial<Record<PolicyField, string>>> = {
  approvedContracts: 'the role may call only these targets, and never by delegatecall',
  approvedAdapterIds: 'the role may call only the functions of these adapters',
  approvedAssets: 'input and output tokens are among these, and output goes to the Safe',
  maximumAmountPerTransaction:
    'the input amount: in the quote, and in the base if a maximum price sets its value',
  maximumDailyTurnover:
    'an allowance that refills at day boundaries: on chain at most twice the limit in a sliding window of 24 hours',
  minimumSecondsBetweenActions:
    'an allowance of one call that refills at interval boundaries: two calls can be seconds apart',
  expiresAt: 'the deadline of functions that have one',
}

const never: Readonly<Partial<Record<PolicyField, string>>> = {
  vaultId: 'part of the role key',
  controlEpoch:
    'part of the role key; after a new epoch, the old role remains until the owners remove it',
  level: 'determines if a role exists',
  maximumSlippagePips: 'requires a price',
  oracleMaximumAgeSeconds: 'requires a price',
  minimumPriceX18: 'requires a price',
  maximumPriceX18: 'requires a price',
  publicMempoolFallbackAllowed: 'a chain cannot see how a transaction was submitted',
}

/**
 * Enforcement per limit. The vault has no Roles modifier with known code, so the chain enforces
 * none. A note describes the effect of the compiled condition.
 */
export function coverageOf(terms: PolicyTerms): Coverage {
  const notes = { ...never, ...compiled }
  return (Object.keys(notes) as PolicyField[]).sort().map((field) => {
    const would = compiled[field]
    const isOmitted = field === 'minimumSecondsBetweenActions' && terms[field] === 0
    const note = isOmitted
      ? 'No minimum interval is set, so no condition is created. An allowance that refills every 0 seconds would end the role after one call.'
      : would === undefined
        ? `Checked by the service: ${notes[field]}.`
        : `Checked by the service: no Roles modifier is known on the vault. The compiled condition would be: ${would}.`
    return { field, enforcedBy: 'SERVICE_CHECK', note }
  })
}
