import type { ExchangeRead } from '../../exchanges.ts'

/** Messages to the process of the exchanges. */
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

/** Untrusted messages from the process of the exchanges. */
export type FromWorker =
  | { readonly kind: 'READY'; readonly isIsolated: boolean }
  | { readonly kind: 'ANSWER'; readonly id: number; readonly json: string }
  | { readonly kind: 'FAILED'; readonly id: number; readonly name: string }
  | {
      readonly kind: 'FETCH'
      readonly id: number
      readonly readId: number
      readonly exchange: string
      readonly method: string
      readonly url: string
    }
