import Type, { type Static } from 'typebox'
import { Actor } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { operation, record, session } from '../operation.ts'
import {
  AtomicAmount,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Reason,
  Timestamp,
} from '../scalars.ts'

/** Protective settings of an organization's treasury. */
export const TreasurySettings = named(
  'TreasurySettings',
  closed({
    reconciliation: closed({
      requireSecondPerson: Type.Boolean({
        description:
          'Whether somebody else than its authors must acknowledge a reconciliation. A reconciliation may require it where this does not.',
      }),
    }),
    primaryAssumptions: orNull(
      Type.String({
        pattern: '^treasury_assumptions_[0-9a-f]{32}$',
        description:
          'Id of the assumptions whose projections count in gates, intents and the summary; null for any.',
      }),
    ),
    requiredLimits: list(
      closed({
        metric: oneOf(
          ['RUNWAY_MONTHS_X3', 'COVERAGE_PIPS'],
          'What a stress study must limit: thousandths of a month of runway, or millionths of the net outflow of thirty days that are covered.',
        ),
        threshold: AtomicAmount,
      }),
      2,
      {
        description:
          'Limits that a stress study must have, or stricter ones, to count in a gate; one of each metric.',
      },
    ),
    minimumCoveragePips: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description:
        'Least share of the value of what a plan reserves that live custody evidence must cover, millionths.',
    }),
  }),
)
export type TreasurySettings = Static<typeof TreasurySettings>

const PendingTreasurySettings = named(
  'PendingTreasurySettings',
  closed({
    settings: TreasurySettings,
    loosens: list(Type.String(), 16, {
      minItems: 1,
      description:
        'Settings that would protect less, by their path, such as reconciliation.requireSecondPerson.',
    }),
    requestedBy: Actor,
    requestedAt: Timestamp,
    effectiveAt: orNull(
      Type.String({
        format: 'date-time',
        description:
          'When it takes effect without a second OWNER, unless another has joined by then; null where there are others.',
      }),
    ),
    expiresAt: Timestamp,
  }),
)
export type PendingTreasurySettings = Static<typeof PendingTreasurySettings>

/** What is kept: the settings in force when the version was written, and a change that waits. */
export const KeptTreasurySettings = named(
  'KeptTreasurySettings',
  closed({ settings: TreasurySettings, pending: orNull(PendingTreasurySettings) }),
)
export type KeptTreasurySettings = Static<typeof KeptTreasurySettings>

export const TreasurySettingsView = named(
  'TreasurySettingsView',
  closed({
    settings: TreasurySettings,
    pending: orNull(PendingTreasurySettings),
    resourceVersion: Hash,
  }),
)
export type TreasurySettingsView = Static<typeof TreasurySettingsView>

const heading = { tag: 'Plan', family: 'Treasury ledger and capital planning' } as const
const written = {
  ...heading,
  isExtension: true,
  auth: session,
  idempotency: 'key-160',
  precondition: 'required',
  cacheControl: 'private, no-store',
  success: [200],
  response: record(TreasurySettingsView),
} as const

export const getTreasurySettings = operation({
  id: 'getTreasurySettings',
  isExtension: true,
  method: 'GET',
  path: '/treasury/settings',
  ...heading,
  summary: 'Read the treasury settings',
  description:
    'The settings in force, and a change that waits for a second OWNER or for its time, with the ETag that a change names.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  response: record(TreasurySettingsView),
})

export const putTreasurySettings = operation({
  ...written,
  id: 'putTreasurySettings',
  method: 'PUT',
  path: '/treasury/settings',
  summary: 'Change the treasury settings',
  description:
    'The whole of the settings, with a recent sign-in. What protects more takes effect at once. What protects less needs an OWNER and waits: with other OWNERs for one of them to confirm it within 7 days, without them for 72 hours. Settings that loosen nothing withdraw a change that waits. Every member gets a mail about what loosens, waits or ends.',
  permission: 'treasury.write',
  body: closed({ settings: TreasurySettings, reason: Reason }),
  errors: ['LIQUIDITY_TREASURY_SETTINGS_INVALID', 'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED'],
  example: {
    body: {
      settings: {
        reconciliation: { requireSecondPerson: true },
        primaryAssumptions: null,
        requiredLimits: [{ metric: 'RUNWAY_MONTHS_X3', threshold: '12000' }],
        minimumCoveragePips: 900_000,
      },
      reason: 'Nobody acknowledges their own books',
    },
  },
})

export const confirmTreasurySettings = operation({
  ...written,
  id: 'confirmTreasurySettings',
  method: 'POST',
  path: '/treasury/settings/confirm',
  summary: 'Confirm a change of the treasury settings that waits',
  description:
    'For another OWNER than the one who asked for it, with a recent sign-in. It takes effect at once.',
  permission: 'treasury.write',
  body: closed({ reason: Reason }),
  errors: [
    'LIQUIDITY_TREASURY_SETTINGS_NOTHING_PENDING',
    'LIQUIDITY_TREASURY_SETTINGS_SECOND_OWNER_REQUIRED',
    'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
  ],
  example: { body: { reason: 'Agreed in the meeting of the board' } },
})

export const treasurySettingsFamily = declareFamily({
  room: 'plan/treasury-settings',
  operations: [getTreasurySettings, putTreasurySettings, confirmTreasurySettings],
  type: 'TreasurySettings',
  prefix: 'treasury_settings',
  name: 'treasury settings',
  plural: 'treasury settings',
  payload: KeptTreasurySettings,
  moves: { ACTIVE: ['ACTIVE'] },
  events: [
    'treasury.settings.changed',
    'treasury.settings.loosening_requested',
    'treasury.settings.loosened',
    'treasury.settings.loosening_withdrawn',
    'treasury.settings.loosening_expired',
  ],
  title: null,
  columns: ['payload.settings.reconciliation.requireSecondPerson', 'createdAt'],
})
