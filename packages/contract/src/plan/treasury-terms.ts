import Type, { type Static } from 'typebox'
import { AtomicAmount, closed, named, oneOf, Timestamp } from '../scalars.ts'

/** Common treasury terms: asset keys, months and schedules. */

export const AssetKey = named(
  'AssetKey',
  Type.String({
    pattern:
      '^(eip155:[1-9][0-9]{0,15}/(slip44:60|erc20:0x[0-9a-f]{40}|erc721:0x[0-9a-f]{40}/(0|[1-9][0-9]{0,76}))|iso4217:[A-Z]{3})$',
    description:
      'An asset: `eip155:<chain>/slip44:60` is the native coin of a chain, `eip155:<chain>/erc20:<address>` a token and `eip155:<chain>/erc721:<address>/<id>` a position, with the address in lower case and an id below 10^77; `iso4217:<code>` is money of a bank.',
    examples: ['eip155:1/erc20:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', 'iso4217:USD'],
  }),
)

export const Month = named(
  'Month',
  Type.String({
    pattern: '^2[0-9]{3}-(0[1-9]|1[0-2])$',
    description: 'A month of the calendar in UTC, YYYY-MM.',
    examples: ['2026-01'],
  }),
)

export const treasuryTiers = ['T0', 'T1', 'T2', 'T3', 'T4'] as const
export type TreasuryTier = (typeof treasuryTiers)[number]
export const TreasuryTier = named(
  'TreasuryTier',
  oneOf(
    treasuryTiers,
    'Liquidity tier of an asset. T0: money of a bank; T1: stable assets; T2: native coins and wrapped majors; T3: every other; T4: the own token, undeclared tokens, and legs of claims in them.',
  ),
)

const OneOff = closed({
  kind: Type.Literal('ONE_OFF', { description: 'The amount is due once.' }),
  at: Timestamp,
})

const Recurring = closed({
  kind: Type.Literal('RECURRING', { description: 'The amount is due again and again.' }),
  firstAt: Timestamp,
  every: oneOf(
    ['WEEK', 'MONTH', 'QUARTER', 'YEAR'],
    'Interval between occurrences. A week is seven days. The others are 1, 3 and 12 calendar months in UTC, each counted from `firstAt`: on its day, or on the last day of a shorter month, so the 31st of January is followed by the 28th or 29th of February and by the 31st of March.',
  ),
  count: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1200,
      description: 'Number of occurrences. Without it and `until` they never end.',
    }),
  ),
  until: Type.Optional(Timestamp),
})

const Linear = closed({
  kind: Type.Literal('LINEAR', {
    description: 'The amount becomes due in equal steps from `from` to `to`.',
  }),
  from: Timestamp,
  cliffAt: Type.Optional(Timestamp),
  to: Timestamp,
  stepSeconds: Type.Integer({
    minimum: 1,
    maximum: 31_622_400,
    description: 'Step length in seconds, at most a year of 366 days.',
  }),
  initial: Type.Optional(AtomicAmount),
})

/** When an amount is due. */
export const TreasurySchedule = named(
  'TreasurySchedule',
  Type.Union([OneOff, Recurring, Linear], {
    description:
      'Due dates of an amount. For ONE_OFF and RECURRING the amount is due per occurrence; `until` is inclusive. For LINEAR it is the total: zero before `from`, `initial` from there to `cliffAt`, the full amount at `to`, and between them initial + ⌊(amount − initial) · ⌊(t − from)/step⌋ · step / (to − from)⌋. Times are whole seconds.',
  }),
)
export type TreasurySchedule = Static<typeof TreasurySchedule>
