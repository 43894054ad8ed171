import type { ErrorEnvelope } from '@liquidity-os/contract'

/** The service refused; programs decide on `code`. */
export class ApiFailure extends Error {
  readonly status: number
  readonly code: string
  readonly body: ErrorEnvelope
  readonly headers: Headers

  constructor(operationId: string, status: number, body: ErrorEnvelope, headers: Headers) {
    const error = body.error
    const fields = error?.fieldErrors ? ` ${JSON.stringify(error.fieldErrors)}` : ''
    super(`${operationId}: ${status} ${error?.code ?? ''} ${error?.message ?? ''}${fields}`)
    this.status = status
    this.code = error?.code ?? ''
    this.body = body
    this.headers = headers
  }
}
