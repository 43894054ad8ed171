import { expect, it } from 'vitest'
import { parsePastedAddress } from './pasted-address.ts'

const address = '0x27b1FdB04752BBc536007A920D24ACB045561c26'

it.each([
  [address, 1],
  [` ${address}\n`, 1],
  [`eth:${address}`, 1],
  [`eip155:1:${address}`, 1],
  [`eip155:30:${address}`, 30],
  [`rsk:${address}`, 30],
  [`eth:${address}`, null],
])('reads the address of %j on chain %s', (text, chainId) => {
  expect(parsePastedAddress(text, chainId)).toBe(address)
})

it.each([
  [`eth:${address}`, 30],
  [`eip155:1:${address}`, 30],
  [`eip155:01:${address}`, 1],
  [`constructor:${address}`, 1],
  [`unknown:${address}`, null],
  [address.slice(0, -1), 1],
  [`${address}0`, 1],
  ['', 1],
])('rejects %j on chain %s', (text, chainId) => {
  expect(parsePastedAddress(text, chainId)).toBeNull()
})
