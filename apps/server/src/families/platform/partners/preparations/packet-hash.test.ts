import type { contract } from '@liquidity-os/contract'
import { describe, expect, it } from 'vitest'
import { keyHashOf, packetHashOf } from './packet-hash.ts'
import { contextHashOf, movedMembers, type VaultContext } from './vault-context.ts'

const address = (digit: string) => `0x${digit.repeat(40)}`
const context: VaultContext = {
  issuerOrganizationId: 'org_a',
  consentId: 'partner_consent_a',
  vaultId: 'vault_a',
  chainId: 1,
  safeAddress: address('1'),
  controlEpoch: '0',
  pair: {
    chainId: 1,
    base: address('2'),
    quote: address('3'),
    baseDecimals: 18,
    quoteDecimals: 6,
  },
  assets: [address('2'), address('3'), 'native'],
  adapters: [],
  releaseHash: null,
  policyLimits: null,
}

describe('the hash of a packet', () => {
  it('is that of the methodology page', () => {
    const packet = { title: 'Demo' } as contract.PartnerPacket
    expect(packetHashOf({ packet, note: 'n' })).toBe(
      '0x73ae8a1a4c2b14c285929e5ce2814a522eeef61c90780c230580ef98a92d00d3',
    )
    expect(packetHashOf({ packet, note: '' })).not.toBe(packetHashOf({ packet, note: 'n' }))
  })

  it('names keys by their UTF-8 content', () => {
    expect(keyHashOf('partner-key-1')).toBe(
      '0xd1cf9c5cffcb718f754b7ecb1ed23efdb5a654b4b20c2fc42759db5903209f76',
    )
  })
})

describe('a context', () => {
  it('has one hash, and says which of its members are others', () => {
    expect(contextHashOf(context)).toBe(
      '0x2803e352a6c111d3ee56e0b299bcf3afa1ded4e7e64b330a53dfaddced2c216b',
    )
    const later = { ...context, controlEpoch: '1', releaseHash: `0x${'4'.repeat(64)}` }
    expect(contextHashOf(later)).not.toBe(contextHashOf(context))
    expect(movedMembers(context, context)).toEqual([])
    expect(movedMembers(context, later)).toEqual([
      { at: 'context.controlEpoch', prepared: '0', now: '1' },
      { at: 'context.releaseHash', prepared: 'null', now: later.releaseHash },
    ])
  })
})
