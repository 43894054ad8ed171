import { domainToASCII } from 'node:url'
import { describe, expect, it } from 'vitest'
import faultOfScripts from './check-scripts-task.ts'
import { checkHost } from './host.ts'
import { skeletonOf } from './look-alike.ts'

const own = 'liquidity.example.org'
const check = (host: string) =>
  checkHost(host, own, (displayHost) => faultOfScripts({ displayHost }))

describe('a host', () => {
  it.each([
    ['partner.example', 'partner.example'],
    ['a.b.c.partner.co.uk', 'a.b.c.partner.co.uk'],
    ['xn--bcher-kva.example', 'bücher.example'],
    [domainToASCII('例え.example'), '例え.example'],
    [domainToASCII('пример.example'), 'пример.example'],
  ])('%s may be bound', async (host, displayHost) => {
    expect(await check(host)).toMatchObject({ fault: null, displayHost })
  })

  it.each([
    ['localhost', /two labels/],
    ['127.0.0.1', /not an IP address/],
    ['[::1]', /not an IP address/],
    ['192.0.2', /only digits/],
    ['*.partner.example', /wildcard/],
    ['Partner.example', /lowercase: partner.example/],
    ['bücher.example', /would be xn--bcher-kva.example/],
    ['-a.example', /labels/],
    ['a-.example', /labels/],
    ['a_b.example', /labels/],
    ['a..example', /labels/],
    ['a.example.', /labels/],
    ['a.example:443', /labels/],
    [`${'a'.repeat(64)}.example`, /up to 63/],
    ['co.uk', /public suffix/],
    ['github.io', /public suffix/],
    ['xn--zz.example', /A-labels/],
    ['xn--a.example', /A-labels/],
    [own, /the service's own host/],
    [`evil.${own}`, /the service's own host/],
    ['1iquidity.example.org', /look like/],
    ['llquldlty.example.org', /look like/],
  ])('%s may not', async (host, fault) => {
    expect((await check(host)).fault).toMatch(fault)
  })

  it('is refused where its letters are of scripts that look alike', async () => {
    // Cyrillic а among Latin letters; a word of Cyrillic letters that all look Latin; Greek ο.
    for (const display of [
      'p\u0430yment.example',
      '\u0430\u0440\u0440\u04cf\u0435.example',
      'g\u03bfogle.example',
    ]) {
      const host = domainToASCII(display)
      expect(host).toMatch(/^xn--/)
      expect([display, (await check(host)).fault]).toEqual([
        display,
        expect.stringMatching(/mistaken for another/),
      ])
    }
  })
})

describe('the skeleton', () => {
  it.each([
    ['paypal.example', 'paypa1.example'],
    ['modern.example', 'rnodern.example'],
    ['wide.example', 'vvide.example'],
    ['door.example', 'd00r.example'],
    ['cafe.example', 'café.example'],
  ])('of %s is that of %s', (one, other) => {
    expect(skeletonOf(one)).toBe(skeletonOf(other))
  })

  it.each([
    ['partner.example', 'partners.example'],
    ['my-bank.example', 'mybank.example'],
  ])('of %s is not that of %s', (one, other) => {
    expect(skeletonOf(one)).not.toBe(skeletonOf(other))
  })
})
