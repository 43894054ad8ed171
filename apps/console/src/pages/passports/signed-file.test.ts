import { expect, it } from 'vitest'
import { readSignedPassport } from './signed-file.ts'

const unsigned = { slug: 'example', claims: [1, { a: '2' }] }
const signed = { ...unsigned, contentHash: '0x1', signature: 'AA==' }
const read = (content: unknown) =>
  readSignedPassport({ name: 'signed.json', text: JSON.stringify(content) }, unsigned)

it('reads the downloaded passport with its signature, in any order of members', () => {
  expect(read(Object.fromEntries(Object.entries(signed).reverse()))).toEqual(signed)
})

it.each([
  [[], /is not a passport|has no signature/],
  [unsigned, /has no signature/],
  [{ ...signed, slug: 'other' }, /differs from the downloaded passport/],
  [{ ...signed, extra: 1 }, /differs from the downloaded passport/],
])('rejects %j', (content, message) => {
  expect(() => read(content)).toThrow(message)
})

it('rejects a file that is not JSON', () => {
  expect(() => readSignedPassport({ name: 'key.pem', text: '-----' }, unsigned)).toThrow(
    'key.pem is not JSON.',
  )
})
