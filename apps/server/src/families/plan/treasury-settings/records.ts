import { contract } from '@liquidity-os/contract'
import { dueName, overdueNames } from '../../../jobs/overdue.ts'
import { dueOf } from '../../../market/treasury/waiting-change.ts'
import { recordFamily } from '../../record-family.ts'

const kind = 'treasury-settings'
/** An organization has one record of settings. */
export const settingsName = { kind, name: 'SETTINGS' }

const dueKind = 'treasury-settings-due'
/** Settings with a pending change that is due or expired. */
export const overdueSettings = overdueNames(dueKind)

export const treasurySettings = recordFamily(contract.treasurySettingsFamily, {
  names: ({ id, payload: { pending } }) => {
    const due = pending && dueOf(pending)
    return due === null ? [settingsName] : [settingsName, { kind: dueKind, name: dueName(due, id) }]
  },
  nameKinds: [kind, dueKind],
})
