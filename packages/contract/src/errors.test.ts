import { readFileSync } from 'node:fs'
import { Compile } from 'typebox/schema'
import { describe, expect, it } from 'vitest'
import { type ErrorCode, errorCatalogue } from './errors.ts'

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

describe('the error catalogue', () => {
  it('is what its schema says', () => {
    const [, errors] = Compile(JSON.parse(read('errors.schema.json'))).Errors(
      JSON.parse(read('errors.json')),
    )
    expect(errors).toEqual([])
  })

  it('has every code once', () => {
    const written = [...read('errors.json').matchAll(/^ {6}"([A-Z0-9_]+)": \{$/gm)]
    expect(written.map(([, code]) => code)).toEqual(Object.keys(errorCatalogue))
  })

  it('gives the compiler its codes, and only these', () => {
    const known: ErrorCode = 'LIQUIDITY_INTERNAL_ERROR'
    // @ts-expect-error: a code that is not in the file.
    const unknown: ErrorCode = 'LIQUIDITY_INTERNAL_EROR'
    expect([known in errorCatalogue, unknown in errorCatalogue]).toEqual([true, false])
  })
})
