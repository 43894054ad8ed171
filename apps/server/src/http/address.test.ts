import { keccak_256 } from '@noble/hashes/sha3.js'
import { expect, it } from 'vitest'
import { normalizeAddress } from './address.ts'

// The examples of EIP-55.
it.each([
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
])('gives %s its checksum and takes no other spelling in mixed case', (address) => {
  expect(normalizeAddress(address.toLowerCase())).toBe(address)
  expect(normalizeAddress(address)).toBe(address)
  expect(normalizeAddress('0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBeNull()
})

it('agrees with an independent keccak for every digit in every place', () => {
  for (let shift = 0; shift < 16; shift += 1) {
    const lower = Array.from({ length: 40 }, (_, at) => ((at + shift) % 16).toString(16)).join('')
    const digest = Buffer.from(keccak_256(new TextEncoder().encode(lower))).toString('hex')
    const expected = [...lower]
      .map((digit, at) =>
        Number.parseInt(digest[at] ?? '', 16) >= 8 ? digit.toUpperCase() : digit,
      )
      .join('')
    expect(normalizeAddress(`0x${lower}`)).toBe(`0x${expected}`)
  }
})
