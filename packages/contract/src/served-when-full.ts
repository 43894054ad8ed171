/**
 * What ends a right or takes back what was published. An organization whose storage is full is still served these: nobody
 * may have to keep a leaked key, an open consent or a wrong passport for want of room.
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
]

/** By which member of its body, with which values, an operation has something rest: what protects, or writes no more by itself. */
const rests: Readonly<Record<string, readonly [member: string, values: readonly string[]]>> = {
  supersedeAutonomyPolicies: ['status', ['PAUSED', 'REVOKED']],
  supersedeVenues: ['status', ['PAUSED', 'REVOKED']],
  supersedeWebhooks: ['status', ['PAUSED', 'REVOKED']],
  changeSchedule: ['state', ['OFF']],
  applyAgentRunCommand: ['command', ['PAUSE', 'CANCEL']],
}

/** Operations that an organization whose storage is full is served: whatever is asked, and with some bodies only. */
export const servedWhenFull = { always: revocations, withBody: rests } as const

/** Whether an operation can never be refused for want of room. */
export function isAlwaysServed({ id }: { readonly id: string }): boolean {
  return revocations.includes(id)
}

/** Whether what is asked is served to an organization whose storage is full. A new payload beside it is not. */
export function isServedWhenFull(operation: { readonly id: string }, body: unknown): boolean {
  if (isAlwaysServed(operation)) return true
  const rest = rests[operation.id]
  if (!rest || typeof body !== 'object' || body === null || 'payload' in body) return false
  const [member, values] = rest
  return values.includes(String((body as Record<string, unknown>)[member]))
}
