import { required } from '../../required.ts'
import knownContracts from './known-contracts.json' with { type: 'json' }

interface Factories {
  readonly UNISWAP_V2: string
  readonly UNISWAP_V3: string
  readonly [kind: string]: string
}

/** Uniswap factories by chain id, then by venue kind. */
const wellKnown: Readonly<Record<number, Factories>> = knownContracts.factories

/** Test chains deploy the contracts at their Ethereum addresses. */
const ethereum: Factories = knownContracts.factories[1]

interface FactoryVenue {
  readonly kind: string
  readonly factory?: string
  readonly pair: { readonly chainId: number }
}

/**
 * Factory of a venue: the declared one, or the Uniswap factory of its chain. A chain without a known
 * deployment uses the Ethereum addresses. Null for kinds without a factory.
 */
export const factoryOf = ({ kind, factory, pair }: FactoryVenue): string | null =>
  factory ?? (wellKnown[pair.chainId] ?? ethereum)[kind] ?? null

/** Uniswap factories of a chain; undefined for a chain without a known deployment. */
export const uniswapFactories = (
  chainId: number,
): { kind: 'UNISWAP_V2' | 'UNISWAP_V3'; address: string }[] | undefined => {
  const known = wellKnown[chainId]
  return (
    known && [
      { kind: 'UNISWAP_V2', address: known.UNISWAP_V2 },
      { kind: 'UNISWAP_V3', address: known.UNISWAP_V3 },
    ]
  )
}

/** The factory of a venue whose kind has factories. */
export const requiredFactory = (venue: FactoryVenue): string =>
  required(factoryOf(venue), `factory of a venue of kind ${venue.kind}`)
