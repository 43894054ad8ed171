import { describe, expect, it } from 'vitest'
import type { LiveCustody } from '../../prove/treasury-custody/api.ts'
import { controlOf, type Held, splitByControl } from './control.ts'

const address = `0x${'a'.repeat(40)}`
const token = `eip155:1/erc20:0x${'b'.repeat(40)}`
const position = `eip155:1/erc721:0x${'c'.repeat(40)}/7`
const account = `0x${'d'.repeat(64)}`

const wallet = (asset = token): Held => ({
  asset,
  container: { kind: 'SAFE', chainId: 1, address },
})
const makersAccount = (asset = token): Held => ({
  asset,
  container: { kind: 'MARKET_MAKER_ACCOUNT', chainId: 1, address },
})
const bank = (asset = 'iso4217:USD'): Held => ({
  asset,
  container: { kind: 'BANK_ACCOUNT', providerId: 'bank', accountReferenceHash: account },
})

const evidence = (statement: Partial<LiveCustody>, id = 'one') =>
  ({
    evidence: { resourceType: 'TreasuryCustodyEvidence', id, resourceVersion: '0x1' },
    container: `eip155:1:${address}`,
    assetKey: token,
    authority: 'SAFE',
    expiresAt: Date.parse('2026-02-01T00:00:00Z'),
    ...statement,
  }) as LiveCustody
const ofBank = evidence({
  container: `custodian:bank:${account}`,
  assetKey: 'iso4217:USD',
  authority: 'CUSTODIAN',
})

describe('control of a holding is', () => {
  it('asserted where nothing is signed of its account', () => {
    const asserted = { status: 'ASSERTED', source: null, until: null }
    expect(controlOf(wallet(), [])).toEqual(asserted)
    const elsewhere = evidence({ container: `eip155:1:0x${'e'.repeat(40)}` })
    const onAnotherChain = evidence({ container: `eip155:10:${address}` })
    expect(controlOf(wallet(), [elsewhere, onAnotherChain, ofBank])).toEqual(asserted)
  })

  it('proven for every asset of an account that signed for one, a position included', () => {
    const proven = { status: 'PROVEN', source: { id: 'one' }, until: '2026-02-01T00:00:00.000Z' }
    for (const asset of [token, 'eip155:1/slip44:60', position]) {
      expect(controlOf(wallet(asset), [evidence({})])).toMatchObject(proven)
    }
  })

  it('proven until the last of its evidence ends', () => {
    const later = evidence({ expiresAt: Date.parse('2026-03-01T00:00:00Z') }, 'later')
    for (const live of [
      [evidence({}), later],
      [later, evidence({})],
    ]) {
      expect(controlOf(wallet(), live)).toMatchObject({
        source: { id: 'later' },
        until: '2026-03-01T00:00:00.000Z',
      })
    }
  })

  it('attested for the asset alone that a custodian names', () => {
    expect(controlOf(bank(), [ofBank])).toMatchObject({ status: 'ATTESTED', source: { id: 'one' } })
    expect(controlOf(bank('iso4217:EUR'), [ofBank])).toMatchObject({ status: 'ASSERTED' })
  })

  it('attested at most in an account of a market maker, who signs for it', () => {
    expect(controlOf(makersAccount(), [evidence({})])).toMatchObject({ status: 'ATTESTED' })
    expect(controlOf(makersAccount(position), [evidence({})])).toMatchObject({
      status: 'ASSERTED',
    })
  })
})

it('parts by control sum exactly to the total', () => {
  const of = (amount: bigint, status: 'PROVEN' | 'ATTESTED' | 'ASSERTED') => ({
    amount,
    control: { status },
  })
  const large = 2n ** 200n + 1n
  expect(
    splitByControl([of(large, 'PROVEN'), of(2n, 'ATTESTED'), of(3n, 'ASSERTED'), of(4n, 'PROVEN')]),
  ).toEqual({ proven: `${large + 4n}`, attested: '2', asserted: '3', total: `${large + 9n}` })
  expect(splitByControl([])).toEqual({ proven: '0', attested: '0', asserted: '0', total: '0' })
})
