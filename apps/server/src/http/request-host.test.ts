import { expect, it } from 'vitest'
import { requestHostOf } from './request-host.ts'

it.each([
  [{ host: 'Brand.Partner.example' }, 0, 'brand.partner.example'],
  [{ host: 'brand.partner.example:8443' }, 0, 'brand.partner.example'],
  [{ host: 'brand.partner.example.' }, 0, 'brand.partner.example'],
  [{ host: 'evil.example/x' }, 0, null],
  [{}, 0, null],
  [{ host: 'inner', 'x-forwarded-host': 'brand.partner.example' }, 0, 'inner'],
  [{ host: 'inner', 'x-forwarded-host': 'brand.partner.example' }, 1, 'brand.partner.example'],
  [
    { host: 'inner', 'x-forwarded-host': 'said.by.client, brand.partner.example' },
    1,
    'brand.partner.example',
  ],
  [
    { host: 'inner', 'x-forwarded-host': 'said.by.client, brand.partner.example, edge' },
    2,
    'brand.partner.example',
  ],
  [{ host: 'inner' }, 1, 'inner'],
])('of %j behind %i proxies is %s', (headers, hops, host) => {
  expect(requestHostOf(headers, hops)).toBe(host)
})
