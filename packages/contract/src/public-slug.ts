import Type from 'typebox'

/** Accepts any text: responses must not distinguish a malformed slug from an unknown one. */
export const AnySlug = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'The slug of a share.',
  examples: ['launch-half-hour'],
})

/** Format of the last part of a public address. */
export const slugPattern = '^[a-z0-9][a-z0-9-]{7,63}$'
