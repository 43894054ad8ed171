import type { ExchangeRead } from '../../exchanges.ts'

/** Lines to the process of the exchanges, as JSON. */
export type FromParent =
  | { readonly kind: 'READ'; readonly id: number; readonly request: ExchangeRead }
  | {
      readonly kind: 'FETCHED'
      readonly id: number
      readonly status: number
      readonly contentType: string
      readonly text: string
    }
  | { readonly kind: 'FETCH_FAILED'; readonly id: number }

/** Lines from the process of the exchanges, as JSON. They are untrusted. */
export type FromWorker =
  | { readonly kind: 'READY'; readonly isIsolated: boolean }
  | { readonly kind: 'ANSWER'; readonly id: number; readonly json: string }
  | { readonly kind: 'FAILED'; readonly id: number; readonly name: string }
  | {
      readonly kind: 'FETCH'
      readonly id: number
      readonly readId: number
      readonly method: string
      readonly url: string
    }

/** The message of a line, or null for anything else. */
export function messageOfLine(line: string): FromWorker | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const { kind, isIsolated, id, json, name, readId, method, url } = value as Record<string, unknown>
  const isNumber = (one: unknown): one is number => Number.isSafeInteger(one)
  const isText = (one: unknown): one is string => typeof one === 'string'
  if (kind === 'READY' && typeof isIsolated === 'boolean') return { kind, isIsolated }
  if (kind === 'ANSWER' && isNumber(id) && isText(json)) return { kind, id, json }
  if (kind === 'FAILED' && isNumber(id) && isText(name)) return { kind, id, name }
  if (kind === 'FETCH' && isNumber(id) && isNumber(readId) && isText(method) && isText(url)) {
    return { kind, id, readId, method, url }
  }
  return null
}
