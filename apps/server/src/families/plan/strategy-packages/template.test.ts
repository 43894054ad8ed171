import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fill, holesOf, type Parameter, validateParameter, valuesOf } from './template.ts'

const hole = (name: string) => `\${${name}}`
const parameter = (change: Partial<Parameter> = {}): Parameter => ({
  name: 'width',
  unit: 'PIPS',
  min: '10',
  max: '20',
  default: '15',
  ...change,
})

/** Any JSON without a hole. */
const anyJson = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('${'))

describe('a template', () => {
  it('without holes is itself, in another object', () => {
    fc.assert(
      fc.property(anyJson, (template) => {
        expect(holesOf(template)).toEqual([])
        expect(fill(template, [parameter()], { width: '12' })).toEqual(template)
      }),
    )
  })

  it('has every hole filled by its unit, wherever it is', () => {
    const units = ['PIPS', 'TICK', 'QUOTE_ATOMS'] as const
    fc.assert(
      fc.property(
        fc.constantFrom(...units),
        fc.integer({ min: 0, max: 2 ** 40 }),
        anyJson,
        fc.array(fc.constantFrom('a', 'b', 0, 1), { maxLength: 6 }),
        (unit, value, sibling, path) => {
          const within = (inner: unknown) =>
            path.reduceRight<unknown>(
              (held, step) => (typeof step === 'string' ? { [step]: held } : [sibling, held]),
              inner,
            )
          const filled = fill(within(hole('width')), [parameter({ unit })], { width: `${value}` })
          expect(filled).toEqual(within(unit === 'QUOTE_ATOMS' ? `${value}` : value))
        },
      ),
    )
  })

  it('lists its placeholders by path, and invalid ones', () => {
    const template = { a: [hole('width'), { b: `${hole('width')} pips` }], c: '$width', d: '${' }
    expect(holesOf(template)).toEqual([
      { path: 'a.0', name: 'width' },
      { path: 'a.1.b', name: null },
      { path: 'd', name: null },
    ])
  })

  it('keeps a value that looks like a placeholder unchanged', () => {
    const parameters = [parameter({ unit: 'QUOTE_ATOMS' })]
    expect(fill([hole('width')], parameters, { width: '1' })).toEqual(['1'])
    expect(fill([hole('height')], parameters, { width: '1' })).toEqual([hole('height')])
  })
})

describe('the values of parameters', () => {
  it('are those given within their bounds, both included, else the defaults', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -50n, max: 50n }), (value) => {
        const { values, faults } = valuesOf([parameter()], { width: `${value}` })
        expect(values).toEqual({ width: `${value}` })
        expect(Object.keys(faults)).toEqual(value >= 10n && value <= 20n ? [] : ['width'])
      }),
    )
    expect(valuesOf([parameter()], {})).toEqual({ values: { width: '15' }, faults: {} })
  })

  it('compare exactly beyond the precision of a double', () => {
    const max = `${2n ** 200n}`
    const amount = parameter({ unit: 'BASE_ATOMS', min: '0', max })
    expect(valuesOf([amount], { width: max }).faults).toEqual({})
    expect(Object.keys(valuesOf([amount], { width: `${2n ** 200n + 1n}` }).faults)).toEqual([
      'width',
    ])
  })

  it.each(['1.5', '1e1', ' 12', '+12', '012', '0x0c', '', '-0', 'NaN'])(
    'are whole numbers, and %j is none',
    (width) => {
      expect(valuesOf([parameter({ min: '-100' })], { width }).faults.width?.[0]).toContain(
        'must be a whole number of PIPS',
      )
    },
  )

  it.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty'])(
    'have defaults also where a parameter is called %s',
    (name) => {
      const parameters = [parameter({ name })]
      const { values, faults } = valuesOf(parameters, {})
      expect([values, faults]).toEqual([{ [name]: '15' }, {}])
      expect(fill({ at: hole(name) }, parameters, values)).toEqual({ at: 15 })
      expect(fill({ at: hole(name) }, [], {})).toEqual({ at: hole(name) })
    },
  )
})

describe('parameters', () => {
  it('are sound where the default is within the bounds', () => {
    expect(validateParameter([parameter(), parameter({ name: 'height' })])).toEqual({})
  })

  it.each<[string, Partial<Parameter>, string[]]>([
    ['a default below', { default: '9' }, ['0.default']],
    ['bounds the wrong way round', { min: '20', max: '10' }, ['0.default', '0.max']],
    ['numbers that no double holds', { max: `${2n ** 53n}` }, ['0.max']],
    ['an amount below zero', { unit: 'BASE_ATOMS', min: '-1' }, ['0.min']],
  ])('with %s are not', (_what, change, fields) => {
    expect(Object.keys(validateParameter([parameter(change)]))).toEqual(fields)
  })
})
