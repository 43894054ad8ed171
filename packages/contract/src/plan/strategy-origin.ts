import Type, { type Static } from 'typebox'
import { Ref } from '../envelope.ts'
import { closed, Hash, list, mapOf, named, oneOf, orNull, Timestamp } from '../scalars.ts'

export const legacyKinds = ['BOOTSTRAP', 'MAINTAIN', 'DIVERSIFY'] as const

/** An incident that v1 recorded while the strategy ran. Its evidence stays with the issuer; the hash names it. */
export const LegacyIncident = named(
  'LegacyIncident',
  closed({
    evidenceHash: Hash,
    severity: oneOf(
      ['WARNING', 'CRITICAL'],
      'Passports count CRITICAL incidents of the last ninety days as major.',
    ),
    openedAt: Timestamp,
    endedAt: orNull(Timestamp),
  }),
)
export type LegacyIncident = Static<typeof LegacyIncident>

export const LegacyIncidents = list(LegacyIncident, 64, {
  description:
    'Incidents that v1 recorded during operation, as stated by the organization. Passports of the pair list and count incidents open in the last ninety days.',
})

/**
 * Conversion result of a v1 document: target per field, and dropped fields. The original bytes
 * are stored as `artifactHash`, which equals `v1EvidenceHash`.
 */
export const StrategyWrapper = named(
  'StrategyWrapper',
  closed({
    v1Kind: oneOf(legacyKinds, 'Kind of the v1 document.'),
    v1EvidenceHash: Hash,
    artifactHash: Hash,
    mapped: list(closed({ from: Type.String(), to: Type.String() }), 64, {
      description: 'Mapping of v1 document fields to fields of the definition.',
    }),
    unmapped: list(
      closed({
        path: Type.String({ maxLength: 200 }),
        material: Type.Literal(false),
        detail: Type.String({ maxLength: 200 }),
      }),
      64,
      { description: 'Fields without a meaning in v2. A material one refuses the document.' },
    ),
    incidents: Type.Optional(LegacyIncidents),
  }),
)
export type StrategyWrapper = Static<typeof StrategyWrapper>

/** Package version behind a strategy, with its parameter values. */
export const StrategyLineage = named(
  'StrategyLineage',
  closed({
    package: Ref,
    contentHash: Hash,
    parameters: mapOf(Type.String(), 'Values of the parameters, defaults among them.'),
    irHash: Type.Union([Hash, Type.Null()], {
      description: 'Hash of the seeded definition; a later definition can replace it.',
    }),
  }),
)
export type StrategyLineage = Static<typeof StrategyLineage>
