import type { contract } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { pausedBy } from './paused-by.ts'

const before = {
  displayName: 'Partner',
  legalName: 'Partner AG',
  supportEmail: 'a@partner.test',
  consentTextHash: '0x1',
  dataRetentionDays: 30,
  privacyUrl: null,
  offers: ['BRAND_ON_PASSPORT', 'SCORE_READ'],
  brand: { name: 'Partner', accentColor: '#0f7b6c', logo: null },
} as unknown as contract.PartnerTenant
const both = { scopes: ['BRAND_ON_PASSPORT', 'SCORE_READ'] as contract.ConsentScope[] }
const after = (changes: object) => ({ ...before, ...changes })

it.each<[string, object, readonly string[] | null]>([
  ['nothing', {}, null],
  ['an address', { supportEmail: 'b@partner.test', privacyUrl: 'https://partner.test' }, null],
  ['shorter keeping', { dataRetentionDays: 7 }, null],
  ['longer keeping', { dataRetentionDays: 31 }, both.scopes],
  ['another person', { legalName: 'Other AG' }, both.scopes],
  ['another text', { consentTextHash: '0x2' }, both.scopes],
  ['the end of an offer', { offers: ['BRAND_ON_PASSPORT'] }, both.scopes],
  ['another name', { displayName: 'Partners' }, ['BRAND_ON_PASSPORT']],
  ['another brand', { brand: { ...before.brand, accentColor: '#767676' } }, ['BRAND_ON_PASSPORT']],
  ['more offers', { offers: ['BRAND_ON_PASSPORT', 'SCORE_READ', 'REPORT_READ'] }, null],
])('of %s takes what rests on it', (_, changes, scopes) => {
  expect(pausedBy(before, after(changes), both)?.scopes ?? null).toEqual(scopes)
})

it('takes nothing of a brand or an offer that was not granted', () => {
  const score = { scopes: ['SCORE_READ'] as contract.ConsentScope[] }
  expect(pausedBy(before, after({ displayName: 'Partners' }), score)).toBeNull()
  expect(pausedBy(before, after({ offers: ['SCORE_READ'] }), score)).toBeNull()
})
