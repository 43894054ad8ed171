import Type, { type Static } from 'typebox'
import { Ref } from '../envelope.ts'
import { closed, Hash, list, named, oneOf, orNull } from '../scalars.ts'

/** Reasons the model's wording of a sentence is rejected. */
export const narrationFaults = [
  ...([
    'MISSING',
    'LENGTH',
    'CHARACTERS',
    'VALUES',
    'WORDS_NEW',
    'WORDS_LOST',
    'DENIAL',
    'FORM',
  ] as const),
] as const
export type NarrationFault = (typeof narrationFaults)[number]

export const NarrationFaultName = oneOf(
  narrationFaults,
  'MISSING: no wording received. LENGTH: more than twice as long. CHARACTERS: links, markup, hidden characters or other scripts. VALUES: a number, unit or name is missing, new or reordered. WORDS_NEW: a word from neither the template nor the list of plain words. WORDS_LOST: a word of the template is missing. DENIAL: a different number of negations. FORM: the sentence is not contained whole, alone or after an opener of the published list.',
)

export const narrationStates = ['TEMPLATES', 'MODEL', 'MIXED', 'REFUSED', 'UNAVAILABLE'] as const
const NarrationState = oneOf(
  narrationStates,
  'TEMPLATES: no model was called. MODEL: every sentence uses model wording. MIXED: some sentences use model wording, others their templates. REFUSED: all model wording was rejected. UNAVAILABLE: the model returned no readable response; see `reason`.',
)

/** Origin of the wording of a report's sentences; not part of the result or its hash. */
export const Narration = named(
  'Narration',
  closed({
    status: NarrationState,
    reason: orNull(
      Type.String({
        maxLength: 120,
        description: 'Reason for a missing model call or an unusable response; null otherwise.',
      }),
    ),
    provider: orNull(Ref),
    model: orNull(Type.String({ maxLength: 120 })),
    attempts: Type.Integer({ minimum: 0 }),
    faults: list(closed({ place: Type.Integer({ minimum: 0 }), fault: NarrationFaultName }), 64, {
      description: 'Narrative sentences, from 0, that use template wording.',
    }),
    wordsHash: orNull(Hash),
  }),
)
export type Narration = Static<typeof Narration>

/** Narration of a result with its wording, checked against the templates on every read. */
export const ToldNarration = named(
  'ToldNarration',
  closed({
    ...Narration.properties,
    words: list(
      orNull(
        Type.String({
          maxLength: 1400,
          description: 'Null if the narrative sentence is unchanged.',
        }),
      ),
      64,
      {
        description: 'One item per narrative sentence, with the citations of its text.',
      },
    ),
  }),
)
