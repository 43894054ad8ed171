import { expect, it } from 'vitest'
import { blockerText, cureFor } from './blockers.ts'

const subject = { vaultId: 'vault_1', pairKey: '1-0xa-0xb' }

it('states a blocker in words and the action that removes it', () => {
  const blocker = { code: 'VAULT_UNQUALIFIED', detail: 'The vault is PARTIAL.' }
  expect(blockerText(blocker)).toBe('The vault does not qualify. Its page lists the failed checks.')
  expect(cureFor(blocker.code, subject)).toEqual({
    label: 'Open the vault',
    to: { path: 'records/vaults/vault_1', search: {} },
  })
  expect(cureFor('OBSERVATION_MISSING', subject)?.to.path).toBe('markets/1-0xa-0xb')
})

it('repeats the detail of a blocker of a later release', () => {
  expect(blockerText({ code: 'LATER', detail: 'Reason.' })).toBe('Reason.')
  expect(cureFor('LATER', subject)).toBeNull()
})
