/** Name kind that makes providers unique by their own ID, including revoked ones. */
export const providerKind = 'provider'

export const providerName = (providerId: string) => ({ kind: providerKind, name: providerId })
