import type { FieldErrors } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'

export type RefusalCode = ConstructorParameters<typeof Failure>[0]

/** @throws Failure where something is wrong */
export function refuse(
  fieldErrors: FieldErrors,
  code: RefusalCode = 'LIQUIDITY_STRESS_REQUEST_INVALID',
): void {
  if (Object.keys(fieldErrors).length > 0) throw new Failure(code, { fieldErrors })
}
