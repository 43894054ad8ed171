import { kinds, operations, type Scope } from '@liquidity-os/contract/outline'

const readScopes: ReadonlyMap<string, Scope | null> = new Map(
  kinds.map(({ type, module }) => {
    const reads = operations.filter(
      (operation) => operation.module === module && operation.method === 'GET',
    )
    const scopes = new Set(reads.map(({ auth }) => (auth.kind === 'scoped' ? auth.scope : null)))
    const [scope = null] = scopes
    return [type, scopes.size === 1 ? scope : null]
  }),
)

/** Scope that credentials need to read records of a kind; null if only sessions can read them. */
export const readScopeOf = (resourceType: string): Scope | null =>
  readScopes.get(resourceType) ?? null
