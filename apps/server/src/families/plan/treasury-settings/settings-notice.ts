import type { contract } from '@liquidity-os/contract'
import type { Actor } from '@liquidity-os/evidence'
import type { Member } from '../../../access/administration.ts'
import type { SettingsStep } from './written-settings.ts'

/** What the members are told of. */
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

/** The mail about a change of the treasury settings that protects less. */
export function noticeOf(
  { what, by, about, reason }: SettingsNotice,
  members: readonly Pick<Member, 'userId' | 'email'>[],
): { subject: string; text: string } {
  const nameOf = ({ id }: Actor) =>
    members.find(({ userId }) => userId === id)?.email ?? 'A former member'
  const asker = nameOf(about.requestedBy)
  const isConfirmed = by.kind !== 'SYSTEM'
  const { subject, said } = wordsOf(what, { asker, author: nameOf(by), about, isConfirmed })
  const effects = about.loosens.map((path) => `- ${losses[path] ?? path}`)
  return {
    subject,
    text: [...said, '', 'The change:', ...effects, '', `Reason given: ${reason}`].join('\n'),
  }
}

function wordsOf(
  what: SettingsNotice['what'],
  {
    asker,
    author,
    about,
    isConfirmed,
  }: {
    asker: string
    author: string
    about: contract.PendingTreasurySettings
    isConfirmed: boolean
  },
): { subject: string; said: string[] } {
  switch (what) {
    case 'loosening_requested':
      return {
        subject: 'A treasury setting is about to protect less',
        said: [
          `${asker} asked for a change of the treasury settings.`,
          about.effectiveAt === null
            ? `It takes effect if another owner confirms it before ${about.expiresAt}.`
            : `There is no other owner, so it takes effect at ${about.effectiveAt} unless somebody withdraws it.`,
          'Saving the settings as they are now withdraws it.',
        ],
      }
    case 'loosened':
      return {
        subject: 'A treasury setting protects less now',
        said: [
          isConfirmed
            ? `${author} confirmed the change that ${asker} asked for.`
            : `The change that ${asker} asked for took effect at ${about.effectiveAt}.`,
        ],
      }
    case 'loosening_expired':
      return {
        subject: 'A change of the treasury settings has expired',
        said: [`No other owner confirmed in time what ${asker} asked for. Nothing has changed.`],
      }
    default:
      return {
        subject: 'A change of the treasury settings was withdrawn',
        said: [`${author} withdrew what ${asker} asked for. It does not take effect.`],
      }
  }
}
