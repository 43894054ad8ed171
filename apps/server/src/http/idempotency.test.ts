import { type ErrorCode, errorCatalogue, operations } from '@liquidity-os/contract/outline'
import { expect, it } from 'vitest'
import { Failure } from '../failure.ts'
import { isStored } from './idempotency.ts'

const codes = Object.keys(errorCatalogue) as ErrorCode[]
const mutations = operations.filter(({ idempotency }) => idempotency !== undefined)

it.each(codes)('%s is kept under its key only where a repetition cannot do better', (code) => {
  const { status, retryable } = errorCatalogue[code]
  for (const operation of mutations) {
    const stored = isStored(operation, new Failure(code))
    const isCurable = [
      'LIQUIDITY_STUDIO_SERVICE_SCOPE_REQUIRED',
      'LIQUIDITY_ORGANIZATION_STORAGE_FULL',
    ].includes(code)
    if (retryable || isCurable || status >= 500 || [401, 429].includes(status)) {
      const isCeremony = code === 'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED'
      expect([operation.id, stored]).toEqual([
        operation.id,
        isCeremony && operation.reauthentication === 'required-and-recorded',
      ])
    } else expect([operation.id, stored]).toEqual([operation.id, true])
  }
})
