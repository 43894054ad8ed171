import type { contract } from '@liquidity-os/contract'
import type { ClmmState } from '@liquidity-os/engine/amm'

/** A position of the issuer in a pool. */
export interface OwnPosition {
  /** Who has it in the pool; behind a token, who owns that. */
  readonly owner: string
  readonly tickLower: number
  readonly tickUpper: number
  /** Of a token, what is behind it alone; null where the pool keeps it for the owner and says so itself. */
  readonly liquidity: bigint | null
}

/** The positions of a profile as far as an observation tells them, and why others are not among them. */
export interface OwnPositions {
  readonly positions: readonly OwnPosition[]
  /** Whether all that the profile names are accounted for: what is burnt or sold is nobody's of ours, and known. */
  readonly areKnown: boolean
  /** `OWN_POSITION_` and the state of a token, or NOT_OBSERVED. Ascending, each once. */
  readonly reasons: readonly string[]
}

type Token = contract.PositionToken

/** The token of a profile among those that an observation read; null where it was named later, or could not be read. */
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

/** @param read the tokens that an observation read, where it read any */
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

/** Liquidity in a pool that belongs to the issuer, by the ticks that it lies between. */
export function ownLiquidityIn(
  pool: ClmmState,
  own: readonly OwnPosition[],
): { readonly tickLower: number; readonly tickUpper: number; readonly liquidity: bigint }[] {
  const kept = pool.positions.filter((position) =>
    own.some((mine) => mine.liquidity === null && isKeptFor(mine, position)),
  )
  const tokens = own.flatMap(({ tickLower, tickUpper, liquidity }) =>
    liquidity === null ? [] : [{ tickLower, tickUpper, liquidity }],
  )
  return [...kept, ...tokens].filter(({ liquidity }) => liquidity > 0n)
}

/**
 * A pool whose positions behind tokens are those of who holds the tokens; what is behind other tokens stays with the manager. The
 * liquidity between any two ticks is the same.
 */
export function withTokensHeld(pool: ClmmState, tokens: readonly Token[]): ClmmState {
  let positions = [...pool.positions]
  for (const { manager, heldBy, tickLower, tickUpper, liquidity } of tokens) {
    if (heldBy === null || tickLower === null || tickUpper === null) continue
    const range = { tickLower, tickUpper }
    const kept = positions.find((one) => isKeptFor(one, { owner: manager, ...range }))
    const part = BigInt(liquidity)
    // The manager has at least what is behind one of its tokens, where the pool is known so far.
    if (!kept || part === 0n || kept.liquidity < part) continue
    const nothing = { feeGrowthInside0LastX128: 0n, feeGrowthInside1LastX128: 0n }
    positions = [
      ...positions.filter((one) => one !== kept),
      { ...kept, liquidity: kept.liquidity - part },
      { ...kept, ...nothing, tokensOwed0: 0n, tokensOwed1: 0n, owner: heldBy, liquidity: part },
    ]
  }
  return { ...pool, positions }
}

/** Whether the pool keeps a position for an owner between two ticks. */
export const isKeptFor = (
  a: { readonly owner: string; readonly tickLower: number; readonly tickUpper: number },
  b: { readonly owner: string; readonly tickLower: number; readonly tickUpper: number },
): boolean =>
  a.owner.toLowerCase() === b.owner.toLowerCase() &&
  a.tickLower === b.tickLower &&
  a.tickUpper === b.tickUpper
