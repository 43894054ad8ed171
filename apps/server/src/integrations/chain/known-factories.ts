import { required } from '../../required.ts'
import knownContracts from './known-contracts.json' with { type: 'json' }

const wellKnown: Readonly<Record<string, string>> = knownContracts.factories

interface Made {
  readonly kind: string
  readonly factory?: string
}

/**
 * Factory of a venue: the declared one, or the well-known one of its kind; null for kinds without a
 * factory.
 */
export const factoryOf = ({ kind, factory }: Made): string | null =>
  factory ?? wellKnown[kind] ?? null

/** The factory of a venue whose kind has factories. */
export const requiredFactory = (venue: Made): string =>
  required(factoryOf(venue), `factory of a venue of kind ${venue.kind}`)
