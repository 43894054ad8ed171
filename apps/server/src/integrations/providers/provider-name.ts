/** Kind of the names under which providers are unique by their own id, revoked ones too. */
export const providerKind = 'provider'

export const providerName = (providerId: string) => ({ kind: providerKind, name: providerId })
