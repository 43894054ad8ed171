import { readFileSync } from 'node:fs'
import { Compile } from 'typebox/schema'
import { expect, it } from 'vitest'
import currencies from './currencies.json' with { type: 'json' }

const read = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))

it('are what their schema says, in order', () => {
  expect(Compile(read('currencies.schema.json')).Errors(currencies)).toEqual([true, []])
  const codes = Object.keys(currencies.decimals)
  expect(codes).toEqual(codes.toSorted())
})

it('have the least units of ISO 4217', () => {
  expect(currencies.decimals).toMatchObject({
    USD: 2,
    EUR: 2,
    JPY: 0,
    ISK: 0,
    KWD: 3,
    IQD: 3,
    HUF: 2,
  })
})
