import type { contract } from '@liquidity-os/contract'
import type { ClmmState } from '@liquidity-os/engine/amm'

/** A position of the issuer in a pool. */
export interface OwnPosition {
  /** Owner in the pool; for a token, the owner of the token. */
  readonly owner: string
  readonly tickLower: number
  readonly tickUpper: number
  /**
   * Liquidity behind a position token; null for a position that the pool itself records for the
   * owner.
   */
  readonly liquidity: bigint | null
}

/** Positions of a profile that an observation contains, and reasons for missing ones. */
export interface OwnPositions {
  readonly positions: readonly OwnPosition[]
  /** True if every named position is accounted for; burned or sold positions count as known. */
  readonly areKnown: boolean
  /** `OWN_POSITION_` and the state of a token, or NOT_OBSERVED. Ascending, each once. */
  readonly reasons: readonly string[]
}

type Token = contract.PositionToken

/**
 * Token of a profile among those in an observation; null if it was added later or was unreadable.
 */
export function readTokenOf(
  position: Extract<contract.OwnedPosition, { tokenId: string }>,
  read: readonly Token[] = [],
): Token | null {
  const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  const found = read.find(
    ({ tokenId, manager, owner }) =>
      tokenId === position.tokenId &&
      isSame(owner, position.owner) &&
      (position.manager === undefined || isSame(manager, position.manager)),
  )
  return found ?? null
}

/** @param read tokens read by an observation, if any */
export function ownPositionsAt(
  named: readonly contract.OwnedPosition[] = [],
  read: readonly Token[] = [],
): OwnPositions {
  const reasons = new Set<string>()
  const positions = named.flatMap((position): OwnPosition[] => {
    if (!('tokenId' in position)) return [{ ...position, liquidity: null }]
    const token = readTokenOf(position, read)
    if (token?.state === 'OWNED' && token.tickLower !== null && token.tickUpper !== null) {
      const { tickLower, tickUpper, liquidity, owner } = token
      return [{ owner, tickLower, tickUpper, liquidity: BigInt(liquidity) }]
    }
    reasons.add(`OWN_POSITION_${token?.state ?? 'NOT_OBSERVED'}`)
    return []
  })
  const areKnown = !['NOT_OBSERVED', 'UNKNOWN_MANAGER'].some((state) =>
    reasons.has(`OWN_POSITION_${state}`),
  )
  return { positions, areKnown, reasons: [...reasons].sort() }
}

/** Liquidity of the issuer in a pool, by tick range. */
export function ownLiquidityIn(
  pool: ClmmState,
  own: readonly OwnPosition[],
): { readonly tickLower: number; readonly tickUpper: number; readonly liquidity: bigint }[] {
  const selected = pool.positions.filter((position) =>
    own.some((mine) => mine.liquidity === null && isMatching(mine, position)),
  )
  const tokens = own.flatMap(({ tickLower, tickUpper, liquidity }) =>
    liquidity === null ? [] : [{ tickLower, tickUpper, liquidity }],
  )
  return [...selected, ...tokens].filter(({ liquidity }) => liquidity > 0n)
}

/**
 * Assigns tokenized positions of a pool to their token holders; other liquidity stays with the
 * manager. Liquidity between any two ticks is unchanged.
 */
export function withTokensHeld(pool: ClmmState, tokens: readonly Token[]): ClmmState {
  let positions = [...pool.positions]
  for (const { manager, heldBy, tickLower, tickUpper, liquidity } of tokens) {
    if (heldBy === null || tickLower === null || tickUpper === null) continue
    const range = { tickLower, tickUpper }
    const held = positions.find((one) => isMatching(one, { owner: manager, ...range }))
    const part = BigInt(liquidity)
    // A manager's position covers at least each of its tokens, unless the pool is known only
    // partly.
    if (!held || part === 0n || held.liquidity < part) continue
    const nothing = { feeGrowthInside0LastX128: 0n, feeGrowthInside1LastX128: 0n }
    positions = [
      ...positions.filter((one) => one !== held),
      { ...held, liquidity: held.liquidity - part },
      { ...held, ...nothing, tokensOwed0: 0n, tokensOwed1: 0n, owner: heldBy, liquidity: part },
    ]
  }
  return { ...pool, positions }
}

/** True if the position belongs to the owner and tick range. */
export const isMatching = (
  a: { readonly owner: string; readonly tickLower: number; readonly tickUpper: number },
  b: { readonly owner: string; readonly tickLower: number; readonly tickUpper: number },
): boolean =>
  a.owner.toLowerCase() === b.owner.toLowerCase() &&
  a.tickLower === b.tickLower &&
  a.tickUpper === b.tickUpper
