import { readFileSync } from 'node:fs'
import { Compile } from 'typebox/schema'
import { isAddress } from 'viem'
import { expect, it } from 'vitest'

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

it('is what its schema says', () => {
  const schema = Compile(JSON.parse(read('known-contracts.schema.json')))
  expect(schema.Errors(JSON.parse(read('known-contracts.json')))).toEqual([true, []])
})

it('writes every address with its checksum', () => {
  const addresses = read('known-contracts.json').match(/"0x[0-9a-fA-F]{40}"/g) ?? []
  expect(addresses.length).toBeGreaterThan(0)
  for (const quoted of addresses) {
    const address = JSON.parse(quoted) as string
    expect(isAddress(address, { strict: true }), address).toBe(true)
  }
})
