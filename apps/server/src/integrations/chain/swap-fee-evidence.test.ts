import { getAmountIn, getAmountOut } from '@liquidity-os/engine/amm'
import type { PairAmounts } from '@liquidity-os/engine/replay'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pairFeeOf, swapFeeEvidence } from './swap-fee-evidence.ts'

const forward = (amount0In: bigint, amount1Out: bigint): PairAmounts => ({
  amount0In,
  amount1In: 0n,
  amount0Out: 0n,
  amount1Out,
})
const backward = (amount1In: bigint, amount0Out: bigint): PairAmounts => ({
  amount0In: 0n,
  amount1In,
  amount0Out,
  amount1Out: 0n,
})
const logScale = (max: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: max }), fc.bigInt(1n, 9_999n))
    .map(([e, m]) => m * 10n ** BigInt(e))
const reserves = fc.record({ reserve0: logScale(26), reserve1: logScale(26) })
const fees = fc.integer({ min: 0, max: 300_000 })

describe('evidence of a swap on the fee', () => {
  // Of a pair of 18 and 6 decimals at three per mille.
  const pair = { reserve0: 10n ** 24n, reserve1: 2n * 10n ** 12n }
  const atThree = (amount: bigint) =>
    getAmountOut(amount, pair.reserve0, pair.reserve1, pairFeeOf(3000))

  it('is nothing where the atoms that moved are the same at any fee', () => {
    for (const amount of [10n ** 12n, 3n * 10n ** 13n, 10n ** 14n]) {
      for (const feePips of [0, 500, 2000, 2500, 2900, 3000]) {
        const evidence = swapFeeEvidence(pair, forward(amount, atThree(amount)), feePips)
        expect([amount, feePips, evidence]).toEqual([amount, feePips, 'SILENT'])
      }
    }
  })

  it('is that fee and no other where a pip shows', () => {
    const amounts = forward(10n ** 20n, atThree(10n ** 20n))
    const evidenceFor = (feePips: number) => swapFeeEvidence(pair, amounts, feePips)
    expect([2999, 3000, 3001].map(evidenceFor)).toEqual(['BELOW', 'EXACT', 'ABOVE'])
    const wanted = getAmountIn(10n ** 18n, pair.reserve1, pair.reserve0, pairFeeOf(0))
    expect(swapFeeEvidence(pair, backward(wanted * 10n ** 3n, 1n), 0)).toBe('BELOW')
  })

  it('is nothing where a token came in and went out, or nothing came out', () => {
    const both = { amount0In: 5n, amount1In: 5n, amount0Out: 0n, amount1Out: 1n }
    expect(swapFeeEvidence(pair, both, 3000)).toBe('SILENT')
    expect(swapFeeEvidence(pair, forward(5n, 0n), 1_000_000)).toBe('SILENT')
  })

  it('is never a fee below the one that the pair takes, whatever the pair allows', () => {
    fc.assert(
      fc.property(
        ...[reserves, fees, fees, logScale(26), fc.bigInt(0n, 3n), fc.boolean()],
        (held, one, other, size, less, isOutput) => {
          fc.pre(one !== other)
          const [claimed, real] = [Math.min(one, other), Math.max(one, other)]
          const { reserve0, reserve1 } = held
          // A caller who minds the claimed fee, or who takes a little less than the pair would let go.
          const wanted = size % reserve1
          const amountIn =
            isOutput && wanted > 0n
              ? getAmountIn(wanted, reserve0, reserve1, pairFeeOf(claimed))
              : size
          const max = getAmountOut(amountIn, reserve0, reserve1, pairFeeOf(real))
          const out = isOutput && wanted > 0n && wanted <= max ? wanted : max - less
          fc.pre(out > 0n)
          expect(swapFeeEvidence(held, forward(amountIn, out), claimed)).not.toBe('EXACT')
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('is never a fee above the one at which a caller took all there was', () => {
    fc.assert(
      fc.property(reserves, fees, fees, logScale(26), (held, one, other, size) => {
        fc.pre(one !== other)
        const [real, claimed] = [Math.min(one, other), Math.max(one, other)]
        const out = getAmountOut(size, held.reserve0, held.reserve1, pairFeeOf(real))
        fc.pre(out > 0n)
        expect(swapFeeEvidence(held, forward(size, out), claimed)).not.toBe('EXACT')
      }),
      { numRuns: 3000 },
    )
  })

  it('is the fee that the pair takes where enough moved, by either formula', () => {
    const enough = fc.bigInt(10n ** 15n, 10n ** 24n)
    fc.assert(
      fc.property(
        enough,
        enough,
        fees,
        fc.bigInt(1n, 1000n),
        (reserve0, reserve1, feePips, part) => {
          const size = (reserve0 * part) / 10_000n
          const fee = pairFeeOf(feePips)
          const out = getAmountOut(size, reserve0, reserve1, fee)
          // A hundred atoms to the pip, on the side of which the atoms are counted.
          fc.pre(out > 10n ** 8n && size > 10n ** 8n)
          expect(swapFeeEvidence({ reserve0, reserve1 }, forward(size, out), feePips)).toBe('EXACT')
          const paid = getAmountIn(out, reserve0, reserve1, fee)
          expect(swapFeeEvidence({ reserve0, reserve1 }, forward(paid, out), feePips)).toBe('EXACT')
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('keeps the scale of the fee', () => {
    expect(pairFeeOf(3000)).toEqual({ numerator: 3n, denominator: 1000n })
    expect(pairFeeOf(2500)).toEqual({ numerator: 2500n, denominator: 1_000_000n })
  })
})
