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
          'True if a user other than the authors must acknowledge a reconciliation. A single reconciliation may require it even if false.',
      }),
    }),
    primaryAssumptions: orNull(
      Type.String({
        pattern: '^treasury_assumptions_[0-9a-f]{32}$',
        description:
          'Id of the assumptions of the projections that count in gates, intents and the summary; null for any.',
      }),
    ),
    requiredLimits: list(
      closed({
        metric: oneOf(
          ['RUNWAY_MONTHS_X3', 'COVERAGE_PIPS'],
          'Limits of a stress study: thousandths of a month of runway, or covered millionths of the net outflow of thirty days.',
        ),
        threshold: AtomicAmount,
      }),
      2,
      {
        description: 'Minimum limits of a stress study that counts in a gate; one per metric.',
      },
    ),
    minimumCoveragePips: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description:
        'Minimum share of the reserved value of a plan that live custody evidence must cover, millionths.',
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
          'Effective time without a second OWNER, unless another has joined by then; null with other OWNERs.',
      }),
    ),
    expiresAt: Timestamp,
  }),
)
export type PendingTreasurySettings = Static<typeof PendingTreasurySettings>

/** Stored settings: those in effect at the time of the version, and a pending change. */
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
    'Replaces all settings, with a recent sign-in. Stricter settings take effect at once. Looser settings need an OWNER and wait: with other OWNERs for a confirmation within 7 days, without other OWNERs for 72 hours. An update without looser settings withdraws a waiting change. Every member gets an email when looser settings wait, take effect or end.',
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
      reason: 'Separation of duties',
    },
  },
})

export const confirmTreasurySettings = operation({
  ...written,
  id: 'confirmTreasurySettings',
  method: 'POST',
  path: '/treasury/settings/confirm',
  summary: 'Confirm a pending change of the treasury settings',
  description:
    'Requires an OWNER other than the requester, and a recent sign-in. It takes effect at once.',
  permission: 'treasury.write',
  body: closed({ reason: Reason }),
  errors: [
    'LIQUIDITY_TREASURY_SETTINGS_NOTHING_PENDING',
    'LIQUIDITY_TREASURY_SETTINGS_SECOND_OWNER_REQUIRED',
    'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
  ],
  example: { body: { reason: 'Agreed in the board meeting' } },
})

export const treasurySettingsFamily = declareFamily({
  module: 'plan/treasury-settings',
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
