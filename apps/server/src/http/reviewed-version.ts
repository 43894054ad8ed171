import { Failure } from '../failure.ts'

/**
 * The version that the caller reviewed: by If-Match, or named in the body. Null where neither names one.
 *
 * @throws Failure 400 where the two name different versions
 */
export function reviewedVersion(
  precondition: string | null,
  named: string | undefined,
  field: string,
): string | null {
  if (named !== undefined && precondition !== null && named !== precondition) {
    throw new Failure('LIQUIDITY_PRECONDITION_AMBIGUOUS', {
      fieldErrors: { [field]: [`must match If-Match ${precondition}, got ${named}`] },
    })
  }
  return named ?? precondition
}
