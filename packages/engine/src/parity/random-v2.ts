import { PAIR_ACCOUNT } from '../amm/v2/state.ts'
import { type RandomStream, randomStream } from '../random/xoshiro128.ts'
import type { UniswapV2Operation } from './operations.ts'

const OWNERS = ['alice', 'bob', 'carol'] as const

/** Parameters of a generated v2 sequence: length and seed. */
export interface V2SequenceSpec {
  seed: number
  /** operations to draw */
  length: number
}

/** A coarse idea of the pair, so that most drawn operations are plausible. */
interface Draft {
  random: RandomStream
  timestamp: number
  reserves: [bigint, bigint]
  pending: [bigint, bigint]
  /** Liquidity units each owner might hold. */
  held: Record<string, bigint>
}

/**
 * A deterministic, adversarial sequence of operations on one v2 pair. It contains donations,
 * two-sided swaps, changes of the protocol fee, and calls that must revert.
 *
 * @param spec the same spec always gives the same sequence
 */
export function randomV2Sequence(spec: V2SequenceSpec): UniswapV2Operation[] {
  const random = randomStream(spec.seed)
  const start = random.below(8) === 0 ? 2 ** 32 - 3000 : 1_700_000_000
  const draft: Draft = { random, timestamp: start, reserves: [0n, 0n], pending: [0n, 0n], held: {} }
  const operations: UniswapV2Operation[] = []
  while (operations.length < spec.length) {
    draft.timestamp += random.below(3) === 0 ? 0 : random.below(500)
    operations.push(...drawStep(draft, operations.length < 6))
  }
  return operations.slice(0, spec.length)
}

function drawStep(draft: Draft, early: boolean): UniswapV2Operation[] {
  const { random, timestamp } = draft
  const owner = OWNERS[random.below(OWNERS.length)]!
  const choice = early ? random.below(30) : random.below(100)
  if (choice < 26) return drawMint(draft, owner)
  if (choice < 70) return drawSwap(draft, owner)
  if (choice < 82) return drawBurn(draft, owner)
  if (choice < 87) return [drawTransfer(draft, random.below(2) as 0 | 1, random.bits(40))]
  if (choice < 91) {
    settle(draft)
    return [{ kind: 'v2.sync', timestamp }]
  }
  if (choice < 95) {
    draft.pending = [0n, 0n]
    return [{ kind: 'v2.skim', timestamp, to: owner }]
  }
  return [{ kind: 'v2.setFeeTo', timestamp, feeTo: random.below(2) === 0 ? null : 'treasury' }]
}

function drawMint(draft: Draft, to: string): UniswapV2Operation[] {
  const { random, timestamp } = draft
  const amount0 = random.bits(1 + random.below(80))
  const [reserve0, reserve1] = draft.reserves
  const inProportion = reserve0 > 0n && random.below(2) === 0
  const amount1 = inProportion ? (amount0 * reserve1) / reserve0 : random.bits(1 + random.below(80))
  const transfers = [drawTransfer(draft, 0, amount0), drawTransfer(draft, 1, amount1)]
  const smaller = amount0 < amount1 ? amount0 : amount1
  draft.held[to] = (draft.held[to] ?? 0n) + smaller
  settle(draft)
  return [...transfers, { kind: 'v2.mint', timestamp, to }]
}

function drawSwap(draft: Draft, to: string): UniswapV2Operation[] {
  const { random, timestamp } = draft
  const tokenIn = random.below(2) as 0 | 1
  const reserveIn = draft.reserves[tokenIn]
  const reserveOut = draft.reserves[1 - tokenIn]!
  const amountIn = 1n + (reserveIn * random.bits(16)) / 200_000n
  const withFee = amountIn * 997n
  const best = reserveIn > 0n ? (withFee * reserveOut) / (reserveIn * 1000n + withFee) : 1n
  // One unit above the best answer must fail on K; slack below it is the pool's gain.
  const choice = random.below(8)
  const out = choice === 0 ? best + 1n : choice < 3 ? best - best / 50n : best
  const other = random.below(10) === 0 ? amountIn / 1000n : 0n
  const transfers = [drawTransfer(draft, tokenIn, amountIn)]
  if (random.below(10) === 0) transfers.push(drawTransfer(draft, (1 - tokenIn) as 0 | 1, out / 9n))
  settle(draft)
  // A swap that takes more than there is reverts on chain; the rough idea of the reserves stays above zero.
  const left = draft.reserves[1 - tokenIn]! - out
  draft.reserves[1 - tokenIn] = left > 0n ? left : 0n
  return [
    ...transfers,
    {
      kind: 'v2.swap',
      timestamp,
      amount0Out: tokenIn === 0 ? other : out,
      amount1Out: tokenIn === 0 ? out : other,
      to,
    },
  ]
}

function drawBurn(draft: Draft, owner: string): UniswapV2Operation[] {
  const { random, timestamp } = draft
  const held = draft.held[owner] ?? 0n
  const amount =
    random.below(4) === 0 ? random.bits(70) : (held * BigInt(random.below(1000))) / 1500n
  draft.held[owner] = held > amount ? held - amount : 0n
  return [
    { kind: 'v2.transferLiquidity', timestamp, from: owner, to: PAIR_ACCOUNT, amount },
    { kind: 'v2.burn', timestamp, to: owner },
  ]
}

function drawTransfer(draft: Draft, token: 0 | 1, amount: bigint): UniswapV2Operation {
  draft.pending[token] += amount
  return { kind: 'v2.transfer', timestamp: draft.timestamp, token, amount }
}

function settle(draft: Draft): void {
  draft.reserves = [draft.reserves[0] + draft.pending[0], draft.reserves[1] + draft.pending[1]]
  draft.pending = [0n, 0n]
}
