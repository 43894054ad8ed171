// @module-tag postgres

import { randomBytes } from 'node:crypto'
import { sign, verify } from '@liquidity-os/evidence'
import { expect, it } from 'vitest'
import { Sealing } from '../src/access/sealing.ts'
import { publishedKeys, SigningKeys } from '../src/access/signing-keys.ts'
import { serviceForTest } from './support/service.ts'

it('is one key for every process, however many sign first at once', async () => {
  const { database, services } = await serviceForTest()
  expect(await publishedKeys(database)).toEqual([])
  const keys = await Promise.all(
    Array.from({ length: 12 }, () => new SigningKeys(database, services.sealing).current(1000)),
  )
  expect(new Set(keys.map(({ publicKey }) => publicKey.raw)).size).toBe(1)
  const [first, last] = [keys[0]!, keys.at(-1)!]
  expect(verify(last.publicKey, 'test/v1', { a: 1 }, sign(first, 'test/v1', { a: 1 }))).toBe(true)
  expect(await publishedKeys(database)).toEqual([
    {
      keyId: first.publicKey.keyId,
      publicKey: first.publicKey.raw,
      createdAt: '1970-01-01T00:00:01.000Z',
      retiredAt: null,
    },
  ])
})

it('is kept sealed, opens with an older sealing key, and with no other', async () => {
  const { database, config } = await serviceForTest()
  const older = config.sealingKeys
  const made = await new SigningKeys(database, new Sealing(older)).current(1)
  const { rows } = await database.pool.query('select sealed_private_key from signing_keys')
  const secret = made.key.export({ format: 'jwk' }).d ?? 'none'
  expect(rows[0].sealed_private_key).not.toContain(secret)
  const fresh = { id: 'fresh', key: randomBytes(32) }
  const rotated = new SigningKeys(database, new Sealing([fresh, ...older]))
  expect((await rotated.current(2)).publicKey.raw).toBe(made.publicKey.raw)
  const foreign = new SigningKeys(database, new Sealing([fresh]))
  await expect(foreign.current(3)).rejects.toThrow('sealed with a key that this deployment')
})

it('is rejected if another public key was added', async () => {
  const { database, services } = await serviceForTest()
  await services.signingKeys.current(1)
  await database.pool.query(
    `update signing_keys set public_key = 'A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg='`,
  )
  await expect(services.signingKeys.current(2)).rejects.toThrow('differs from the registered key')
})
