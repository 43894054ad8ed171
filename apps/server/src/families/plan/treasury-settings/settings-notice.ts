import type { contract } from '@liquidity-os/contract'
import type { Actor } from '@liquidity-os/evidence'
import type { Member } from '../../../access/administration.ts'
import { type Mail, noticeOfChange } from './waiting-notice.ts'
import type { SettingsStep } from './written-settings.ts'

export interface SettingsNotice {
  readonly what: SettingsStep['what']
  readonly by: Actor
  readonly about: contract.PendingTreasurySettings
  readonly reason: string
}

const losses: Readonly<Record<string, string>> = {
  'reconciliation.requireSecondPerson':
    'The author of a reconciliation can acknowledge it. No second person is required.',
  requiredLimits: 'Gates count a stress study with lower limits, or without limits.',
  minimumCoveragePips: 'Custody evidence must cover a smaller share of plan reservations.',
}

const names = {
  requested: 'A treasury setting will soon reduce protection',
  loosened: 'A treasury setting now reduces protection',
  change: 'a change of the treasury settings',
  withdrawal: 'Save the current settings again to withdraw the change.',
}

/** Email about a change of the treasury settings that weakens protection. */
export const noticeOf = (
  notice: SettingsNotice,
  members: readonly Pick<Member, 'userId' | 'email'>[],
): Mail =>
  noticeOfChange(names, notice, {
    effects: notice.about.loosens.map((path) => losses[path] ?? path),
    members,
  })
