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

// The first two are the vectors of EIP-1191.
it.each([
  [30, '0x27b1FdB04752BBc536007A920D24ACB045561c26'],
  [31, '0x27B1FdB04752BbC536007a920D24acB045561C26'],
  [30, '0xE700691Da7B9851F2F35f8b8182C69C53ccad9DB'],
  [31, '0xE700691Da7B9851F2F35f8b8182C69C53ccad9DB'],
])('accepts the checksum of chain %i, and only there: %s', (chainId, address) => {
  expect(normalizeAddress(address, chainId)).toBe(normalizeAddress(address.toLowerCase()))
  expect(normalizeAddress(address, 1)).toBeNull()
  expect(normalizeAddress(address)).toBeNull()
  const flipped = address.replace(/[A-F]/, (letter) => letter.toLowerCase())
  expect(normalizeAddress(flipped, chainId)).toBeNull()
})
