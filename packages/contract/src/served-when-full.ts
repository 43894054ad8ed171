/**
 * Operations that end a right or withdraw a publication. They work even with full storage: a
 * storage limit must never preserve a leaked key, an open consent or a wrong passport.
 */
const revocations: readonly string[] = [
  'supersedeDeveloperCredentials',
  'supersedeIncentivePrograms',
  'revokePartnerConsent',
  'revokePartnerTenant',
  'revokePartnerDomainChallenge',
  'revokeLiquidityPassport',
  'revokeStrategyPackage',
  'revokeStudyShareLink',
  'revokeMandateShareLink',
]

/** Body members and values that stop or protect an activity, so it writes no further data. */
const rests: Readonly<Record<string, readonly [member: string, values: readonly string[]]>> = {
  supersedeAutonomyPolicies: ['status', ['PAUSED', 'REVOKED']],
  supersedeVenues: ['status', ['PAUSED', 'REVOKED']],
  supersedeWebhooks: ['status', ['PAUSED', 'REVOKED']],
  changeSchedule: ['state', ['OFF']],
  applyAgentRunCommand: ['command', ['PAUSE', 'CANCEL']],
}

/** Operations served despite full storage: always, or with certain bodies only. */
export const servedWhenFull = { always: revocations, withBody: rests } as const

export function isAlwaysServed({ id }: { readonly id: string }): boolean {
  return revocations.includes(id)
}

/**
 * True if a request is served despite full storage. A request that also carries a new payload is
 * not.
 */
export function isServedWhenFull(operation: { readonly id: string }, body: unknown): boolean {
  if (isAlwaysServed(operation)) return true
  const rest = rests[operation.id]
  if (!rest || typeof body !== 'object' || body === null || 'payload' in body) return false
  const [member, values] = rest
  return values.includes(String((body as Record<string, unknown>)[member]))
}
