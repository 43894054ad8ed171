import fc from 'fast-check'
import { expect, test } from 'vitest'
import { certify } from './certify.ts'
import { decimalOf, plus, readDecimal, times } from './decimal.ts'
import { type LinearProgram, printLinearProgram } from './linear-program.ts'
import { LinearProgramError, readLinearProgram } from './read-linear-program.ts'
import { tailCut } from './tail-cut.ts'

/** min x0 + 2·x1 with x0 + x1 ≥ 10, x0 ≤ 6 by a row: 6 and 4, multipliers 2 and −1. */
const program: LinearProgram = {
  objective: [
    { variable: 'x0', coefficient: 1 },
    { variable: 'x1', coefficient: 2 },
  ],
  rows: [
    {
      name: 'need',
      terms: [
        { variable: 'x0', coefficient: 1 },
        { variable: 'x1', coefficient: 1 },
      ],
      relation: '>=',
      bound: 10,
    },
    { name: 'most', terms: [{ variable: 'x0', coefficient: 1 }], relation: '<=', bound: 6 },
  ],
  variables: [
    { name: 'x0', lower: 0, upper: 1000 },
    { name: 'x1', lower: 0, upper: 1000 },
  ],
}
const text = printLinearProgram(program)
const primal = new Map([
  ['x0', 6],
  ['x1', 4],
])
const dual = new Map([
  ['need', 2],
  ['most', -1],
])

test('an optimal pair is proved with no gap', () => {
  expect(certify(text, primal, dual)).toEqual({
    isFeasible: true,
    violationE12: 0n,
    gapPips: 0n,
    isProved: true,
  })
})

test('a primal that was tampered with is refused', () => {
  const cheaper = new Map([...primal, ['x1', 3.999]] as const)
  expect(certify(text, cheaper, dual)).toMatchObject({ isFeasible: false, isProved: false })
  const dearer = new Map([...primal, ['x1', 4.001]] as const)
  expect(certify(text, dearer, dual)).toMatchObject({ isFeasible: true, isProved: false })
  const outside = new Map([...primal, ['x1', 1001]] as const)
  expect(certify(text, outside, dual).isFeasible).toBe(false)
  expect(certify(text, new Map([['x0', 6]]), dual).isProved).toBe(false)
})

test('a dual that was tampered with proves nothing', () => {
  for (const wrong of [
    new Map([...dual, ['need', 1.99]] as const),
    new Map([...dual, ['need', 2.01]] as const),
    new Map([...dual, ['most', 1]] as const),
    new Map([...dual, ['need', Number.POSITIVE_INFINITY]] as const),
    new Map<string, number>(),
  ]) {
    const { isFeasible, isProved, gapPips } = certify(text, primal, wrong)
    expect(isFeasible).toBe(true)
    expect(isProved).toBe(false)
    expect(gapPips).toBeGreaterThan(1n)
  }
})

test('no multipliers whatever prove a bound above the optimum', () => {
  const better = new Map([
    ['x0', 6],
    ['x1', 4.0001],
  ])
  fc.assert(
    fc.property(fc.double({ min: -5, max: 5, noNaN: true }), fc.double(), (need, most) => {
      const found = certify(
        text,
        better,
        new Map([
          ['need', need],
          ['most', most],
        ]),
      )
      expect(found.isProved).toBe(false)
    }),
  )
})

test('the text is canonical and is read as it was printed', () => {
  expect(text).toBe(printLinearProgram(structuredClone(program)))
  const read = readLinearProgram(text)
  expect(read.rows.map(({ name, relation }) => [name, relation])).toEqual([
    ['need', '>='],
    ['most', '<='],
  ])
  expect(read.objective.get('x1')).toEqual({ digits: 2n, exponent: 0 })
  expect(() => readLinearProgram(text.replace('>=', '=>'))).toThrow(LinearProgramError)
  expect(() => readLinearProgram(`more\n${text}`)).toThrow(LinearProgramError)
  expect(() =>
    printLinearProgram({ ...program, rows: [...program.rows, ...program.rows] }),
  ).toThrow(RangeError)
})

test('numbers have twelve digits, and coefficients that a solver drops are not printed', () => {
  const printed = printLinearProgram({
    ...program,
    objective: [
      { variable: 'x0', coefficient: 1 / 3 },
      { variable: 'x1', coefficient: 1e-10 },
    ],
  })
  expect(printed.split('\n')[1]).toBe(' obj: + 0.333333333333 x0')
  expect(() =>
    printLinearProgram({ ...program, objective: [{ variable: 'x0', coefficient: Number.NaN }] }),
  ).toThrow(RangeError)
})

test('decimals add and multiply without rounding', () => {
  expect(plus(readDecimal('0.1'), readDecimal('0.2'))).toEqual({ digits: 3n, exponent: -1 })
  expect(times(readDecimal('-1.5e-7'), decimalOf(4))).toEqual({ digits: -60n, exponent: -8 })
  expect(() => readDecimal('1/3')).toThrow(RangeError)
})

test('the tail of a portfolio is the mean of its worst scenarios, the last one in part', () => {
  const losses = [Float64Array.of(1, 5, 3, 4, 2), Float64Array.of(0, 0, 10, 0, 0)]
  // Half of five: the two worst and half of the third.
  expect(tailCut(losses, [1, 0], 500_000)).toEqual({
    cvar: (5 + 4 + 1.5) / 2.5,
    gradient: [(5 + 4 + 1.5) / 2.5, 5 / 2.5],
  })
  expect(() => tailCut([], [], 500_000)).toThrow(RangeError)
  expect(() => tailCut(losses, [1, 0], 1_000_000)).toThrow(RangeError)
})

test('a cut never takes away a portfolio that keeps the limit', () => {
  const values = fc.array(fc.double({ min: -10, max: 10, noNaN: true }), {
    minLength: 8,
    maxLength: 8,
  })
  const amount = fc.double({ min: 0, max: 5, noNaN: true })
  fc.assert(
    fc.property(values, values, amount, amount, amount, amount, (a, b, x0, x1, y0, y1) => {
      const losses = [Float64Array.from(a), Float64Array.from(b)]
      const { gradient } = tailCut(losses, [x0, x1], 700_000)
      const at = tailCut(losses, [y0, y1], 700_000).cvar
      expect(gradient[0]! * y0 + gradient[1]! * y1).toBeLessThanOrEqual(at + 1e-9)
    }),
  )
})
