import { expect, it } from 'vitest'
import { clientAddressOf } from './client-address.ts'

const addressFor = (forwarded: string | undefined, trustedHops: number) =>
  clientAddressOf(
    {
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
      socket: { remoteAddress: '10.0.0.1' },
    },
    trustedHops,
  )

it.each([
  ['nobody in front: what the client says is nothing', '198.51.100.1', 0, '10.0.0.1'],
  ['one proxy', '198.51.100.1', 1, '198.51.100.1'],
  ['one proxy, and a client that made up another', '203.0.113.9, 198.51.100.1', 1, '198.51.100.1'],
  ['two proxies', '203.0.113.9, 198.51.100.1, 10.0.0.2', 2, '198.51.100.1'],
  ['fewer addresses than proxies', '198.51.100.1', 3, '198.51.100.1'],
  ['no header', undefined, 2, '10.0.0.1'],
  ['an empty header', ' , ', 1, '10.0.0.1'],
  ['gaps and spaces', ' 203.0.113.9 ,,\t198.51.100.1 ,', 1, '198.51.100.1'],
  ['IPv6', '2001:db8::1', 1, '2001:db8::1'],
])('%s', (_case, forwarded, trustedHops, expected) => {
  expect(addressFor(forwarded, trustedHops)).toBe(expected)
})
