import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { verifyQueued } from './queued-signatures.ts'

const safeTxHash = `0x${'ab'.repeat(32)}` as Hex
const [first, second] = [generatePrivateKey(), generatePrivateKey()]
const owner = privateKeyToAccount(first).address
const stranger = privateKeyToAccount(second).address
const signed = (privateKey: Hex, hash: Hex = safeTxHash) => sign({ hash, privateKey, to: 'hex' })
const stateOf = async (of: string, signature: Hex | null, owners: string[] = [owner]) => {
  const queued = { owner: of as Hex, signature, signedAt: null }
  const [one] = await verifyQueued([queued], { safeTxHash, owners })
  return one?.state
}

describe('a queued signature', () => {
  it('is valid if its owner is recovered from it', async () => {
    expect(await stateOf(owner, await signed(first))).toBe('VALID')
  })

  it('is valid as a signed Ethereum message', async () => {
    const plain = await privateKeyToAccount(first).signMessage({ message: { raw: safeTxHash } })
    const v = (Number.parseInt(plain.slice(-2), 16) + 4).toString(16)
    expect(await stateOf(owner, `${plain.slice(0, -2)}${v}` as Hex)).toBe('VALID')
  })

  it('is ignored from another account, over another hash, or if malformed', async () => {
    const other = `0x${'cd'.repeat(32)}` as Hex
    expect(await stateOf(owner, await signed(second))).toBe('IGNORED')
    expect(await stateOf(owner, await signed(first, other))).toBe('IGNORED')
    expect(await stateOf(stranger, await signed(second))).toBe('IGNORED')
    expect(await stateOf(owner, '0x1234')).toBe('IGNORED')
    expect(await stateOf(owner, null)).toBe('IGNORED')
    expect(await stateOf(owner, `0x${'ff'.repeat(65)}`)).toBe('IGNORED')
  })

  it('of a contract or an approval on chain stays unverified', async () => {
    for (const v of ['00', '01']) {
      const approval = `0x${'00'.repeat(12)}${owner.slice(2)}${'00'.repeat(32)}${v}` as Hex
      expect(await stateOf(owner, approval)).toBe('UNVERIFIED')
    }
  })

  it('counts once per owner', async () => {
    const queued = { owner, signature: await signed(first), signedAt: null }
    const found = await verifyQueued([queued, queued], { safeTxHash, owners: [owner] })
    expect(found.map(({ state }) => state)).toEqual(['VALID', 'IGNORED'])
  })

  it('counts also behind an approval that cannot be verified', async () => {
    const approval = `0x${'00'.repeat(64)}01` as Hex
    const signatures = [approval, await signed(first)]
    const found = await verifyQueued(
      signatures.map((signature) => ({ owner, signature, signedAt: null })),
      { safeTxHash, owners: [owner] },
    )
    expect(found.map(({ state }) => state)).toEqual(['UNVERIFIED', 'VALID'])
  })

  it('is not recovered for accounts that are no owners', async () => {
    const queued = { owner: stranger, signature: await signed(second), signedAt: null }
    const many = Array.from({ length: 5000 }, () => queued)
    const found = await verifyQueued(many, { safeTxHash, owners: [owner] })
    expect(found).toHaveLength(1000)
    expect(new Set(found.map(({ reason }) => reason))).toEqual(
      new Set(['the account is no owner of the Safe']),
    )
  })
})
