import knownContracts from './known-contracts.json' with { type: 'json' }

const wellKnown: Readonly<Record<string, string>> = knownContracts.factories

/** The factory of a venue: the declared one, or the well-known one of its kind. */
export function factoryOf(venue: { kind: string; factory?: string }): string {
  return venue.factory ?? wellKnown[venue.kind] ?? ''
}
