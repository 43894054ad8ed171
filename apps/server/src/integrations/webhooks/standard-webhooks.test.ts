import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { newWebhookSecret, signWebhook } from './standard-webhooks.ts'

interface OfficialVector {
  readonly secret: string
  readonly id: string
  readonly timestamp: number
  readonly payload: string
  readonly signature: string
}

const vectors = JSON.parse(
  readFileSync(
    new URL('../../../../../datasets/crypto-vectors/standard_webhooks.json', import.meta.url),
    'utf8',
  ),
) as { official: OfficialVector[] }

/** The independent verifier refuses stale messages by the real clock, so tests sign at its present. */
const present = (): number => Math.floor(Date.now() / 1000)

describe('signWebhook', () => {
  it('gives the official signature', () => {
    expect(vectors.official.length).toBeGreaterThan(0)
    for (const { secret, id, timestamp, payload, signature } of vectors.official) {
      expect(signWebhook(id, timestamp, payload, [secret])).toEqual({
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature,
      })
    }
  })

  it('is accepted by the independent library, whatever the body', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uuid(), (text, id) => {
        const secret = newWebhookSecret()
        const body = JSON.stringify({ text })
        const headers = signWebhook(id, present(), body, [secret])
        expect(new Webhook(secret).verify(body, headers)).toEqual({ text })
      }),
    )
  })

  it('is accepted under the old and under the new secret while both sign', () => {
    const [fresh, old, foreign] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()]
    const headers = signWebhook('msg_1', present(), '{}', [fresh, old])
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2)
    expect(new Webhook(fresh).verify('{}', headers)).toEqual({})
    expect(new Webhook(old).verify('{}', headers)).toEqual({})
    expect(() => new Webhook(foreign).verify('{}', headers)).toThrow('No matching signature')
  })

  it('signs each attempt again under the same id', () => {
    const secret = newWebhookSecret()
    const first = signWebhook('msg_1', 100, '{}', [secret])
    const second = signWebhook('msg_1', 200, '{}', [secret])
    expect(second['webhook-id']).toBe(first['webhook-id'])
    expect(second['webhook-signature']).not.toBe(first['webhook-signature'])
  })

  it('is refused by the library once anything signed has changed', () => {
    const secret = newWebhookSecret()
    const now = present()
    const headers = signWebhook('msg_1', now, '{"a":1}', [secret])
    const receiver = new Webhook(secret)
    expect(() => receiver.verify('{"a":2}', headers)).toThrow()
    expect(() => receiver.verify('{"a":1}', { ...headers, 'webhook-id': 'msg_2' })).toThrow()
    const later = { ...headers, 'webhook-timestamp': String(now + 1) }
    expect(() => receiver.verify('{"a":1}', later)).toThrow()
    const stale = signWebhook('msg_1', now - 301, '{"a":1}', [secret])
    expect(() => receiver.verify('{"a":1}', stale)).toThrow('too old')
  })

  it('refuses arguments that would make another message or none', () => {
    const secret = newWebhookSecret()
    expect(() => signWebhook('msg.1', 1, '{}', [secret])).toThrow(RangeError)
    expect(() => signWebhook('msg\n1', 1, '{}', [secret])).toThrow(RangeError)
    expect(() => signWebhook('', 1, '{}', [secret])).toThrow(RangeError)
    expect(() => signWebhook('msg_1', 1.5, '{}', [secret])).toThrow(RangeError)
    expect(() => signWebhook('msg_1', 1, '{}', [])).toThrow(RangeError)
  })

  it('refuses a malformed secret without quoting it', () => {
    const short = Buffer.alloc(23, 7).toString('base64')
    for (const bad of ['', 'whsec_', short, `whsec_${short}`, 'whsec_%%%', 'whsk_AAAA']) {
      const attempt = (): unknown => signWebhook('msg_1', 1, '{}', [bad])
      expect(attempt).toThrow(RangeError)
      expect(attempt).not.toThrow(/BwcH|%%%/)
    }
  })
})

describe('newWebhookSecret', () => {
  it('is 256 bits, another each time', () => {
    const secrets = Array.from({ length: 50 }, newWebhookSecret)
    expect(new Set(secrets).size).toBe(50)
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    }
  })
})
