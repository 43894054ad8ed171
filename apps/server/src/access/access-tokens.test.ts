import { expect, it } from 'vitest'
import { AccessTokens } from './access-tokens.ts'

const key = new Uint8Array(32).fill(7)
const token = {
  organizationId: 'org_1',
  credentialId: 'credential_1',
  generation: 1,
  scopes: ['scores:read'],
  expiresAt: 1_800_000_000,
} as const

it('reads its own signed documents and rejects other forms', () => {
  const tokens = new AccessTokens([{ id: 'k1', key }])
  const signed = tokens.sign({ ...token, scopes: ['scores:read'] })
  expect(tokens.read(signed)).toEqual(token)
  expect(tokens.read(signed.slice(0, -1))).toBeNull()
  expect(tokens.read(signed.replace('.', '_'))).toBeNull()
})

it('needs a key: without one it would sign under an empty key id', () => {
  expect(() => new AccessTokens([])).toThrow('Missing key to sign access tokens.')
})
