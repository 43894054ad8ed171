import type { contract } from '@liquidity-os/contract'
import type { PolicyField, PolicyTerms } from '@liquidity-os/engine/policy'

type Coverage = contract.PolicyCompilation['coverage']

/**
 * Limits that an on-chain role can enforce, with notes. The service alone checks all other limits.
 */
const compiled: Readonly<Partial<Record<PolicyField, string>>> = {
  approvedContracts: 'the role may call these targets and no other, and never by delegate call',
  approvedAdapterIds: 'the role may call the functions of these adapters and no other',
  approvedAssets: 'tokens in and out are among these, and what comes out goes to the Safe',
  maximumAmountPerTransaction:
    'the amount that goes in, of the quote, and of the base where a highest price says what it is worth',
  maximumDailyTurnover:
    'an allowance that refills at the borders of days: on chain at most twice in a sliding window of 24 hours',
  minimumSecondsBetweenActions:
    'an allowance of one call that refills at borders: two calls can be seconds apart',
  expiresAt: 'the deadline of functions that have one',
}

const never: Readonly<Partial<Record<PolicyField, string>>> = {
  vaultId: 'part of the key of the role',
  controlEpoch:
    'part of the key of the role; a new epoch leaves the old role where it is, until the owners remove it',
  level: 'decides whether there is a role at all',
  maximumSlippagePips: 'needs a price',
  oracleMaximumAgeSeconds: 'needs a price',
  minimumPriceX18: 'needs a price',
  maximumPriceX18: 'needs a price',
  publicMempoolFallbackAllowed: 'a chain does not see how a transaction came to it',
}

/**
 * Enforcement per limit. The vault has no Roles modifier with known code, so the chain enforces
 * none. A note describes the effect of the compiled condition.
 */
export function coverageOf(terms: PolicyTerms): Coverage {
  const notes = { ...never, ...compiled }
  return (Object.keys(notes) as PolicyField[]).sort().map((field) => {
    const would = compiled[field]
    const isLeftOut = field === 'minimumSecondsBetweenActions' && terms[field] === 0
    const note = isLeftOut
      ? 'No pause is asked for, so no condition is made: an allowance that refills every 0 seconds would end the role after one call.'
      : would === undefined
        ? `Checked by the service: ${notes[field]}.`
        : `Checked by the service: no Roles modifier is known on the vault. The compiled condition would hold: ${would}.`
    return { field, enforcedBy: 'SERVICE_CHECK', note }
  })
}
