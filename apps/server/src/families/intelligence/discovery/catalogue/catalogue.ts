import { H, type Hash } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import { assetKeyOf } from '../../../../market/prices/prices-of-pair.ts'
import shipped from './generated/tokens.json' with { type: 'json' }

/** A token in the bundled list: facts of the list, not of the chain. */
export interface CatalogueToken {
  /** Public id of the token. */
  readonly id: number
  readonly chainId: number
  readonly address: Address
  readonly assetKey: string
  readonly symbol: string
  readonly name: string
  readonly decimals: number
}

export interface Catalogue {
  readonly source: string
  readonly version: string
  /** Publication time of its source. */
  readonly at: string
  readonly hash: Hash
  /** By chain and address. */
  readonly tokens: readonly CatalogueToken[]
  readonly byId: ReadonlyMap<number, CatalogueToken>
  readonly byKey: ReadonlyMap<string, CatalogueToken>
}

type Entry = readonly [
  chainId: number,
  address: Address,
  symbol: string,
  name: string,
  decimals: number,
]

let made: Catalogue | null = null

/** The bundled list; `bin/print-catalogue.ts` prints it, so its entries have this form. */
export function catalogue(): Catalogue {
  made ??= catalogueOf(shipped as unknown as Omit<typeof shipped, 'tokens'> & { tokens: Entry[] })
  return made
}

function catalogueOf(list: {
  source: string
  version: string
  at: string
  tokens: readonly Entry[]
}): Catalogue {
  const byId = new Map<number, CatalogueToken>()
  const tokens = list.tokens.map(([chainId, address, symbol, name, decimals]) => {
    const assetKey = assetKeyOf({ chainId }, address)
    let id = firstIdOf(assetKey)
    while (byId.has(id)) id += 1
    const token = { id, chainId, address, assetKey, symbol, name, decimals }
    byId.set(id, token)
    return token
  })
  const { source, version, at } = list
  const hash = H('public-catalogue/v1', list.tokens)
  return {
    source,
    version,
    at: new Date(at).toISOString(),
    hash,
    tokens,
    byId,
    byKey: new Map(tokens.map((token) => [token.assetKey, token])),
  }
}

const idBits = 52n
const hashBits = 256n

/** Preferred id of a token: 1 + the first 52 bits of its hash. */
export const firstIdOf = (assetKey: string): number =>
  Number(1n + (BigInt(H('market', assetKey)) >> (hashBits - idBits)))
