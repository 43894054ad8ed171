import type { contract } from '@liquidity-os/contract'
import {
  type ActionFacts,
  additionSlippagePips,
  liquiditySlippagePips,
  type PositionAtMid,
  redeemedAtMid,
  type TokenPair,
  withdrawnAtMid,
} from '@liquidity-os/engine/policy'
import { valueAt } from '../../../market/adapters/decode-call.ts'
import type { MovedAmount, Movement, MovingStep } from './action-movement.ts'
import type { ActionState, HeldPair, HeldPosition } from './action-state.ts'
import type { NewestPrice } from './vault-activity.ts'

type Pair = contract.QualifiedVault['pair']
type Slippage = ActionFacts['slippagePips']

interface AtMid {
  readonly pair: Pair
  readonly price: NewestPrice | null
  readonly state: ActionState
}

const x36 = 10n ** 36n
const isSame = (a: string | null, b: string | null) =>
  a !== null && b !== null && a.toLowerCase() === b.toLowerCase()

/**
 * Largest slippage of the trades and liquidity changes of an action, in pips rounded up. Null if
 * one is unknown.
 */
export function slippageOfSteps({ moving }: Movement, at: AtMid): Slippage {
  const known = moving.flatMap((step) => {
    const slippage = slippageOfStep(step, at)
    return slippage === 'NOT_APPLICABLE' ? [] : [slippage]
  })
  if (known.includes(null)) return null
  const pips = known.filter((one) => one !== null)
  if (pips.length === 0) return 'NOT_APPLICABLE'
  return pips.reduce((most, one) => (one > most ? one : most), 0n)
}

function slippageOfStep(moved: MovingStep, at: AtMid): Slippage {
  switch (moved.kind) {
    case 'SWAP':
      return slippageOfTrade(moved, at)
    case 'ADD':
      return slippageOfMint(moved, at)
    case 'REMOVE':
      return slippageOfWithdrawal(moved, at)
    case 'ORDER':
      return null
    default:
      return 'NOT_APPLICABLE'
  }
}

function slippageOfTrade(moved: MovingStep, { pair, price }: AtMid): bigint | null {
  const [given, taken] = [moved.amountsIn[0], moved.amountsOut[0]]
  if (!given || !taken || !isTrade(pair, given.token, taken.token)) return null
  const quoted = quotedFor(pair, given.token, given.amount, price)
  return lossOf(taken.minimum, quoted)
}

const isTrade = ({ base, quote }: Pair, from: string | null, to: string | null) =>
  (isSame(from, base) && isSame(to, quote)) || (isSame(from, quote) && isSame(to, base))

/** Output for an amount at the mid price, rounded down; null for a token outside the pair. */
export function quotedFor(
  { base, quote }: Pair,
  asset: string | null,
  amount: bigint | null,
  price: NewestPrice | null,
): bigint | null {
  if (asset === null || amount === null || price === null || price.priceX36 === 0n) return null
  if (isSame(asset, base)) return (amount * price.priceX36) / x36
  return isSame(asset, quote) ? (amount * x36) / price.priceX36 : null
}

/** 1 − minimum / quoted in pips, rounded up; negative values count as 0. */
export function lossOf(minimum: bigint | null, quoted: bigint | null): bigint | null {
  if (minimum === null || quoted === null || quoted === 0n) return null
  const lost = quoted - minimum
  return lost <= 0n ? 0n : (lost * 1_000_000n + quoted - 1n) / quoted
}

function slippageOfMint({ step, amountsIn }: MovingStep, at: AtMid): bigint | null {
  const position = at.state.positionOf(step)
  const { tickLower, tickUpper, positionId } = step.read?.declared.roles ?? {}
  const range =
    positionId === undefined
      ? givenRange(step.read?.args, tickLower, tickUpper)
      : heldRange(position)
  if (range === undefined) return null
  const mid = positionAtMid(at, amountsIn, range)
  const desired = inOrder(amountsIn, ({ amount }) => amount)
  const minimum = inOrder(amountsIn, ({ minimum: least }) => least)
  if (!mid || !desired || !minimum) return null
  return additionSlippagePips(mid, desired, minimum)
}

function slippageOfWithdrawal({ step, amountsOut }: MovingStep, at: AtMid): bigint | null {
  const { liquidity: path, positionId } = step.read?.declared.roles ?? {}
  const liquidity = valueAt(step.read?.args, path)
  const minimum = inOrder(amountsOut, ({ minimum: least }) => least)
  if (typeof liquidity !== 'bigint' || !minimum) return null
  if (positionId === undefined)
    return slippageOfShares(at, at.state.pairOf(step), liquidity, amountsOut, minimum)
  const range = heldRange(at.state.positionOf(step))
  const mid = range && positionAtMid(at, amountsOut, range)
  if (!range || !mid) return null
  return liquiditySlippagePips(mid, minimum, withdrawnAtMid({ ...mid, range }, liquidity))
}

function slippageOfShares(
  at: AtMid,
  pair: HeldPair | 'NONE' | null,
  shares: bigint,
  amountsOut: readonly MovedAmount[],
  minimum: TokenPair,
): bigint | null {
  const mid = positionAtMid(at, amountsOut, null)
  if (!mid || pair === null || pair === 'NONE') return null
  return liquiditySlippagePips(mid, minimum, redeemedAtMid(mid, { ...pair, shares }))
}

/** The range in the arguments; null for a function without one, undefined if malformed. */
function givenRange(
  args: unknown,
  lowerPath: string | undefined,
  upperPath: string | undefined,
): PositionAtMid['range'] | undefined {
  if (lowerPath === undefined || upperPath === undefined) return null
  const [lower, upper] = [valueAt(args, lowerPath), valueAt(args, upperPath)]
  return validRange(lower, upper)
}

const maxTick = 887_272

function validRange(lower: unknown, upper: unknown): PositionAtMid['range'] | undefined {
  if (typeof lower !== 'number' || typeof upper !== 'number') return undefined
  const isValid = lower < upper && lower >= -maxTick && upper <= maxTick
  return isValid ? { lower, upper } : undefined
}

const heldRange = (position: HeldPosition | 'NONE' | null) =>
  position === null || position === 'NONE'
    ? undefined
    : (validRange(position.tickLower, position.tickUpper) ?? undefined)

/** The mid price for two amounts of the vault's pair; null for other tokens. */
function positionAtMid(
  { pair, price }: AtMid,
  amounts: readonly MovedAmount[],
  range: PositionAtMid['range'],
): PositionAtMid | null {
  const [one, other] = amounts
  if (!one || !other || !isTrade(pair, one.token, other.token)) return null
  if (price === null || price.priceX36 === 0n) return null
  const isBaseToken0 = pair.base.toLowerCase() < pair.quote.toLowerCase()
  return { midPriceX36: price.priceX36, isBaseToken0, range }
}

/** Two amounts in the order of their token addresses. */
function inOrder(
  amounts: readonly MovedAmount[],
  amountIn: (moved: MovedAmount) => bigint | null,
): TokenPair | null {
  const [one, other] = amounts
  if (!one?.token || !other?.token) return null
  const [first, second] = [amountIn(one), amountIn(other)]
  if (first === null || second === null) return null
  return one.token.toLowerCase() < other.token.toLowerCase()
    ? { amount0: first, amount1: second }
    : { amount0: second, amount1: first }
}
