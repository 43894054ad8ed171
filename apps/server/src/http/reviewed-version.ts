import { Failure } from '../failure.ts'

/**
 * The version that the caller reviewed: from If-Match or the body. Null if neither states one.
 *
 * @throws Failure 400 if the two differ
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
