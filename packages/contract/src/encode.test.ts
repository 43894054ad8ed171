import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { encode } from './encode.ts'
import { AtomicAmount, closed, Label, list, mapOf, oneOf, orNull, SignedAmount } from './scalars.ts'

const Holding = closed({
  label: Label,
  tier: oneOf(['T0', 'T1'], 'Tier.'),
  quantity: AtomicAmount,
  change: SignedAmount,
  price: orNull(AtomicAmount),
  days: Type.Optional(Type.Integer()),
})

const holding = {
  label: 'WETH',
  tier: 'T0',
  quantity: 2n ** 256n - 1n,
  change: -3n,
  price: null,
} as const

describe('encode', () => {
  it('writes every bigint as a decimal string, at any depth', () => {
    const schema = closed({ holdings: list(Holding, 4), byAsset: mapOf(AtomicAmount, 'Amounts.') })
    expect(
      encode(schema, { holdings: [holding, { ...holding, price: 0n }], byAsset: { WETH: 7n } }),
    ).toEqual({
      holdings: [
        {
          label: 'WETH',
          tier: 'T0',
          quantity:
            '115792089237316195423570985008687907853269984665640564039457584007913129639935',
          change: '-3',
          price: null,
        },
        {
          label: 'WETH',
          tier: 'T0',
          quantity:
            '115792089237316195423570985008687907853269984665640564039457584007913129639935',
          change: '-3',
          price: '0',
        },
      ],
      byAsset: { WETH: '7' },
    })
  })

  it('drops members that the schema does not declare, and those that are undefined', () => {
    const wide = { ...holding, secret: 'internal', days: undefined }
    expect(Object.keys(encode(Holding, wide as never))).toEqual([
      'label',
      'tier',
      'quantity',
      'change',
      'price',
    ])
  })

  it('returns strings, numbers and lists unchanged', () => {
    const value = { ...holding, quantity: '12', change: '-1', price: '5', days: 3 }
    expect(encode(Holding, value)).toEqual(value)
  })

  it('rejects a negative amount, and a bigint in a field that is not a decimal string', () => {
    expect(() =>
      encode(closed({ rows: list(Holding, 2) }), { rows: [{ ...holding, quantity: -1n }] }),
    ).toThrow(/^\/rows\/0\/quantity must match .*, got -1\.$/)
    expect(() => encode(Holding, { ...holding, label: 5n })).toThrow(
      '/label must not be a bigint, got 5.',
    )
  })

  it('does not compile for a field that is missing or of another type', () => {
    const { label: _, ...rest } = holding
    // @ts-expect-error the label is missing
    encode(Holding, rest)
    // @ts-expect-error a tier is no amount
    expect(() => encode(Holding, { ...holding, tier: 1n })).toThrow('/tier')
  })
})
