import type { ErrorCode } from './errors.ts'
import { errorCatalogue } from './errors.ts'
import { takesBody } from './methods.ts'
import type { Operation } from './operation.ts'
import { isGuarded, pathParameters } from './operation.ts'
import { isAlwaysServed } from './served-when-full.ts'

const everyOperation: readonly ErrorCode[] = [
  'LIQUIDITY_INVALID_REQUEST',
  'LIQUIDITY_RATE_LIMITED',
  'LIQUIDITY_INTERNAL_ERROR',
  'LIQUIDITY_STORE_UNAVAILABLE',
]
const withBody: readonly ErrorCode[] = [
  'LIQUIDITY_MALFORMED_JSON',
  'LIQUIDITY_BODY_TOO_LARGE',
  'LIQUIDITY_MEDIA_TYPE_UNSUPPORTED',
]
const withActor: readonly ErrorCode[] = [
  'LIQUIDITY_AUTHENTICATION_REQUIRED',
  'LIQUIDITY_STUDIO_INVALID_SERVICE_CREDENTIAL',
  'LIQUIDITY_STUDIO_SERVICE_AUTH_UNAVAILABLE',
  'LIQUIDITY_STUDIO_ORGANIZATION_REQUIRED',
  'LIQUIDITY_ORGANIZATION_ACCESS_DENIED',
  'LIQUIDITY_ROLE_REQUIRED',
  'LIQUIDITY_STUDIO_SERVICE_SCOPE_REQUIRED',
]

/** Default code of a status that the specification requires but the family does not name. */
const ofStatus: Readonly<Record<number, ErrorCode>> = {
  404: 'LIQUIDITY_RESOURCE_NOT_FOUND',
  409: 'LIQUIDITY_IDEMPOTENCY_KEY_REUSED',
  412: 'LIQUIDITY_PRECONDITION_FAILED',
  413: 'LIQUIDITY_BODY_TOO_LARGE',
}

/**
 * Code prefix of a public operation with its own error codes for all failures, including transport
 * errors; null for others.
 */
function ownRefusalsOf({ errors }: Pick<Operation, 'errors'>): string | null {
  const code = errors?.find((one) => one.endsWith(invalidInput))
  return code === undefined ? null : code.slice(0, -invalidInput.length)
}
const invalidInput = '_INVALID_INPUT'

/** True if a body can state the reviewed version. */
function namesVersion({ body }: Pick<Operation, 'body'>): boolean {
  const { properties = {} } = (body ?? {}) as { properties?: object }
  return 'resourceVersion' in properties
}

/** Every error code of an operation: those of its guards and its own. Sorted and unique. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  if (ownRefusalsOf(operation) !== null) {
    return [...(operation.errors ?? []), 'LIQUIDITY_INTERNAL_ERROR' as const].sort()
  }
  const codes = new Set<ErrorCode>(everyOperation)
  const add = (more: readonly ErrorCode[]) => {
    for (const code of more) codes.add(code)
  }
  if (takesBody(operation)) add(withBody)
  if (isGuarded(operation)) add(withActor)
  if (operation.permission && operation.method !== 'GET') add(['LIQUIDITY_ORIGIN_NOT_ALLOWED'])
  if (operation.auth.kind === 'scoped' || operation.auth.kind === 'any-scope') {
    add(['LIQUIDITY_STUDIO_SERVICE_SCOPE_RATE_LIMITED'])
  }
  const { response } = operation
  if (response?.wrap === 'bytes') add(['LIQUIDITY_ARTIFACT_DAMAGED'])
  if (response?.wrap === 'bytes' || (response?.wrap === 'data' && response.files)) {
    add(['LIQUIDITY_RANGE_UNSATISFIABLE'])
  }
  if (operation.auth.kind === 'basic') add(['LIQUIDITY_STUDIO_ORGANIZATION_REQUIRED'])
  if (operation.idempotency) {
    add([
      'LIQUIDITY_IDEMPOTENCY_KEY_REQUIRED',
      'LIQUIDITY_IDEMPOTENCY_KEY_REUSED',
      'LIQUIDITY_CONTENTION',
      'LIQUIDITY_OUTCOME_UNKNOWN',
    ])
    if (!isAlwaysServed(operation)) add(['LIQUIDITY_ORGANIZATION_STORAGE_FULL'])
  }
  if (operation.precondition) {
    add(['LIQUIDITY_STUDIO_PRECONDITION_REQUIRED', 'LIQUIDITY_PRECONDITION_FAILED'])
    // A body that states the version too can contradict If-Match.
    if (namesVersion(operation)) add(['LIQUIDITY_PRECONDITION_AMBIGUOUS'])
  }
  if (pathParameters(operation.path).length > 0) add(['LIQUIDITY_RESOURCE_NOT_FOUND'])
  if (operation.paging) add(['LIQUIDITY_CURSOR_INVALID'])
  if (operation.reauthentication) add(['LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED'])
  add(operation.errors ?? [])
  for (const status of operation.statedErrors ?? []) {
    const code = ofStatus[status]
    if (code) codes.add(code)
  }
  return [...codes].sort()
}

export function errorCodesByStatus(operation: Operation): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of errorCodesOf(operation)) {
    const { status } = errorCatalogue[code]
    const add = (at: number) => byStatus.set(at, [...(byStatus.get(at) ?? []), code])
    add(status)
    // One code for unreadable input, whether by format or by length.
    if (code.endsWith(invalidInput)) add(413)
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b))
}
