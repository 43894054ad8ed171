import Type, { type Static } from 'typebox'
import { Ref } from '../envelope.ts'
import { closed, Hash, list, named, oneOf, orNull } from '../scalars.ts'

/** Why the words of a model do not stand for a sentence. */
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
  'MISSING: nothing came for it. LENGTH: more than twice as long. CHARACTERS: links, markup, hidden characters or other letters. VALUES: a number, unit or name is gone, new or in another order. WORDS_NEW: a word that neither the template nor the list of plain words has. WORDS_LOST: a word of the template is gone. DENIAL: it denies more or less often. FORM: the sentence does not stand in it whole, behind an opener of the published list or alone.',
)

export const narrationStates = ['TEMPLATES', 'MODEL', 'MIXED', 'REFUSED', 'UNAVAILABLE'] as const
const NarrationState = oneOf(
  narrationStates,
  'TEMPLATES: no model was asked. MODEL: every sentence has the words of a model. MIXED: some have, and the others those of their templates. REFUSED: none of its words stand. UNAVAILABLE: it gave no answer that can be read; `reason` says why.',
)

/** How the sentences of a report came by their words. Nothing of it is in the result, or in its hash. */
export const Narration = named(
  'Narration',
  closed({
    status: NarrationState,
    reason: orNull(
      Type.String({
        maxLength: 120,
        description: 'Why no model was asked, or why its answer is none; null where it is one.',
      }),
    ),
    provider: orNull(Ref),
    model: orNull(Type.String({ maxLength: 120 })),
    attempts: Type.Integer({ minimum: 0 }),
    faults: list(closed({ place: Type.Integer({ minimum: 0 }), fault: NarrationFaultName }), 64, {
      description: 'Sentences of the narrative, from 0, that keep the words of their template.',
    }),
    wordsHash: orNull(Hash),
  }),
)
export type Narration = Static<typeof Narration>

/** The narration of a result with its words, each held against its template anew whenever it is read. */
export const ToldNarration = named(
  'ToldNarration',
  closed({
    ...Narration.properties,
    words: list(
      orNull(
        Type.String({
          maxLength: 1400,
          description: 'Null where the sentence of the narrative stands as it is.',
        }),
      ),
      64,
      {
        description:
          'One for each sentence of the narrative, whose citations are those of its words.',
      },
    ),
  }),
)
