/** Factories of the chains on which Uniswap deployed under its well-known addresses. */
const wellKnownFactories: Readonly<Record<string, string>> = {
  UNISWAP_V2: '0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f',
  UNISWAP_V3: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
}

/** The factory of a venue: the declared one, or the well-known one of its kind. */
export function factoryOf(venue: { kind: string; factory?: string }): string {
  return venue.factory ?? wellKnownFactories[venue.kind] ?? ''
}
