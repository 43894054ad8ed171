import { ApiFailure } from './api-failure.ts'

/** Error class of one code, for checks with `instanceof`. */
export type FailureClass<Code extends string> = new (
  ...given: ConstructorParameters<typeof ApiFailure>
) => ApiFailure & { readonly code: Code }

const known = new Map<string, FailureClass<string>>()

/** The class of a code; the same one every time. */
export function failureClass<const Code extends string>(code: Code): FailureClass<Code> {
  const made = known.get(code) ?? classOf(code)
  known.set(code, made)
  return made as FailureClass<Code>
}

function classOf(code: string): FailureClass<string> {
  const named = {
    [code]: class extends ApiFailure {
      override readonly name = code || 'ApiFailure'
    },
  }
  // The object has what its one member was computed from.
  return named[code]!
}
