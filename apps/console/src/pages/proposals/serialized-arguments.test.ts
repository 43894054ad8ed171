import { describe, expect, it } from 'vitest'
import { readArgument } from './serialized-arguments.ts'

describe('arguments of decoded calls', () => {
  it.each([
    ['12', '12'],
    ['[0xa, 0xb]', ['0xa', '0xb']],
    ['[]', []],
    ['{ token: 0xa, amount: 5 }', { token: '0xa', amount: '5' }],
    [
      '[{ path: [0xa, 0xb], to: 0xc }, { path: [], to: 0xd }]',
      [
        { path: ['0xa', '0xb'], to: '0xc' },
        { path: [], to: '0xd' },
      ],
    ],
    ['{ no names }', '{ no names }'],
  ])('reads %s', (text, value) => {
    expect(readArgument(text)).toEqual(value)
  })
})
