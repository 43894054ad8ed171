import { readFileSync } from 'node:fs'
import { certify, type LinearProgram, tailCut } from '@liquidity-os/engine/optimization'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { solve } from './highs.ts'
import { solveProved } from './solve-proved.ts'
import { solverVersion } from './solver-version.ts'
import { type Cut, withinTail } from './tail-limit.ts'

const term = (variable: string, coefficient: number) => ({ variable, coefficient })
const box = (name: string, upper = 10) => ({ name, lower: 0, upper })

/** min c·x over two variables in [0, 10] with rows a·x ≥ b. */
const planar = (cost: readonly number[], rows: readonly (readonly number[])[]): LinearProgram => ({
  objective: [term('x0', cost[0]!), term('x1', cost[1]!)],
  rows: rows.map(([a0, a1, b], index) => ({
    name: `r${index}`,
    terms: [term('x0', a0!), term('x1', a1!)],
    relation: '>=',
    bound: b!,
  })),
  variables: [box('x0'), box('x1')],
})

/** The least value over all corners: crossings of two edges that keep every row. */
function bestCorner(cost: readonly number[], rows: readonly (readonly number[])[]): number | null {
  const edges = [...rows, [1, 0, 0], [0, 1, 0], [-1, 0, -10], [0, -1, -10]]
  let best: number | null = null
  for (const [i, first] of edges.entries()) {
    for (const second of edges.slice(i + 1)) {
      const [a, b, p] = [first[0]!, first[1]!, first[2]!]
      const [c, d, q] = [second[0]!, second[1]!, second[2]!]
      const determinant = a * d - b * c
      if (determinant === 0) continue
      const x = (p * d - b * q) / determinant
      const y = (a * q - p * c) / determinant
      if (edges.some(([u, v, w]) => u! * x + v! * y < w! - 1e-9)) continue
      const value = cost[0]! * x + cost[1]! * y
      if (best === null || value < best) best = value
    }
  }
  return best
}

describe('the solver', () => {
  it('finds the best corner of every small program, and the certificate proves it', async () => {
    const whole = fc.integer({ min: -9, max: 9 })
    const row = fc.tuple(whole, whole, whole)
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(whole, whole),
        fc.array(row, { minLength: 1, maxLength: 5 }),
        async (cost, rows) => {
          const solved = await solveProved(planar(cost, rows))
          const best = bestCorner(cost, rows)
          if (solved.status !== 'OPTIMAL') {
            expect(best).toBeNull()
            return
          }
          const value = cost[0] * solved.primal.get('x0')! + cost[1] * solved.primal.get('x1')!
          expect(value).toBeCloseTo(best!, 6)
          expect(solved.certificate.isFeasible).toBe(true)
          // Around zero a gap has no size to be a part of.
          if (Math.abs(value) > 1e-3) expect(solved.certificate.isProved).toBe(true)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('returns the same bits in a repetition', async () => {
    const program = planar(
      [1, 3],
      [
        [1, 1, 7],
        [3, -1, 1],
        [0, 1, 2],
      ],
    )
    expect(await solve(program)).toEqual(await solve(structuredClone(program)))
  })

  it('decides about binaries, after which the same program without them has multipliers', async () => {
    const program: LinearProgram = {
      objective: [term('x0', 1), term('z0', 5)],
      rows: [{ name: 'need', terms: [term('x0', 1), term('z0', 4)], relation: '>=', bound: 6 }],
      variables: [box('x0'), { name: 'z0', lower: 0, upper: 1, isBinary: true }],
    }
    const chosen = await solve(program)
    expect(chosen.status === 'OPTIMAL' && chosen.primal.get('z0')).toBe(0)
    const fixed = { ...program, variables: [box('x0'), box('z0', 0)] }
    const solved = await solveProved(fixed)
    expect(solved.status === 'OPTIMAL' && solved.certificate.isProved).toBe(true)
    expect(solved.status === 'OPTIMAL' && solved.dual.get('need')).toBeCloseTo(1)
  })

  it('says so when nothing fits', async () => {
    expect((await solve(planar([1, 1], [[1, 1, 30]]))).status).toBe('INFEASIBLE')
  })

  it('is the version that the evidence names', () => {
    const file = new URL('../../../package.json', import.meta.url)
    const { dependencies } = JSON.parse(readFileSync(file, 'utf8'))
    expect(solverVersion).toContain(`highs ${dependencies.highs} `)
  })

  it('hands out solutions that a stranger can certify from the text alone', async () => {
    const solved = await solve(
      planar(
        [2, 3],
        [
          [1, 2, 8],
          [2, 1, 9],
        ],
      ),
    )
    if (solved.status !== 'OPTIMAL') throw new Error('It has an optimum.')
    expect(certify(solved.text, solved.primal, solved.dual).isProved).toBe(true)
    const cheaper = new Map([...solved.primal].map(([name, value]) => [name, value * 0.999]))
    expect(certify(solved.text, cheaper, solved.dual).isProved).toBe(false)
    const wrong = new Map([...solved.dual].map(([name, value]) => [name, value * 1.1]))
    expect(certify(solved.text, solved.primal, wrong).isProved).toBe(false)
  })
})

describe('a limit on the tail', () => {
  it('ends at the portfolio that trying all of them finds', async () => {
    const losses = [
      Float64Array.of(9, 0, 1, 0, 2, 0, 3, 0, 1, 0),
      Float64Array.of(0, 4, 0, 5, 0, 1, 0, 2, 0, 1),
    ]
    const limit = { losses, confidencePips: 800_000, limit: 20 }
    const gain = [5, 4]
    const cuts: Cut[] = []
    const answer = await withinTail(
      limit,
      cuts,
      (rows) =>
        solve({
          objective: gain.map((value, v) => term(`x${v}`, -value)),
          rows: rows.map(({ gradient, limit: bound }, k) => ({
            name: `risk_${k}`,
            terms: gradient.map((value, v) => term(`x${v}`, value)),
            relation: '<=',
            bound,
          })),
          variables: [box('x0'), box('x1')],
        }),
      (found) =>
        found.status === 'OPTIMAL' ? [found.primal.get('x0')!, found.primal.get('x1')!] : null,
    )
    if (answer?.status !== 'OPTIMAL') throw new Error('It has an optimum.')
    const reached = 5 * answer.primal.get('x0')! + 4 * answer.primal.get('x1')!
    let best = 0
    for (let x = 0; x <= 1000; x += 1) {
      for (let y = 0; y <= 1000; y += 1) {
        const amounts = [x / 100, y / 100]
        const value = 5 * amounts[0]! + 4 * amounts[1]!
        if (value > best && tailCut(losses, amounts, 800_000).cvar <= 20) best = value
      }
    }
    expect(cuts.length).toBeGreaterThan(0)
    expect(reached).toBeGreaterThanOrEqual(best - 1e-4)
    expect(reached).toBeLessThanOrEqual(best + 0.1)
  })

  it('gives up a portfolio that no option provides, and does not query it forever', async () => {
    const limit = { losses: [Float64Array.of(1, 1)], confidencePips: 500_000, limit: 0.5 }
    const cuts: Cut[] = []
    const found = await withinTail(
      limit,
      cuts,
      () => Promise.resolve([1]),
      (amounts) => amounts,
    )
    expect([found, cuts.length]).toEqual([null, 200])
  })
})
