import { type LooseRequest, send } from '@liquidity-os/client'
import { operationById } from '@liquidity-os/contract'
import { conformingFetch } from './conforming-fetch.ts'
import type { TestMember } from './service.ts'

/** A response, successful or not; every body was validated against its schema. */
export interface TestResponse<Data> {
  status: number
  /** Empty where it succeeded. */
  code: string
  data: Data
  meta?: { nextCursor?: string }
  fieldErrors: Record<string, string[]>
  isReplayed: boolean
  headers: Headers
}

/** Current version of a record; a version that never was if the member cannot read the record. */
export async function versionOf(by: TestMember, readId: string, id: string): Promise<string> {
  const { data } = await callOperation<{ resourceVersion: string } | undefined>(by, readId, {
    params: { id },
  })
  return data?.resourceVersion ?? `0x${'0'.repeat(64)}`
}

export async function callOperation<Data>(
  by: TestMember,
  operationId: string,
  request: LooseRequest = {},
): Promise<TestResponse<Data>> {
  const operation = operationById.get(operationId)
  if (!operation) throw new Error(`Operation ${operationId} does not exist.`)
  const answer = await send({ ...by.options, fetch: conformingFetch }, operation, request)
  const body = JSON.parse(await answer.text())
  return {
    status: answer.status,
    code: body.error?.code ?? '',
    data: body.data,
    fieldErrors: body.error?.fieldErrors ?? {},
    meta: body.meta,
    isReplayed: answer.headers.get('idempotency-replayed') === 'true',
    headers: answer.headers,
  }
}
