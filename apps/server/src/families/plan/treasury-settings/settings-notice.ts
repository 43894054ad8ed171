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
    'The author of a reconciliation may acknowledge it; no second person is needed.',
  requiredLimits: 'A stress study with lower limits, or without them, counts in gates.',
  minimumCoveragePips: 'Custody evidence has to cover less of what a plan reserves.',
}

const names = {
  requested: 'A treasury setting is about to protect less',
  loosened: 'A treasury setting protects less now',
  change: 'a change of the treasury settings',
  withdrawal: 'Saving the settings as they are now withdraws it.',
}

/** The mail about a change of the treasury settings that protects less. */
export const noticeOf = (
  notice: SettingsNotice,
  members: readonly Pick<Member, 'userId' | 'email'>[],
): Mail =>
  noticeOfChange(names, notice, {
    effects: notice.about.loosens.map((path) => losses[path] ?? path),
    members,
  })
