import fc from 'fast-check'

/** Keys that invite trouble: prototypes, array indexes, escapes that look like half a pair. */
export const trickyKeys = [
  '__proto__',
  'toJSON',
  'constructor',
  '10',
  '9',
  '-1',
  '',
  'ud800',
  '\\ud800',
  '\ufb33',
  '\u{1f600}',
]

const key = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...trickyKeys))
const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.maxSafeInteger(),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  key,
)
const leaf = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(key, scalar))
const branch = fc.oneof(leaf, fc.array(leaf, { maxLength: 4 }), fc.dictionary(key, leaf))

/** Any JSON value that the evidence rule admits. */
export const jsonValue = fc.oneof(
  scalar,
  fc.array(branch, { minLength: 1, maxLength: 4 }),
  fc.dictionary(key, branch, { minKeys: 1, maxKeys: 6 }),
)
